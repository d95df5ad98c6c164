//! A text as the events of a stored game: between strangers of those names, and not rated. What it does not tell (who offered
//! the draw, how long both set up) is made up so that the referee could have let it happen; what it tells stays as it is. Pure.

use qiguan_protocol::{
    delay::SpectatorDelay,
    error::ApiError,
    ids::{GameId, Millis, PlayerId, Ply, Seq},
    names::Visibility,
    time_control::{Clock, TimeControl},
};
use qiguan_rules::{BySeat, EndReason, Seat, outcome::LENGTH_LIMIT};
use sha2::{Digest, Sha256};

use super::{
    GameText,
    replaying::{self, Replayed},
    sides, spans, writing,
};
use crate::{
    event::{Body, Created, Event, Player},
    record::Entry,
    setups::{Draw, Setups, has_setups},
    state::State,
    validate,
};

/// The day of games that tell none: the first of all.
const NO_DAY: Millis = Millis(0);

/// The game that a text tells of, as it is to be stored. The same text is the same game each time.
///
/// # Errors
/// What of it can't be, in words.
pub fn entry(text: &GameText) -> Result<Entry, String> {
    let replayed = replaying::replay(text)?;
    let at = match (text.tag("Date"), text.tag("UTCTime")) {
        (None, _) => NO_DAY,
        (Some(day), _) if day.contains('?') => NO_DAY,
        (Some(day), time) => spans::read_day(day, time.unwrap_or("0:00:00")).ok_or(
            "tags Date, UTCTime: expected a date such as 2026.11.22 and a time such as 12:34:56",
        )?,
    };
    let game = GameId(id(at, &writing::write(text)));
    let events = events(text, &replayed, at)?;
    let state =
        validate::validate(game, events.iter().cloned()).map_err(|error| error.to_string())?;
    Ok(Entry {
        game,
        summary: Some(state.summary()),
        events,
    })
}

/// An id that says when, and for the rest follows from a text.
fn id(at: Millis, text: &str) -> uuid::Uuid {
    let hash = Sha256::digest(text.as_bytes());
    let mut random = [0; 10];
    random.copy_from_slice(&hash[..10]);
    let ms = u64::try_from(at.0).unwrap_or_default();
    uuid::Builder::from_unix_timestamp_millis(ms, &random).into_uuid()
}

fn time_control(text: &GameText, replayed: &Replayed) -> Result<TimeControl, String> {
    let clock = match text.tag("TimeControl") {
        None | Some("?") => Clock::None,
        Some(written) => spans::read_time_control(written)
            .ok_or("tag TimeControl: expected 300+3, 600+3x30, 1/86400 or -, in seconds")?,
    };
    let span = |name: &str| {
        let read =
            |text: &str| spans::read_seconds(text).ok_or(format!("tag {name}: expected seconds"));
        text.tag(name).map(read).transpose()
    };
    let control = TimeControl {
        clock,
        absence_ms: span("AbsenceTime")?,
        setup_ms: span("SetupTime")?,
    };
    let wrong = |error: ApiError| format!("tag TimeControl: {}", error.message);
    let control = control.checked().map_err(wrong)?;
    control
        .with_setups(has_setups(&replayed.ruleset))
        .map_err(wrong)
}

fn spectator_delay(text: &GameText) -> Result<Option<SpectatorDelay>, String> {
    let Some(written) = text.tag("SpectatorDelay") else {
        return Ok(None);
    };
    let delay = spans::read_spectator_delay(written)
        .ok_or("tag SpectatorDelay: expected a value such as 3 plies or 10 minutes")?;
    let wrong = |error: ApiError| format!("tag SpectatorDelay: {}", error.message);
    delay.checked().map_err(wrong)
}

/// Players of these names, whom nobody here knows.
fn players(text: &GameText, replayed: &Replayed) -> BySeat<Player> {
    let site = text.tag("Site").unwrap_or("?");
    let one = |seat: Seat, side: &str| {
        let name = text.tag(side).unwrap_or("?").trim();
        let name = if name.is_empty() { "?" } else { name };
        let seed = format!("{site}\n{name}\n{}", seat.as_str());
        Player::named(PlayerId(id(NO_DAY, &seed)), name.to_owned())
    };
    let [first, second] = sides(replayed.ruleset.id());
    BySeat {
        first: one(Seat::First, first),
        second: one(Seat::Second, second),
    }
}

