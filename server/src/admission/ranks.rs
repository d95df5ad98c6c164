//! How far a permit reaches as the record has it now: whether who holds it still has the role, and whose game it is.

use qiguan_game::people::permission::{self, Permit};
use qiguan_protocol::{
    error::ApiError,
    ids::{GameId, PlayerId},
    names::Role,
};
use qiguan_store::accounts::AccountLookup;

use crate::{services::Services, store_errors::FromRecords};

/// The same permit with the role that its holder has now.
///
/// # Errors
/// `forbidden`; `busy` when the record can't be read.
pub async fn renewed(services: &Services, permit: Permit) -> Result<Permit, ApiError> {
    let Some(by) = permit.by() else {
        return Ok(permit);
    };
    let account = services.account(AccountLookup::Player(by)).await?;
    let account = account.filter(|account| account.deleted_at.is_none());
    let role = account.map_or(Role::Guest, |account| account.role);
    permission::renewed(permit, role)
}

/// Judges whether a decision may be made about a game, such as its result.
///
/// # Errors
/// `forbidden`; `busy` when the record can't be read.
pub async fn may_decide(services: &Services, permit: Permit, game: GameId) -> Result<(), ApiError> {
    let permit = renewed(services, permit).await?;
    permit.may_decide(&players(services, game).await?)
}

/// Judges whether what players of a game have said and done may be looked at.
///
/// # Errors
/// `forbidden`; `busy` when the record can't be read.
pub async fn may_oversee(
    services: &Services,
    permit: Permit,
    game: GameId,
) -> Result<(), ApiError> {
    permit.may_oversee(&players(services, game).await?)
}

async fn players(services: &Services, game: GameId) -> Result<Vec<(PlayerId, Role)>, ApiError> {
    let players = services.store.players_of(game).await;
    players.or_unreadable("a role")
}
