//! `GET /api/preview.png` and `GET /api/games/{id}/preview.png`: the pictures of previews.

use axum::{
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use qiguan_pictures::card::{self, Card};
use qiguan_protocol::{
    error::ApiError,
    ids::{AnalysisId, GameId},
    names::Status,
    puzzle::PuzzleId,
    query::PreviewQuery,
};
use sha2::{Digest, Sha256};

use super::{
    analysis,
    public_game::{self, PublicGame},
    puzzle,
};
use crate::{
    accounts::{analyses, sign_in::From},
    app::App,
    aside,
    drawings::PictureRequest,
    http::{
        error::HttpError,
        extract::{Caller, Checked, Id},
        players, puzzles,
    },
};

/// How cards are drawn: part of each picture's tag.
const VERSION: u32 = 1;
/// What changes only with the program, or when a result is withdrawn.
const FOR_AN_HOUR: &str = "public, max-age=3600";
/// What never changes, but may be deleted.
const FOR_A_MINUTE: &str = "public, max-age=60";
/// What changes with the next move.
const FOR_MOMENTS: &str = "public, max-age=10";

/// A picture of 1,200 × 630 pixels of the house, or of a rule set: what is shown where an address is pasted.
#[utoipa::path(
    get, path = "/api/preview.png", operation_id = "getPreview", tag = "service",
    params(PreviewQuery),
    responses(
        (status = 200, description = "the picture", body = Vec<u8>, content_type = "image/png"),
        (status = 304, description = "not modified"),
        (status = 429, description = "too many pictures for this address"),
    )
)]
pub async fn house(
    State(app): State<App>,
    Checked(which): Checked<PreviewQuery>,
    Caller(from): Caller,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    let card = match which.ruleset {
        Some(ruleset) => Some(public_game::card_of_rules(&players::check_ruleset(
            &ruleset,
        )?)),
        None => public_game::card_of_house(),
    };
    answer(&app, card, FOR_AN_HOUR, &from, &headers).await
}

/// A picture of 1,200 × 630 pixels of a game as spectators know it: the board, the players and the result. A game by link shows that
/// of the house, unless it waits for its second player.
#[utoipa::path(
    get, path = "/api/games/{id}/preview.png", operation_id = "getGamePreview", tag = "games",
    responses(
        (status = 200, description = "the picture", body = Vec<u8>, content_type = "image/png"),
        (status = 304, description = "not modified"),
        (status = 429, description = "too many pictures for this address"),
    )
)]
pub async fn game(
    State(app): State<App>,
    Id(game): Id<GameId>,
    Caller(from): Caller,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    let game = PublicGame::read(&app, game).await?;
    let kept = match &game {
        Some(game) if game.status == Status::Ended => FOR_AN_HOUR,
        Some(_) | None => FOR_MOMENTS,
    };
    let card = game.map_or_else(public_game::card_of_house, |game| Some(game.card()));
    answer(&app, card, kept, &from, &headers).await
}

/// A picture of 1,200 × 630 pixels of a puzzle: the position that is to be solved.
#[utoipa::path(
    get, path = "/api/puzzles/{id}/preview.png", operation_id = "getPuzzlePreview", tag = "puzzles",
    responses(
        (status = 200, description = "the picture", body = Vec<u8>, content_type = "image/png"),
        (status = 304, description = "not modified"),
        (status = 404, description = "there is no such puzzle"),
        (status = 429, description = "too many pictures for this address"),
    )
)]
pub async fn of_puzzle(
    State(app): State<App>,
    Id(id): Id<PuzzleId>,
    Caller(from): Caller,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    let known = puzzles::find(&id.0).ok_or_else(puzzles::unknown)?;
    let card = puzzle::card(known);
    answer(&app, card, FOR_AN_HOUR, &from, &headers).await
}

/// A picture of 1,200 × 630 pixels of a shared analysis: the position that is looked at first.
#[utoipa::path(
    get, path = "/api/analyses/{id}/preview.png", operation_id = "getAnalysisPreview", tag = "analyses",
    responses(
        (status = 200, description = "the picture", body = Vec<u8>, content_type = "image/png"),
        (status = 304, description = "not modified"),
        (status = 404, description = "there is no such analysis"),
        (status = 429, description = "too many pictures for this address"),
    )
)]
pub async fn of_analysis(
    State(app): State<App>,
    Id(id): Id<AnalysisId>,
    Caller(from): Caller,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    let shared = analyses::get(&app.services, id).await?;
    let card = app.reads.run(move || analysis::card(&shared)).await;
    let card = card.ok_or_else(ApiError::internal)?;
    answer(&app, card, FOR_A_MINUTE, &from, &headers).await
}

/// The picture, unless the client has it; drawn once for all who ask for the same one.
async fn answer(
    app: &App,
    card: Option<Card>,
    kept_for: &str,
    from: &From,
    asked: &HeaderMap,
) -> Result<Response, HttpError> {
    let card = card.ok_or_else(ApiError::internal)?;
    let tag = tag(&card);
    let kept = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, kept_for.to_owned()),
    ];
    let has = asked.get_all(header::IF_NONE_MATCH).iter();
    let mut has = has.filter_map(|tags| tags.to_str().ok());
    if has.any(|tags| tags.contains(&tag)) {
        return Ok((StatusCode::NOT_MODIFIED, kept).into_response());
    }
    let kind = [(header::CONTENT_TYPE, "image/png")];
    let drawings = &app.people.drawings;
    let wanted = PictureRequest::Card(Box::new(card.clone()));
    let missing = match drawings.kept(&wanted).await {
        Ok(picture) => return Ok((kept, kind, picture).into_response()),
        Err(missing) => missing,
    };
    let turn = drawings
        .turn(from.address, app.services.clock.now())
        .await?;
    let drawn = aside::in_background(move || {
        // The turn ends when the drawing does, not when somebody goes away.
        let _turn = turn;
        card::png(&card)
    });
    let picture = match drawn.await {
        Ok(Ok(picture)) => Bytes::from(picture),
        Ok(Err(error)) => {
            tracing::error!(%error, "could not draw a preview");
            return Err(HttpError(ApiError::internal()));
        }
        Err(_) => return Err(HttpError(ApiError::internal())),
    };
    // If there is no room for it, it is drawn again for the next.
    let _ = missing.insert(picture.clone());
    Ok((kept, kind, picture).into_response())
}

/// The tag of a picture: it follows from what the picture shows, and is the same after a restart.
fn tag(card: &Card) -> String {
    let digest = Sha256::digest(format!("{VERSION} {card:?}"));
    let short = digest.get(..16).unwrap_or_default();
    format!("\"{}\"", BASE64_URL_SAFE_NO_PAD.encode(short))
}
