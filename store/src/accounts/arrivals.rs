//! Whole players, with everything that makes up their identity: read to move them to another record, and added there.

use qiguan_game::{audit_entry::AuditEntry, event::Player};
use qiguan_protocol::{
    ids::{Millis, PlayerId},
    names::Role,
};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    accounts::{
        Account, AccountRow, Follow, PasswordHash, StoredSanction, StoredSession, account_columns,
        follows, names,
        puzzles::{self, DaysRow, PuzzleRecord, RatingRow, ResultRow},
        sessions::{self, SessionRow, new_session, session_columns},
        settings::{self, SettingsRecord, SettingsRow},
    },
    audit_log,
    db::{Db, Failed, sql},
    store::{NamedSetup, Store, StoreError},
};

/// A page of players after one, at most so many.
const PLAYERS: &str = concat!(
    "select ",
    account_columns!(),
    ", created_at, renamed_at, withdrawn_at, hidden_at from players where id > $1 order by id limit $2"
);
/// What the players of a page have: those after one, up to another.
const SESSIONS: &str = concat!(
    "select ",
    session_columns!(),
    " from sessions where player_id > $1 and player_id <= $2 order by player_id, token_hash"
);
const SETUPS: &str = "select player_id, name, setup from setups \
     where player_id > $1 and player_id <= $2 order by player_id, name";
const KEYS: &str = "select player_id, key from names \
     where player_id > $1 and player_id <= $2 order by player_id, key";

/// A player who may be there already.
const ADD_PLAYER: &str = "insert into players (id, name, created_at, role, password_hash, registered_at, \
     banned_until, ban_reason, muted_until, mute_reason, deleted_at, withdrawn_at, limited_at, renamed_at, hidden_at) \
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) on conflict (id) do nothing";
/// A token that may be there already.
const ADD_SESSION: &str = concat!(new_session!(), " on conflict (token_hash) do nothing");
/// A setup that may be there already.
const ADD_SETUP: &str = "insert into setups (player_id, name, setup) values ($1, $2, $3) \
     on conflict (player_id, name) do nothing";
/// A player who came just now, with all that came along.
const TAKE_BACK: &str = "delete from players where id = $1";

