//! Guests: an identity made on the spot, proved by a token that is shown once and stored hashed.

use qiguan_protocol::{
    answer::Guest,
    error::{ApiError, ErrorCode},
    ids::Token,
};
use sha2::{Digest, Sha256};

use crate::{
    accounts::funny_names,
    room::{audience, event::Player, hub::Services, knock},
    store::store::TokenHash,
};

/// Longer texts are not hashed: no token of ours is that long.
const LONGEST_TOKEN: usize = 128;

/// Opens a new identity.
///
/// # Errors
/// `restarting`; `not_stored` when the record can't be written; `internal` when there is no randomness to be had.
pub async fn open(services: &Services) -> Result<Guest, ApiError> {
    if services.is_draining() {
        return Err(knock::restarting());
    }
    let token = services.dice.token().map_err(|error| {
        tracing::error!(%error, "the operating system gives no randomness");
        knock::internal()
    })?;
    let player = Player {
        id: services.dice.player_id(),
        name: funny_names::draw(services.dice),
    };
    let stored = services
        .store
        .create_guest(&player, hash(&token), services.clock.now())
        .await;
    stored.map_err(|error| {
        tracing::warn!(%error, "a guest could not be stored");
        knock::not_stored()
    })?;
    Ok(Guest {
        player: audience::player(&player),
        token,
    })
}

/// Whom a token belongs to.
///
/// # Errors
/// `bad_token`; `internal` when the record can't be read.
pub async fn who(services: &Services, token: &Token) -> Result<Player, ApiError> {
    let unknown = || {
        ApiError::new(
            ErrorCode::BadToken,
            "this token is not known here; open a new identity",
        )
        .field("token")
    };
    if token.reveal().len() > LONGEST_TOKEN {
        return Err(unknown());
    }
    match services.store.player_by_token(hash(token)).await {
        Ok(Some(player)) => Ok(player),
        Ok(None) => Err(unknown()),
        Err(error) => {
            tracing::warn!(%error, "a token could not be looked up");
            Err(knock::internal())
        }
    }
}

fn hash(token: &Token) -> TokenHash {
    TokenHash(Sha256::digest(token.reveal().as_bytes()).into())
}
