//! Analyses that players have shared by their links.

use qiguan_game::audit_entry::AuditEntry;
use qiguan_protocol::{
    analysis::{Analysis, AnalysisSummary},
    ids::{AnalysisId, Millis, PlayerId},
};
use sha2::{Digest, Sha256};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    accounts::changes::HOLD,
    audit_log,
    db::{Statement, sql},
    store::{Store, StoreError},
};

/// The same analysis of a player, if it was shared before.
pub(crate) const SAME: &str = "select id from analyses where player_id = $1 and digest = $2";
/// How many analyses a player has shared.
pub(crate) const COUNT: &str = "select count(*) from analyses where player_id = $1";
const SHARE: &str = "insert into analyses (id, player_id, at, digest, ruleset, title, moves, body) \
     values ($1, $2, $3, $4, $5, $6, $7, $8)";
/// One from another record: what is there already stays as it is, and who is not there or has deleted the account shares nothing.
const ADD: &str = "insert into analyses (id, player_id, at, digest, ruleset, title, moves, body) \
     select $1, $2, $3, $4, $5, $6, $7, $8 where exists (select 1 from players where id = $2 and deleted_at is null) \
     on conflict do nothing";
const ANALYSIS: &str = "select id, player_id, at, body from analyses where id = $1";
/// What a player has shared, the last first.
pub(crate) const OF_PLAYER: &str = "select id, at, ruleset, title, moves from analyses where player_id = $1 \
     order by at desc, id";
const IS_THERE: &str = "select count(*) from analyses where id = $1";
const DELETE: &str = "delete from analyses where id = $1";
const DELETE_OWN: &str = "delete from analyses where id = $1 and player_id = $2";
/// What goes with an account.
pub(crate) const DELETE_ALL: &str = "delete from analyses where player_id = $1";
/// A page of all analyses.
const ALL: &str = "select id, player_id, at, body from analyses where id > $1 order by id limit $2";

/// An analysis that a player has shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAnalysis {
    /// Its id.
    pub id: AnalysisId,
    /// Who has shared it.
    pub player: PlayerId,
    /// When.
    pub at: Millis,
    /// What it says.
    pub content: Analysis,
}

/// What became of an analysis that was to be shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// It is stored.
    New,
    /// The player had shared the same before, under this id.
    Before(AnalysisId),
    /// The player has shared as many as are allowed.
    TooMany,
    /// There is no such player any more.
    NoPlayer,
}

