//! Hints in practice games.

use axum::{Json, extract::State};
use qiguan_protocol::{
    hint::{Hint, HintRequest},
    ids::GameId,
};

use crate::{
    app::App,
    computers::hints,
    http::{
        error::Answered,
        extract::{Body, Caller, Id, Identified},
    },
    room::message::Read,
    services::computing::Owner,
};

/// Advises the player who is on the move in a practice game against a computer: the best move, and how good a move of their own would be.
#[utoipa::path(
    post, path = "/api/games/{id}/hint", operation_id = "askHint", tag = "games", security(("token" = []), ("cookie" = [])),
    request_body = HintRequest,
    responses(
        (status = 200, description = "the advice", body = Hint),
        (status = 403, description = "the caller has no seat, or it is no practice game, or the position stands in a running game"),
        (status = 409, description = "it is not the caller's turn, or the move is illegal"),
        (status = 503, description = "too many hints are being worked out"),
    )
)]
pub async fn ask(
    State(app): State<App>,
    Id(game): Id<GameId>,
    Caller(from): Caller,
    Identified(who): Identified,
    Body(asked): Body<HintRequest>,
) -> Answered<Hint> {
    let services = &app.services;
    services.check_computers()?;
    let snapshot = app.hub.read(game, Some(who.id), Read::Snapshot).await?;
    let view = snapshot.view();
    drop(snapshot);
    let owner = Owner::Address(from.address);
    let seed = u64::from(services.random.below(u32::MAX));
    let asked = asked.text.as_deref();
    let hint = hints::hint(&app.computers, services, owner, view, asked, seed).await?;
    Ok(Json(hint))
}
