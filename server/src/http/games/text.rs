//! `GET /api/games/{id}/text`: a game as text.

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use qiguan_game::text::{telling, writing};
use qiguan_protocol::query::{NotationWord, TextQuery};
use qiguan_rules::xiangqi::notation::Notation;

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::{Checked, Game},
        games::{pages, stored},
    },
};

/// A game that is over as text, in the manner of PGN: tags, moves with their times, the result.
#[utoipa::path(
    get, path = "/api/games/{id}/text", operation_id = "getGameText", tag = "games",
    params(("id" = uuid::Uuid, Path, description = "the game"), TextQuery),
    responses(
        (status = 200, description = "the game", body = String, content_type = "text/plain"),
        (status = 400, description = "unknown notation", body = ErrorBody),
        (status = 404, description = "no such game", body = ErrorBody),
        (status = 409, description = "the game is still going on, or its record is damaged", body = ErrorBody),
        (status = 503, description = "too many long texts are being generated; try again", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Game(game): Game,
    Checked(which): Checked<TextQuery>,
) -> Result<Response, HttpError> {
    let site = app.settings.public_url.as_ref().map(ToString::to_string);
    let notation = notation(which.notation);
    let text = stored::whole(&app, game, move |whole| {
        let text = telling::tell(&whole.view, &whole.events, notation, site.as_deref());
        writing::write(&text)
    });
    let body = pages::kept(&app, text.await?.into())?;
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    Ok((kind, body).into_response())
}

/// How moves are written.
const fn notation(word: Option<NotationWord>) -> Notation {
    match word {
        None | Some(NotationWord::Squares) => Notation::Squares,
        Some(NotationWord::Iccs) => Notation::Iccs,
        Some(NotationWord::Wxf) => Notation::Wxf,
        Some(NotationWord::Chinese) => Notation::Chinese,
    }
}
