//! Blocks between players, and reports about players.

use qiguan_game::{audit_entry::AuditEntry, people::permission::Permit};
use qiguan_protocol::{
    ids::{GameId, Millis, PlayerId, Seq},
    report::{ReportId, ReportOutcome, ReportReason},
};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    audit_log,
    db::{Statement, sql},
    ranks,
    store::{Store, StoreError},
};

/// Blocks a player if there is room for one more.
const BLOCK: &str = "insert into blocks (player_id, blocked_id, at) \
     select $1, $2, $3 where (select count(*) from blocks where player_id = $1) < $4 \
     on conflict (player_id, blocked_id) do nothing";
/// Two players who are kept apart do not follow each other either.
const FORGET_FOLLOWS: &str = "delete from follows where player_id = $1 and followed_id = $2 or player_id = $2 and followed_id = $1";
/// Whether a player blocks another.
const IS_BLOCKED: &str = "select count(*) from blocks where player_id = $1 and blocked_id = $2";
/// Takes a block back.
const UNBLOCK: &str = "delete from blocks where player_id = $1 and blocked_id = $2";
/// Whom a player blocks.
const BLOCKED_BY: &str = "select blocked_id, name from blocks join players on players.id = blocks.blocked_id \
     where player_id = $1 order by at desc, blocked_id";
/// Whom a player blocks or is blocked by.
pub(crate) const AVOIDED_BY: &str = "select blocked_id from blocks where player_id = $1 \
     union select player_id from blocks where blocked_id = $1";
/// Keeps a report unless there are too many since a time.
const REPORT: &str = "insert into reports (id, at, by_id, player_id, game_id, seq, reason, body) \
     select $1, $2, $3, $4, $5, $6, $7, $8 \
     where (select count(*) from reports where by_id = $3 and at >= $9) < $10";
/// Leaves out reports about who asks, and about anybody above.
macro_rules! may_judge {
    ($by:literal, $least:literal) => {
        concat!(
            " and (",
            $by,
            " is null or player_id <> ",
            $by,
            ") and ",
            ranks::rank_of_actor!($by, $least),
            " is not null and not exists (select 1 from players as reported where reported.id = reports.player_id and ",
            ranks::rank!("reported.role"),
            " > ",
            ranks::rank_of_actor!($by, $least),
            ")"
        )
    };
}
/// A page of open reports.
pub(crate) const OPEN_REPORTS: &str = concat!(
    "select id, at, by_id, player_id, game_id, seq, reason, body from reports \
     where closed_at is null and id > $1",
    may_judge!("$3", "$4"),
    " order by id limit $2"
);
/// Closes a report.
const CLOSE: &str = concat!(
    "update reports set closed_at = $2, closed_by = $3, outcome = $4 where id = $1 and closed_at is null",
    may_judge!("$3", "$5")
);

/// A page of all blocks.
const BLOCKS: &str = "select player_id, blocked_id, at from blocks where (player_id, blocked_id) > ($1, $2) \
     order by player_id, blocked_id limit $3";
/// A page of all reports.
const REPORTS: &str = "select id, at, by_id, player_id, game_id, seq, reason, body, closed_at, closed_by, outcome from reports \
     where id > $1 order by id limit $2";
/// One report.
const KEPT_REPORT: &str = "select id, at, by_id, player_id, game_id, seq, reason, body, closed_at, closed_by, outcome from reports \
     where id = $1";
/// A block that may be there already.
const ADD_BLOCK: &str = "insert into blocks (player_id, blocked_id, at) values ($1, $2, $3) on conflict (player_id, blocked_id) do nothing";
/// A report that may be there already.
const ADD_REPORT: &str = "insert into reports (id, at, by_id, player_id, game_id, seq, reason, body, closed_at, closed_by, outcome) \
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (id) do nothing";