impl Store {
    /// Stores an analysis, unless the player has shared the same before, or `most` others.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn share(&self, shared: StoredAnalysis, most: u32) -> Result<Shared, StoreError> {
        let player = shared.player;
        let row = NewRow::of(shared)?;
        let digest = row.digest.clone();
        let share = row.bind(SHARE);
        self.write(Some("share"), move |db| {
            Box::pin(async move {
                // Two at once would both find nothing, and both count before either is written; so they come one after the other.
                if db.execute(sql(HOLD).bind(player)).await? == 0 {
                    return Ok(Shared::NoPlayer);
                }
                let same = sql(SAME).bind(player).bind(digest);
                if let Some(before) = db.value::<Uuid>(same).await? {
                    return Ok(Shared::Before(AnalysisId(before)));
                }
                if db.count(sql(COUNT).bind(player)).await? >= i64::from(most) {
                    return Ok(Shared::TooMany);
                }
                db.execute(share).await?;
                Ok(Shared::New)
            })
        })
        .await
    }

    /// Adds analyses from another record.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn add_analyses(&self, analyses: Vec<StoredAnalysis>) -> Result<(), StoreError> {
        let rows = analyses.into_iter().map(NewRow::of);
        let rows: Vec<_> = rows.collect::<Result<_, _>>()?;
        self.write(None, |db| {
            Box::pin(async move {
                for row in rows {
                    db.execute(row.bind(ADD)).await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// An analysis by its id.
    ///
    /// # Errors
    /// When the database can't be read, or the row makes no sense.
    pub async fn analysis(&self, id: AnalysisId) -> Result<Option<StoredAnalysis>, StoreError> {
        let row: Option<AnalysisRow> = self.row(sql(ANALYSIS).bind(id.0)).await?;
        row.as_ref().map(stored).transpose()
    }

    /// Whether there is an analysis with this id.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn has_analysis(&self, id: AnalysisId) -> Result<bool, StoreError> {
        let count: Option<(i64,)> = self.row(sql(IS_THERE).bind(id.0)).await?;
        Ok(count.is_some_and(|(count,)| count > 0))
    }

    /// What a player has shared, the last first.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn analyses_of(&self, player: PlayerId) -> Result<Vec<AnalysisSummary>, StoreError> {
        let rows: Vec<(Uuid, i64, String, String, i64)> =
            self.rows(sql(OF_PLAYER).bind(player)).await?;
        let listed = rows
            .into_iter()
            .map(|(id, at, ruleset, title, moves)| AnalysisSummary {
                analysis: AnalysisId(id),
                shared_at: Millis(at),
                ruleset,
                title,
                moves: u32::try_from(moves).unwrap_or_default(),
            });
        Ok(listed.collect())
    }

    /// Deletes an analysis of a player. Returns false if the player has not shared an analysis with this id.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn delete_own_analysis(
        &self,
        player: PlayerId,
        id: AnalysisId,
    ) -> Result<bool, StoreError> {
        let delete = sql(DELETE_OWN).bind(id.0).bind(player);
        Ok(self.execute(None, delete).await? > 0)
    }

    /// Deletes an analysis, and adds the entry to the audit log. Returns false and writes nothing if no analysis has this id, or if the
    /// moderator has lost the permission.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn delete_analysis(
        &self,
        id: AnalysisId,
        audit_entry: AuditEntry,
    ) -> Result<bool, StoreError> {
        self.write(None, move |db| {
            Box::pin(async move {
                if db.count(sql(IS_THERE).bind(id.0)).await? == 0
                    || !audit_log::add_permitted(db, audit_entry).await?
                {
                    return Ok(false);
                }
                Ok(db.execute(sql(DELETE).bind(id.0)).await? > 0)
            })
        })
        .await
    }

    /// A page of all analyses after one, by id.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn all_analyses(
        &self,
        after: Option<AnalysisId>,
        limit: u32,
    ) -> Result<Vec<StoredAnalysis>, StoreError> {
        let page = sql(ALL).bind(after.map_or(Uuid::nil(), |last| last.0));
        let rows: Vec<AnalysisRow> = self.rows(page.bind(limit)).await?;
        rows.iter().map(stored).collect()
    }
}

/// A row before it is written.
struct NewRow {
    id: AnalysisId,
    player: PlayerId,
    at: Millis,
    digest: Vec<u8>,
    ruleset: String,
    title: String,
    moves: u32,
    body: String,
}

impl NewRow {
    fn of(shared: StoredAnalysis) -> Result<Self, StoreError> {
        let StoredAnalysis {
            id,
            player,
            at,
            content,
        } = shared;
        let body = serde_json::to_string(&content).map_err(|error| corrupt(id.0, &error))?;
        Ok(Self {
            id,
            player,
            at,
            digest: Sha256::digest(&body).to_vec(),
            moves: content.moves(),
            ruleset: content.ruleset,
            title: content.title,
            body,
        })
    }

    fn bind(self, statement: &'static str) -> Statement {
        let statement = sql(statement).bind(self.id.0).bind(self.player);
        let statement = statement.bind(self.at).bind(self.digest).bind(self.ruleset);
        statement.bind(self.title).bind(self.moves).bind(self.body)
    }
}

#[derive(FromRow)]
struct AnalysisRow {
    id: Uuid,
    player_id: Uuid,
    at: i64,
    body: String,
}

fn stored(row: &AnalysisRow) -> Result<StoredAnalysis, StoreError> {
    Ok(StoredAnalysis {
        id: AnalysisId(row.id),
        player: PlayerId(row.player_id),
        at: Millis(row.at),
        content: serde_json::from_str(&row.body).map_err(|error| corrupt(row.id, &error))?,
    })
}

fn corrupt(id: Uuid, what: &serde_json::Error) -> StoreError {
    StoreError::Corrupt {
        table: "analyses",
        row: id.to_string(),
        what: what.to_string(),
    }
}
