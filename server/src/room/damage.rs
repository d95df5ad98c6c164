//! A game whose record makes no sense from some event on: it can be looked at up to there, and nothing changes it any more.

use qiguan_game::{event::Event, state::State};
use qiguan_protocol::ids::GameId;

use crate::{room::record::OpenError, services::Services};

/// The game up to the first event that can't be read or does not follow.
///
/// # Errors
/// When not even the first does, or the record can't be read just now.
pub(super) async fn good_part(services: &Services, game: GameId) -> Result<State, OpenError> {
    let stored = services.store.stored_games_of(&[game]).await;
    let stored = stored.map_err(|error| {
        tracing::warn!(%game, %error, "a damaged game could not be read");
        OpenError::Unavailable
    })?;
    let events = stored.into_iter().next().map(|game| game.events);
    let Some(Ok(events)) = events else {
        return Err(OpenError::Damaged);
    };
    let readable = events.iter().map_while(|event| event.decode().ok());
    let state = longest_fold(game, readable.collect()).ok_or(OpenError::Damaged)?;
    metrics::counter!("qiguan_games_damaged_total").increment(1);
    tracing::error!(
        %game, good = state.seq().0,
        "this game can only be viewed: its record is damaged after the last good event"
    );
    Ok(state)
}

/// The state after as many of these events as follow from each other; none if not even the first opens a game.
fn longest_fold(id: GameId, mut events: Vec<Event>) -> Option<State> {
    loop {
        match State::fold(id, events.iter().cloned()) {
            Ok(state) => return Some(state),
            Err(damaged) => {
                // A state that has refused an event is of no use any more; so it is folded again without it and what follows.
                let good = events.iter().position(|event| event.seq >= damaged.seq)?;
                events.truncate(good);
            }
        }
    }
}
