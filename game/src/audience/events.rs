//! Events as each audience sees them, as they happen and afterwards.

use qiguan_protocol::{
    event::{EventFrame, GameEvent},
    ids::Seq,
};
use qiguan_rules::{Played, Seat};

use super::{
    Audience, met, player,
    positions::position,
    setups::{commitments, revealed},
};
use crate::{
    event::{Body, Event},
    state::{Damaged, State},
};

/// An event as an audience sees it; `state` is the state right after it.
pub fn event(state: &State, event: &Event, audience: Audience) -> GameEvent {
    let clocks = || state.clock.view_of_event(state.game.turn(), event.at);
    match &event.body {
        Body::Created(created) => GameEvent::Created {
            seat: created.seat.into(),
            player: player(&created.player),
        },
        Body::Joined { seat, player: who } => GameEvent::Joined {
            seat: (*seat).into(),
            player: player(who),
        },
        Body::SetupBegan { until, draw } => GameEvent::SetupBegan {
            until: *until,
            setup: audience.seat().map(|seat| draw.setups.0.get(seat).text()),
        },
        Body::SetupExtended { until } => GameEvent::SetupExtended { until: *until },
        Body::SetupReady { seat } => GameEvent::SetupReady {
            seat: (*seat).into(),
        },
        Body::Started { .. } => GameEvent::Started {
            clocks: clocks(),
            commitments: state.setup.as_ref().and_then(commitments),
        },
        Body::Moved {
            seat,
            ply,
            mv,
            spent,
            lag,
        } => GameEvent::Moved {
            seat: (*seat).into(),
            ply: *ply,
            text: (*mv).into(),
            captured: did(state).captured,
            removed: did(state).removed.map(Into::into),
            met: did(state).revealed.map(met),
            spent_ms: *spent,
            lag_ms: *lag,
            clocks: clocks(),
        },
        Body::DrawOffered { seat } => GameEvent::DrawOffered {
            seat: (*seat).into(),
        },
        Body::DrawDeclined { seat } => GameEvent::DrawDeclined {
            seat: (*seat).into(),
        },
        Body::ClocksHeld { reason, .. } => GameEvent::ClocksHeld {
            reason: *reason,
            clocks: clocks(),
        },
        Body::ClocksReleased => GameEvent::ClocksReleased { clocks: clocks() },
        Body::Ended { outcome, .. } => GameEvent::Ended {
            outcome: (*outcome).into(),
            clocks: clocks(),
        },
        Body::Revealed => match state.setup.as_ref().and_then(revealed) {
            Some(setups) => GameEvent::Revealed { setups },
            None => GameEvent::Withheld {},
        },
        Body::RematchOffered { seat } => GameEvent::RematchOffered {
            seat: (*seat).into(),
        },
        Body::RematchAgreed { next } => GameEvent::RematchAgreed { next: *next },
        Body::Chat {
            seat,
            text,
            unheard,
        } if hears(audience, *seat, *unheard) => GameEvent::Chat {
            seat: (*seat).into(),
            text: text.clone(),
        },
        Body::Chat { .. } => GameEvent::Withheld {},
    }
}

/// A live event: with the position, where it has changed.
pub fn frame(state: &State, happened: &Event, audience: Audience) -> EventFrame {
    let position = changes_position(&happened.body).then(|| position(state, audience));
    EventFrame {
        game: state.id,
        seq: happened.seq,
        at: happened.at,
        event: event(state, happened, audience),
        position,
    }
}

/// Whether the position or what is legal in it is different after this event.
const fn changes_position(body: &Body) -> bool {
    match body {
        Body::Created(_)
        | Body::Started { .. }
        | Body::Moved { .. }
        | Body::Ended { .. }
        | Body::Revealed => true,
        Body::Joined { .. }
        | Body::SetupBegan { .. }
        | Body::SetupExtended { .. }
        | Body::SetupReady { .. }
        | Body::DrawOffered { .. }
        | Body::DrawDeclined { .. }
        | Body::ClocksHeld { .. }
        | Body::ClocksReleased
        | Body::RematchOffered { .. }
        | Body::RematchAgreed { .. }
        | Body::Chat { .. } => false,
    }
}

/// Whether everybody knows the same of an event and of the position after it, but for the [moves](super::moves) of the player
/// whose turn it is: then everybody receives the spectators' view.
pub fn is_open(state: &State, happened: &Event) -> bool {
    let told = match &happened.body {
        Body::Created(_)
        | Body::Joined { .. }
        | Body::Started { .. }
        | Body::Moved { .. }
        | Body::DrawOffered { .. }
        | Body::DrawDeclined { .. }
        | Body::ClocksHeld { .. }
        | Body::ClocksReleased
        | Body::Ended { .. }
        | Body::RematchOffered { .. }
        | Body::RematchAgreed { .. } => true,
        // What is set up is one side's alone.
        Body::SetupBegan { .. }
        | Body::SetupExtended { .. }
        | Body::SetupReady { .. }
        | Body::Revealed
        | Body::Chat { .. } => false,
    };
    told && state.game.hides_nothing()
}

/// The events after `since` as an audience saw them happen, by telling the record once more.
///
/// # Errors
/// When the record can't be folded.
pub fn missed(state: &State, since: Seq, audience: Audience) -> Result<Vec<EventFrame>, Damaged> {
    let mut telling = Telling::after(state, since)?;
    let mut frames = Vec::new();
    while let Some(frame) = telling.next(state, audience)? {
        frames.push(frame);
    }
    Ok(frames)
}

/// A record that is sent once more, event by event.
pub struct Telling {
    /// The game after the events that have been sent; none before the first.
    then: Option<State>,
}

impl Telling {
    /// Goes on after an event, without a word on those before.
    ///
    /// # Errors
    /// When the record can't be folded.
    pub fn after(state: &State, since: Seq) -> Result<Self, Damaged> {
        let mut telling = Self { then: None };
        while telling.told() < since && telling.step(state)? {}
        Ok(telling)
    }

    /// The next event as an audience saw it happen; none after the last.
    ///
    /// # Errors
    /// When it does not follow.
    pub fn next(
        &mut self,
        state: &State,
        audience: Audience,
    ) -> Result<Option<EventFrame>, Damaged> {
        if !self.step(state)? {
            return Ok(None);
        }
        let then = self.then.as_ref();
        Ok(then.and_then(|then| {
            let last = then.log.last()?;
            Some(EventFrame {
                game: then.id,
                seq: last.seq,
                at: last.at,
                event: event(then, last, audience),
                position: None,
            })
        }))
    }

    /// The last event that has been sent.
    pub fn told(&self) -> Seq {
        self.then.as_ref().map_or(Seq(0), State::seq)
    }

    /// Goes on by one event; false if there is none.
    fn step(&mut self, state: &State) -> Result<bool, Damaged> {
        let Some(happened) = state.log.get(self.told().0 as usize).cloned() else {
            return Ok(false);
        };
        match &mut self.then {
            Some(then) => {
                let seq = happened.seq;
                then.retell(happened)?;
                if let Some(at) = state.visible_at(seq) {
                    then.became_visible(seq, at);
                }
            }
            none => *none = Some(State::open(state.id, happened)?),
        }
        Ok(true)
    }
}

/// What the last move did.
fn did(state: &State) -> Played {
    state
        .moves
        .last()
        .map(|played| played.did)
        .unwrap_or_default()
}

/// Whether an audience hears what is said from a seat: the players do, but what is unheard only who says it.
pub(super) fn hears(audience: Audience, by: Seat, unheard: bool) -> bool {
    audience.seat().is_some_and(|seat| !unheard || seat == by)
}
