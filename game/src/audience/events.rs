//! Events as each audience sees them, as they happen and afterwards.

use qiguan_protocol::{
    event::{EventFrame, GameEvent},
    ids::{Ply, Seq},
};
use qiguan_rules::{Played, Seat};

use super::{
    Audience, met, player,
    positions::position,
    setups::{commitments, revealed},
};
use crate::{
    clock::ClockState,
    event::{Body, Event},
    state::State,
};

/// An event as an audience sees it; `state` is the state right after it.
pub fn event(state: &State, event: &Event, audience: Audience) -> GameEvent {
    let then = Then {
        clock: &state.clock,
        turn: state.game.turn(),
        did: did(state, state.ply(), event.seq),
    };
    seen(state, &then, event, audience)
}

/// A game right after an event, as far as that is seen of it.
struct Then<'a> {
    clock: &'a ClockState,
    turn: Seat,
    /// What the last move did.
    did: Played,
}

/// What an audience sees of an event of this game.
fn seen(state: &State, then: &Then<'_>, event: &Event, audience: Audience) -> GameEvent {
    let clocks = || then.clock.view_of_event(then.turn, event.at);
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
            captured: then.did.captured,
            removed: then.did.removed.map(Into::into),
            met: then.did.revealed.map(met),
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
        Body::TakebackRequested { seat } => GameEvent::TakebackRequested {
            seat: (*seat).into(),
        },
        Body::TakebackDeclined { seat } => GameEvent::TakebackDeclined {
            seat: (*seat).into(),
        },
        Body::TakenBack { by, plies, .. } => GameEvent::TakenBack {
            seat: (*by).into(),
            plies: *plies,
            clocks: clocks(),
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
            shadow_muted,
        } if hears(audience, *seat, *shadow_muted) => GameEvent::Chat {
            seat: (*seat).into(),
            text: text.clone(),
        },
        Body::Chat { .. } => GameEvent::Withheld {},
    }
}

/// A live event: with the position, where it has changed.
pub fn frame(state: &State, happened: &Event, audience: Audience) -> EventFrame {
    let changes_position = happened.body.effects().changes_position;
    let position = changes_position.then(|| position(state, audience));
    EventFrame {
        game: state.id,
        seq: happened.seq,
        at: happened.at,
        event: event(state, happened, audience),
        position,
    }
}

/// Whether everybody knows the same of an event and of the position after it, but for the [moves](super::moves) of the player
/// whose turn it is: then everybody receives the spectators' view.
pub fn is_open(state: &State, happened: &Event) -> bool {
    happened.body.effects().is_open && state.game.hides_nothing()
}

/// The events after `since` as an audience saw them happen.
pub fn missed(state: &State, since: Seq, audience: Audience) -> Vec<EventFrame> {
    let mut telling = Telling::after(state, since);
    std::iter::from_fn(|| telling.next(state, audience)).collect()
}

/// A record that is sent once more, event by event. What its moves did, the state knows; only the clocks run once more.
pub struct Telling {
    /// The last event that has been sent.
    told: Seq,
    ply: Ply,
    turn: Seat,
    clock: ClockState,
}

impl Telling {
    /// Goes on after an event.
    pub fn after(state: &State, since: Seq) -> Self {
        let mut telling = Self {
            told: Seq(0),
            ply: Ply(0),
            turn: state.beginning().turn(),
            clock: ClockState::new(state.created.time_control.clock),
        };
        while telling.told < since && telling.step(state).is_some() {}
        telling
    }

    /// The next event as an audience saw it happen; none after the last.
    pub fn next(&mut self, state: &State, audience: Audience) -> Option<EventFrame> {
        let happened = self.step(state)?;
        let then = Then {
            clock: &self.clock,
            turn: self.turn,
            did: did(state, self.ply, happened.seq),
        };
        Some(EventFrame {
            game: state.id,
            seq: happened.seq,
            at: happened.at,
            event: seen(state, &then, happened, audience),
            position: None,
        })
    }

    /// The last event that has been sent.
    pub const fn told(&self) -> Seq {
        self.told
    }

    /// Goes on by one event; none after the last.
    fn step<'a>(&mut self, state: &'a State) -> Option<&'a Event> {
        let happened = state.log.get(self.told.0 as usize)?;
        self.told = happened.seq;
        self.clock.apply(&happened.body, happened.at);
        if let Some(at) = state.visible_at(happened.seq) {
            self.clock.became_visible(at);
        }
        self.ply = happened.body.ply_after(self.ply);
        match happened.body {
            Body::Moved { seat, .. } => self.turn = seat.other(),
            Body::TakenBack { by, .. } => self.turn = by,
            _ => {}
        }
        Some(happened)
    }
}

/// What the last move before or at an event did.
fn did(state: &State, ply: Ply, happened: Seq) -> Played {
    let played = state.played_at(ply, happened);
    played.map(|played| played.did).unwrap_or_default()
}

/// Whether an audience hears what is said from a seat: the players do, but what is shadow_muted only who says it.
pub(super) fn hears(audience: Audience, by: Seat, shadow_muted: bool) -> bool {
    audience
        .seat()
        .is_some_and(|seat| !shadow_muted || seat == by)
}
