//! Where rooms say that a computer player has something to do. They know nothing of how it thinks.

use qiguan_game::people::computer::Computer;
use qiguan_protocol::ids::{GameId, PlayerId};
use tokio::sync::mpsc;

use crate::net::address::Group;

/// The way to the computer players. Cheap to clone.
#[derive(Clone)]
pub struct Computers {
    calls: mpsc::UnboundedSender<Call>,
    are_playing: bool,
}

/// A computer has something to do in a game.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Which game.
    pub game: GameId,
    /// Which computer.
    pub computer: Computer,
    /// On whose account it thinks: the opponent's.
    pub owner: Owner,
}

/// On whose account a computer thinks. All who play from one address share its turns: else more names would get more of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The address that the opponent's last command came from.
    Address(Group),
    /// The opponent, as long as no command has come.
    Player(PlayerId),
}

impl Computers {
    /// The way in, and what the players receive from. Without threads to think on, no game against a computer can be opened.
    pub fn new(threads: usize) -> (Self, mpsc::UnboundedReceiver<Call>) {
        let (calls, receiver) = mpsc::unbounded_channel();
        let computers = Self {
            calls,
            are_playing: threads > 0,
        };
        (computers, receiver)
    }

    /// Whether computers play on this server.
    pub const fn are_playing(&self) -> bool {
        self.are_playing
    }

    /// Calls a computer. When the server goes down nobody comes any more.
    pub fn call(&self, call: Call) {
        let _ = self.calls.send(call);
    }
}
