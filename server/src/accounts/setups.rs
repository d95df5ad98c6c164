//! The setups of Luzhanqi that a player has saved: kept as the first seat writes them, and shown to that player alone.

use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::PlayerId,
    limits,
};
use qiguan_rules::{
    Seat,
    luzhanqi::{Setup, setup::SetupError},
};
use qiguan_store::store::{NamedSetup, StoreError};

use crate::{services::Services, store_errors::FromRecords};

/// Saves a setup, in place of the one of this name.
///
/// # Errors
/// `bad_setup` with everything that is wrong with it; `limit_reached`, `restarting`, `not_stored`.
pub async fn save(
    services: &Services,
    player: PlayerId,
    name: String,
    setup: &str,
) -> Result<(), ApiError> {
    services.check_serving()?;
    let setup = read(Seat::First, setup)?.text();
    let named = NamedSetup { name, setup };
    let store = &services.store;
    let saved = match store
        .save_setup(player, named.clone(), limits::SETUPS)
        .await
    {
        Ok(saved) => saved,
        // The answer of the database may be all that was lost.
        Err(error) => match store.setup(player, &named.name).await {
            Ok(Some(found)) if found == named => true,
            Ok(_) | Err(_) => return Err(not_stored(&error)),
        },
    };
    if saved {
        return Ok(());
    }
    let message = format!(
        "you have {} setups, which is the limit; delete or overwrite one",
        limits::SETUPS
    );
    Err(ApiError::new(ErrorCode::LimitReached, message))
}

/// All setups of a player, sorted by name.
///
/// # Errors
/// `busy` when the record can't be read.
pub async fn list(services: &Services, player: PlayerId) -> Result<Vec<NamedSetup>, ApiError> {
    let setups = services.store.setups(player).await;
    setups.or_unreadable("a player's setups")
}

/// A setup by its name.
///
/// # Errors
/// `not_found`; `busy` when the record can't be read.
pub async fn get(
    services: &Services,
    player: PlayerId,
    name: &str,
) -> Result<NamedSetup, ApiError> {
    let setup = services.store.setup(player, name).await;
    setup
        .or_unreadable("a player's setups")?
        .ok_or_else(not_found)
}

/// Deletes a setup.
///
/// # Errors
/// `not_found`, `restarting`, `not_stored`.
pub async fn delete(services: &Services, player: PlayerId, name: String) -> Result<(), ApiError> {
    services.check_serving()?;
    let store = &services.store;
    let deleted = match store.delete_setup(player, name.clone()).await {
        Ok(deleted) => deleted,
        Err(error) => match store.setup(player, &name).await {
            Ok(None) => true,
            Ok(Some(_)) | Err(_) => return Err(not_stored(&error)),
        },
    };
    if deleted { Ok(()) } else { Err(not_found()) }
}

/// Reads a setup that somebody has written.
///
/// # Errors
/// `bad_setup` with everything that is wrong with it.
pub fn read(seat: Seat, text: &str) -> Result<Setup, ApiError> {
    Setup::read(seat, text).map_err(|wrong| bad_setup(&wrong))
}

/// Everything that is wrong with a setup, as one error.
pub fn bad_setup(wrong: &[SetupError]) -> ApiError {
    let wrong: Vec<_> = wrong.iter().map(ToString::to_string).collect();
    ApiError::new(ErrorCode::BadSetup, wrong.join("; ")).field("setup")
}

fn not_found() -> ApiError {
    ApiError::new(ErrorCode::NotFound, "you have no setup with this name").field("name")
}

fn not_stored(error: &StoreError) -> ApiError {
    tracing::warn!(%error, "could not change a player's setups");
    ApiError::new(
        ErrorCode::NotStored,
        "the database can't be written right now; try again",
    )
}
