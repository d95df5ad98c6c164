//! `/api/admin/games`: every game there is, and what the referee knows of one. Looking at one adds an entry to the audit log,
//! which is on the disk before anything is shown.

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
use tokio::sync::oneshot;

use crate::{
    admission::ranks,
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Checked, Game},
        games::searched::searched,
        players::unreadable,
        staff::Permitted,
    },
    lobby::shown,
    room::message::{Read, RoomMessage},
};

/// Lists games as `/api/games` does, those by link included.
#[utoipa::path(
    get, path = "/api/admin/games", operation_id = "overseeGames", security(("token" = []), ("cookie" = [])),
    params(GamesQuery),
    responses(
        (status = 200, description = "a page of games", body = GamePage),
        (status = 400, description = "a field is invalid", body = ErrorBody),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "requires the admin role", body = ErrorBody),
    )
)]
pub async fn list(
    State(app): State<App>,
    Checked(which): Checked<GamesQuery>,
) -> Result<Json<GamePage>, HttpError> {
    let filter = GameFilter {
        oversees: true,
        ..searched(which, None)?
    };
    let page = app.services().store.games(&filter).await;
    let page = page.map_err(|error| unreadable(&error))?;
    Ok(Json(GamePage {
        games: page.games.iter().map(shown::game).collect(),
        before: page.before,
    }))
}

/// Shows a game as the referee knows it, with every identity, the time of each move and when the players were connected, also
/// while it goes on. Not for a game of one's own; the audit log tells of it.
#[utoipa::path(
    get, path = "/api/admin/games/{id}", operation_id = "overseeGame", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the game")),
    responses(
        (status = 200, description = "the game", body = OverseenGame),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "requires the admin role, and another player's game", body = ErrorBody),
        (status = 404, description = "no such game", body = ErrorBody),
        (status = 503, description = "the audit log can't be written right now: try again", body = ErrorBody),
    )
)]
pub async fn get(
    State(app): State<App>,
    Game(game): Game,
    Permitted(permit): Permitted,
) -> Result<Json<OverseenGame>, HttpError> {
    ranks::may_oversee(app.services(), permit, game).await?;
    let attendance = app.services().store.attendance(game).await;
    let attendance = attendance.map_err(|error| unreadable(&error))?;
    let overseen = |reply| Read::Overseen(attendance, permit, reply);
    let seen = read(&app, game, overseen).await?;
    note(&app, permit, game).await?;
    Ok(Json(*seen))
}

/// Shows what the players of a game have said to each other, and its spectators, also what nobody else has heard. Not for a
/// game of one's own; the audit log tells of it.
#[utoipa::path(
    get, path = "/api/admin/games/{id}/chat", operation_id = "readGameChat", security(("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the game")),
    responses(
        (status = 200, description = "the lines", body = ChatLog),
        (status = 401, description = "an identity is required", body = ErrorBody),
        (status = 403, description = "requires the moderator role, and a game without the caller or a player with a higher role", body = ErrorBody),
        (status = 404, description = "no such game", body = ErrorBody),
        (status = 503, description = "the audit log can't be written right now: try again", body = ErrorBody),
    )
)]
pub async fn chat(
    State(app): State<App>,
    Game(game): Game,
    Permitted(permit): Permitted,
) -> Result<Json<ChatLog>, HttpError> {
    ranks::may_oversee(app.services(), permit, game).await?;
    let said = app.services().store.whole_talk(game).await;
    let said = said.map_err(|error| unreadable(&error))?;
    let log = read(&app, game, |reply| Read::Chat(said, permit, reply)).await?;
    note(&app, permit, game).await?;
    Ok(Json(log))
}

/// What a game's room says to somebody who has no seat in it.
async fn read<T>(
    app: &App,
    game: GameId,
    asked: impl FnOnce(oneshot::Sender<Result<T, ApiError>>) -> Read,
) -> Result<T, HttpError> {
    let (reply, answer) = oneshot::channel();
    let read = asked(reply);
    let player = None;
    app.hub.send(game, RoomMessage::Read { player, read }).await;
    let answer = answer.await.map_err(|_| HttpError(ApiError::internal()))?;
    Ok(answer?)
}

/// Notes in the audit log that somebody has looked at a game.
async fn note(app: &App, permit: Permit, game: GameId) -> Result<(), HttpError> {
    let services = app.services();
    let act = permit.act(
        services.random.act_id(),
        services.clock.now(),
        String::new(),
    );
    let noted = services.store.add_acts(vec![act.to_game(game)]).await;
    noted.map_err(|error| {
        tracing::warn!(%game, %error, "could not write to the audit log that a moderator looked at a game");
        HttpError(ApiError::not_stored())
    })
}
