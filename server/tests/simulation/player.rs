//! A client: comes to a program, begins games or watches, plays, and goes on elsewhere when a connection breaks. `hearing.rs` is what it hears,
//! `deciding.rs` what it does.

mod deciding;
mod hearing;

use std::collections::BTreeMap;

use qiguan_protocol::{
    ids::{CommandId, Cursor, GameId, PlayerId, Seq, Token},
    names::Seat,
};
use qiguan_tests::random::Random;
use serde_json::{Value, json};

use crate::{
    history::{History, Turn},
    node::Node,
    socket::ClientEnd,
};

/// How long a client waits for an answer before it goes elsewhere, in milliseconds.
const PATIENCE: u64 = 4_000;
/// With everything well again, nothing takes so long.
const STUCK: u64 = 6_000;
/// How long it waits before it asks again what was refused for a reason that passes.
const PAUSE: u64 = 120;
/// How often a spectator looks that looks again and again, in milliseconds.
const LOOKS_EVERY: u64 = 150;

/// What a client is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Opens a game at a table and moves first.
    Opens(usize),
    /// Joins it.
    Joins(usize),
    /// Watches it.
    Watches(usize),
    /// Has the lobby find somebody, again and again.
    Seeks,
}

/// What is played at a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    pub(crate) ruleset: &'static str,
    pub(crate) initial_ms: i64,
    pub(crate) increment_ms: i64,
    /// After so many plies somebody resigns.
    pub(crate) plies: u32,
}

/// How the clients of a world behave.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Habits {
    /// Each goes without a reason about once in so many milliseconds.
    pub(crate) goes_in: u64,
    /// A game waits for its second player for less than so many milliseconds.
    pub(crate) joins_within: u64,
    /// Whether half of the moves are made just before the time is over.
    pub(crate) is_late: bool,
    /// Whether spectators look again and again.
    pub(crate) looks_again: bool,
    /// One that seeks goes without a reason about once in so many milliseconds.
    pub(crate) seeks_for: u64,
}

/// What the clients of a table share.
pub(crate) struct Table {
    pub(crate) terms: Terms,
    pub(crate) game: Option<GameId>,
    /// Whether its second player has begun to join.
    pub(crate) is_joined: bool,
}

/// What clients see and change of the world.
pub(crate) struct Scene<'a> {
    pub(crate) now: u64,
    /// How long a step is, in milliseconds.
    pub(crate) step: u64,
    pub(crate) habits: Habits,
    pub(crate) nodes: &'a mut [Node],
    pub(crate) tables: &'a mut [Table],
    pub(crate) history: &'a mut History,
    /// Whether new games are begun.
    pub(crate) goes_on: bool,
    /// Whether anything is frozen or cut just now.
    pub(crate) is_troubled: bool,
}

/// A client.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a question of its own"
)]
pub(crate) struct Player {
    number: usize,
    role: Role,
    random: Random,
    /// The client whose second window this is, with a connection of its own.
    second_window_of: Option<usize>,
    has_two_windows: bool,
    /// The game in the player's other window, if one is played there.
    other_game: Option<GameId>,
    token: Option<Token>,
    /// Who it is, once it knows.
    who: Option<PlayerId>,
    end: Option<ClientEnd>,
    is_greeted: bool,
    /// When it comes again, if it has no connection.
    comes_at: u64,
    /// What was asked over this connection and is not answered, by number, and since when.
    asked: BTreeMap<u64, (Request, u64)>,
    game: Option<GameId>,
    /// How many games were begun.
    begun: u64,
    has_joined: bool,
    /// When it joins the game, if it is to.
    joins_at: u64,
    is_over: bool,
    /// Whether events of the game come.
    is_watching: bool,
    watches_at: u64,
    /// When it looks at the game again, if it does.
    looks_at: u64,
    cursor: Option<Cursor>,
    seat: Option<Seat>,
    /// The command that is to be carried out whatever it takes, and when it is sent next.
    command: Option<Command>,
    turn: Option<MyTurn>,
    is_ready: bool,
    left_at: u64,
    secrets: Vec<String>,
}

/// What was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Request {
    Hello,
    /// With the newest event that was known to be stored, and how many games had begun.
    Watch(Seq, u64),
    Command(CommandId),
}

struct Command {
    id: CommandId,
    kind: &'static str,
    data: Value,
    game: Option<GameId>,
    /// When it was decided on.
    since: u64,
    send_at: u64,
    is_sent: bool,
    /// Whether a seek is open. One that was not answered comes again under its id.
    is_open: bool,
}

struct MyTurn {
    measured: Turn,
    legal: Vec<String>,
    moves_at: u64,
    /// The number of the message with the move, over the connection on which the turn was shown.
    message: Option<u64>,
}

impl Player {
    /// A client, or the second window of another one.
    pub(crate) fn new(
        number: usize,
        role: Role,
        mut random: Random,
        second_window_of: Option<usize>,
    ) -> Self {
        let comes_at = random.below(400);
        Self {
            number,
            role,
            random,
            second_window_of,
            has_two_windows: second_window_of.is_some(),
            other_game: None,
            token: None,
            who: None,
            end: None,
            is_greeted: false,
            comes_at,
            asked: BTreeMap::new(),
            game: None,
            begun: 0,
            has_joined: false,
            joins_at: 0,
            is_over: false,
            is_watching: false,
            watches_at: 0,
            looks_at: 0,
            cursor: None,
            seat: None,
            command: None,
            turn: None,
            is_ready: false,
            left_at: 0,
            secrets: Vec::new(),
        }
    }

