//! The spectators' chat, for clients without a socket.

use axum::{Json, extract::State};
use qiguan_game::audience;
use qiguan_protocol::{
    client::SayToSpectators, ids::GameId, limits, query::SpectatorChatQuery,
    view::SpectatorChatPage,
};

use crate::{
    admission::sanctions,
    app::App,
    http::{
        error::{Answered, Done, done},
        extract::{Body, Caller, Checked, Id, Identified, Visitor},
        pages::page_of,
    },
    room::{
        message::{Read, Reply, RoomMessage, answered},
        spectator_chat_writer::SpectatorMessage,
    },
    store_errors::FromRecords,
};

/// What spectators have said at a game, a page at a time, the latest page first. Its players may read it when the game is over.
#[utoipa::path(
    get, path = "/api/games/{id}/spectator_chat", operation_id = "listSpectatorChat", tag = "watching", security((), ("token" = []), ("cookie" = [])),
    params(SpectatorChatQuery),
    responses(
        (status = 200, description = "the lines, the oldest first", body = SpectatorChatPage),
        (status = 409, description = "the caller is playing in this game"),
    )
)]
pub async fn list(
    State(app): State<App>,
    Id(game): Id<GameId>,
    Checked(which): Checked<SpectatorChatQuery>,
    Visitor(visitor): Visitor,
) -> Answered<SpectatorChatPage> {
    let limit = page_of(which.limit)?;
    let visitor = visitor.map(|who| who.id);
    app.hub.read(game, visitor, Read::SpectatorChat).await?;
    let before = which.before.unwrap_or(u32::MAX);
    let lines = app.services.store.spectator_lines(game, before, limit);
    let lines = lines.await.or_unreadable("spectator chat")?;
    let is_full = lines.len() == limit as usize;
    let oldest = lines.last().map(|said| said.line.number);
    let heard = lines.iter().rev();
    let heard = heard.filter(|said| said.line.is_heard_by(visitor));
    Ok(Json(SpectatorChatPage {
        lines: heard.map(audience::spectator_line).collect(),
        before: oldest.filter(|number| is_full && *number > 1),
    }))
}

/// Says something to the other spectators of a game. Its players see it when the game is over.
#[utoipa::path(
    post, path = "/api/games/{id}/spectator_chat", operation_id = "sayToSpectators", tag = "watching", security(("token" = []), ("cookie" = [])),
    request_body = SayToSpectators,
    responses(
        (status = 204, description = "it is stored"),
        (status = 403, description = "the caller can't chat"),
        (status = 409, description = "the caller has a seat in this game, or used the command id with other content"),
    )
)]
pub async fn say(
    State(app): State<App>,
    Id(game): Id<GameId>,
    Identified(who): Identified,
    Caller(from): Caller,
    Body(SayToSpectators { command, text }): Body<SayToSpectators>,
) -> Done {
    app.services.check_serving()?;
    limits::check_chat(&text)?;
    let reach = sanctions::may_speak(&app.services, who.id).await?;
    let (reply, answer) = Reply::to_call();
    let say = SpectatorMessage {
        who,
        address: from.address,
        command,
        text,
        reach,
        reply,
    };
    app.hub
        .send(game, RoomMessage::SpectatorMessage(Box::new(say)))
        .await;
    done(answered(answer).await.map(drop))
}
