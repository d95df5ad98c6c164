//! Blocks and reports in SQLite.

use async_trait::async_trait;
use qiguan_game::{audit_entry::Act, people::permission::Permit};
use qiguan_protocol::{
    ids::{Millis, PlayerId},
    report::{ReportId, ReportOutcome},
};
use sqlx::{Sqlite, SqliteConnection};
use uuid::Uuid;

use crate::{
    act_rows,
    fair_play::{self, FairPlay, KeptReport, Report},
    fair_play_rows::{self, BlockRow, KeptRow, ReportRow},
    ranks,
    sqlite::{AsyncWrite, SqliteStore, unavailable},
    store::StoreError,
};

struct Block {
    player: PlayerId,
    blocked: PlayerId,
    at: Millis,
    most: u32,
}

#[async_trait]
impl AsyncWrite<bool> for Block {
    async fn run(self, connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
        let written = sqlx::query(fair_play_rows::BLOCK)
            .bind(self.player.0)
            .bind(self.blocked.0)
            .bind(self.at.0)
            .bind(i64::from(self.most))
            .execute(&mut *connection)
            .await?;
        if written.rows_affected() > 0 {
            return Ok(true);
        }
        // Nothing is written of what is there already, either.
        let there: i64 = sqlx::query_scalar(fair_play_rows::IS_BLOCKED)
            .bind(self.player.0)
            .bind(self.blocked.0)
            .fetch_one(connection)
            .await?;
        Ok(there > 0)
    }
}

struct Unblock {
    player: PlayerId,
    blocked: PlayerId,
}

#[async_trait]
impl AsyncWrite<()> for Unblock {
    async fn run(self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        sqlx::query(fair_play_rows::UNBLOCK)
            .bind(self.player.0)
            .bind(self.blocked.0)
            .execute(connection)
            .await?;
        Ok(())
    }
}

struct Keep {
    report: Report,
    since: Millis,
    most: u32,
}

#[async_trait]
impl AsyncWrite<bool> for Keep {
    async fn run(self, connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
        let report = self.report;
        let kept = sqlx::query(fair_play_rows::REPORT)
            .bind(report.id.0)
            .bind(report.at.0)
            .bind(report.by.0)
            .bind(report.player.0)
            .bind(report.game.map(|game| game.0))
            .bind(report.seq.map(|seq| i64::from(seq.0)))
            .bind(report.reason.as_str())
            .bind(report.text)
            .bind(self.since.0)
            .bind(i64::from(self.most))
            .execute(connection)
            .await?;
        Ok(kept.rows_affected() > 0)
    }
}

struct Close {
    report: ReportId,
    outcome: ReportOutcome,
    act: Act,
}

#[async_trait]
impl AsyncWrite<bool> for Close {
    async fn run(self, connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
        let (by, least) = ranks::of(Some(&self.act));
        let closed = sqlx::query(fair_play_rows::CLOSE)
            .bind(self.report.0)
            .bind(self.act.at.0)
            .bind(by)
            .bind(self.outcome.as_str())
            .bind(least)
            .execute(&mut *connection)
            .await?;
        let is_closed = closed.rows_affected() > 0;
        if is_closed {
            act_rows::add::<Sqlite>(connection, self.act).await?;
        }
        Ok(is_closed)
    }
}

/// Blocks and reports from another record.
struct AddCompany {
    blocks: Vec<fair_play::Block>,
    reports: Vec<KeptReport>,
}

#[async_trait]
impl AsyncWrite<()> for AddCompany {
    async fn run(self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        for block in self.blocks {
            sqlx::query(fair_play_rows::ADD_BLOCK)
                .bind(block.player.0)
                .bind(block.blocked.0)
                .bind(block.at.0)
                .execute(&mut *connection)
                .await?;
        }
        for KeptReport { report, closed } in self.reports {
            sqlx::query(fair_play_rows::ADD_REPORT)
                .bind(report.id.0)
                .bind(report.at.0)
                .bind(report.by.0)
                .bind(report.player.0)
                .bind(report.game.map(|game| game.0))
                .bind(report.seq.map(|seq| i64::from(seq.0)))
                .bind(report.reason.as_str())
                .bind(report.text)
                .bind(closed.map(|closed| closed.at.0))
                .bind(closed.and_then(|closed| closed.by).map(|by| by.0))
                .bind(
                    closed
                        .and_then(|closed| closed.outcome)
                        .map(ReportOutcome::as_str),
                )
                .execute(&mut *connection)
                .await?;
        }
        Ok(())
    }
}

