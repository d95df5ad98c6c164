//! Reading games from SQLite.

use qiguan_protocol::{
    ids::{CommandId, GameId, Millis, PlayerId, Ply, Seq},
    names::{Status, Visibility},
};
use qiguan_rules::{BySeat, EndReason, Outcome, Seat};
use sqlx::{FromRow, SqlitePool};
use uuid::Uuid;

use crate::{
    room::event::{Event, Player},
    store::{
        codec,
        sqlite::unavailable,
        sqlite_list,
        store::{GameFilter, GameRecord, GameSummary, StoreError},
    },
};

#[derive(FromRow)]
struct EventRow {
    seq: i64,
    at: i64,
    command: Option<Uuid>,
    body: String,
}

/// The events of a game.
pub(super) const EVENTS: &str =
    "select seq, at, command, body from events where game_id = $1 order by seq";

/// A game with its events.
pub(super) async fn game(
    readers: &SqlitePool,
    game: GameId,
) -> Result<Option<GameRecord>, StoreError> {
    let rows = sqlx::query_as::<_, EventRow>(EVENTS)
        .bind(game.0)
        .fetch_all(readers)
        .await
        .map_err(|error| unavailable(&error))?;
    if rows.is_empty() {
        return Ok(None);
    }
    let events = rows
        .into_iter()
        .map(|row| event(game, &row))
        .collect::<Result<_, _>>()?;
    Ok(Some(GameRecord { game, events }))
}

fn event(game: GameId, row: &EventRow) -> Result<Event, StoreError> {
    let corrupt = |what: String| StoreError::Corrupt {
        table: "events",
        row: format!("{game} {}", row.seq),
        what,
    };
    Ok(Event {
        seq: Seq(u32::try_from(row.seq).map_err(|_| corrupt("the number is none".to_owned()))?),
        at: Millis(row.at),
        command: row.command.map(CommandId),
        body: codec::decode(&row.body).map_err(corrupt)?,
    })
}

/// The columns of a game's line.
pub(super) const LINE: &str = "select id, ruleset, options, time_control, visibility, status, first_id, first_name, \
     second_id, second_name, created_by, create_command, winner, reason, plies, created_at, ended_at";

/// A game's line.
#[derive(FromRow)]
pub(super) struct GameRow {
    pub(super) id: Uuid,
    ruleset: String,
    options: String,
    time_control: String,
    visibility: String,
    status: String,
    first_id: Option<Uuid>,
    first_name: Option<String>,
    second_id: Option<Uuid>,
    second_name: Option<String>,
    created_by: Option<Uuid>,
    create_command: Option<Uuid>,
    winner: Option<String>,
    reason: Option<String>,
    plies: Option<u32>,
    created_at: i64,
    ended_at: Option<i64>,
}

/// A page of games, the newest first.
pub(super) async fn games(
    readers: &SqlitePool,
    filter: &GameFilter,
) -> Result<Vec<GameSummary>, StoreError> {
    let rows = sqlite_list::page(filter)
        .build_query_as::<GameRow>()
        .fetch_all(readers)
        .await
        .map_err(|error| unavailable(&error))?;
    rows.into_iter().map(summary).collect()
}

/// What a row says.
///
/// # Errors
/// When it makes no sense.
pub(super) fn summary(row: GameRow) -> Result<GameSummary, StoreError> {
    let corrupt = |what: String| StoreError::Corrupt {
        table: "games",
        row: row.id.to_string(),
        what,
    };
    let reason = |name: &str| {
        EndReason::from_name(name).ok_or_else(|| corrupt(format!("no end is called {name:?}")))
    };
    let outcome = match &row.reason {
        Some(name) => {
            let winner = row
                .winner
                .as_deref()
                .map(|name| Seat::from_name(name).ok_or(name));
            let winner = winner
                .transpose()
                .map_err(|name| corrupt(format!("no seat is called {name:?}")))?;
            Some(Outcome {
                winner,
                reason: reason(name)?,
            })
        }
        None => None,
    };
    let options =
        serde_json::from_str(&row.options).map_err(|error| corrupt(format!("options: {error}")))?;
    let time_control = serde_json::from_str(&row.time_control)
        .map_err(|error| corrupt(format!("time_control: {error}")))?;
    let status = status_of(&row.status)
        .ok_or_else(|| corrupt(format!("no status is called {:?}", row.status)))?;
    let visibility = visibility_of(&row.visibility)
        .ok_or_else(|| corrupt(format!("no visibility is called {:?}", row.visibility)))?;
    Ok(GameSummary {
        game: GameId(row.id),
        ruleset: row.ruleset,
        options,
        time_control,
        visibility,
        status,
        players: BySeat {
            first: player(row.first_id, row.first_name),
            second: player(row.second_id, row.second_name),
        },
        created_by: row
            .created_by
            .zip(row.create_command)
            .map(|(by, command)| (PlayerId(by), CommandId(command))),
        outcome,
        plies: row.plies.map(Ply),
        created_at: Millis(row.created_at),
        ended_at: row.ended_at.map(Millis),
    })
}

fn player(id: Option<Uuid>, name: Option<String>) -> Option<Player> {
    id.zip(name).map(|(id, name)| Player {
        id: PlayerId(id),
        name,
    })
}

pub(super) const fn status_word(status: Status) -> &'static str {
    match status {
        Status::Open => "open",
        Status::Playing => "playing",
        Status::Ended => "ended",
    }
}

fn status_of(word: &str) -> Option<Status> {
    [Status::Open, Status::Playing, Status::Ended]
        .into_iter()
        .find(|status| status_word(*status) == word)
}

pub(super) const fn visibility_word(visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::Public => "public",
        Visibility::Link => "link",
    }
}

fn visibility_of(word: &str) -> Option<Visibility> {
    [Visibility::Public, Visibility::Link]
        .into_iter()
        .find(|visibility| visibility_word(*visibility) == word)
}