impl Store {
    /// A page of players after one, whole, by id, all read at the same moment.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn players(
        &self,
        after: Option<PlayerId>,
        limit: u32,
    ) -> Result<Vec<PlayerRecord>, StoreError> {
        let after = after.unwrap_or(PlayerId(Uuid::nil()));
        let mut moment = self.readers.snapshot().await?;
        let rows: Vec<PlayerRow> = moment.rows(sql(PLAYERS).bind(after).bind(limit)).await?;
        let records = rows.into_iter().map(PlayerRecord::try_from);
        let mut records: Vec<_> = records.collect::<Result<_, _>>()?;
        let Some(last) = records.last().map(|record| record.player.id) else {
            return Ok(records);
        };
        let theirs = |text| sql(text).bind(after).bind(last);
        let sessions: Vec<SessionRow> = moment.rows(theirs(SESSIONS)).await?;
        let setups: Vec<(Uuid, String, String)> = moment.rows(theirs(SETUPS)).await?;
        let keys: Vec<(Uuid, String)> = moment.rows(theirs(KEYS)).await?;
        let follows: Vec<(Uuid, Uuid, i64)> = moment.rows(theirs(follows::FOLLOWS)).await?;
        let settings: Vec<SettingsRow> = moment.rows(theirs(settings::SETTINGS_OF)).await?;
        let results: Vec<ResultRow> = moment.rows(theirs(puzzles::RESULTS_OF)).await?;
        let ratings: Vec<RatingRow> = moment.rows(theirs(puzzles::RATINGS_OF)).await?;
        let days: Vec<DaysRow> = moment.rows(theirs(puzzles::DAYS_OF)).await?;
        moment.commit().await?;
        for row in sessions {
            if let Some(record) = of(&mut records, row.player_id) {
                record.tokens.push(row.try_into()?);
            }
        }
        for (id, name, setup) in setups {
            if let Some(record) = of(&mut records, id) {
                record.setups.push(NamedSetup { name, setup });
            }
        }
        for (id, key) in keys {
            if let Some(record) = of(&mut records, id) {
                record.account.keys.push(key);
            }
        }
        for row in settings {
            if let Some(record) = of(&mut records, row.player_id) {
                record.settings = Some(row.try_into()?);
            }
        }
        for row in results {
            if let Some(record) = of(&mut records, row.player_id) {
                record.puzzles.results.push(row.try_into()?);
            }
        }
        for row in ratings {
            if let Some(record) = of(&mut records, row.player_id) {
                record.puzzles.ratings.push(row.into());
            }
        }
        for row in days {
            if let Some(record) = of(&mut records, row.player_id) {
                record.puzzles.days = Some(row.into());
            }
        }
        for (id, followed, at) in follows {
            if let Some(record) = of(&mut records, id) {
                record.follows.push(Follow {
                    player: PlayerId(followed),
                    at: Millis(at),
                });
            }
        }
        Ok(records)
    }

    /// Adds players with their tokens, setups and whom they follow in one transaction, each with all of it and with the entries of the audit log
    /// about it, or not at all. Comes back with what became of each.
    ///
    /// # Errors
    /// When the database can't write.
    pub async fn add_players(&self, players: Vec<Arrival>) -> Result<Vec<Added>, StoreError> {
        self.write(None, |db| {
            Box::pin(async move {
                let mut all = Vec::with_capacity(players.len());
                for Arrival {
                    record,
                    audit_entries,
                } in players
                {
                    let id = record.player.id;
                    let added = add(db, record).await?;
                    match added {
                        Added::New => {
                            for audit_entry in audit_entries {
                                audit_log::add(db, audit_entry).await?;
                            }
                        }
                        Added::Known => {}
                        Added::NameTaken | Added::TokenTaken => {
                            db.execute(sql(TAKE_BACK).bind(id)).await?;
                        }
                    }
                    all.push(added);
                }
                Ok(all)
            })
        })
        .await
    }
}

/// A player with everything that makes up the identity. Its setups are secrets, and none is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerRecord {
    /// The player.
    pub player: Player,
    /// When the player came.
    pub created_at: Millis,
    /// What makes the player more than a guest.
    pub account: AccountRecord,
    /// What proves the identity.
    pub tokens: Vec<StoredSession>,
    /// The saved setups, by name.
    pub setups: Vec<NamedSetup>,
    /// Whom the player follows, by id.
    pub follows: Vec<Follow>,
    /// What the player has chosen, if anything was saved.
    pub settings: Option<SettingsRecord>,
    /// What the player has made of puzzles.
    pub puzzles: PuzzleRecord,
}

/// A player who comes from another record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The player.
    pub record: PlayerRecord,
    /// The entries of the audit log that are written if the player is new.
    pub audit_entries: Vec<AuditEntry>,
}

impl From<PlayerRecord> for Arrival {
    /// Without any entry.
    fn from(record: PlayerRecord) -> Self {
        let audit_entries = Vec::new();
        Self {
            record,
            audit_entries,
        }
    }
}

/// What became of a player who came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// The player is there now.
    New,
    /// The player was there already, and stays as before.
    Known,
    /// Somebody else has a name that can't be told from the player's. Nothing was added.
    NameTaken,
    /// Somebody else has one of the player's tokens. Nothing was added.
    TokenTaken,
}

/// What makes a player more than a guest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountRecord {
    /// What the player is here.
    pub role: Role,
    /// What is kept of the password.
    pub password: Option<PasswordHash>,
    /// When the guest became a player.
    pub registered_at: Option<Millis>,
    /// Whether and until when the account is closed to its owner.
    pub ban: Option<StoredSanction>,
    /// Whether and until when the player may not chat.
    pub mute: Option<StoredSanction>,
    /// Since when the player is limited, if so.
    pub limited_at: Option<Millis>,
    /// Since when the player's new name is on its way into the games.
    pub renamed_at: Option<Millis>,
    /// Since when the owner does not want to be shown as online, if so.
    pub hidden_at: Option<Millis>,
    /// When the account was deleted.
    pub deleted_at: Option<Millis>,
    /// When the deleted player's name had been removed from every game.
    pub withdrawn_at: Option<Millis>,
    /// The keys of the name, in order.
    pub keys: Vec<String>,
}

