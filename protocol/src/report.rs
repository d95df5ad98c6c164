//! What players tell the moderators of others.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    ids::{GameId, Millis, PlayerId, Ply, Seq},
    words::words,
};

/// A report. Version 7, so that ids sort by time.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(transparent)]
pub struct ReportId(pub Uuid);

/// What is wrong.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    ToSchema,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ReportReason {
    /// Helped by a program or by somebody else.
    Cheating,
    /// Loses or wins on purpose, or with oneself.
    Manipulation,
    /// Insults, threats, spam in chat.
    Chat,
    /// A name that nobody should have to read.
    Name,
    /// Lets others wait, or leaves again and again.
    Stalling,
    /// Something else; the text tells.
    Other,
}

/// What a moderator makes of a report.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    ToSchema,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ReportOutcome {
    /// It is true, and something was done.
    Upheld,
    /// There is nothing in it.
    Dismissed,
    /// Another report tells the same.
    Duplicate,
}

words!(ReportReason, ReportOutcome);

/// `POST /api/reports/{id}/close`: a report has been dealt with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CloseReport {
    /// What is made of it.
    pub outcome: ReportOutcome,
    /// Why, kept in the audit log: at most 200 characters.
    #[serde(default)]
    pub reason: String,
}

/// `POST /api/reports`: tells the moderators of a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewReport {
    /// Of whom.
    pub player: PlayerId,
    /// The game it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<GameId>,
    /// The event in that game, such as a line of chat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<Seq>,
    /// What is wrong.
    pub reason: ReportReason,
    /// What else there is to say: at most 1000 characters.
    #[serde(default)]
    pub text: String,
}

/// A report as moderators see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The report.
    pub report: ReportId,
    /// When it was made.
    pub at: Millis,
    /// By whom.
    pub by: PlayerId,
    /// Of whom.
    pub player: PlayerId,
    /// The game it is about.
    #[schema(required)]
    pub game: Option<GameId>,
    /// The event in that game.
    #[schema(required)]
    pub seq: Option<Seq>,
    /// How many moves of that game had been played at that event; without one, when the report was made. Null if there is no such
    /// game any more.
    #[schema(required)]
    pub ply: Option<Ply>,
    /// Where the game is shown at that ply, as a path on this server.
    #[schema(required)]
    pub link: Option<String>,
    /// What is wrong.
    pub reason: ReportReason,
    /// What else there is to say.
    pub text: String,
}

/// A page of open reports, the oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportPage {
    /// The reports.
    pub reports: Vec<Report>,
    /// The `after` of the next page; null if this is the last.
    #[schema(required)]
    pub after: Option<ReportId>,
}
