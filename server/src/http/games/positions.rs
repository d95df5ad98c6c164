//! `GET /api/games/{id}/positions`: the position after each ply.

use axum::{Json, extract::State};
use qiguan_protocol::{
    ids::{GameId, PlayerId},
    query::{EyesWord, PositionsQuery},
    view::Positions,
};
use qiguan_rules::Seat;
use tokio::sync::oneshot;

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Checked, Game, Visitor},
    },
    room::{
        audience::{Audience, Eyes},
        knock::{self, Knock, Read},
    },
};

/// The position after each ply, as the caller may know it; of a game that is over also as somebody knew it while it went on.
#[utoipa::path(
    get, path = "/api/games/{id}/positions", tag = "games", security((), ("token" = []), ("cookie" = [])),
    params(("id" = uuid::Uuid, Path, description = "the game"), PositionsQuery),
    responses(
        (status = 200, description = "the positions, the start first", body = Positions),
        (status = 400, description = "nobody is called so", body = ErrorBody),
        (status = 404, description = "no such game", body = ErrorBody),
        (status = 409, description = "the game still goes on", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Game(game): Game,
    Checked(which): Checked<PositionsQuery>,
    Visitor(player): Visitor,
) -> Result<Json<Positions>, HttpError> {
    let player = player.map(|player| player.id);
    Ok(Json(positions(&app, game, player, which.through).await?))
}

/// The positions of a game, as a player may know them or as somebody knew them.
pub(super) async fn positions(
    app: &App,
    game: GameId,
    player: Option<PlayerId>,
    through: Option<EyesWord>,
) -> Result<Positions, HttpError> {
    let eyes = through.map(|eyes| match eyes {
        EyesWord::First => Eyes::Of(Audience::Seat(Seat::First)),
        EyesWord::Second => Eyes::Of(Audience::Seat(Seat::Second)),
        EyesWord::Spectators => Eyes::Of(Audience::Spectators),
        EyesWord::Referee => Eyes::Referee,
    });
    let (reply, positions) = oneshot::channel();
    app.hub
        .knock(
            game,
            Knock::Read {
                player,
                read: Read::Positions(eyes, reply),
            },
        )
        .await;
    let positions = positions.await.map_err(|_| HttpError(knock::internal()))?;
    Ok(positions?)
}
