//! Players as a game stores them.

use qiguan_game::{event::Player, people::identity::Identity, ratings::change::RatingState};
use qiguan_protocol::{
    error::ApiError,
    ids::PlayerId,
    names::{Rating, SeatChoice},
};
use qiguan_rules::Seat;

use crate::{services::Services, store_errors::FromRecords};

/// A player who takes a seat in a game of this rule set, with the rating of now. Guests have none.
///
/// # Errors
/// `busy` when the record can't be read.
pub async fn seat(services: &Services, who: &Identity, ruleset: &str) -> Result<Player, ApiError> {
    let player = who.player();
    if who.is_guest() {
        return Ok(player);
    }
    Ok(Player {
        rating: Some(rating(services, who.id, ruleset).await?),
        ..player
    })
}

/// The rating that a player with an account has now.
///
/// # Errors
/// `busy` when the record can't be read.
pub async fn rating(
    services: &Services,
    player: PlayerId,
    ruleset: &str,
) -> Result<Rating, ApiError> {
    let rating_states = services
        .store
        .rating_states(player)
        .await
        .or_unreadable("a player's ratings")?;
    let rating_state = rating_states
        .into_iter()
        .find(|(known, _)| known == ruleset)
        .map_or(RatingState::NEW, |(_, rating_state)| rating_state);
    Ok(rating_state.at(services.clock.now()).shown())
}

/// The seat of a player who wants this one.
pub fn chosen(services: &Services, wanted: SeatChoice) -> Seat {
    match wanted {
        SeatChoice::First => Seat::First,
        SeatChoice::Second => Seat::Second,
        SeatChoice::Random => services.random.seat(),
    }
}