impl Store {
    /// Notes that a player does not want to play another; they follow each other no more. False, and nothing is changed, if the player blocks `most` already.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn block(
        &self,
        player: PlayerId,
        blocked: PlayerId,
        at: Millis,
        most: u32,
    ) -> Result<bool, StoreError> {
        self.write(None, move |db| {
            Box::pin(async move {
                let block = sql(BLOCK).bind(player).bind(blocked).bind(at).bind(most);
                if db.execute(block).await? > 0 {
                    let forget = sql(FORGET_FOLLOWS).bind(player).bind(blocked);
                    db.execute(forget).await?;
                    return Ok(true);
                }
                // Nothing is written of what is there already, either.
                let is_there = db.count(sql(IS_BLOCKED).bind(player).bind(blocked));
                Ok(is_there.await? > 0)
            })
        })
        .await
    }

    /// Takes a block back.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn unblock(&self, player: PlayerId, blocked: PlayerId) -> Result<(), StoreError> {
        let unblock = sql(UNBLOCK).bind(player).bind(blocked);
        self.execute(None, unblock).await?;
        Ok(())
    }

    /// Whom a player blocks, with names, the last first.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn blocked_by(
        &self,
        player: PlayerId,
    ) -> Result<Vec<(PlayerId, String)>, StoreError> {
        let rows = self
            .rows::<(Uuid, String)>(sql(BLOCKED_BY).bind(player))
            .await?;
        Ok(rows
            .into_iter()
            .map(|(id, name)| (PlayerId(id), name))
            .collect())
    }

    /// Everybody whom a player blocks or is blocked by.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn avoided_by(&self, player: PlayerId) -> Result<Vec<PlayerId>, StoreError> {
        let rows = self.rows::<(Uuid,)>(sql(AVOIDED_BY).bind(player)).await?;
        Ok(rows.into_iter().map(|(id,)| PlayerId(id)).collect())
    }

    /// Keeps a report. False, and nothing is kept, if the player has reported `most` times since a time.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn report(
        &self,
        report: Report,
        since: Millis,
        most: u32,
    ) -> Result<bool, StoreError> {
        let keep = bind_report(sql(REPORT), report).bind(since).bind(most);
        Ok(self.execute(None, keep).await? > 0)
    }

    /// A page of reports that nobody has closed, the oldest first, of those that the permit reaches: neither about who asks, nor about
    /// anybody above.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn open_reports(
        &self,
        permit: Permit,
        after: Option<ReportId>,
        limit: u32,
    ) -> Result<Vec<Report>, StoreError> {
        let (by, least) = ranks::of_permit(permit);
        let page = sql(OPEN_REPORTS).bind(after.map_or(Uuid::nil(), |report| report.0));
        let rows = self.rows(page.bind(limit).bind(by).bind(least)).await?;
        rows.into_iter().map(report).collect()
    }

    /// A report, also a closed one.
    ///
    /// # Errors
    /// When the database can't be read, or the row makes no sense.
    pub async fn kept_report(&self, report: ReportId) -> Result<Option<KeptReport>, StoreError> {
        let row = self
            .reader()
            .await?
            .row(sql(KEPT_REPORT).bind(report))
            .await?;
        row.map(kept).transpose()
    }

    /// Closes a report, with the entry of the audit log about it. False, and nothing is written, if no such report is open, or the
    /// moderator may not judge it (any more).
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn close_report(
        &self,
        report: ReportId,
        outcome: ReportOutcome,
        audit_entry: AuditEntry,
    ) -> Result<bool, StoreError> {
        let (by, least) = ranks::of(Some(&audit_entry));
        let close = sql(CLOSE).bind(report).bind(audit_entry.at).bind(by);
        let close = close.bind(outcome.as_str()).bind(least);
        self.write(None, |db| {
            Box::pin(async move {
                let is_closed = db.execute(close).await? > 0;
                if is_closed {
                    audit_log::add(db, audit_entry).await?;
                }
                Ok(is_closed)
            })
        })
        .await
    }

    /// A page of all blocks after one, by player and whom they block.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn blocks(
        &self,
        after: Option<(PlayerId, PlayerId)>,
        limit: u32,
    ) -> Result<Vec<Block>, StoreError> {
        let nil = PlayerId(Uuid::nil());
        let (player, blocked) = after.unwrap_or((nil, nil));
        let page = sql(BLOCKS).bind(player).bind(blocked).bind(limit);
        let rows = self.rows::<(Uuid, Uuid, i64)>(page).await?;
        let blocks = rows.into_iter().map(|(player, blocked, at)| Block {
            player: PlayerId(player),
            blocked: PlayerId(blocked),
            at: Millis(at),
        });
        Ok(blocks.collect())
    }

    /// A page of all reports after one, by id, also closed ones.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn reports(
        &self,
        after: Option<ReportId>,
        limit: u32,
    ) -> Result<Vec<KeptReport>, StoreError> {
        let page = sql(REPORTS).bind(after.map_or(Uuid::nil(), |report| report.0));
        let rows = self.rows(page.bind(limit)).await?;
        rows.into_iter().map(kept).collect()
    }

    /// Adds blocks and reports from another record, whatever their limits. What is there already stays as it is.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn add_blocks_and_reports(
        &self,
        blocks: Vec<Block>,
        reports: Vec<KeptReport>,
    ) -> Result<(), StoreError> {
        self.write(None, |db| {
            Box::pin(async move {
                for Block {
                    player,
                    blocked,
                    at,
                } in blocks
                {
                    let add = sql(ADD_BLOCK).bind(player).bind(blocked).bind(at);
                    db.execute(add).await?;
                }
                for KeptReport { report, closed } in reports {
                    let outcome = closed.and_then(|closed| closed.outcome);
                    let add = bind_report(sql(ADD_REPORT), report)
                        .bind(closed.map(|closed| closed.at))
                        .bind(closed.and_then(|closed| closed.by))
                        .bind(outcome.map(ReportOutcome::as_str));
                    db.execute(add).await?;
                }
                Ok(())
            })
        })
        .await
    }
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

