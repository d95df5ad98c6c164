//! Players whom the caller does not want to play.

use std::sync::Arc;

use axum::{Json, extract::State};
use qiguan_game::{audience, event::Player, people::identity::Identity};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::PlayerId,
    limits::BLOCKS_PER_PLAYER,
    profile::Blocks,
};

use crate::{
    app::App,
    http::{
        error::{Answered, Done, done},
        extract::{Caller, Id, Identified, Owner},
    },
    lobby::visiting::{PlayerRequest, Visit, VisitorRequest},
    net::address::Group,
    room::message::{Reply, answered},
    store_errors::FromRecords,
};

/// Lists whom the caller blocks.
#[utoipa::path(
    get, path = "/api/account/blocks", operation_id = "listBlocks", tag = "fair play", security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "the players", body = Blocks))
)]
pub async fn list(State(app): State<App>, Owner(who): Owner) -> Answered<Blocks> {
    let blocked = app.services.store.blocked_by(who.id).await;
    let blocked = blocked.or_unreadable("a player's blocks")?.into_iter();
    let players = blocked.map(|(id, name)| audience::player(&Player::named(id, name)));
    Ok(Json(Blocks {
        players: players.collect(),
    }))
}

/// Blocks a player: the two are not paired and don't join each other's games. The other is not notified.
#[utoipa::path(
    put, path = "/api/account/blocks/{player}", operation_id = "blockPlayer", tag = "fair play", security(("token" = []), ("cookie" = [])),
    responses(
        (status = 204, description = "the player is blocked"),
        (status = 400, description = "players can't block themselves"),
        (status = 429, description = "the caller has blocked too many players"),
    )
)]
pub async fn add(
    State(app): State<App>,
    // A token that changes nothing is refused before the path is looked at.
    Identified(_): Identified,
    Id(player): Id<PlayerId>,
    Owner(who): Owner,
    Caller(from): Caller,
) -> Done {
    if player == who.id {
        return done(Err(ApiError::bad_value(
            "player",
            "you can't block yourself",
        )));
    }
    let services = &app.services;
    services.player(player).await?;
    let now = services.clock.now();
    let blocked = services
        .store
        .block(who.id, player, now, BLOCKS_PER_PLAYER)
        .await;
    if blocked.or_not_stored("a block")? {
        return done(changed(&app, who, from.address).await);
    }
    let message = format!("at most {BLOCKS_PER_PLAYER} players can be blocked");
    done(Err(ApiError::new(ErrorCode::LimitReached, message)))
}

/// Takes a block back.
#[utoipa::path(
    delete, path = "/api/account/blocks/{player}", operation_id = "unblockPlayer", tag = "fair play", security(("token" = []), ("cookie" = [])),
    responses((status = 204, description = "the player is not blocked"))
)]
pub async fn remove(
    State(app): State<App>,
    // A token that changes nothing is refused before the path is looked at.
    Identified(_): Identified,
    Id(player): Id<PlayerId>,
    Owner(who): Owner,
    Caller(from): Caller,
) -> Done {
    let unblocked = app.services.store.unblock(who.id, player).await;
    unblocked.or_not_stored("the end of a block")?;
    done(changed(&app, who, from.address).await)
}

/// Lets the lobby know whom a player is not to meet from now on.
async fn changed(app: &App, who: Arc<Identity>, address: Group) -> Result<(), ApiError> {
    let (reply, answer) = Reply::to_call();
    let visit = Visit {
        who: Some(who),
        address,
        peer: None,
        request: VisitorRequest::Player(PlayerRequest::Blocks),
        reply,
    };
    app.lobby.visit(visit).await;
    answered(answer).await.map(drop)
}
