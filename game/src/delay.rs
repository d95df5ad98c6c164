//! A game that spectators see later than its players: a second state, which the same events are applied to once they are released.
//!
//! **Invariant:** everything that spectators receive of such a game comes from that state. What happened since is not in it, so that it can't
//! get out by mistake.

use std::collections::VecDeque;

use qiguan_protocol::{delay::SpectatorDelay, ids::Millis};

use crate::{
    event::{Body, Event},
    state::{Damaged, State},
};

/// A game as spectators know it, and what is kept from them.
#[derive(Clone)]
pub struct DelayedState {
    /// What they know.
    shown: State,
    /// What they do not know yet, the oldest first.
    held: VecDeque<Event>,
    delay: SpectatorDelay,
}

impl DelayedState {
    /// The game as spectators know it at a time; none if they see all of it at once.
    ///
    /// # Errors
    /// When the record can't be folded.
    pub fn of(state: &State, now: Millis) -> Result<Option<Self>, Damaged> {
        let Some(delay) = state.created.spectator_delay else {
            return Ok(None);
        };
        let released = released(delay, state.log.iter(), now);
        let shown = state.log.iter().take(released).cloned();
        Ok(Some(Self {
            shown: State::fold(state.id, shown)?,
            held: state.log.iter().skip(released).cloned().collect(),
            delay,
        }))
    }

    /// The game as spectators know it.
    pub const fn shown(&self) -> &State {
        &self.shown
    }

    /// Something has happened in the game.
    pub fn happened(&mut self, event: Event) {
        self.held.push_back(event);
    }

    /// Shows the next event that is released. False without one; otherwise it is the last of [`Self::shown`].
    ///
    /// # Errors
    /// When it does not follow.
    pub fn release(&mut self, now: Millis) -> Result<bool, Damaged> {
        let all = self.shown.log.iter().chain(&self.held);
        if released(self.delay, all, now) <= self.shown.log.len() {
            return Ok(false);
        }
        let Some(event) = self.held.pop_front() else {
            return Ok(false);
        };
        self.shown.apply(event)?;
        Ok(true)
    }

    /// When something is released by itself.
    pub fn due_at(&self) -> Option<Millis> {
        let SpectatorDelay::Minutes(minutes) = self.delay else {
            return None;
        };
        self.held.front().map(|event| event.at + span(minutes))
    }
}

const fn span(minutes: u32) -> Millis {
    Millis(minutes as i64 * 60_000)
}

/// How many events of a game are released at a time: all until play begins, and all when it is over; in between what the delay lets
/// through.
fn released<'a>(
    delay: SpectatorDelay,
    log: impl Iterator<Item = &'a Event> + Clone,
    now: Millis,
) -> usize {
    let all = log.clone().count();
    let is_over = |event: &Event| matches!(event.body, Body::Ended { .. });
    let begins = |event: &Event| matches!(event.body, Body::Started { .. });
    let begun = log.clone().position(begins);
    let (Some(begun), false) = (begun, log.clone().any(is_over)) else {
        return all;
    };
    match delay {
        SpectatorDelay::Plies(plies) => {
            let moved = |event: &Event| matches!(event.body, Body::Moved { .. });
            let moves = log.clone().filter(|event| moved(event)).count();
            let first_held = moves.saturating_sub(plies as usize);
            let mut places = log.enumerate().filter(|(_, event)| moved(event));
            places.nth(first_held).map_or(all, |(place, _)| place)
        }
        SpectatorDelay::Minutes(minutes) => {
            let later = log.skip(begun + 1);
            let free = later.take_while(|event| event.at + span(minutes) <= now);
            begun + 1 + free.count()
        }
    }
}

#[cfg(test)]
mod tests;