/// Events one after the other, numbered.
struct Recorder {
    events: Vec<Event>,
    at: Millis,
}

impl Recorder {
    fn add(&mut self, body: Body) {
        self.events.push(Event {
            seq: Seq(self.events.len() as u32 + 1),
            at: self.at,
            command: None,
            body,
        });
    }
}

fn events(text: &GameText, replayed: &Replayed, at: Millis) -> Result<Vec<Event>, String> {
    let Some(outcome) = replayed.outcome else {
        return Err("the game is still going on; only finished games can be imported".to_owned());
    };
    let control = time_control(text, replayed)?;
    let BySeat { first, second } = players(text, replayed);
    let mut recorder = Recorder {
        events: Vec::new(),
        at,
    };
    recorder.add(Body::Created(Box::new(Created {
        ruleset: replayed.ruleset.id().to_owned(),
        options: replayed.options.clone(),
        time_control: control,
        visibility: Visibility::Public,
        seat: Seat::First,
        player: first,
        rated: false,
        invited: None,
        spectator_delay: spectator_delay(text)?,
        start: replayed.start.clone(),
        practice: false,
        // A longer one was played before games had a greatest length.
        bounded: replayed.game.plies() <= LENGTH_LIMIT,
    })));
    recorder.add(Body::Joined {
        seat: Seat::Second,
        player: second,
    });
    let begins = !has_setups(&replayed.ruleset) || replayed.setups.is_some();
    if let Some(BySeat { first, second }) = &replayed.setups {
        let setups = Setups(BySeat {
            first: first.0,
            second: second.0,
        });
        let salts = BySeat {
            first: first.1,
            second: second.1,
        };
        let draw = Box::new(Draw {
            setups: setups.clone(),
            salts,
        });
        recorder.add(Body::SetupBegan { until: at, draw });
        recorder.add(Body::Started {
            until: at,
            setups: Some(Box::new(setups)),
        });
    } else if begins {
        recorder.add(Body::Started {
            until: at,
            setups: None,
        });
    }
    if begins && control.clock != Clock::None {
        recorder.add(Body::ClocksReleased);
    }
    let mut seat = replayed.first;
    for ((mv, written), ply) in replayed.moves.iter().zip(&text.moves).zip(1..) {
        let spent = written.took.unwrap_or(Millis(0));
        recorder.at = recorder.at + spent;
        recorder.add(Body::Moved {
            seat,
            ply: Ply(ply),
            mv: *mv,
            spent,
            lag: Millis(0),
        });
        seat = seat.other();
    }
    if outcome.reason == EndReason::Agreement {
        recorder.add(Body::DrawOffered { seat: seat.other() });
    }
    let ended = text.tag("EndDate").zip(text.tag("EndTime"));
    let ended = ended.and_then(|(day, time)| spans::read_day(day, time));
    let spent = match outcome.reason {
        EndReason::Timeout => left(&recorder.events, seat)?,
        _ => Millis(0),
    };
    recorder.at = ended.unwrap_or(recorder.at).max(recorder.at + spent);
    let by = match outcome.reason {
        EndReason::Resignation => outcome.winner.map(Seat::other),
        EndReason::Abandonment => outcome.winner,
        EndReason::Agreement => Some(seat),
        _ => None,
    };
    recorder.add(Body::Ended { outcome, spent, by });
    if replayed.setups.is_some() {
        recorder.add(Body::Revealed);
    }
    Ok(recorder.events)
}

/// What the player on the move has left.
fn left(events: &[Event], seat: Seat) -> Result<Millis, String> {
    let state = State::fold(GameId(uuid::Uuid::nil()), events.iter().cloned());
    let state = state.map_err(|damaged| damaged.why.to_owned())?;
    state
        .clock
        .left_after(seat, Millis(0))
        .ok_or_else(|| "tag Reason: a game without a clock can't end by timeout".to_owned())
}
