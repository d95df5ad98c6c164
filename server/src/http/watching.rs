//! Games in progress: a list, what is featured, and both as streams for clients without a socket; and what a player receives as one.

use std::net::IpAddr;

use axum::{
    Json,
    extract::{Extension, FromRequestParts, Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::{Cursor, GameId, Millis},
    live::{LiveGames, Tv},
    query::{LiveQuery, OwnStreamQuery, StreamPerspective, StreamQuery},
};

use crate::{
    app::App,
    http::{
        error::{Answered, HttpError},
        extract::{Checked, Id, Peer, StreamViewer, unauthenticated},
        games::list::rulesets,
        pages::page_of,
    },
    live::{
        form::Form,
        stream::{Stream, Wire},
        watcher::Viewer,
    },
    net::{address::Group, connection_limit::ConnectionSlot, cut::Cut},
};

/// Public games in progress, those of the highest rated players first, then those with the most spectators.
#[utoipa::path(
    get, path = "/api/live", operation_id = "listLiveGames", tag = "watching",
    params(LiveQuery), responses((status = 200, description = "the first of them", body = LiveGames))
)]
pub async fn list(
    State(app): State<App>,
    Checked(which): Checked<LiveQuery>,
) -> Answered<LiveGames> {
    let limit = page_of(which.limit)?;
    let rulesets = rulesets(which.game.as_deref(), which.ruleset)?;
    let wanted = |id: &str| {
        let one_of = |some: &Vec<String>| some.iter().any(|wanted| wanted == id);
        rulesets.as_ref().is_none_or(one_of)
    };
    let (games, total) = app.services.live.games_of(limit as usize, wanted);
    Ok(Json(LiveGames {
        games,
        total: u32::try_from(total).unwrap_or(u32::MAX),
    }))
}

/// The featured game of each kind.
#[utoipa::path(
    get, path = "/api/tv", operation_id = "getTv", tag = "watching",
    responses((status = 200, description = "the featured game of each kind", body = Tv))
)]
pub async fn tv(State(app): State<App>) -> Json<Tv> {
    Json(Tv {
        channels: app.services.live.featured(),
    })
}

/// The featured games of a kind, one after the other, as `GET /api/games/{id}/stream` sends each. Before each comes a line that
/// says which it is, or that there is no game right now.
#[utoipa::path(
    get, path = "/api/tv/{kind}", operation_id = "streamTv", tag = "watching",
    params(("kind" = String, Path, description = "the kind of game, such as `xiangqi`")),
    responses(
        (status = 200, description = "a message on each line, or server-sent events", content((String = "application/x-ndjson"), (String = "text/event-stream"))),
        (status = 503, description = "restarting, or too many connections from this address"),
    )
)]
pub async fn stream_tv(
    State(app): State<App>,
    Path(kind): Path<String>,
    StreamRequest { wire, .. }: StreamRequest,
) -> Result<Response, HttpError> {
    let form = wire.form;
    let stream = Stream::of_channel(app.hub.clone(), kind, wire).ok_or_else(|| {
        let message = "unknown kind of game; GET /api/tv lists them";
        ApiError::new(ErrorCode::NotFound, message).field("kind")
    })?;
    Ok(for_any_page(answer(stream, form)))
}

