//! The audit log. Its entries are written by what they are about (`Append`, `Change`, [`Store::revise`], [`Store::close_report`]), in
//! the same transaction; here it is added to and read, and there is no other way to touch it.

use qiguan_game::audit_entry::AuditEntry;
use qiguan_protocol::{
    audit::AuditId,
    ids::{GameId, Millis, PlayerId},
    operation::Operation,
};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    db::{Db, Failed, Statement, sql},
    ranks,
    store::{Store, StoreError},
};

/// A new entry.
const ADD: &str = "insert into acts (id, at, operation, by_id, player_id, game_id, reason, details) \
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (id) do nothing";
/// A new entry, unless the moderator may not do it any more.
const ADD_PERMITTED: &str = concat!(
    "insert into acts (id, at, operation, by_id, player_id, game_id, reason, details) \
     select $1, $2, $3, $4, $5, $6, $7, $8 where ",
    ranks::still_permitted!("$4", "$9", "$3", "$6"),
    " returning id"
);
/// The entries with names; which of them is to follow.
const PAGE: &str = "select acts.id, at, operation, by_id, actors.name as by_name, player_id, players.name as player_name, \
     game_id, reason, details \
     from acts left join players as actors on actors.id = by_id left join players on players.id = player_id where true";

impl Store {
    /// Adds entries. Those that are there already stay as they are.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn add_audit_entries(&self, entries: Vec<AuditEntry>) -> Result<(), StoreError> {
        self.write(None, |db| {
            Box::pin(async move {
                for entry in entries {
                    add(db, entry).await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// A page of entries with the names of the players, the newest first.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn audit_log(
        &self,
        filter: &AuditFilter,
    ) -> Result<Vec<NamedAuditEntry>, StoreError> {
        let rows = self.rows(page(filter)).await?;
        rows.into_iter().map(named).collect()
    }
}

/// An entry with the names of those whom it names, as they are now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedAuditEntry {
    /// The entry.
    pub entry: AuditEntry,
    /// The name of who has done it; none if there is no such player.
    pub by: Option<String>,
    /// The name of the player it is about.
    pub player: Option<String>,
}

/// Which entries. All conditions hold together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Only what this player has done.
    pub by: Option<PlayerId>,
    /// Only what was done to this player.
    pub player: Option<PlayerId>,
    /// Only entries about this game.
    pub game: Option<GameId>,
    /// Only this.
    pub operation: Option<Operation>,
    /// Only what was done at or after this time.
    pub from: Option<Millis>,
    /// Only what was done before this time.
    pub until: Option<Millis>,
    /// Only entries before this one (the next page).
    pub before: Option<AuditId>,
    /// How many.
    pub limit: u32,
}

/// A row of a page.
#[derive(FromRow)]
struct AuditRow {
    id: Uuid,
    at: i64,
    operation: String,
    by_id: Option<Uuid>,
    by_name: Option<String>,
    player_id: Option<Uuid>,
    player_name: Option<String>,
    game_id: Option<Uuid>,
    reason: String,
    details: String,
}

/// Adds an entry, within the transaction of what it is about. False, and nothing is written, if the moderator may not do it any more.
pub(crate) async fn add_permitted(db: &mut Db, entry: AuditEntry) -> Result<bool, Failed> {
    let (_, least) = ranks::of(Some(&entry));
    db.has_row(bind(sql(ADD_PERMITTED), entry).bind(least))
        .await
}

/// Adds an entry about what is done, or whose own statement has judged who may do it.
pub(crate) async fn add(db: &mut Db, entry: AuditEntry) -> Result<(), Failed> {
    db.execute(bind(sql(ADD), entry)).await?;
    Ok(())
}

fn bind(statement: Statement, entry: AuditEntry) -> Statement {
    statement
        .bind(entry.id.0)
        .bind(entry.at)
        .bind(entry.operation.as_str())
        .bind(entry.by)
        .bind(entry.player)
        .bind(entry.game)
        .bind(entry.reason)
        .bind(entry.details)
}

/// A page of entries, the newest first.
pub(crate) fn page(filter: &AuditFilter) -> Statement {
    sql(PAGE)
        .push_some(" and by_id = ", filter.by)
        .push_some(" and player_id = ", filter.player)
        .push_some(" and game_id = ", filter.game)
        .push_some(" and acts.id < ", filter.before.map(|entry| entry.0))
        .push_some(" and operation = ", filter.operation.map(Operation::as_str))
        .push_some(" and at >= ", filter.from)
        .push_some(" and at < ", filter.until)
        .push(" order by acts.id desc limit ")
        .push_value(filter.limit)
}

fn named(row: AuditRow) -> Result<NamedAuditEntry, StoreError> {
    let operation = Operation::from_name(&row.operation).ok_or_else(|| StoreError::Corrupt {
        table: "acts",
        row: row.id.to_string(),
        what: "no such operation".to_owned(),
    })?;
    Ok(NamedAuditEntry {
        entry: AuditEntry {
            id: AuditId(row.id),
            at: Millis(row.at),
            operation,
            by: row.by_id.map(PlayerId),
            player: row.player_id.map(PlayerId),
            game: row.game_id.map(GameId),
            reason: row.reason,
            details: row.details,
        },
        by: row.by_name,
        player: row.player_name,
    })
}
