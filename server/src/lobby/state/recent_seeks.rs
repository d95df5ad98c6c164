//! What has become of seeks and acceptances, for as long as somebody may ask or repeat a command.

use std::collections::{HashMap, VecDeque};

use qiguan_protocol::ids::{CommandId, GameId, Millis, PlayerId, SeekId};

use crate::lobby::state::seek::{SeekRequest, SeekStatus};

/// How long it is remembered what has become of a seek.
pub const REMEMBERED: Millis = Millis(60_000);

/// See the module.
#[derive(Debug, Default)]
pub struct RecentSeeks {
    seeks: HashMap<SeekId, ClosedSeek>,
    accepted: HashMap<(PlayerId, CommandId), (SeekId, GameId)>,
    /// In the order in which they are forgotten.
    queue: VecDeque<(Millis, Key)>,
}

/// A seek that is open no more.
#[derive(Clone, Debug)]
pub struct ClosedSeek {
    /// Whose it was.
    pub owner: PlayerId,
    /// What it was for.
    pub request: SeekRequest,
    /// The commands that opened it, or found it open.
    pub commands: Vec<CommandId>,
    /// What has become of it.
    pub status: SeekStatus,
}

#[derive(Debug)]
enum Key {
    Seek(SeekId),
    Accepted(PlayerId, CommandId),
}

impl RecentSeeks {
    /// A seek has ended.
    pub fn ended(&mut self, seek: SeekId, ended: ClosedSeek, now: Millis) {
        self.seeks.insert(seek, ended);
        self.queue.push_back((now + REMEMBERED, Key::Seek(seek)));
    }

    /// A player has accepted a seek, and a game came of it.
    pub fn accepted(
        &mut self,
        player: PlayerId,
        command: CommandId,
        seek: SeekId,
        game: GameId,
        now: Millis,
    ) {
        self.accepted.insert((player, command), (seek, game));
        let key = Key::Accepted(player, command);
        self.queue.push_back((now + REMEMBERED, key));
    }

    /// What has become of a seek.
    pub fn seek(&self, seek: SeekId) -> Option<&ClosedSeek> {
        self.seeks.get(&seek)
    }

    /// What has come of a command that accepted a seek.
    pub fn acceptance(&self, player: PlayerId, command: CommandId) -> Option<(SeekId, GameId)> {
        self.accepted.get(&(player, command)).copied()
    }

    /// Forgets what is too long ago; returns the seeks with the commands that had opened them.
    pub fn forget(&mut self, now: Millis) -> Vec<(PlayerId, CommandId)> {
        let mut forgotten = Vec::new();
        while let Some((_, key)) = self.queue.pop_front_if(|(until, _)| *until <= now) {
            match key {
                Key::Seek(seek) => {
                    let ended = self.seeks.remove(&seek).into_iter();
                    forgotten.extend(ended.flat_map(|ended| {
                        let commands = ended.commands.into_iter();
                        commands.map(move |command| (ended.owner, command))
                    }));
                }
                Key::Accepted(player, command) => {
                    self.accepted.remove(&(player, command));
                }
            }
        }
        forgotten
    }

    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }
}
