//! Guests: an identity made on the spot, proved by a token that is shown once and stored hashed.

use std::sync::Arc;

use qiguan_game::{
    audience,
    event::Player,
    people::identity::{Identity, Scopes},
};
use qiguan_protocol::{answer::Guest, error::ApiError, names::Role};

use crate::{
    accounts::funny_names, admission::session, services::Services, store_errors::FromRecords,
};

/// Opens a new identity.
///
/// # Errors
/// `restarting`; `not_stored` when the record can't be written; `internal` when there is no randomness to be had.
pub async fn open(services: &Services) -> Result<(Arc<Identity>, Guest), ApiError> {
    services.check_serving()?;
    let token = services.random.token().map_err(|error| {
        tracing::error!(%error, "the operating system gives no randomness");
        ApiError::internal()
    })?;
    let name = funny_names::draw(services.random);
    let player = Player::named(services.random.player_id(), name);
    let hash = session::hash(&token);
    let stored = services
        .store
        .create_guest(&player, hash, services.clock.now())
        .await;
    stored.or_not_stored("a guest")?;
    let guest = Guest {
        player: audience::player(&player),
        token,
    };
    let identity = Identity {
        id: player.id,
        name: player.name,
        role: Role::Guest,
        session: hash.session(),
        scopes: Scopes::ALL,
    };
    Ok((Arc::new(identity), guest))
}
