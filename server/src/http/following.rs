//! Players whom the caller follows, who is online, and whether the caller is shown.

use axum::{Json, extract::State};
use qiguan_game::people::computer::Computer;
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    following::{Following, OnlinePlayers, PlayerNow, PresenceShown},
    ids::PlayerId,
    limits::FOLLOWS_PER_PLAYER,
    names::Role,
};
use qiguan_store::accounts::FollowResult;

use crate::{
    admission::blocks,
    app::App,
    http::{
        error::{Answered, Done, done},
        extract::{Body, Id, Identified, Owner, Visitor},
    },
    peer::elsewhere::ForOthers,
    services::online,
    store_errors::FromRecords,
};

/// Lists whom the caller follows, as they are just now. Nobody else learns of it.
#[utoipa::path(
    get, path = "/api/account/following", operation_id = "listFollowing", tag = "players", security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "the players", body = Following))
)]
pub async fn list(State(app): State<App>, Owner(who): Owner) -> Answered<Following> {
    let services = &app.services;
    let followed = services.store.followed_by(who.id).await;
    let followed = followed.or_unreadable("whom a player follows")?;
    let ids = followed.iter().map(|followed| followed.id).collect();
    let mut ratings = online::ratings_of(services, ids).await?;
    let players = followed.into_iter().map(|followed| {
        let (id, ratings) = (followed.id, ratings.remove(&followed.id));
        let player = online::now(
            services,
            id,
            followed.name,
            followed.role,
            ratings,
            Some(who.id),
        );
        if followed.is_hidden {
            away(player)
        } else {
            player
        }
    });
    let mut players: Vec<_> = players.collect();
    players.sort_by_key(|player| !player.online);
    Ok(Json(Following { players }))
}

/// Follows a player. The other is not notified.
#[utoipa::path(
    put, path = "/api/account/following/{player}", operation_id = "followPlayer", tag = "players", security(("token" = []), ("cookie" = [])),
    responses(
        (status = 204, description = "the player is followed"),
        (status = 400, description = "the caller, a guest or a computer"),
        (status = 403, description = "one of the two blocks the other"),
        (status = 429, description = "the caller follows too many players"),
    )
)]
pub async fn add(
    State(app): State<App>,
    // A token that changes nothing is refused before the path is looked at.
    Identified(_): Identified,
    Id(player): Id<PlayerId>,
    Owner(who): Owner,
) -> Done {
    let wrong = |message: &'static str| done(Err(ApiError::bad_value("player", message)));
    if player == who.id {
        return wrong("you can't follow yourself");
    }
    if Computer::of(player).is_some() {
        return wrong("computers can't be followed: they are always here");
    }
    let services = &app.services;
    let account = services.player(player).await?;
    if account.role == Role::Guest || account.deleted_at.is_some() {
        return wrong("only players with an account can be followed");
    }
    let now = services.clock.now();
    let store = &services.store;
    let followed = store.follow(who.id, player, now, FOLLOWS_PER_PLAYER).await;
    done(match followed.or_not_stored("a follow")? {
        FollowResult::Done => Ok(()),
        FollowResult::Blocked => Err(blocks::blocked()),
        FollowResult::Full => {
            let message = format!("at most {FOLLOWS_PER_PLAYER} players can be followed");
            Err(ApiError::new(ErrorCode::LimitReached, message))
        }
    })
}

/// Follows a player no more.
#[utoipa::path(
    delete, path = "/api/account/following/{player}", operation_id = "unfollowPlayer", tag = "players", security(("token" = []), ("cookie" = [])),
    responses((status = 204, description = "the player is not followed"))
)]
pub async fn remove(
    State(app): State<App>,
    // A token that changes nothing is refused before the path is looked at.
    Identified(_): Identified,
    Id(player): Id<PlayerId>,
    Owner(who): Owner,
) -> Done {
    let unfollowed = app.services.store.unfollow(who.id, player).await;
    done(unfollowed.or_not_stored("the end of a follow"))
}

/// Lists players with an account who are online, those who came last first. Players who do not want to be shown are left out, and so are
/// those whom the caller blocks or is blocked by.
#[utoipa::path(
    get, path = "/api/players/online", operation_id = "listOnlinePlayers", tag = "players", security((), ("token" = []), ("cookie" = [])),
    responses((status = 200, description = "the players, at most 50; a few seconds old", body = OnlinePlayers))
)]
pub async fn online(State(app): State<App>, Visitor(visitor): Visitor) -> Answered<OnlinePlayers> {
    let services = &app.services;
    let all = services.online.get(services).await?;
    let Some(who) = visitor else {
        let players = all.to_vec();
        return Ok(Json(OnlinePlayers { players }));
    };
    let avoided = services.store.avoided_by(who.id).await;
    let avoided = avoided.or_unreadable("a player's blocks")?;
    let others = all
        .iter()
        .filter(|it| it.player.id != who.id && !avoided.contains(&it.player.id));
    Ok(Json(OnlinePlayers {
        players: others.cloned().collect(),
    }))
}

/// Tells whether others see the caller online.
#[utoipa::path(
    get, path = "/api/account/presence", operation_id = "getPresenceShown", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "whether they do", body = PresenceShown))
)]
pub async fn shown(State(app): State<App>, Owner(who): Owner) -> Answered<PresenceShown> {
    let hidden_at = app.services.store.presence_hidden_at(who.id).await;
    let hidden_at = hidden_at.or_unreadable("whether a player hides")?;
    Ok(Json(PresenceShown {
        shown: hidden_at.is_none(),
    }))
}

/// Shows the caller as online to others, or does not.
#[utoipa::path(
    put, path = "/api/account/presence", operation_id = "showPresence", tag = "accounts", security(("token" = []), ("cookie" = [])),
    request_body = PresenceShown,
    responses((status = 204, description = "as the caller wishes"))
)]
pub async fn show(
    State(app): State<App>,
    Owner(who): Owner,
    Body(PresenceShown { shown }): Body<PresenceShown>,
) -> Done {
    let services = &app.services;
    let since = (!shown).then(|| services.clock.now());
    let stored = services.store.hide_presence(who.id, since).await;
    stored.or_not_stored("whether a player hides")?;
    services.online.forget();
    services.sockets.elsewhere.say(ForOthers::HidingChanged);
    services.programs.catch_up().await;
    done(Ok(()))
}

/// A player as somebody who is not here.
fn away(player: PlayerNow) -> PlayerNow {
    PlayerNow {
        online: false,
        playing: Vec::new(),
        ..player
    }
}
