//! The position after each ply, as JSON and as plain text.

use axum::{
    body::Body,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use qiguan_game::{
    audience::{Audience, Perspective, Walk, snapshot::Snapshot},
    refusal::Refusal,
};
use qiguan_protocol::{
    error::ApiError,
    ids::{GameId, PlayerId, Ply},
    limits::PAGE_POSITIONS,
    query::{self, PositionsQuery},
    view::Positions,
};
use qiguan_rules::Seat;

use super::pieces::{self, Writing};
use crate::{
    app::App,
    http::{
        error::HttpError,
        extract::{Checked, Id, Visitor},
        pages::at_most,
    },
    room::message::Read,
};

/// The position after each ply, as the caller may know it; of a game that is over also as somebody knew it while it went on. A
/// long game has several pages: `next` is `from` of the next one.
#[utoipa::path(
    get, path = "/api/games/{id}/positions", operation_id = "listPositions", tag = "games", security((), ("token" = []), ("cookie" = [])),
    params(PositionsQuery),
    responses(
        (status = 200, description = "the positions, the start first", body = Positions),
        (status = 409, description = "the game is still going on"),
    )
)]
pub async fn list(
    State(app): State<App>,
    Id(game): Id<GameId>,
    Checked(which): Checked<PositionsQuery>,
    Visitor(player): Visitor,
) -> Result<Response, HttpError> {
    let player = player.map(|player| player.id);
    let (body, _) = page(&app, game, player, which, Form::Json).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}

/// The position after each ply as plain text, one on a line, the start first. A long game has several pages: the header `Link`
/// names the next one (`rel="next"`).
#[utoipa::path(
    get, path = "/api/games/{id}/fens", operation_id = "listFens", tag = "games", security((), ("token" = []), ("cookie" = [])),
    params(PositionsQuery),
    responses(
        (status = 200, description = "a position on each line", body = String, content_type = "text/plain"),
        (status = 409, description = "the game is still going on"),
    )
)]
pub async fn fens(
    State(app): State<App>,
    Id(game): Id<GameId>,
    Checked(which): Checked<PositionsQuery>,
    Visitor(player): Visitor,
) -> Result<Response, HttpError> {
    let player = player.map(|player| player.id);
    let asked = which;
    let (body, next) = page(&app, game, player, which, Form::Lines).await?;
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    let Some(from) = next else {
        return Ok((kind, body).into_response());
    };
    let query = PositionsQuery {
        from: Some(from),
        ..asked
    };
    let query = serde_urlencoded::to_string(query).unwrap_or_default();
    let link = format!("</api/games/{game}/fens?{query}>; rel=\"next\"");
    Ok((kind, [(header::LINK, link)], body).into_response())
}

/// How positions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// As [`Positions`] has them.
    Json,
    /// Their texts alone, one on a line.
    Lines,
}

/// A page of positions, and the ply that the next one begins with.
///
/// # Errors
/// `bad_value`, `game_running`, and what the room answers.
async fn page(
    app: &App,
    game: GameId,
    player: Option<PlayerId>,
    which: PositionsQuery,
    form: Form,
) -> Result<(Body, Option<Ply>), ApiError> {
    let limit = at_most(which.limit.unwrap_or(PAGE_POSITIONS), PAGE_POSITIONS)?;
    let snapshot = app.hub.read(game, player, Read::Snapshot).await?;
    let from = which.from.unwrap_or(Ply(0));
    let end = Ply(from.0.saturating_add(limit));
    let next = (end <= snapshot.ply()).then_some(end);
    let perspective = which.perspective.map(viewed);
    let passed_over = from.min(snapshot.ply()).0 as usize;
    let body = pieces::body(app, passed_over, move || {
        let walk = snapshot
            .walk(from, perspective)
            .map_err(|_| ApiError::parked())?;
        Ok(Page {
            walk: walk.ok_or(Refusal::GameRunning)?,
            snapshot: *snapshot,
            form,
            at: from,
            from,
            end,
            next,
        })
    });
    Ok((body.await?, next))
}

/// The perspective that a query names.
pub(super) const fn viewed(perspective: query::Perspective) -> Perspective {
    match perspective {
        query::Perspective::First => Perspective::Of(Audience::Seat(Seat::First)),
        query::Perspective::Second => Perspective::Of(Audience::Seat(Seat::Second)),
        query::Perspective::Spectators => Perspective::Of(Audience::Spectators),
        query::Perspective::Referee => Perspective::Referee,
    }
}

/// The side to move, as the text of a position names it.
pub(super) fn to_move(fen: &str) -> Seat {
    if fen.split(' ').nth(1) == Some("b") {
        Seat::Second
    } else {
        Seat::First
    }
}

struct Page {
    snapshot: Snapshot,
    walk: Walk,
    form: Form,
    at: Ply,
    from: Ply,
    end: Ply,
    next: Option<Ply>,
}

impl Writing for Page {
    fn write(&mut self, out: &mut Vec<u8>) -> Result<bool, ApiError> {
        let is_json = self.form == Form::Json;
        let begins = self.at == self.from;
        if begins && is_json {
            out.extend_from_slice(br#"{"game":"#);
            pieces::json(out, &self.snapshot.game())?;
            out.extend_from_slice(br#","positions":["#);
        }
        if self.at < self.end
            && let Some(position) = self
                .snapshot
                .position(&mut self.walk)
                .map_err(|_| ApiError::parked())?
        {
            self.at = self.at.next();
            if is_json {
                if !begins {
                    out.push(b',');
                }
                pieces::json(out, &position)?;
            } else {
                out.extend_from_slice(position.fen.as_bytes());
                out.push(b'\n');
            }
            return Ok(true);
        }
        if is_json {
            out.push(b']');
            if let Some(next) = self.next {
                out.extend_from_slice(br#","next":"#);
                pieces::json(out, &next)?;
            }
            out.push(b'}');
        }
        Ok(false)
    }
}
