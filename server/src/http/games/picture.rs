//! `GET /api/games/{id}/position.svg`: a position as a picture.

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use qiguan_game::refusal::Refusal;
use qiguan_pictures::{
    diagram::{self, Shown},
    pieces::Faces,
};
use qiguan_protocol::{
    error::ApiError,
    ids::GameId,
    query::{FacesWord, PictureQuery},
};
use qiguan_rules::catalog;

use crate::{
    app::App,
    aside,
    http::{
        error::HttpError,
        extract::{Checked, Id, Visitor},
        games::positions::{to_move, viewed},
    },
    room::message::Read,
};

/// A position of a game as a picture, the first seat at the bottom.
#[utoipa::path(
    get, path = "/api/games/{id}/position.svg", operation_id = "getPositionPicture", tag = "games", security((), ("token" = []), ("cookie" = [])),
    params(PictureQuery),
    responses(
        (status = 200, description = "the picture", body = String, content_type = "image/svg+xml"),
        (status = 409, description = "the game is still going on"),
    )
)]
pub async fn position(
    State(app): State<App>,
    Id(game): Id<GameId>,
    Checked(which): Checked<PictureQuery>,
    Visitor(player): Visitor,
) -> Result<Response, HttpError> {
    let player = player.map(|player| player.id);
    let snapshot = app.hub.read(game, player, Read::Snapshot).await?;
    let last = snapshot.ply();
    let ply = which.ply.unwrap_or(last);
    let perspective = which.perspective.map(viewed);
    let at = move || {
        let walk = snapshot.walk(ply.min(last), perspective);
        let mut walk = walk
            .map_err(|_| ApiError::parked())?
            .ok_or(Refusal::GameRunning)?;
        let position = snapshot
            .position(&mut walk)
            .map_err(|_| ApiError::parked())?;
        let players = snapshot.state.players.clone();
        let names = players.map(|player| player.map_or_else(String::new, |player| player.name));
        Ok::<_, ApiError>((snapshot.ruleset().to_owned(), position, names))
    };
    let found = if last.0 as usize <= aside::SHORT {
        at()
    } else {
        let found = app.reads.run(at).await;
        found.ok_or_else(ApiError::internal)?
    };
    let (ruleset, position, names) = found?;
    let Some(position) = position.filter(|_| ply <= last) else {
        let message = format!("the game has {last} plies");
        return Err(HttpError(ApiError::bad_value("ply", message)));
    };
    let faces = match which.pieces {
        None => Faces::Usual,
        Some(FacesWord::Characters) => Faces::Characters,
        Some(FacesWord::Letters) => Faces::Letters,
    };
    let shown = Shown {
        last_move: position.text.and_then(|text| text.parse().ok()),
        check: position.check.then(|| to_move(&position.fen)),
        names: Some(names),
        turned: false,
    };
    let kind = ruleset.split('/').next();
    let drawn = catalog::games()
        .iter()
        .find(|game| Some(game.id) == kind)
        .and_then(|game| diagram::svg(game, &ruleset, &position.fen, faces, &shown));
    let Some(drawn) = drawn else {
        tracing::error!(%game, %ply, "a position could not be drawn");
        return Err(HttpError(ApiError::internal()));
    };
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        // Opened by itself, it is a page of this origin: it may do nothing.
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'"),
    ];
    Ok((headers, drawn).into_response())
}
