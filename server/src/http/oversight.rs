//! Every game there is, for moderators and admins, and what the referee knows of one. Looking at one adds an entry to the audit
//! log, which is on the disk before anything is shown.

use axum::{Json, extract::State};
use qiguan_game::people::permission::Permit;
use qiguan_protocol::{
    error::ApiError,
    ids::GameId,
    overseeing::{ChatLog, OverseenGame},
    query::GamesQuery,
    view::GamePage,
};
use qiguan_store::store::GameFilter;

use crate::{
    admission::ranks,
    app::App,
    http::{
        error::Answered,
        extract::{Checked, Id},
        games::list::searched,
        permission::Permitted,
    },
    lobby::shown,
    room::message::Read,
    services::Services,
    store_errors::FromRecords,
};

/// Lists games as `/api/games` does, those by link included.
#[utoipa::path(
    get, path = "/api/admin/games", operation_id = "overseeGames", security(("token" = []), ("cookie" = [])),
    params(GamesQuery), responses((status = 200, description = "a page of games", body = GamePage))
)]
pub async fn list(
    State(app): State<App>,
    Checked(which): Checked<GamesQuery>,
) -> Answered<GamePage> {
    let filter = GameFilter {
        oversees: true,
        ..searched(which, None)?
    };
    let page = app.services.store.games(&filter).await;
    let page = page.or_unreadable("a list of games")?;
    Ok(Json(GamePage {
        games: page.games.iter().map(shown::game).collect(),
        before: page.before,
    }))
}

/// Shows a game as the referee knows it, with every identity, the time of each move and when the players were connected, also
/// while it goes on. Not for a game of one's own; the audit log records it.
#[utoipa::path(
    get, path = "/api/admin/games/{id}", operation_id = "overseeGame", security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "the game", body = OverseenGame),
        (status = 403, description = "requires the admin role, and another player's game"),
    )
)]
pub async fn get(
    State(app): State<App>,
    Id(game): Id<GameId>,
    Permitted(permit): Permitted,
) -> Answered<OverseenGame> {
    ranks::may_oversee(&app.services, permit, game).await?;
    let log = app.services.store.connections(game).await;
    let log = log.or_unreadable("a game's connection log")?;
    let seen = app
        .hub
        .read(game, None, |reply| Read::Overseen(log, permit, reply));
    let seen = seen.await?;
    note(&app.services, permit, game).await?;
    Ok(Json(*seen))
}

/// Shows what the players of a game have said to each other, and its spectators, also what nobody else has heard. Not for a
/// game of one's own; the audit log records it.
#[utoipa::path(
    get, path = "/api/admin/games/{id}/chat", operation_id = "readGameChat", security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "the lines", body = ChatLog),
        (status = 403, description = "requires the moderator role, and a game without the caller or a player with a higher role"),
    )
)]
pub async fn chat(
    State(app): State<App>,
    Id(game): Id<GameId>,
    Permitted(permit): Permitted,
) -> Answered<ChatLog> {
    ranks::may_oversee(&app.services, permit, game).await?;
    let said = app.services.store.lines_of_game(game).await;
    let said = said.or_unreadable("the spectators' chat")?;
    let log = app
        .hub
        .read(game, None, |reply| Read::Chat(said, permit, reply));
    let log = log.await?;
    note(&app.services, permit, game).await?;
    Ok(Json(log))
}

/// Notes in the audit log that a moderator has looked at a game.
async fn note(services: &Services, permit: Permit, game: GameId) -> Result<(), ApiError> {
    let now = services.clock.now();
    let audit_entry = permit.audit_entry(services.random.audit_id(), now, String::new());
    let noted = services
        .store
        .add_audit_entries(vec![audit_entry.to_game(game)])
        .await;
    noted.or_not_stored("in the audit log that a moderator looked at a game")
}