/// A row of `reports`.
#[derive(FromRow)]
struct ReportRow {
    id: Uuid,
    at: i64,
    by_id: Uuid,
    player_id: Uuid,
    game_id: Option<Uuid>,
    seq: Option<i64>,
    reason: String,
    body: String,
}

/// A row of `reports` with how it was closed.
#[derive(FromRow)]
struct KeptRow {
    #[sqlx(flatten)]
    report: ReportRow,
    closed_at: Option<i64>,
    closed_by: Option<Uuid>,
    outcome: Option<String>,
}

/// Binds what [`ReportRow`] has.
fn bind_report(statement: Statement, report: Report) -> Statement {
    statement
        .bind(report.id)
        .bind(report.at)
        .bind(report.by)
        .bind(report.player)
        .bind(report.game)
        .bind(report.seq)
        .bind(report.reason.as_str())
        .bind(report.text)
}

fn corrupt(report: Uuid, what: &str) -> StoreError {
    StoreError::Corrupt {
        table: "reports",
        row: report.to_string(),
        what: what.to_owned(),
    }
}

fn report(row: ReportRow) -> Result<Report, StoreError> {
    let seq = row.seq.map(u32::try_from).transpose();
    Ok(Report {
        id: ReportId(row.id),
        at: Millis(row.at),
        by: PlayerId(row.by_id),
        player: PlayerId(row.player_id),
        game: row.game_id.map(GameId),
        seq: seq.map_err(|_| corrupt(row.id, "no number"))?.map(Seq),
        reason: ReportReason::from_name(&row.reason)
            .ok_or_else(|| corrupt(row.id, "no such reason"))?,
        text: row.body,
    })
}

fn kept(row: KeptRow) -> Result<KeptReport, StoreError> {
    let outcome = row.outcome.as_deref().map(|word| {
        let known = ReportOutcome::from_name(word);
        known.ok_or_else(|| corrupt(row.report.id, "no such outcome"))
    });
    let outcome = outcome.transpose()?;
    let closed = row.closed_at.map(|at| Closed {
        at: Millis(at),
        by: row.closed_by.map(PlayerId),
        outcome,
    });
    Ok(KeptReport {
        report: report(row.report)?,
        closed,
    })
}