    /// What the client has learned that nobody may read on the way: its token, and its setups.
    pub(crate) fn take_secrets(&mut self) -> Vec<String> {
        std::mem::take(&mut self.secrets)
    }

    /// The client whose second window this is, if it is one.
    pub(crate) const fn second_window_of(&self) -> Option<usize> {
        self.second_window_of
    }

    /// This is the first window of a player, and that is the second.
    pub(crate) fn sees_other_window(&mut self, second: &mut Self) {
        self.has_two_windows = true;
        if second.token.is_none() {
            second.token.clone_from(&self.token);
            second.who = self.who;
        }
        let played = |window: &Self| window.game.filter(|_| !window.is_over);
        second.other_game = played(self);
        self.other_game = played(second);
    }

    /// What arrives at the program before the step.
    pub(crate) fn arrive(&mut self, scene: &mut Scene<'_>) {
        let Some(end) = &mut self.end else {
            return;
        };
        // A program that stands still reads nothing.
        if !scene.nodes[end.machine].is_moving() {
            return;
        }
        for number in end.arrive(scene.now) {
            if let Some(turn) = &mut self.turn
                && turn.message == Some(number)
            {
                turn.measured.arrived = Some(scene.now);
            }
        }
    }

    /// What the program has sent in the step.
    pub(crate) fn collect(&mut self, now: u64) {
        if let Some(end) = &mut self.end {
            end.collect(now);
        }
    }

    /// The game that it looks at as a spectator, and the machine of the program through which it does.
    pub(crate) fn looks_at(&self) -> Option<(GameId, usize)> {
        let is_spectator = matches!(self.role, Role::Watches(_));
        let end = self
            .end
            .as_ref()
            .filter(|_| is_spectator && self.is_watching)?;
        Some((self.game?, end.machine))
    }

    /// Why the client can't go on, though all has been well for long enough.
    pub(crate) fn is_stuck(&self, now: u64) -> Option<String> {
        let number = self.number;
        if !self.is_greeted {
            let since = self.comes_at;
            return (since + STUCK < now)
                .then(|| format!("client {number} can't come back since {since}"));
        }
        // One that has just come back has yet to ask.
        let asks_since = self.watches_at.max(self.comes_at);
        if self.game.is_some() && !self.is_watching && asks_since + STUCK < now {
            return Some(format!("client {number} can't watch"));
        }
        let command = self.command.as_ref()?;
        (command.kind != "quick_pair" && command.since + STUCK < now).then(|| {
            let (kind, since) = (command.kind, command.since);
            format!("client {number} can't have {kind} carried out since {since}")
        })
    }

    /// Whether it waits for nothing that others owe it.
    pub(crate) fn is_at_rest(&self) -> bool {
        let command = self.command.as_ref();
        self.is_greeted
            && (self.game.is_none() || self.is_watching)
            && command.is_none_or(|command| command.kind == "quick_pair")
    }

    /// What the client does after the step.
    pub(crate) fn act(&mut self, scene: &mut Scene<'_>) {
        if scene.is_troubled
            && let Some(turn) = &mut self.turn
        {
            turn.measured.is_smooth = false;
        }
        self.hears(scene);
        let now = scene.now;
        if self.end.is_none() {
            if now >= self.comes_at {
                self.comes(scene);
            }
            return;
        }
        let longest = self.asked.values().map(|(_, since)| now - since).max();
        if longest.is_some_and(|longest| longest > PATIENCE) {
            return self.leaves(scene, "gets no answer");
        }
        if self.is_greeted {
            self.goes_on(scene);
        }
    }

    fn note(&self, scene: &mut Scene<'_>, what: &str) {
        let (now, number) = (scene.now, self.number);
        scene.history.note(now, &format!("client {number} {what}"));
    }

    fn comes(&mut self, scene: &mut Scene<'_>) {
        if self.second_window_of.is_some() && self.token.is_none() {
            // It opens once its player has a name.
            self.comes_at = scene.now + 50;
            return;
        }
        let start = self.random.below(scene.nodes.len() as u64) as usize;
        let all = (0..scene.nodes.len()).map(|step| (start + step) % scene.nodes.len());
        let mut ready = all.filter(|node| scene.nodes[*node].is_ready());
        let Some(node) = ready.next() else {
            self.comes_at = scene.now + 100;
            return;
        };
        let delay = self.random.below(4) * 5;
        let Some(end) = scene.nodes[node].is_connected(delay, self.number) else {
            return;
        };
        self.note(scene, &format!("comes to program {node}"));
        self.end = Some(end);
        match self.token.clone() {
            Some(token) => self.asks(scene, Request::Hello, "hello", &json!({"token": token})),
            None => self.asks(scene, Request::Hello, "guest", &json!({})),
        };
    }

    fn leaves(&mut self, scene: &mut Scene<'_>, why: &str) {
        self.note(scene, why);
        self.end = None;
        self.is_greeted = false;
        self.asked.clear();
        self.is_watching = false;
        if let Some(turn) = &mut self.turn {
            turn.measured.is_smooth = false;
            turn.message = None;
        }
        if let Some(command) = &mut self.command {
            command.is_sent = false;
        }
        self.comes_at = scene.now + 20 + self.random.below(200);
    }

    fn asks(&mut self, scene: &Scene<'_>, asked: Request, kind: &str, data: &Value) -> Option<u64> {
        let end = self.end.as_mut()?;
        let id = end.next_number();
        let text = if *data == json!({}) {
            json!({"id": id, "type": kind})
        } else {
            json!({"id": id, "type": kind, "data": data})
        };
        let number = end.send(text.to_string(), scene.now);
        self.asked.insert(number, (asked, scene.now));
        Some(number)
    }
}