#[async_trait]
impl FairPlay for SqliteStore {
    async fn block(
        &self,
        player: PlayerId,
        blocked: PlayerId,
        at: Millis,
        most: u32,
    ) -> Result<bool, StoreError> {
        self.write(Block {
            player,
            blocked,
            at,
            most,
        })
        .await
    }

    async fn unblock(&self, player: PlayerId, blocked: PlayerId) -> Result<(), StoreError> {
        self.write(Unblock { player, blocked }).await
    }

    async fn blocked_by(&self, player: PlayerId) -> Result<Vec<(PlayerId, String)>, StoreError> {
        let rows = sqlx::query_as::<_, (Uuid, String)>(fair_play_rows::BLOCKED_BY)
            .bind(player.0)
            .fetch_all(&self.readers)
            .await
            .map_err(|error| unavailable(&error))?;
        Ok(rows
            .into_iter()
            .map(|(id, name)| (PlayerId(id), name))
            .collect())
    }

    async fn avoided_by(&self, player: PlayerId) -> Result<Vec<PlayerId>, StoreError> {
        let rows = sqlx::query_scalar::<_, Uuid>(fair_play_rows::AVOIDED_BY)
            .bind(player.0)
            .fetch_all(&self.readers)
            .await
            .map_err(|error| unavailable(&error))?;
        Ok(rows.into_iter().map(PlayerId).collect())
    }

    async fn report(&self, report: Report, since: Millis, most: u32) -> Result<bool, StoreError> {
        self.write(Keep {
            report,
            since,
            most,
        })
        .await
    }

    async fn open_reports(
        &self,
        permit: Permit,
        after: Option<ReportId>,
        limit: u32,
    ) -> Result<Vec<Report>, StoreError> {
        let (by, least) = ranks::of_permit(permit);
        let after = after.map_or(Uuid::nil(), |report| report.0);
        let rows = sqlx::query_as::<_, ReportRow>(fair_play_rows::OPEN_REPORTS)
            .bind(after)
            .bind(i64::from(limit))
            .bind(by)
            .bind(least)
            .fetch_all(&self.readers)
            .await
            .map_err(|error| unavailable(&error))?;
        fair_play_rows::reports(rows)
    }

    async fn kept_report(&self, report: ReportId) -> Result<Option<KeptReport>, StoreError> {
        let rows = sqlx::query_as::<_, KeptRow>(fair_play_rows::KEPT_REPORT).bind(report.0);
        let rows = rows
            .fetch_all(&self.readers)
            .await
            .map_err(|error| unavailable(&error))?;
        Ok(fair_play_rows::kept(rows)?.pop())
    }

    async fn close_report(
        &self,
        report: ReportId,
        outcome: ReportOutcome,
        act: Act,
    ) -> Result<bool, StoreError> {
        self.write(Close {
            report,
            outcome,
            act,
        })
        .await
    }

    async fn blocks(
        &self,
        after: Option<(PlayerId, PlayerId)>,
        limit: u32,
    ) -> Result<Vec<fair_play::Block>, StoreError> {
        let (player, blocked) =
            after.map_or((Uuid::nil(), Uuid::nil()), |(one, two)| (one.0, two.0));
        let rows = sqlx::query_as::<_, BlockRow>(fair_play_rows::BLOCKS)
            .bind(player)
            .bind(blocked)
            .bind(limit);
        let rows = rows
            .fetch_all(&self.readers)
            .await
            .map_err(|error| unavailable(&error))?;
        Ok(rows.into_iter().map(fair_play_rows::block).collect())
    }

    async fn reports(
        &self,
        after: Option<ReportId>,
        limit: u32,
    ) -> Result<Vec<KeptReport>, StoreError> {
        let rows = sqlx::query_as::<_, KeptRow>(fair_play_rows::REPORTS)
            .bind(after.map_or(Uuid::nil(), |report| report.0))
            .bind(limit);
        let rows = rows
            .fetch_all(&self.readers)
            .await
            .map_err(|error| unavailable(&error))?;
        fair_play_rows::kept(rows)
    }

    async fn add_company(
        &self,
        blocks: Vec<fair_play::Block>,
        reports: Vec<KeptReport>,
    ) -> Result<(), StoreError> {
        self.write(AddCompany { blocks, reports }).await
    }
}
