//! Opening a game.

use qiguan_protocol::{client::CreateGame, error::ApiError, ids::GameId, names::SeatChoice};
use qiguan_rules::Seat;

use crate::{
    faults,
    lobby::limits,
    room::{
        event::{Created, Player},
        hub::Services,
        knock, opening, rulesets,
    },
    store::store::AppendError,
};

/// The cause that an opening is journaled under.
const CAUSE: &str = "create_game";

/// Opens a game for a player. With a command id that has opened one before, that one comes back.
///
/// # Errors
/// `unknown_ruleset`, `bad_option`, `bad_value`, `limit_reached`, `restarting`, `not_stored`.
pub async fn create(
    services: &Services,
    player: &Player,
    asked: CreateGame,
) -> Result<GameId, ApiError> {
    if services.is_draining() {
        return Err(knock::restarting());
    }
    let time_control = asked.time_control.checked()?;
    let options = rulesets::from_wire(&asked.ruleset, &asked.options)?;
    if let Some(game) = created_before(services, player, &asked).await? {
        return Ok(game);
    }
    limits::check_games(services, player.id).await?;
    let created = Created {
        ruleset: asked.ruleset.clone(),
        options,
        time_control,
        visibility: asked.visibility,
        seat: match asked.seat {
            SeatChoice::First => Seat::First,
            SeatChoice::Second => Seat::Second,
            SeatChoice::Random => services.dice.seat(),
        },
        player: player.clone(),
    };
    let game = services.dice.game_id();
    let append = opening::new_game(CAUSE, game, created, asked.command, services.clock.now())
        .map_err(|error| {
            tracing::error!(%error, "an opening does not fold");
            knock::internal()
        })?;
    faults::point("after_check", CAUSE);
    match services.journal.append(append).await {
        Ok(()) => {
            faults::point("before_answer", CAUSE);
            Ok(game)
        }
        // The same command has got there first on another connection, or the answer of the database was lost.
        Err(AppendError::AlreadyCreated | AppendError::Unknown(_)) => {
            created_before(services, player, &asked)
                .await?
                .ok_or_else(knock::not_stored)
        }
        Err(AppendError::Refused(_) | AppendError::Conflict { .. }) => Err(knock::not_stored()),
    }
}

async fn created_before(
    services: &Services,
    player: &Player,
    asked: &CreateGame,
) -> Result<Option<GameId>, ApiError> {
    services
        .store
        .game_created_by(player.id, asked.command)
        .await
        .map_err(|error| {
            tracing::warn!(%error, "a player's command could not be looked up");
            knock::internal()
        })
}
