//! Judges a whole record as strictly as the referee judged its events one by one: whatever the referee would not have let
//! happen is reported. Pure.
//!
//! [`State::apply`] takes what it is given from our own record and so asks little; records from elsewhere, or from a disk that
//! has gone bad, come here first. What the record can't tell (whether a player was really away, what a connection's lag
//! was) is not judged.

mod ending;
mod takebacks;
pub mod telling;

use qiguan_protocol::{
    ids::{GameId, Millis, Seq},
    limits,
    names::Status,
};

use self::ending::{check_commitments, check_end, check_outcome, ended_by_rules, must_reveal};
use crate::{
    clock::Charge,
    event::{Body, Created, Event},
    given_start, rulesets,
    setups::has_setups,
    state::State,
};

/// The latest time that is one, the end of the year 9999.
const LATEST: Millis = Millis(253_402_300_799_999);
/// The longest name of a player that is taken over from elsewhere, in characters.
const NAME_CHARACTERS: usize = 100;

/// The first thing in a record that does not follow from what stands before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {seq}: {what}")]
pub struct InvalidEvent {
    /// The event.
    pub seq: Seq,
    /// What is wrong with it. Names no secret.
    pub what: String,
}

/// The game that a record tells of.
///
/// # Errors
/// The first event that the referee would not have let happen.
pub fn validate(
    game: GameId,
    events: impl IntoIterator<Item = Event>,
) -> Result<State, InvalidEvent> {
    let mut events = events.into_iter();
    let at_seq = |seq: Seq| {
        move |what: &str| InvalidEvent {
            seq,
            what: what.to_owned(),
        }
    };
    let first = events
        .next()
        .ok_or_else(|| at_seq(Seq(1))("the record has no events"))?;
    let wrong = at_seq(first.seq);
    check_times(&first).map_err(&wrong)?;
    if let Body::Created(created) = &first.body {
        check_opening(created).map_err(&wrong)?;
    }
    let mut state = State::open(game, first).map_err(|damaged| wrong(damaged.why))?;
    for event in events {
        let wrong = at_seq(event.seq);
        if event.seq != state.seq().next() {
            return Err(wrong("a number is missing or doubled"));
        }
        check_times(&event).map_err(&wrong)?;
        check_event(&state, &event).map_err(&wrong)?;
        state.apply(event).map_err(|damaged| wrong(damaged.why))?;
    }
    let wrong = at_seq(state.seq());
    check_end(&state).map_err(&wrong)?;
    check_commitments(&state).map_err(|what| wrong(&what))?;
    Ok(state)
}

fn check_times(event: &Event) -> Result<(), &'static str> {
    let times = match &event.body {
        Body::SetupBegan { until, .. }
        | Body::SetupExtended { until }
        | Body::Started { until, .. } => [*until, Millis(0)],
        Body::ClocksHeld { until, spent, .. } => [*until, *spent],
        Body::Moved { spent, lag, .. } => [*spent, *lag],
        Body::Ended { spent, .. } | Body::TakenBack { spent, .. } => [*spent, Millis(0)],
        Body::Created(_)
        | Body::Joined { .. }
        | Body::SetupReady { .. }
        | Body::DrawOffered { .. }
        | Body::DrawDeclined { .. }
        | Body::TakebackRequested { .. }
        | Body::TakebackDeclined { .. }
        | Body::ClocksReleased
        | Body::Revealed
        | Body::RematchOffered { .. }
        | Body::RematchAgreed { .. }
        | Body::Chat { .. } => [Millis(0); 2],
    };
    let all = is_time(event.at) && times.into_iter().all(is_time);
    ensure(all, "invalid time")
}

/// Whether a time, or a span, is one.
pub fn is_time(time: Millis) -> bool {
    (Millis(0)..=LATEST).contains(&time)
}

/// Whether a game can be opened like this.
fn check_opening(created: &Created) -> Result<(), &'static str> {
    let ruleset = rulesets::from_record(&created.ruleset, &created.options)
        .map_err(|_| "unknown rule set or option")?;
    let time_control = created.time_control;
    if time_control.checked().is_err() {
        return Err("invalid time control");
    }
    let delay = created.spectator_delay;
    if delay.is_some_and(|delay| delay.checked() != Ok(Some(delay))) {
        return Err("invalid spectator delay");
    }
    if time_control.setup_ms.is_some() != has_setups(&ruleset) {
        return Err("the time to set up does not fit the game");
    }
    if let Some(start) = &created.start {
        let is_recorded = given_start::recorded(&ruleset, start);
        if is_recorded != Ok(Some(start.clone())) {
            return Err("the game can't begin with this position");
        }
        if created.rated {
            return Err("a game from a position is not rated");
        }
    }
    named(&created.player.name)
}

/// Whether a player can be called so.
///
/// # Errors
/// What is wrong with the name.
pub fn named(name: &str) -> Result<(), &'static str> {
    let short = (1..=NAME_CHARACTERS).contains(&name.chars().count());
    ensure(
        short && !name.chars().any(char::is_control),
        "invalid player name",
    )
}

const fn ensure(holds: bool, what: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(what) }
}

