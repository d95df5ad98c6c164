//! Pairings of the lobby before this one. A lobby that has come from another program knows nothing of the pairs that were made there last, and their
//! players may not have heard of them either: what they have asked for since leads to the game that they have, and to no other.

use qiguan_protocol::{
    error::ApiError,
    ids::{GameId, Millis, PlayerId},
};

use crate::{lobby::visiting::LOBBY, services::Services, store_errors::FromRecords};

/// For so long after it has come from another program a lobby looks for pairs that were made there.
const LOOKS_BACK: Millis = Millis(30_000);
/// So long before that they can have been made. Who asks for a second game meanwhile is led to the first one, too: the request may have been on its
/// way when that began.
const MADE_WITHIN: u64 = 60_000;

/// The game in which an earlier lobby has just paired this player, if it is still going on.
///
/// # Errors
/// `busy` when the record can't be read.
pub async fn of(services: &Services, player: PlayerId) -> Result<Option<GameId>, ApiError> {
    let Some(gained_at) = looks_back_to(services) else {
        return Ok(None);
    };
    for game in services.presence.games_of(player, Some(player)) {
        if !is_recent(game, gained_at) || services.own_pairings.has(gained_at, player, game) {
            continue;
        }
        let is_paired = services.store.is_paired_in(player, game).await;
        if is_paired.or_unreadable("a pairing")? {
            return Ok(Some(game));
        }
    }
    Ok(None)
}

/// The lobby here tells a player of a game that it has opened: it is no earlier one's.
pub fn is_not(services: &Services, player: PlayerId, game: GameId) {
    match looks_back_to(services) {
        Some(gained_at) => services.own_pairings.note(gained_at, player, game),
        None => services.own_pairings.forget(),
    }
}

/// When the lobby came here, while pairs are looked for that were made before.
fn looks_back_to(services: &Services) -> Option<Millis> {
    let gained_at = services.place.gained_at(LOBBY);
    let looks = gained_at != Millis(0) && services.clock.now() < gained_at + LOOKS_BACK;
    looks.then_some(gained_at)
}

/// Whether a game, whose id begins with the time at which it was opened, was opened shortly before this or later.
fn is_recent(game: GameId, time: Millis) -> bool {
    let opened = game.0.get_timestamp().map(|at| at.to_unix());
    opened.is_some_and(|(seconds, nanos)| {
        let opened = seconds * 1_000 + u64::from(nanos / 1_000_000);
        opened + MADE_WITHIN > time.0.max(0) as u64
    })
}

#[cfg(test)]
mod tests {
    use qiguan_environment::Random;

    use super::*;

    #[test]
    fn games_that_were_opened_within_a_minute_are_recent() {
        let game = Random::seeded(1).game_id(Millis(0));
        let (seconds, nanos) = game.0.get_timestamp().unwrap().to_unix();
        let opened = Millis((seconds * 1_000 + u64::from(nanos / 1_000_000)) as i64);
        assert!(is_recent(game, opened) && is_recent(game, opened + Millis(59_999)));
        assert!(is_recent(game, opened - Millis(5)));
        assert!(!is_recent(game, opened + Millis(60_000)));
        assert!(!is_recent(GameId(uuid::Uuid::nil()), Millis(0)));
    }
}
