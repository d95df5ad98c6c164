//! Pairings of the lobby before this one. A lobby that has come from another program knows nothing of the pairs that were made there last, and their
//! players may not have heard of them either: what they have asked for since leads to the game that they have, and to no other.

use qiguan_protocol::{
    error::ApiError,
    ids::{GameId, Millis, PlayerId},
};
use uuid::Uuid;

use crate::{lobby::visiting::LOBBY, services::Services, store_errors::FromRecords};

/// For so long after it has come from another program a lobby looks for pairs that were made there.
const LOOKS_BACK: Millis = Millis(30_000);
/// So long before that they can have been made. Who asks for a second game meanwhile is led to the first one, too: the request may have been on its
/// way when that began.
const MADE_WITHIN: Millis = Millis(60_000);

/// What a player asks for within so long after they were told of a pair, they may have asked for before they heard of it.
const ON_THE_WAY: Millis = Millis(500);

/// The game in which an earlier lobby has just paired this player, or this one without anybody who could tell over this connection, if it is still
/// going on. The record knows each: what that lobby was storing was
/// stored before the slot went, or not at all. What other programs have said of their games may come later than a request.
///
/// # Errors
/// `busy` when the record can't be read.
pub async fn of(
    services: &Services,
    player: PlayerId,
    connection: Option<u64>,
) -> Result<Option<GameId>, ApiError> {
    let Some(gained_at) = looks_back_to(services) else {
        return Ok(None);
    };
    let since = first_id_at(gained_at - MADE_WITHIN);
    let paired = services.store.paired_games_of(player, since).await;
    let mut paired = paired.or_unreadable("pairings")?.into_iter();
    let own = &services.own_pairings;
    let arrived = services.clock.now() - ON_THE_WAY;
    let over = connection.map(|connection| (connection, arrived));
    Ok(paired.find(|game| !own.has(gained_at, player, *game, over)))
}

/// The lobby here tells a player over these connections of a game that it has opened: it is no earlier one's.
pub fn is_not(
    services: &Services,
    player: PlayerId,
    game: GameId,
    connections: impl IntoIterator<Item = u64>,
) {
    let own = &services.own_pairings;
    match looks_back_to(services) {
        Some(gained_at) => own.note(gained_at, player, game, connections, services.clock.now()),
        None => own.forget(),
    }
}

/// When the lobby came here, while pairs are looked for that were made before.
fn looks_back_to(services: &Services) -> Option<Millis> {
    let gained_at = services.place.gained_at(LOBBY);
    let looks = gained_at != Millis(0) && services.clock.now() < gained_at + LOOKS_BACK;
    looks.then_some(gained_at)
}

/// The least id that a game can have that was opened at this time or later: ids begin with the time.
fn first_id_at(time: Millis) -> GameId {
    GameId(Uuid::from_u128(u128::from(time.0.max(0) as u64) << 80))
}

#[cfg(test)]
mod tests {
    use qiguan_environment::Random;

    use super::*;

    #[test]
    fn p19_games_that_were_opened_since_a_time_have_no_lesser_id() {
        let game = Random::seeded(1).game_id(Millis(0));
        let (seconds, nanos) = game.0.get_timestamp().unwrap().to_unix();
        let opened = Millis((seconds * 1_000 + u64::from(nanos / 1_000_000)) as i64);
        assert!(game >= first_id_at(opened) && game < first_id_at(opened + Millis(1)));
        assert!(game >= first_id_at(Millis(-1)));
    }
}
