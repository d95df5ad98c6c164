//! Whole games and players put together from rows, in every database.

use std::collections::BTreeMap;

use qiguan_game::event::{Body, Player};
use qiguan_protocol::ids::{GameId, Millis, PlayerId};
use sqlx::{Database, Encode, FromRow, QueryBuilder, Type};
use uuid::Uuid;

use crate::{
    account::PasswordHash,
    codec, people,
    rows::{self, GameRow, status_word},
    store::{NamedSetup, StoreError},
    stored::{AccountRecord, PlayerRecord, Selection, StoredEvent, StoredGame},
};

/// A page of players after one, at most so many.
pub(super) const PLAYERS: &str = "select id, name, created_at, role, password_hash, registered_at, banned_until, ban_reason, \
     muted_until, mute_reason, limited_at, renamed_at, deleted_at, withdrawn_at from players where id > $1 order by id limit $2";
/// The game after one.
pub(super) const NEXT_GAME: &str = "select id from games where id > $1 order by id limit 1";
/// The columns of a session, the player first.
macro_rules! session_columns {
    () => {
        "select player_id, token_hash, kind, label, scopes, agent, created_at, last_seen_at, expires_at from sessions"
    };
}
pub(super) use session_columns;
/// A player that may be there already.
pub(super) const ADD_PLAYER: &str = "insert into players (id, name, created_at, role, password_hash, registered_at, \
     banned_until, ban_reason, deleted_at, withdrawn_at, muted_until, mute_reason, limited_at, renamed_at) \
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) on conflict (id) do nothing \
     returning id";
/// A key of a name that somebody may have already.
pub(super) const ADD_KEY: &str =
    "insert into names (key, player_id) values ($1, $2) on conflict (key) do nothing returning key";
/// A token that may be there already.
pub(super) const ADD_SESSION: &str = "insert into sessions (token_hash, player_id, kind, label, scopes, agent, created_at, \
     last_seen_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (token_hash) do nothing returning token_hash";
/// A setup that may be there already.
pub(super) const ADD_SETUP: &str = "insert into setups (player_id, name, setup) values ($1, $2, $3) \
     on conflict (player_id, name) do nothing";

/// Continues a `where` with the conditions of a selection.
pub(super) fn push_conditions<DB: Database>(query: &mut QueryBuilder<DB>, selection: &Selection)
where
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Type<DB>,
    for<'q> &'static str: Encode<'q, DB> + Type<DB>,
{
    if let Some(status) = selection.status {
        query.push(" and status = ").push_bind(status_word(status));
    }
    if let Some(player) = selection.player {
        query.push(" and (first_id = ").push_bind(player.0);
        query.push(" or second_id = ").push_bind(player.0);
        query.push(")");
    }
    if let Some(ruleset) = &selection.ruleset {
        query.push(" and ruleset = ").push_bind(ruleset.clone());
    }
    if let Some(from) = selection.created_from {
        query.push(" and created_at >= ").push_bind(from.0);
    }
    if let Some(until) = selection.created_until {
        query.push(" and created_at < ").push_bind(until.0);
    }
}

/// The games of these ids, by id, with their lines and with their events in order.
pub(super) fn games(
    ids: &[Uuid],
    lines: Vec<GameRow>,
    events: impl IntoIterator<Item = (Uuid, Result<StoredEvent, StoreError>)>,
) -> Vec<StoredGame> {
    let mut games: BTreeMap<Uuid, StoredGame> = ids
        .iter()
        .map(|id| {
            let game = StoredGame {
                game: GameId(*id),
                line: None,
                events: Ok(Vec::new()),
            };
            (*id, game)
        })
        .collect();
    for row in lines {
        if let Some(game) = games.get_mut(&row.id) {
            game.line = Some(rows::summary(row));
        }
    }
    for (id, event) in events {
        if let Some(game) = games.get_mut(&id)
            && let Ok(events) = &mut game.events
        {
            match event {
                Ok(event) => events.push(event),
                Err(error) => game.events = Err(error),
            }
        }
    }
    games.into_values().collect()
}

