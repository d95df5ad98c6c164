//! What is asked of the records about players who do not want to meet, and about those whom others complain of.

use async_trait::async_trait;
use qiguan_game::{audit_entry::Act, people::permission::Permit};
use qiguan_protocol::{
    ids::{GameId, Millis, PlayerId, Seq},
    report::{ReportId, ReportOutcome, ReportReason},
};

use crate::store::StoreError;

/// Blocks and reports.
#[async_trait]
pub trait FairPlay: Send + Sync {
    /// Notes that a player does not want to play another. False, and nothing is changed, if the player blocks `most` already.
    async fn block(
        &self,
        player: PlayerId,
        blocked: PlayerId,
        at: Millis,
        most: u32,
    ) -> Result<bool, StoreError>;

    /// Takes that back.
    async fn unblock(&self, player: PlayerId, blocked: PlayerId) -> Result<(), StoreError>;

    /// Whom a player blocks, with names, the last first.
    async fn blocked_by(&self, player: PlayerId) -> Result<Vec<(PlayerId, String)>, StoreError>;

    /// Everybody whom a player blocks or is blocked by.
    async fn avoided_by(&self, player: PlayerId) -> Result<Vec<PlayerId>, StoreError>;

    /// Keeps a report. False, and nothing is kept, if the player has reported `most` times since a time.
    async fn report(&self, report: Report, since: Millis, most: u32) -> Result<bool, StoreError>;

    /// A page of reports that nobody has closed, the oldest first, of those that the permit reaches: neither about who asks, nor about
    /// anybody above.
    async fn open_reports(
        &self,
        permit: Permit,
        after: Option<ReportId>,
        limit: u32,
    ) -> Result<Vec<Report>, StoreError>;

    /// A report, also a closed one.
    async fn kept_report(&self, report: ReportId) -> Result<Option<KeptReport>, StoreError>;

    /// Closes a report, with the entry of the audit log that tells by whom and when. False, and nothing is written, if there is
    /// none that is open, or who acts may not judge it (any more).
    async fn close_report(
        &self,
        report: ReportId,
        outcome: ReportOutcome,
        act: Act,
    ) -> Result<bool, StoreError>;

    /// A page of all blocks after one, by player and whom they block.
    async fn blocks(
        &self,
        after: Option<(PlayerId, PlayerId)>,
        limit: u32,
    ) -> Result<Vec<Block>, StoreError>;

    /// A page of all reports after one, by id, also closed ones.
    async fn reports(
        &self,
        after: Option<ReportId>,
        limit: u32,
    ) -> Result<Vec<KeptReport>, StoreError>;

    /// Adds blocks and reports, whatever their limits. What is there already stays as it is.
    async fn add_company(
        &self,
        blocks: Vec<Block>,
        reports: Vec<KeptReport>,
    ) -> Result<(), StoreError>;
}

/// That a player does not want to play another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Who blocks.
    pub player: PlayerId,
    /// Whom.
    pub blocked: PlayerId,
    /// Since when.
    pub at: Millis,
}

/// A report, and whether it was dealt with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptReport {
    /// The report.
    pub report: Report,
    /// How it was closed; none if it is open.
    pub closed: Option<Closed>,
}

/// How a report was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed {
    /// When.
    pub at: Millis,
    /// By whom; none for the operator.
    pub by: Option<PlayerId>,
    /// What was made of it; none if nobody was asked to say.
    pub outcome: Option<ReportOutcome>,
}

/// A player's report about another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The report.
    pub id: ReportId,
    /// When it was made.
    pub at: Millis,
    /// By whom.
    pub by: PlayerId,
    /// Of whom.
    pub player: PlayerId,
    /// The game it is about.
    pub game: Option<GameId>,
    /// The event in it, such as a line of chat.
    pub seq: Option<Seq>,
    /// What is wrong.
    pub reason: ReportReason,
    /// What else there is to say.
    pub text: String,
}
