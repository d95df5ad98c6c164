//! `GET /api/games/export/ndjson` and `/text`: many games, one after the other, as fast as they are read and no faster.

use std::collections::VecDeque;

use axum::{
    body::Body,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_util::stream;
use qiguan_game::{
    audience::whole::Whole,
    record::GameSummary,
    text::{telling, writing},
};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    event::GameEvent,
    exported::ExportedGame,
    names::Status,
    query::GamesQuery,
};
use qiguan_rules::xiangqi::notation::Notation;
use qiguan_store::store::GameFilter;

use crate::{
    app::App,
    http::{
        error::HttpError,
        extract::{Caller, Checked, Visitor},
        games::{finished, list::searched},
    },
    lobby::shown,
    net::connection_limit::ConnectionSlot,
};

/// So many games are looked up at once.
const PAGE: u32 = 20;

/// In what form games are downloaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Lines,
    Text,
}

/// Games that are over, the newest first, one JSON object on each line.
#[utoipa::path(
    get, path = "/api/games/export/ndjson", operation_id = "exportGames", tag = "games", security((), ("token" = []), ("cookie" = [])),
    params(GamesQuery),
    responses(
        (status = 200, description = "a game on each line", body = ExportedGame, content_type = "application/x-ndjson"),
        (status = 503, description = "this address has reached its limit of downloads"),
    )
)]
pub async fn ndjson(
    State(app): State<App>,
    Checked(which): Checked<GamesQuery>,
    visitor: Visitor,
    caller: Caller,
) -> Result<Response, HttpError> {
    export(app, which, (visitor, caller), Form::Lines)
}

/// Games that are over, the newest first, as texts in the manner of PGN.
#[utoipa::path(
    get, path = "/api/games/export/text", operation_id = "exportGameTexts", tag = "games", security((), ("token" = []), ("cookie" = [])),
    params(GamesQuery),
    responses(
        (status = 200, description = "games, an empty line after each", body = String, content_type = "text/plain"),
        (status = 503, description = "this address has reached its limit of downloads"),
    )
)]
pub async fn text(
    State(app): State<App>,
    Checked(which): Checked<GamesQuery>,
    visitor: Visitor,
    caller: Caller,
) -> Result<Response, HttpError> {
    export(app, which, (visitor, caller), Form::Text)
}

fn export(
    app: App,
    mut which: GamesQuery,
    (Visitor(player), Caller(from)): (Visitor, Caller),
    form: Form,
) -> Result<Response, HttpError> {
    let place = app.people.exports.take(from.address);
    match which.status {
        None | Some(Status::Ended) => which.status = Some(Status::Ended),
        Some(Status::Open | Status::Playing) => {
            let message = "only finished games can be downloaded: status must be ended, or omitted";
            return Err(HttpError(ApiError::bad_value("status", message)));
        }
    }
    let left = which.limit;
    let filter = GameFilter {
        limit: PAGE,
        ..searched(which, player.map(|player| player.id))?
    };
    let place = place.ok_or_else(|| {
        let message =
            "this address has reached its limit of downloads; try again when one has ended";
        ApiError::new(ErrorCode::Busy, message)
    })?;
    let content_type = match form {
        Form::Lines => "application/x-ndjson",
        Form::Text => "text/plain; charset=utf-8",
    };
    let download = Download {
        app,
        filter,
        form,
        waiting: VecDeque::new(),
        left,
        last_page: false,
        _place: place,
    };
    let body = Body::from_stream(stream::unfold(download, Download::next));
    Ok(([(header::CONTENT_TYPE, content_type)], body).into_response())
}

/// A download under way: asked for the next game only when the last one is on its way.
struct Download {
    app: App,
    filter: GameFilter,
    form: Form,
    /// The games of the page that are still to come.
    waiting: VecDeque<GameSummary>,
    /// How many games are still wanted; none is all.
    left: Option<u32>,
    last_page: bool,
    /// The address's, for as long as the download lasts.
    _place: ConnectionSlot,
}

/// What interrupts a download: its reader notices that the end is missing.
#[derive(Debug, thiserror::Error)]
#[error("the download was interrupted: {0}")]
struct CutOff(&'static str);

impl Download {
    async fn next(mut self) -> Option<(Result<Bytes, CutOff>, Self)> {
        let next = self.game().await.transpose()?;
        Some((next, self))
    }

    /// The next game, none after the last.
    async fn game(&mut self) -> Result<Option<Bytes>, CutOff> {
        loop {
            if self.left == Some(0) {
                return Ok(None);
            }
            if self.app.services.is_draining() {
                return Err(CutOff("the server is about to restart"));
            }
            if let Some(summary) = self.waiting.pop_front() {
                let site = self.app.settings.public_url.as_ref();
                let (form, site) = (self.form, site.map(ToString::to_string));
                let game = summary.game;
                let written = finished::whole(&self.app, game, move |whole| {
                    written(&summary, whole, form, site.as_deref())
                });
                // One whose record makes no sense is left out.
                if let Ok(written) = written.await {
                    self.left = self.left.map(|left| left - 1);
                    return written.map(Some);
                }
                continue;
            }
            if self.last_page {
                return Ok(None);
            }
            let page = self.app.services.store.games(&self.filter).await;
            let page = page.map_err(|error| {
                tracing::warn!(%error, "a download was interrupted");
                CutOff("the record can't be read")
            })?;
            self.waiting = page.games.into();
            self.last_page = page.before.is_none();
            self.filter.before = page.before;
        }
    }
}

/// A game as it is downloaded.
fn written(
    summary: &GameSummary,
    whole: Whole,
    form: Form,
    site: Option<&str>,
) -> Result<Bytes, CutOff> {
    if form == Form::Text {
        let text = telling::tell(&whole.view, &whole.events, Notation::Squares, site);
        return Ok(writing::write(&text).into());
    }
    let left = whole.events.iter().filter_map(|event| match &event.event {
        GameEvent::Moved { seat, clocks, .. } => Some(clocks.left.map(|left| left.get(*seat).ms)),
        _ => None,
    });
    let line = ExportedGame {
        game: shown::game(summary),
        spectator_delay: whole.view.spectator_delay,
        left_ms: left.collect(),
        setups: whole.view.setup.and_then(|setup| setup.revealed),
        moves: whole.view.moves,
    };
    let mut line = serde_json::to_vec(&line).map_err(|_| CutOff("could not write a game"))?;
    line.push(b'\n');
    Ok(line.into())
}
