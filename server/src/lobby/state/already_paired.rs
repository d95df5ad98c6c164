//! Players who are paired while something else that they ask for is checked, in a second window or by a second click: they get the game that they
//! have, since they could not know of it, and no other.

use qiguan_protocol::ids::{CommandId, GameId, Millis, SeekId};

use crate::lobby::state::{
    LobbyState,
    recent_seeks::ClosedSeek,
    seek::{SeekRequest, SeekStatus, Seeker},
};

impl LobbyState {
    /// The game in which this player was paired here since they asked.
    pub(super) fn paired_since(&self, seeker: &Seeker) -> Option<GameId> {
        let person = self.people.get(&seeker.player())?;
        person.paired_since(seeker.asked_at)
    }

    /// Answers a seek with that game, also when the command comes again.
    pub(super) fn is_paired_already(
        &mut self,
        id: SeekId,
        seeker: &Seeker,
        request: SeekRequest,
        command: CommandId,
        game: GameId,
        now: Millis,
    ) -> (SeekId, SeekStatus) {
        let (owner, status) = (seeker.player(), SeekStatus::Paired(game));
        self.commands.insert((owner, command), id);
        let closed = ClosedSeek {
            owner,
            request,
            commands: vec![command],
            status,
        };
        self.recent_seeks.ended(id, closed, now);
        (id, status)
    }
}
