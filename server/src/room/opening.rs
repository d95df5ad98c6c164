//! What is appended when games are opened, joined, ended: events, and the lines of the lists that they change.

use qiguan_protocol::{
    ids::{CommandId, GameId, Millis, Seq},
    names::Status,
};

use crate::{
    room::{
        event::{Body, Created, Event},
        referee,
        setups::Draw,
        state::{Damaged, State},
    },
    store::store::{Append, Entry},
};

/// The append that opens a game.
///
/// # Errors
/// When the game can't be folded from its own opening, which only a fault of this program can bring about.
pub fn new_game(
    cause: &'static str,
    game: GameId,
    created: Created,
    command: CommandId,
    now: Millis,
) -> Result<Append, Damaged> {
    let events = referee::number(
        Seq(0),
        now,
        Some(command),
        vec![Body::Created(Box::new(created))],
    );
    Ok(Append {
        cause,
        entries: vec![opened(game, events)?],
    })
}

/// The append of events to a game: with its line in the lists, if they change it, and with the game that a rematch opens,
/// which begins with `draw` if it has setups.
///
/// # Errors
/// When the events do not follow from the state.
pub fn append(
    cause: &'static str,
    state: &State,
    events: &[Event],
    draw: Option<&Draw>,
    now: Millis,
) -> Result<Append, Damaged> {
    let mut summary = None;
    if events.iter().any(|event| changes_summary(&event.body)) {
        let mut after = state.clone();
        for event in events {
            after.apply(event.clone())?;
        }
        summary = Some(after.summary());
    }
    let mut entries = vec![Entry {
        game: state.id,
        events: events.to_vec(),
        summary,
    }];
    for event in events {
        if let Body::RematchAgreed { next } = event.body
            && let Some(bodies) = referee::rematch_opening(state, draw.cloned(), now)
        {
            entries.push(opened(next, referee::number(Seq(0), now, None, bodies))?);
        }
    }
    Ok(Append { cause, entries })
}

fn opened(game: GameId, events: Vec<Event>) -> Result<Entry, Damaged> {
    let state = State::fold(game, events.iter().cloned())?;
    debug_assert!(state.status != Status::Ended, "a game is not opened ended");
    Ok(Entry {
        game,
        events,
        summary: Some(state.summary()),
    })
}

/// Whether a game's line in the lists is different after this event.
const fn changes_summary(body: &Body) -> bool {
    match body {
        Body::Created(_)
        | Body::Joined { .. }
        | Body::SetupBegan { .. }
        | Body::Started { .. }
        | Body::Ended { .. } => true,
        Body::SetupExtended { .. }
        | Body::SetupReady { .. }
        | Body::Revealed
        | Body::Moved { .. }
        | Body::DrawOffered { .. }
        | Body::DrawDeclined { .. }
        | Body::ClocksHeld { .. }
        | Body::ClocksReleased
        | Body::RematchOffered { .. }
        | Body::RematchAgreed { .. }
        | Body::Chat { .. } => false,
    }
}
