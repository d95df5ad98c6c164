//! Whether everything is on its way that was read for a game of another program. Its owner asks when a time is over there, and lets nothing follow
//! from that before it is answered.
//!
//! What was read passes three places in order: the task of its connection, who stands for the game here, and what waits for its owner. The question
//! passes the same ones, and its answer goes the way of the commands.

use std::sync::Arc;

use qiguan_protocol::ids::{GameId, PlayerId};
use qiguan_store::nodes::Incarnation;

use crate::{
    abroad::{Abroad, node_message::NodeMessage, waiting::Waiting},
    peer::elsewhere::ReadQuestion,
    room::{
        hub::Hub,
        message::{ReadMark, RoomMessage},
    },
};

impl Abroad {
    /// Asks other programs, these or all that are heard. Returns whom it has asked.
    pub(super) fn ask_what_is_read(
        &self,
        question: ReadQuestion<'_>,
        these: Option<&[Incarnation]>,
    ) -> Vec<Incarnation> {
        let ReadQuestion {
            game,
            players,
            number,
        } = question;
        let mut links = self.links.heard();
        links.retain(|link| these.is_none_or(|these| these.contains(&link.node())));
        for link in &links {
            let players = players.to_vec();
            link.send(&NodeMessage::Confirm {
                game,
                players,
                number,
            });
        }
        links.iter().map(|link| link.node()).collect()
    }

    /// Answers the owner of a game once what these players have asked for is on its way.
    pub(super) async fn confirm(
        self: Arc<Self>,
        hub: Hub,
        game: GameId,
        players: Vec<PlayerId>,
        mark: ReadMark,
    ) {
        let sockets = &hub.services().sockets;
        for peer in players.into_iter().flat_map(|player| sockets.of(player)) {
            peer.has_passed_on().await;
        }
        // Who stands for the game has perhaps not sent everything on.
        while let Some(room) = hub.open_room(game) {
            if room.send(RoomMessage::Confirm(mark)).await.is_ok() {
                return;
            }
        }
        self.answer_mark(game, mark);
    }

    /// Answers the owner, if nothing waits for another one: otherwise it asks again.
    pub(super) fn answer_mark(&self, game: GameId, mark: ReadMark) {
        let ReadMark { program, number } = mark;
        // Under the lock, so after what was sent.
        let state = self.state.lock();
        let waits = |it: &Waiting| it.ask.game == game && it.to != Some(program);
        if !state.waiting.values().any(waits)
            && let Some(link) = self.links.to(program)
        {
            link.send(&NodeMessage::Confirmed { game, number });
        }
    }
}
