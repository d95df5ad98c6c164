//! The lobby over plain HTTP. A seek that is opened here lives for a minute, and longer each time that its status is read.

use std::sync::Arc;

use axum::{
    Json,
    extract::{FromRequestParts, State},
    http::{StatusCode, request::Parts},
};
use qiguan_game::people::identity::Identity;
use qiguan_protocol::{
    answer::Answer,
    error::ApiError,
    ids::SeekId,
    lobby::{Accept, AcceptSeek, AskSeek, Lobby, Pools, QuickPair},
};

use crate::{
    app::App,
    http::{
        error::{Answered, HttpError, json},
        extract::{Body, Caller, Id, Identified, Visitor},
    },
    lobby::{
        pools, shown,
        visiting::{PlayerRequest, Visit, VisitorRequest},
    },
    net::address::Group,
    room::message::{Reply, answered},
};

/// The lobby as it stands: open seeks, pools, and what is the visitor's own.
#[utoipa::path(
    get, path = "/api/lobby", operation_id = "getLobby", tag = "lobby", security((), ("token" = []), ("cookie" = [])),
    responses((status = 200, description = "the lobby", body = Lobby))
)]
pub async fn look(
    State(app): State<App>,
    Visitor(who): Visitor,
    Caller(from): Caller,
) -> Answered<Lobby> {
    Ok(Json(looked(&app, who, from.address).await?))
}

async fn looked(app: &App, who: Option<Arc<Identity>>, address: Group) -> Result<Lobby, ApiError> {
    match visit(app, who, address, VisitorRequest::Look).await? {
        Answer::Lobby { lobby } => Ok(*lobby),
        _ => Err(ApiError::internal()),
    }
}

/// Every pool: a rule set and a time control, rated or not, and how many wait there.
#[utoipa::path(
    get, path = "/api/lobby/pools", operation_id = "listPools", tag = "lobby",
    responses((status = 200, description = "the pools", body = Pools))
)]
pub async fn pools(State(app): State<App>, Caller(from): Caller) -> Answered<Pools> {
    let lobby = looked(&app, None, from.address).await?;
    let times = pools::times();
    let pools = shown::every_pool(&lobby.pools);
    Ok(Json(Pools { times, pools }))
}

/// Opens a seek, for a minute and longer each time that it is asked after. The same command id opens no second one.
#[utoipa::path(
    post, path = "/api/lobby/seeks", operation_id = "createSeek", tag = "lobby", security(("token" = []), ("cookie" = [])),
    request_body = AskSeek,
    responses(
        (status = 201, description = "the seek's status: open, or already paired if the command is repeated", body = ref("#/components/schemas/AnswerSeek")),
        (status = 403, description = "requires an account, or the caller has to wait after leaving games early"),
        (status = 409, description = "the command id was used with other content"),
        (status = 429, description = "too many seeks or games"),
    )
)]
pub async fn seek(
    State(app): State<App>,
    player: Player,
    Body(asked): Body<AskSeek>,
) -> Result<(StatusCode, Json<Answer>), HttpError> {
    let answer = player.asks(&app, PlayerRequest::Seek(asked)).await?;
    Ok((StatusCode::CREATED, Json(answer)))
}

/// Waits in a pool, for a minute and longer each time that it is asked after (as a seek). The same command id waits once.
#[utoipa::path(
    post, path = "/api/lobby/quick", operation_id = "joinPool", tag = "lobby", security(("token" = []), ("cookie" = [])),
    request_body = QuickPair,
    responses(
        (status = 201, description = "the seek's status: open, or already paired if the command is repeated", body = ref("#/components/schemas/AnswerSeek")),
        (status = 403, description = "requires an account, or the caller has to wait after leaving games early"),
        (status = 409, description = "the command id was used with other content"),
        (status = 429, description = "too many seeks or games"),
    )
)]
pub async fn quick_pair(
    State(app): State<App>,
    player: Player,
    Body(asked): Body<QuickPair>,
) -> Result<(StatusCode, Json<Answer>), HttpError> {
    let answer = player.asks(&app, PlayerRequest::QuickPair(asked)).await?;
    Ok((StatusCode::CREATED, Json(answer)))
}

/// Accepts a seek. The answer comes when the game is stored and has begun. The same command id opens no second one.
#[utoipa::path(
    post, path = "/api/lobby/seeks/{id}/accept", operation_id = "acceptSeek", tag = "lobby", security(("token" = []), ("cookie" = [])),
    request_body = Accept,
    responses(
        (status = 200, description = "the game", body = ref("#/components/schemas/AnswerPaired")),
        (status = 403, description = "the seek is not for this player"),
        (status = 409, description = "the seek is no longer open"),
        (status = 429, description = "too many games"),
    )
)]
pub async fn accept(
    State(app): State<App>,
    Id(seek): Id<SeekId>,
    player: Player,
    Body(Accept { command }): Body<Accept>,
) -> Answered<Answer> {
    let accept = PlayerRequest::Accept(AcceptSeek { command, seek });
    json(player.asks(&app, accept).await)
}

/// Shows the status of an own seek, on the board or in a pool, and keeps it open for another minute.
#[utoipa::path(
    get, path = "/api/lobby/seeks/{id}", operation_id = "getSeek", tag = "lobby", security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "open, paired with the game, or gone", body = ref("#/components/schemas/AnswerSeek")),
        (status = 409, description = "this player has no such seek"),
    )
)]
pub async fn status(
    State(app): State<App>,
    Id(seek): Id<SeekId>,
    player: Player,
) -> Answered<Answer> {
    json(player.asks(&app, PlayerRequest::Status(seek)).await)
}

/// Takes back an own seek, on the board or in a pool. Doing so again changes nothing.
#[utoipa::path(
    delete, path = "/api/lobby/seeks/{id}", operation_id = "cancelSeek", tag = "lobby", security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "the seek's status", body = ref("#/components/schemas/AnswerSeek")),
        (status = 409, description = "this player has no such seek"),
    )
)]
pub async fn cancel(
    State(app): State<App>,
    Id(seek): Id<SeekId>,
    player: Player,
) -> Answered<Answer> {
    json(player.asks(&app, PlayerRequest::Cancel(seek)).await)
}

/// Leaves every pool.
#[utoipa::path(
    delete, path = "/api/lobby/quick", operation_id = "leavePools", tag = "lobby", security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "the pool places that were given up", body = ref("#/components/schemas/AnswerLeftPools")))
)]
pub async fn leave_pools(State(app): State<App>, player: Player) -> Answered<Answer> {
    json(player.asks(&app, PlayerRequest::LeavePools).await)
}

/// A player who asks, and their address.
pub struct Player {
    who: Arc<Identity>,
    address: Group,
}

impl FromRequestParts<App> for Player {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, HttpError> {
        let Caller(from) = Caller::from_request_parts(parts, app).await?;
        let Identified(who) = Identified::from_request_parts(parts, app).await?;
        Ok(Self {
            who,
            address: from.address,
        })
    }
}

impl Player {
    async fn asks(self, app: &App, request: PlayerRequest) -> Result<Answer, ApiError> {
        let request = VisitorRequest::Player(request);
        visit(app, Some(self.who), self.address, request).await
    }
}

/// Asks the lobby, and waits for the answer.
async fn visit(
    app: &App,
    who: Option<Arc<Identity>>,
    address: Group,
    request: VisitorRequest,
) -> Result<Answer, ApiError> {
    let (reply, answer) = Reply::to_call();
    let visit = Visit {
        who,
        address,
        peer: None,
        request,
        reply,
    };
    app.lobby.visit(visit).await;
    answered(answer).await
}
