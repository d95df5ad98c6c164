//! The statements about blocks and reports that every database understands, and what their rows mean.

use qiguan_protocol::{
    ids::{GameId, Millis, PlayerId, Seq},
    report::{ReportId, ReportOutcome, ReportReason},
};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    fair_play::{Block, Closed, KeptReport, Report},
    ranks,
    store::StoreError,
};

/// Blocks a player if there is room for one more.
pub(super) const BLOCK: &str = "insert into blocks (player_id, blocked_id, at) \
     select $1, $2, $3 where (select count(*) from blocks where player_id = $1) < $4 \
     on conflict (player_id, blocked_id) do nothing";
/// Whether a player blocks another.
pub(super) const IS_BLOCKED: &str =
    "select count(*) from blocks where player_id = $1 and blocked_id = $2";
/// Takes a block back.
pub(super) const UNBLOCK: &str = "delete from blocks where player_id = $1 and blocked_id = $2";
/// Whom a player blocks.
pub(super) const BLOCKED_BY: &str = "select blocked_id, name from blocks join players on players.id = blocks.blocked_id \
     where player_id = $1 order by at desc, blocked_id";
/// Whom a player blocks or is blocked by.
pub(super) const AVOIDED_BY: &str = "select blocked_id from blocks where player_id = $1 \
     union select player_id from blocks where blocked_id = $1";
/// Keeps a report unless there are too many since a time.
pub(super) const REPORT: &str = "insert into reports (id, at, by_id, player_id, game_id, seq, reason, body) \
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
pub(super) const OPEN_REPORTS: &str = concat!(
    "select id, at, by_id, player_id, game_id, seq, reason, body from reports \
     where closed_at is null and id > $1",
    may_judge!("$3", "$4"),
    " order by id limit $2"
);
/// Closes a report.
pub(super) const CLOSE: &str = concat!(
    "update reports set closed_at = $2, closed_by = $3, outcome = $4 where id = $1 and closed_at is null",
    may_judge!("$3", "$5")
);

/// A page of all blocks.
pub(super) const BLOCKS: &str = "select player_id, blocked_id, at from blocks where (player_id, blocked_id) > ($1, $2) \
     order by player_id, blocked_id limit $3";
/// A page of all reports.
pub(super) const REPORTS: &str = "select id, at, by_id, player_id, game_id, seq, reason, body, closed_at, closed_by, outcome from reports \
     where id > $1 order by id limit $2";
/// One report.
pub(super) const KEPT_REPORT: &str = "select id, at, by_id, player_id, game_id, seq, reason, body, closed_at, closed_by, outcome from reports \
     where id = $1";
/// A block that may be there already.
pub(super) const ADD_BLOCK: &str = "insert into blocks (player_id, blocked_id, at) values ($1, $2, $3) on conflict (player_id, blocked_id) do nothing";
/// A report that may be there already.
pub(super) const ADD_REPORT: &str = "insert into reports (id, at, by_id, player_id, game_id, seq, reason, body, closed_at, closed_by, outcome) \
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (id) do nothing";

/// A row of `blocks`.
pub(super) type BlockRow = (Uuid, Uuid, i64);

/// A row of `reports` with how it was closed.
#[derive(FromRow)]
pub(super) struct KeptRow {
    #[sqlx(flatten)]
    report: ReportRow,
    closed_at: Option<i64>,
    closed_by: Option<Uuid>,
    outcome: Option<String>,
}

/// The block of a row.
pub(super) const fn block((player, blocked, at): BlockRow) -> Block {
    Block {
        player: PlayerId(player),
        blocked: PlayerId(blocked),
        at: Millis(at),
    }
}

/// The reports of rows with how they were closed.
pub(super) fn kept(rows: Vec<KeptRow>) -> Result<Vec<KeptReport>, StoreError> {
    let kept = |row: KeptRow| {
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
    };
    rows.into_iter().map(kept).collect()
}

/// A row of `reports`.
#[derive(FromRow)]
pub(super) struct ReportRow {
    id: Uuid,
    at: i64,
    by_id: Uuid,
    player_id: Uuid,
    game_id: Option<Uuid>,
    seq: Option<i64>,
    reason: String,
    body: String,
}

/// The reports of rows.
pub(super) fn reports(rows: Vec<ReportRow>) -> Result<Vec<Report>, StoreError> {
    rows.into_iter().map(report).collect()
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