impl AccountRecord {
    /// Of a guest.
    pub const GUEST: Self = Self {
        role: Role::Guest,
        password: None,
        registered_at: None,
        ban: None,
        mute: None,
        limited_at: None,
        renamed_at: None,
        hidden_at: None,
        deleted_at: None,
        withdrawn_at: None,
        keys: Vec::new(),
    };
}

/// A row of `players`.
#[derive(FromRow)]
struct PlayerRow {
    #[sqlx(flatten)]
    account: AccountRow,
    created_at: i64,
    renamed_at: Option<i64>,
    withdrawn_at: Option<i64>,
    hidden_at: Option<i64>,
}

impl TryFrom<PlayerRow> for PlayerRecord {
    type Error = StoreError;

    /// Without tokens, setups, keys, follows, settings and puzzles.
    fn try_from(row: PlayerRow) -> Result<Self, StoreError> {
        let account = Account::try_from(row.account)?;
        Ok(Self {
            player: Player::named(account.id, account.name),
            created_at: Millis(row.created_at),
            account: AccountRecord {
                role: account.role,
                password: account.password,
                registered_at: account.registered_at,
                ban: account.ban,
                mute: account.mute,
                limited_at: account.limited_at,
                renamed_at: row.renamed_at.map(Millis),
                hidden_at: row.hidden_at.map(Millis),
                deleted_at: account.deleted_at,
                withdrawn_at: row.withdrawn_at.map(Millis),
                keys: Vec::new(),
            },
            tokens: Vec::new(),
            setups: Vec::new(),
            follows: Vec::new(),
            settings: None,
            puzzles: PuzzleRecord::default(),
        })
    }
}

/// The record of a player, among records by id.
fn of(records: &mut [PlayerRecord], id: Uuid) -> Option<&mut PlayerRecord> {
    let place = records.binary_search_by_key(&id, |record| record.player.id.0);
    place.ok().and_then(|place| records.get_mut(place))
}

/// Adds a player. One who is there already stays as before: nobody else's token or name becomes theirs.
async fn add(db: &mut Db, record: PlayerRecord) -> Result<Added, Failed> {
    let (id, account) = (record.player.id, record.account);
    let player = sql(ADD_PLAYER)
        .bind(id)
        .bind(record.player.name)
        .bind(record.created_at)
        .bind(account.role.as_str())
        .bind(account.password.map(|password| password.0))
        .bind(account.registered_at);
    let player = StoredSanction::bind(account.mute, StoredSanction::bind(account.ban, player))
        .bind(account.deleted_at)
        .bind(account.withdrawn_at)
        .bind(account.limited_at)
        .bind(account.renamed_at)
        .bind(account.hidden_at);
    if db.execute(player).await? == 0 {
        return Ok(Added::Known);
    }
    if names::take(db, id, account.keys).await?.is_none() {
        return Ok(Added::NameTaken);
    }
    for session in record.tokens {
        let session = sessions::bind(sql(ADD_SESSION), id, session);
        if db.execute(session).await? == 0 {
            return Ok(Added::TokenTaken);
        }
    }
    for NamedSetup { name, setup } in record.setups {
        let setup = sql(ADD_SETUP).bind(id).bind(name).bind(setup);
        db.execute(setup).await?;
    }
    for Follow { player, at } in record.follows {
        let follow = sql(follows::ADD).bind(id).bind(player).bind(at);
        db.execute(follow).await?;
    }
    if let Some(SettingsRecord {
        version,
        updated_at,
        body,
    }) = record.settings
    {
        let add = sql(settings::ADD).bind(id).bind(version);
        db.execute(add.bind(updated_at).bind(body)).await?;
    }
    puzzles::add(db, id, record.puzzles).await?;
    Ok(Added::New)
}
