//! What a seat keeps to itself, for clients without a socket: the setup before play, and notes on hidden pieces.

use axum::extract::State;
use qiguan_game::seat_drafts::DraftKind;
use qiguan_protocol::{
    error::ApiError,
    ids::{GameId, PlayerId},
    limits,
    setup::{PutNotes, PutSetup},
};

use crate::{
    app::App,
    http::{
        error::{Done, done},
        extract::{Body, Id, Identified},
    },
    room::message::{Keep, Reply, RoomMessage, answered},
};

/// Changes the caller's own setup while both set up. Nobody else is notified.
#[utoipa::path(
    put, path = "/api/games/{id}/setup", operation_id = "putSetup", tag = "games", security(("token" = []), ("cookie" = [])),
    request_body = PutSetup,
    responses(
        (status = 204, description = "the setup is stored"),
        (status = 400, description = "the setup is illegal; every violation is listed"),
        (status = 403, description = "the caller has no seat in this game"),
        (status = 409, description = "nothing to set up, or the caller has said ready"),
    )
)]
pub async fn put_setup(
    State(app): State<App>,
    Id(game): Id<GameId>,
    Identified(player): Identified,
    Body(PutSetup { setup }): Body<PutSetup>,
) -> Done {
    done(save(&app, game, player.id, DraftKind::Setup, setup).await)
}

/// Keeps the caller's notes on a game with hidden pieces, in place of those before. Nobody else ever sees them.
#[utoipa::path(
    put, path = "/api/games/{id}/notes", operation_id = "putNotes", tag = "games", security(("token" = []), ("cookie" = [])),
    request_body = PutNotes,
    responses(
        (status = 204, description = "the notes are stored"),
        (status = 400, description = "too long, or the game has no hidden pieces"),
        (status = 403, description = "the caller has no seat in this game"),
    )
)]
pub async fn put_notes(
    State(app): State<App>,
    Id(game): Id<GameId>,
    Identified(player): Identified,
    Body(PutNotes { notes }): Body<PutNotes>,
) -> Done {
    limits::check_notes(&notes)?;
    done(save(&app, game, player.id, DraftKind::Notes, notes).await)
}

async fn save(
    app: &App,
    game: GameId,
    player: PlayerId,
    kind: DraftKind,
    text: String,
) -> Result<(), ApiError> {
    app.services.check_serving()?;
    let (reply, answer) = Reply::to_call();
    let keep = Keep {
        player,
        kind,
        text,
        peer: None,
        reply,
    };
    app.hub.send(game, RoomMessage::Keep(Box::new(keep))).await;
    answered(answer).await.map(drop)
}