/// The game as spectators know it, or with `as=me` as the caller's seat does, and then what happens in it until it is over: a message on each
/// line, or server-sent events to clients that accept `text/event-stream`. With `as=me` the caller is connected to the game as by a socket.
#[utoipa::path(
    get, path = "/api/games/{id}/stream", operation_id = "streamGame", tag = "watching", security((), ("token" = []), ("cookie" = [])),
    params(StreamQuery),
    responses(
        (status = 200, description = "a message on each line, or server-sent events", content((String = "application/x-ndjson"), (String = "text/event-stream"))),
        (status = 204, description = "the game is over, and the reader has received every message"),
        (status = 401, description = "`as=me` without an identity"),
        (status = 403, description = "`as=me` without a seat in this game"),
        (status = 503, description = "restarting, or too many connections from this address"),
    )
)]
pub async fn stream_game(
    State(app): State<App>,
    Id(game): Id<GameId>,
    GameStreamRequest { which, viewer }: GameStreamRequest,
    StreamRequest { wire, last }: StreamRequest,
) -> Result<Response, HttpError> {
    let is_own = viewer.is_some();
    let last = last.as_deref().and_then(Cursor::read);
    let asked = which.since.as_deref().map(|text| {
        Cursor::read(text)
            .ok_or_else(|| ApiError::bad_value("since", "expected EPOCH.SEQ, such as 1234.56"))
    });
    let since = last.or(asked.transpose()?);
    let form = wire.form;
    let stream = Stream::of_game(app.hub.clone(), game, viewer, since, wire).await?;
    Ok(match stream {
        Some(stream) if is_own => answer(stream, form),
        Some(stream) => for_any_page(answer(stream, form)),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}

/// What the caller receives as a player: first each running game, each open challenge to them and, with `since`, each game that has ended since
/// then, as if it were just happening; then a line with `me`; then what happens: how games go on, begin and end, challenges, pairings and what
/// the server says. A message on each line, or server-sent events. The caller is online as by a socket.
#[utoipa::path(
    get, path = "/api/me/stream", operation_id = "streamMe", tag = "watching", security(("token" = []), ("cookie" = [])),
    params(OwnStreamQuery),
    responses(
        (status = 200, description = "a message on each line, or server-sent events", content((String = "application/x-ndjson"), (String = "text/event-stream"))),
        (status = 503, description = "restarting, or too many connections from this address"),
    )
)]
pub async fn stream_me(
    State(app): State<App>,
    Checked(which): Checked<OwnStreamQuery>,
    StreamViewer(viewer): StreamViewer,
    StreamRequest { wire, last }: StreamRequest,
) -> Result<Response, HttpError> {
    let viewer = viewer.ok_or_else(unauthenticated)?;
    let last = last.and_then(|last| last.parse().ok()).map(Millis);
    let form = wire.form;
    let since = last.or(which.since);
    let stream = Stream::of_player(app.hub.clone(), viewer, since, wire).await?;
    Ok(answer(stream, form))
}

/// How a game is to be shown. Nobody is asked for who they are as long as that does not matter.
pub struct GameStreamRequest {
    which: StreamQuery,
    viewer: Option<Viewer>,
}

impl FromRequestParts<App> for GameStreamRequest {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, HttpError> {
        let Checked(which) = Checked::<StreamQuery>::from_request_parts(parts, app).await?;
        let viewer = match which.perspective {
            Some(StreamPerspective::Me) => {
                let StreamViewer(viewer) = StreamViewer::from_request_parts(parts, app).await?;
                Some(viewer.ok_or_else(unauthenticated)?)
            }
            None => None,
        };
        Ok(Self { which, viewer })
    }
}

/// A request that may open a stream: the server stays for a while, and the address has not too many connections.
pub struct StreamRequest {
    /// What the stream runs on.
    wire: Wire,
    /// Where a reader who comes back was, as the last event told it.
    last: Option<String>,
}

impl FromRequestParts<App> for StreamRequest {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, HttpError> {
        app.services.check_serving()?;
        let peer = Extension::<Peer>::from_request_parts(parts, app).await;
        let cut = Extension::<Cut>::from_request_parts(parts, app).await;
        let (Ok(Extension(Peer(peer))), Ok(Extension(cut))) = (peer, cut) else {
            tracing::error!("a request does not tell where it comes from");
            return Err(HttpError(ApiError::internal()));
        };
        let headers = &parts.headers;
        let place = place_behind_proxy(app, peer, headers)?;
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        Ok(Self {
            wire: Wire {
                form: Form::wanted(text("accept").unwrap_or_default()),
                cut,
                place,
            },
            last: text("last-event-id").map(str::to_owned),
        })
    }
}

/// Counts a long-lived connection behind a proxy against its address; other connections have a place already.
///
/// # Errors
/// `busy` if the address has as many as it may.
pub fn place_behind_proxy(
    app: &App,
    peer: IpAddr,
    headers: &HeaderMap,
) -> Result<Option<ConnectionSlot>, ApiError> {
    let proxies = &app.people.proxies;
    if !proxies.trusts(peer) {
        return Ok(None);
    }
    let group = Group::of(proxies.caller(peer, headers));
    let place = app.services.connections.take(group).ok_or_else(|| {
        let message = "too many connections from this address";
        ApiError::new(ErrorCode::Busy, message)
    })?;
    Ok(Some(place))
}

/// The stream as an answer.
fn answer(stream: Stream, form: Form) -> Response {
    let headers = [
        (header::CONTENT_TYPE.as_str(), form.content_type()),
        // A proxy that gathers would hold back moves.
        ("x-accel-buffering", "no"),
    ];
    (headers, stream.into_body()).into_response()
}

/// Any page may read what is the same for everybody.
fn for_any_page(mut answer: Response) -> Response {
    let any = HeaderValue::from_static("*");
    let headers = answer.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, any);
    answer
}
