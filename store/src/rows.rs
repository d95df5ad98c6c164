//! What rows mean, in every database: the words that stand in them, and what becomes of them when they are read.

use qiguan_game::{event::Player, record::GameSummary};
use qiguan_protocol::{
    ids::{CommandId, GameId, Millis, PlayerId, Ply},
    names::{Rating, Status, Visibility},
    time_control::Clock,
};
use qiguan_rules::{BySeat, EndReason, Outcome, Seat};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    store::{GameRecord, StoreError},
    stored::StoredEvent,
};

/// The record of a game with these events; `None` if the list is empty.
pub(super) fn record(
    game: GameId,
    events: &[StoredEvent],
) -> Result<Option<GameRecord>, StoreError> {
    if events.is_empty() {
        return Ok(None);
    }
    let event = |event: &StoredEvent| {
        event.decode().map_err(|what| StoreError::Corrupt {
            table: "events",
            row: format!("{game} {}", event.seq.0),
            what,
        })
    };
    let events = events.iter().map(event).collect::<Result<_, _>>()?;
    Ok(Some(GameRecord { game, events }))
}

#[derive(FromRow)]
#[expect(clippy::struct_excessive_bools, reason = "columns of a table")]
pub(super) struct GameRow {
    pub(super) id: Uuid,
    ruleset: String,
    options: String,
    time_control: String,
    visibility: String,
    status: String,
    rated: bool,
    invited_id: Option<Uuid>,
    invited_name: Option<String>,
    first_id: Option<Uuid>,
    first_name: Option<String>,
    first_rating: Option<i64>,
    first_provisional: bool,
    first_bot: bool,
    second_id: Option<Uuid>,
    second_name: Option<String>,
    second_rating: Option<i64>,
    second_provisional: bool,
    second_bot: bool,
    created_by: Option<Uuid>,
    create_command: Option<Uuid>,
    winner: Option<String>,
    reason: Option<String>,
    ended_by: Option<String>,
    plies: Option<i64>,
    created_at: i64,
    ended_at: Option<i64>,
    start: Option<String>,
}

/// A game's line as it was written.
pub(super) fn summary(row: GameRow) -> Result<GameSummary, StoreError> {
    let corrupt = |what: String| StoreError::Corrupt {
        table: "games",
        row: row.id.to_string(),
        what,
    };
    let reason = |name: &str| {
        EndReason::from_name(name).ok_or_else(|| corrupt(format!("unknown reason {name:?}")))
    };
    let seat = |name: Option<&str>| {
        let seat = name.map(|name| Seat::from_name(name).ok_or(name));
        seat.transpose()
            .map_err(|name| corrupt(format!("unknown seat {name:?}")))
    };
    let outcome = match &row.reason {
        Some(name) => Some(Outcome {
            winner: seat(row.winner.as_deref())?,
            reason: reason(name)?,
        }),
        None => None,
    };
    let ended_by = seat(row.ended_by.as_deref())?;
    let rating = |value: Option<i64>, provisional| {
        let value = value.map(i32::try_from).transpose();
        let value = value.map_err(|_| corrupt("invalid rating".to_owned()))?;
        Ok::<_, StoreError>(value.map(|value| Rating { value, provisional }))
    };
    let players = BySeat {
        first: player(
            row.first_id,
            row.first_name,
            rating(row.first_rating, row.first_provisional)?,
            row.first_bot,
        ),
        second: player(
            row.second_id,
            row.second_name,
            rating(row.second_rating, row.second_provisional)?,
            row.second_bot,
        ),
    };
    let options =
        serde_json::from_str(&row.options).map_err(|error| corrupt(format!("options: {error}")))?;
    let time_control = serde_json::from_str(&row.time_control)
        .map_err(|error| corrupt(format!("time_control: {error}")))?;
    let status = status_of(&row.status)
        .ok_or_else(|| corrupt(format!("unknown status {:?}", row.status)))?;
    let visibility = visibility_of(&row.visibility)
        .ok_or_else(|| corrupt(format!("unknown visibility {:?}", row.visibility)))?;
    let plies = row
        .plies
        .map(u32::try_from)
        .transpose()
        .map_err(|_| corrupt("invalid number of plies".to_owned()))?;
    Ok(GameSummary {
        game: GameId(row.id),
        ruleset: row.ruleset,
        options,
        start: row.start,
        time_control,
        visibility,
        status,
        rated: row.rated,
        invited: player(row.invited_id, row.invited_name, None, false),
        players,
        created_by: row
            .created_by
            .zip(row.create_command)
            .map(|(by, command)| (PlayerId(by), CommandId(command))),
        outcome,
        ended_by,
        plies: plies.map(Ply),
        created_at: Millis(row.created_at),
        ended_at: row.ended_at.map(Millis),
    })
}

fn player(
    id: Option<Uuid>,
    name: Option<String>,
    rating: Option<Rating>,
    bot: bool,
) -> Option<Player> {
    id.zip(name).map(|(id, name)| Player {
        id: PlayerId(id),
        name,
        rating,
        bot,
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

pub(super) fn visibility_of(word: &str) -> Option<Visibility> {
    [Visibility::Public, Visibility::Link]
        .into_iter()
        .find(|visibility| visibility_word(*visibility) == word)
}

/// The kind of a clock as it is stored and asked for.
pub(super) const fn clock_word(clock: &Clock) -> &'static str {
    match clock {
        Clock::Fischer { .. } => "fischer",
        Clock::Byoyomi { .. } => "byoyomi",
        Clock::PerMove { .. } => "per_move",
        Clock::None => "none",
    }
}

/// A seat's number in a column.
pub(super) const fn seat_number(seat: Seat) -> i64 {
    match seat {
        Seat::First => 0,
        Seat::Second => 1,
    }
}

pub(super) fn seat_of(number: i64) -> Option<Seat> {
    Seat::ALL
        .into_iter()
        .find(|seat| seat_number(*seat) == number)
}
