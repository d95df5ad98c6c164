//! How many games and challenges one player may have at once. What is checked here beforehand is only for telling sooner: it is taken
//! where the game is stored, in one transaction ([`Quota`]).

use qiguan_game::{event::Player, people::computer::Computer};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::PlayerId,
    limits::{self, COMPUTER_GAMES},
};
use qiguan_store::quotas::{Counted, Quota};

use crate::{services::Services, store_errors::FromRecords};

/// Refuses a player who has as many open and running games as allowed.
///
/// # Errors
/// `limit_reached`; `busy` when the record can't be read.
pub async fn check_games(services: &Services, player: PlayerId) -> Result<(), ApiError> {
    if Computer::of(player).is_some() {
        return Ok(());
    }
    let most = services.games_per_player;
    let games = services
        .store
        .unfinished_games_of(player)
        .await
        .or_unreadable("a player's games")?;
    if games >= most {
        return Err(too_many_games(most));
    }
    Ok(())
}

/// One more game of a player. Computers have as many as people play against them.
pub fn game(services: &Services, player: PlayerId) -> Option<Quota> {
    let is_counted = Computer::of(player).is_none();
    is_counted.then_some(Quota {
        of: Counted::Games(player),
        most: services.games_per_player,
    })
}

/// Refuses one more game against a computer to a player who has as many running as allowed.
///
/// # Errors
/// `limit_reached`.
pub fn check_computer_games(services: &Services, player: PlayerId) -> Result<(), ApiError> {
    if services.presence.games_with_computers(player) < COMPUTER_GAMES {
        return Ok(());
    }
    let message =
        format!("you have {COMPUTER_GAMES} running games against computers; end one of them first");
    Err(ApiError::new(ErrorCode::LimitReached, message).field("computer"))
}

/// One more open challenge of one player to another.
const fn challenge(by: PlayerId, to: PlayerId) -> Quota {
    Quota {
        of: Counted::Challenges { by, to },
        most: limits::CHALLENGES_TO_ONE,
    }
}

/// What a player takes with a new game; one more challenge too, if somebody is invited to it.
pub fn new_game(services: &Services, by: PlayerId, invited: Option<&Player>) -> Vec<Quota> {
    let invited = invited.filter(|invited| Computer::of(invited.id).is_none());
    let challenge = invited.map(|invited| challenge(by, invited.id));
    game(services, by).into_iter().chain(challenge).collect()
}

/// The refusal of a player whose quota is used up.
pub fn used_up(quota: Quota) -> ApiError {
    match quota.of {
        Counted::Games(_) => too_many_games(quota.most),
        Counted::Challenges { .. } => {
            let message = format!(
                "{} of your challenges to this player are open already; wait, or abort one",
                quota.most
            );
            ApiError::new(ErrorCode::LimitReached, message).field("to")
        }
    }
}

fn too_many_games(most: u32) -> ApiError {
    let message = format!(
        "you have {most} or more games that are open or being played; at most {most} are allowed"
    );
    ApiError::new(ErrorCode::LimitReached, message)
}
