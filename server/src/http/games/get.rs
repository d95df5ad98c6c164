//! `GET /api/games/{id}`: a game as it stands.

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use qiguan_game::audience::snapshot::Snapshot;
use qiguan_protocol::{
    error::ApiError,
    ids::{AnalysisId, GameId},
    view::GameView,
};

use super::pieces::{self, Writing};
use crate::{
    accounts::analyses,
    app::App,
    http::{
        error::HttpError,
        extract::{Id, Visitor},
    },
    room::message::Read,
};

/// Where the moves stand in a view that has none.
const NO_MOVES: &[u8] = br#""moves":[]"#;

/// A game as it stands, as the caller may know it.
#[utoipa::path(
    get, path = "/api/games/{id}", operation_id = "getGame", tag = "games", security((), ("token" = []), ("cookie" = [])),
    responses((status = 200, description = "the game", body = GameView))
)]
pub async fn get(
    State(app): State<App>,
    Id(game): Id<GameId>,
    Visitor(player): Visitor,
) -> Result<Response, HttpError> {
    let player = player.map(|player| player.id);
    let snapshot = app.hub.read(game, player, Read::Snapshot).await?;
    let analysis = if snapshot.is_over() {
        analyses::imported_with(&app.services, game).await?
    } else {
        None
    };
    let body = pieces::body(&app, snapshot.seq().0 as usize, move || {
        Whole::of(*snapshot, analysis)
    });
    Ok(([(header::CONTENT_TYPE, "application/json")], body.await?).into_response())
}

/// A game as [`GameView`] has it, its moves written as they are taken.
struct Whole {
    snapshot: Snapshot,
    /// Everything before the moves; empty once it is written.
    before: Vec<u8>,
    /// Everything after them.
    after: Vec<u8>,
    /// The next move's place.
    next: usize,
}

impl Whole {
    fn of(snapshot: Snapshot, analysis: Option<AnalysisId>) -> Result<Self, ApiError> {
        let mut before = Vec::new();
        let view = GameView {
            analysis,
            ..snapshot.view_without_moves()
        };
        pieces::json(&mut before, &view)?;
        // No text holds this: its quotes would be escaped.
        let found = before.windows(NO_MOVES.len());
        let place = found.into_iter().position(|place| place == NO_MOVES);
        let place = place.ok_or_else(ApiError::internal)?;
        let after = before.split_off(place + NO_MOVES.len() - 1);
        Ok(Self {
            snapshot,
            before,
            after,
            next: 0,
        })
    }
}

impl Writing for Whole {
    fn write(&mut self, out: &mut Vec<u8>) -> Result<bool, ApiError> {
        out.append(&mut self.before);
        let Some(played) = self.snapshot.played(self.next) else {
            out.append(&mut self.after);
            return Ok(false);
        };
        if self.next > 0 {
            out.push(b',');
        }
        self.next += 1;
        pieces::json(out, &played)?;
        Ok(true)
    }
}