/// Whether the referee would have let an event happen here. What [`State::apply`] finds by itself is left to it.
fn check_event(state: &State, event: &Event) -> Result<(), &'static str> {
    check_order(state, event)?;
    let seated = state.players.first.is_some() && state.players.second.is_some();
    let playing = state.status == Status::Playing && state.setting_up().is_none();
    let ended = state.status == Status::Ended;
    match &event.body {
        Body::Created(_) => Ok(()),
        Body::Joined { player, .. } => {
            ensure(state.status == Status::Open, "nobody can join any more")?;
            ensure(
                state.seat_of(player.id).is_none(),
                "a player has both seats",
            )?;
            named(&player.name)
        }
        Body::SetupBegan { .. } => {
            ensure(
                state.status == Status::Open && seated,
                "nobody can set up now",
            )?;
            ensure(has_setups(&state.ruleset), "the game has no setups")
        }
        Body::SetupExtended { .. } => {
            ensure(state.setting_up().is_some(), "nothing is being set up")
        }
        Body::SetupReady { seat } => {
            let first_time = state
                .setting_up()
                .is_some_and(|setup| !setup.ready.get(*seat));
            ensure(first_time, "nothing is being set up in this seat")
        }
        Body::Started { .. } => {
            let due = if has_setups(&state.ruleset) {
                state.setting_up().is_some()
            } else {
                state.status == Status::Open && seated
            };
            ensure(due, "play can't begin now")
        }
        Body::Revealed => ensure(must_reveal(state), "there is nothing to show"),
        Body::Moved {
            seat, spent, lag, ..
        } => {
            ensure(playing, "nobody can move now")?;
            let charge = Charge {
                spent: *spent,
                lag: *lag,
            };
            ensure(
                state.clock.can_cost(*seat, charge, Some(event.at)),
                "the move cost more time than there was",
            )?;
            let left = state.clock.left_after(*seat, *spent);
            // No flag falls while the clocks stand, although a hold can have charged all the time that was left.
            let in_time = !state.clock.is_running() || left.is_none_or(|left| left.0 > 0);
            ensure(in_time, "the flag had fallen")
        }
        Body::DrawOffered { .. } => {
            ensure(playing, "nobody can offer a draw now")?;
            ensure(state.draw_offer.is_none(), "an offer is open")
        }
        Body::DrawDeclined { seat } => {
            let open = state.draw_offer.is_some_and(|offer| offer.seat != *seat);
            ensure(playing && open, "no offer is open")
        }
        Body::TakebackRequested { .. } | Body::TakebackDeclined { .. } | Body::TakenBack { .. } => {
            takebacks::check(state, event)
        }
        Body::ClocksHeld { spent, .. } => {
            ensure(playing, "no clock can be held now")?;
            check_charge(state, *spent, None)
        }
        Body::ClocksReleased => {
            let held = state.clock.held_until().is_some();
            ensure(playing && held, "no clock is held")
        }
        Body::Ended { outcome, spent, by } => {
            ensure(!ended, "the game has ended before")?;
            check_charge(state, *spent, Some(event.at))?;
            check_outcome(state, *outcome, *spent, *by)
        }
        Body::RematchOffered { .. } => {
            ensure(ended && seated, "nobody can offer a rematch now")?;
            ensure(
                state.rematch_offer.is_none() && state.next.is_none(),
                "a rematch is offered or agreed already",
            )
        }
        Body::RematchAgreed { .. } => {
            let open = state.rematch_offer.is_some() && state.next.is_none();
            ensure(ended && open, "no rematch is offered")
        }
        Body::Chat { seat, text, .. } => {
            let somebody = state.players.get(*seat).is_some();
            ensure(somebody, "nobody has this seat")?;
            // A line that has been cleared is empty.
            let line = text.is_empty() || limits::check_stored_chat(text).is_ok();
            ensure(line, "invalid chat message")
        }
    }
}

/// Whether nothing else must come first: the rest of what a command causes, the end by the rules, or the setups after the end.
fn check_order(state: &State, event: &Event) -> Result<(), &'static str> {
    if let Some(command) = event.command
        && let Some((_, last)) = state.caused_by(command)
    {
        ensure(last == state.seq(), "its command has caused others before")?;
    }
    if state.status == Status::Playing && ended_by_rules(state) {
        ensure(
            matches!(event.body, Body::Ended { .. }),
            "the game has ended by the rules, but the record goes on",
        )?;
    }
    let reveals = matches!(event.body, Body::Revealed);
    ensure(
        reveals || !must_reveal(state),
        "the setups must be shown before the end",
    )
}

/// Whether the player on the move can have used so much.
fn check_charge(state: &State, spent: Millis, at: Option<Millis>) -> Result<(), &'static str> {
    let turn = state.game.turn();
    let charge = Charge {
        spent,
        lag: Millis(0),
    };
    let left = state.clock.left_after(turn, spent);
    if state.clock.can_cost(turn, charge, at) && left.is_none_or(|left| left.0 >= 0) {
        Ok(())
    } else {
        Err("more time was used than there was")
    }
}

#[cfg(test)]
mod tests;
