//! Whole games and players put together from rows, in every database.

use std::collections::BTreeMap;

use qiguan_protocol::ids::{GameId, Millis, PlayerId};
use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use crate::{
    room::event::{Body, Player},
    store::{
        codec,
        rows::{self, GameRow, status_word},
        store::{NamedSetup, StoreError, TokenHash},
        stored::{KnownToken, PlayerRecord, Selection, StoredEvent, StoredGame},
    },
};

/// A page of players after one, at most so many.
pub(super) const PLAYERS: &str =
    "select id, name, created_at from players where id > $1 order by id limit $2";
/// A player that may be there already.
pub(super) const ADD_PLAYER: &str =
    "insert into players (id, name, created_at) values ($1, $2, $3) on conflict (id) do nothing";
/// A token that may be there already.
pub(super) const ADD_SESSION: &str = "insert into sessions (token_hash, player_id, created_at) values ($1, $2, $3) \
     on conflict (token_hash) do nothing";
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

/// A row of `players`, of `sessions` with the player first, and of `setups`.
pub(super) type PlayerRow = (Uuid, String, i64);
pub(super) type SessionRow = (Uuid, Vec<u8>, i64);
pub(super) type SetupRow = (Uuid, String, String);

/// Players, who come by id, with their tokens and setups.
///
/// # Errors
/// When a hash is none.
pub(super) fn players(
    players: Vec<PlayerRow>,
    sessions: Vec<SessionRow>,
    setups: Vec<SetupRow>,
) -> Result<Vec<PlayerRecord>, StoreError> {
    let mut records: Vec<_> = players
        .into_iter()
        .map(|(id, name, created_at)| PlayerRecord {
            player: Player::named(PlayerId(id), name),
            created_at: Millis(created_at),
            tokens: Vec::new(),
            setups: Vec::new(),
        })
        .collect();
    for (id, hash, created_at) in sessions {
        let hash = <[u8; 32]>::try_from(hash).map_err(|_| StoreError::Corrupt {
            table: "sessions",
            row: id.to_string(),
            what: "a hash is of the wrong size".to_owned(),
        })?;
        if let Some(record) = of(&mut records, id) {
            record.tokens.push(KnownToken {
                hash: TokenHash(hash),
                created_at: Millis(created_at),
            });
        }
    }
    for (id, name, setup) in setups {
        if let Some(record) = of(&mut records, id) {
            record.setups.push(NamedSetup { name, setup });
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
        Body::Chat { seat, .. } => codec::encode(&Body::Chat {
            seat,
            text: String::new(),
        })
        .ok(),
        _ => None,
    }
}
