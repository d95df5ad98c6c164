//! A game of another program: what the record says of it can be read here, with what its owner says of a running one.

use std::sync::Arc;

use qiguan_protocol::{answer::Answer, error::ApiError, ids::GameId};

use crate::{
    room::{message::RoomMessage, room::Room},
    services::Services,
};

/// Answers a message to such a game. A game that is over can be watched, since nothing more happens in it.
pub async fn answer(services: &Arc<Services>, game: GameId, message: RoomMessage) {
    match message {
        message @ (RoomMessage::Read { .. } | RoomMessage::Watch { .. }) => {
            Room::new(game, Arc::clone(services))
                .answer_from_record(message)
                .await;
        }
        RoomMessage::Unwatch {
            reply: Some(reply), ..
        } => reply.send(Ok(Answer::Unwatched { game })),
        message @ (RoomMessage::Command(_)
        | RoomMessage::Keep(_)
        | RoomMessage::SpectatorMessage(_)
        | RoomMessage::DeleteIfAbandoned { .. }
        | RoomMessage::TurnNotices { .. }
        | RoomMessage::Revised(_)
        | RoomMessage::Name { .. }) => message.fail(ApiError::elsewhere()),
        RoomMessage::Unwatch { reply: None, .. }
        | RoomMessage::Confirm(_)
        | RoomMessage::Confirmed(_)
        | RoomMessage::Wake(_) => {}
    }
}