/// A row of `players`.
#[derive(FromRow)]
pub(super) struct PlayerRow {
    pub(super) id: Uuid,
    name: String,
    created_at: i64,
    role: String,
    password_hash: Option<String>,
    registered_at: Option<i64>,
    banned_until: Option<i64>,
    ban_reason: Option<String>,
    muted_until: Option<i64>,
    mute_reason: Option<String>,
    limited_at: Option<i64>,
    renamed_at: Option<i64>,
    deleted_at: Option<i64>,
    withdrawn_at: Option<i64>,
}

/// A row of `sessions` with the player first.
#[derive(FromRow)]
pub(super) struct SessionRow {
    player_id: Uuid,
    token_hash: Vec<u8>,
    kind: String,
    label: Option<String>,
    scopes: Option<String>,
    agent: Option<String>,
    created_at: i64,
    last_seen_at: i64,
    expires_at: Option<i64>,
}

/// A row of `setups`.
pub(super) type SetupRow = (Uuid, String, String);
/// A row of `names`, the player first.
pub(super) type KeyRow = (Uuid, String);

/// What a page of players is made up of.
pub(super) struct PlayerRows {
    pub(super) players: Vec<PlayerRow>,
    pub(super) sessions: Vec<SessionRow>,
    pub(super) setups: Vec<SetupRow>,
    pub(super) keys: Vec<KeyRow>,
}

/// Players, who come by id, with their tokens, setups and keys.
///
/// # Errors
/// When a column makes no sense.
pub(super) fn players(rows: PlayerRows) -> Result<Vec<PlayerRecord>, StoreError> {
    let records = rows.players.into_iter().map(|row| {
        Ok(PlayerRecord {
            player: Player::named(PlayerId(row.id), row.name),
            created_at: Millis(row.created_at),
            account: AccountRecord {
                role: people::role_of(row.id, &row.role)?,
                password: row.password_hash.map(PasswordHash),
                registered_at: row.registered_at.map(Millis),
                ban: people::ban(row.banned_until, row.ban_reason),
                mute: people::ban(row.muted_until, row.mute_reason),
                limited_at: row.limited_at.map(Millis),
                renamed_at: row.renamed_at.map(Millis),
                deleted_at: row.deleted_at.map(Millis),
                withdrawn_at: row.withdrawn_at.map(Millis),
                keys: Vec::new(),
            },
            tokens: Vec::new(),
            setups: Vec::new(),
        })
    });
    let mut records: Vec<_> = records.collect::<Result<_, StoreError>>()?;
    for row in rows.sessions {
        let id = row.player_id;
        let columns = (
            row.token_hash,
            row.kind,
            row.label,
            row.scopes,
            row.agent,
            row.created_at,
            row.last_seen_at,
            row.expires_at,
        );
        let session = people::session(id, columns)?;
        if let Some(record) = of(&mut records, id) {
            record.tokens.push(session);
        }
    }
    for (id, name, setup) in rows.setups {
        if let Some(record) = of(&mut records, id) {
            record.setups.push(NamedSetup { name, setup });
        }
    }
    for (id, key) in rows.keys {
        if let Some(record) = of(&mut records, id) {
            record.account.keys.push(key);
        }
    }
    Ok(records)
}

fn of(records: &mut [PlayerRecord], id: Uuid) -> Option<&mut PlayerRecord> {
    let place = records.binary_search_by_key(&id, |record| record.player.id.0);
    place.ok().and_then(|place| records.get_mut(place))
}

/// A line of chat without its text; none if it is damaged.
pub(super) fn cleared(body: &str) -> Option<String> {
    match codec::decode(body).ok()? {
        Body::Chat { seat, unheard, .. } => codec::encode(&Body::Chat {
            seat,
            unheard,
            text: String::new(),
        })
        .ok(),
        _ => None,
    }
}
