//! What everybody sent, was answered and was shown, and what the record has to say about it afterwards.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
};

use qiguan_game::{
    event::{Body, Event},
    validate,
};
use qiguan_protocol::{
    event::{EventFrame, GameEvent},
    ids::{CommandId, GameId, PlayerId, Seq},
    names::{EndReason, Seat},
};

/// By so much a time may be off that is measured from outside, beside two steps of the world, in milliseconds.
const TOLERANCE: i64 = 20;
/// By so much more a turn may be charged: nobody can tell how long the text was on its way between two programs that showed it, only how long such
/// texts take at least.
const ON_THE_WAY: i64 = 40;

/// Who seeks in one window this shortly before or after anybody was told of a pair may have asked for another: the seek and the news crossed, in
/// milliseconds.
const CROSSING: u64 = 500;

/// What happened in a world, in order.
#[derive(Default)]
pub(crate) struct History {
    games: BTreeMap<GameId, Game>,
    lines: Vec<String>,
    hash: DefaultHasher,
    violations: Vec<String>,
    moves: usize,
    /// By so much times may be off.
    tolerance: i64,
    /// When players with two windows have sought.
    sought: HashMap<PlayerId, Vec<u64>>,
}

#[derive(Default)]
struct Game {
    sent: HashMap<CommandId, String>,
    acknowledged: HashMap<CommandId, Seq>,
    refused: HashSet<CommandId>,
    /// What everybody saw of each event that all may see.
    seen: BTreeMap<Seq, String>,
    /// The newest event that was acknowledged or shown to anybody.
    newest: Seq,
    turns: Vec<Turn>,
    /// When a player was first told that the lobby has paired them.
    paired_at: Option<u64>,
}

/// A turn as its player had it, by the times at the program that the player was connected to.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    pub(crate) seat: Seat,
    pub(crate) ply: u32,
    /// When the program showed it.
    pub(crate) shown: u64,
    /// What was left of the time when it began, in milliseconds; none if the clock stood or nobody can say.
    pub(crate) left: Option<i64>,
    /// When the move arrived at the program.
    pub(crate) arrived: Option<u64>,
    /// Whether the connection held until the move was answered, and nothing was frozen or cut.
    pub(crate) is_smooth: bool,
}

impl History {
    /// Of a world with steps of so many milliseconds.
    pub(crate) fn of_steps(step: u64) -> Self {
        Self {
            tolerance: TOLERANCE + 2 * step as i64,
            ..Self::default()
        }
    }

    /// Something went on that is not told line by line.
    pub(crate) fn takes_in(&mut self, now: u64, what: &[u8]) {
        tracing::trace!(now, what = %String::from_utf8_lossy(what), "goes on");
        (now, what).hash(&mut self.hash);
    }

    /// Something happened.
    pub(crate) fn note(&mut self, now: u64, what: &str) {
        (now, what).hash(&mut self.hash);
        self.lines.push(format!("{now:>7} {what}"));
    }

    /// What happened, line by line.
    pub(crate) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// One number for all of it.
    pub(crate) fn number(&self) -> u64 {
        self.hash.finish()
    }

    /// So many moves were acknowledged.
    pub(crate) const fn moves(&self) -> usize {
        self.moves
    }

    /// Something must not have happened.
    pub(crate) fn violates(&mut self, now: u64, what: String) {
        self.note(now, &format!("VIOLATION: {what}"));
        self.violations.push(what);
    }

    /// The first thing that must not have happened.
    pub(crate) fn violation(&self) -> Option<&str> {
        self.violations.first().map(String::as_str)
    }

    /// The games that there are.
    pub(crate) fn games(&self) -> Vec<GameId> {
        self.games.keys().copied().collect()
    }

    pub(crate) fn game_is_paired(&mut self, now: u64, game: GameId) {
        let game = self.games.entry(game).or_default();
        game.paired_at.get_or_insert(now);
    }

    /// Somebody who has another window seeks in one.
    pub(crate) fn seeks_with_two_windows(&mut self, who: PlayerId, now: u64) {
        self.sought.entry(who).or_default().push(now);
    }

    pub(crate) fn sends(&mut self, game: GameId, command: CommandId, what: &str) {
        let game = self.games.entry(game).or_default();
        game.sent.insert(command, what.to_owned());
    }

    pub(crate) fn is_acknowledged(&mut self, now: u64, game: GameId, command: CommandId, seq: Seq) {
        let it = self.games.entry(game).or_default();
        it.newest = it.newest.max(seq);
        let before = it.acknowledged.insert(command, seq);
        if before.is_none() {
            self.moves += 1;
        }
        if before.is_some_and(|before| before != seq) {
            self.violates(
                now,
                format!("{command} was acknowledged as {before:?} and as {seq}"),
            );
        }
    }

    pub(crate) fn is_refused(&mut self, game: GameId, command: CommandId) {
        let game = self.games.entry(game).or_default();
        game.refused.insert(command);
    }

    /// The newest event of a game that anybody knows to be stored.
    pub(crate) fn newest(&self, game: GameId) -> Seq {
        self.games.get(&game).map_or(Seq(0), |game| game.newest)
    }

    /// Somebody was shown an event.
    pub(crate) fn saw(&mut self, now: u64, frame: &EventFrame) {
        let Some(what) = shown(&frame.event) else {
            return;
        };
        let game = self.games.entry(frame.game).or_default();
        game.newest = game.newest.max(frame.seq);
        let before = game
            .seen
            .entry(frame.seq)
            .or_insert_with(|| what.clone())
            .clone();
        if before != what {
            let seq = frame.seq;
            self.violates(
                now,
                format!("event {seq} was shown as {before} and as {what}"),
            );
        }
    }

    /// A turn is over, with a move or otherwise.
    pub(crate) fn had_turn(&mut self, game: GameId, turn: Turn) {
        self.games.entry(game).or_default().turns.push(turn);
    }

    /// Holds a game against its record.
    pub(crate) fn judge(&mut self, now: u64, id: GameId, record: &[Event]) {
        let Some(game) = self.games.get(&id) else {
            return;
        };
        let found = game.faults(id, record, self.tolerance);
        for fault in found {
            self.violates(now, format!("game {id}: {fault}"));
        }
    }

    /// Holds the games that the lobby has opened against each other: nobody plays two of them at a time.
    pub(crate) fn judge_pairs(&mut self, now: u64, records: &BTreeMap<GameId, Vec<Event>>) {
        let mut spans: BTreeMap<PlayerId, Vec<(i64, i64, GameId)>> = BTreeMap::new();
        for (id, record) in records {
            let paired_at = self.games.get(id).and_then(|game| game.paired_at);
            if paired_at.is_none() {
                continue;
            }
            let begun = record.first().map_or(0, |event| event.at.0);
            let ended = record
                .iter()
                .find(|event| matches!(event.body, Body::Ended { .. }));
            let ended = ended.map_or(i64::MAX, |event| event.at.0);
            for player in players(record) {
                spans.entry(player).or_default().push((begun, ended, *id));
            }
        }
        for (player, mut spans) in spans {
            spans.sort_unstable();
            for pair in spans.windows(2) {
                let (one, other) = (pair[0].2, pair[1].2);
                if pair[1].0 + self.tolerance < pair[0].1 && !self.have_crossed(player, one) {
                    self.violates(
                        now,
                        format!("{player} plays {one} and {other} at the same time"),
                    );
                }
            }
        }
    }
}

impl History {
    /// Whether a player has sought in one window while the news of this game was on its way to both.
    fn have_crossed(&self, who: PlayerId, game: GameId) -> bool {
        let told = self.games.get(&game).and_then(|game| game.paired_at);
        let sought = self.sought.get(&who).zip(told);
        sought.is_some_and(|(times, told)| {
            let mut times = times.iter();
            times.any(|at| *at <= told + CROSSING && told <= *at + CROSSING)
        })
    }
}

impl Game {
    fn faults(&self, id: GameId, record: &[Event], tolerance: i64) -> Vec<String> {
        let mut faults = Vec::new();
        if let Err(error) = validate::validate(id, record.iter().cloned()) {
            faults.push(error.to_string());
        }
        let mut stored: HashMap<CommandId, &Event> = HashMap::new();
        for event in record {
            let Some(command) = event.command else {
                continue;
            };
            let is_move = matches!(event.body, Body::Moved { .. });
            if is_move && let Some(before) = stored.get(&command) {
                let (before, seq) = (before.seq, event.seq);
                faults.push(format!("{command} is stored as {before} and as {seq}"));
            }
            if self.refused.contains(&command) {
                faults.push(format!("{command} was refused and is stored"));
            }
            stored.entry(command).or_insert(event);
        }
        for (command, seq) in &self.acknowledged {
            match stored.get(command) {
                None => faults.push(format!(
                    "{command} ({}) was acknowledged as {seq} and is lost",
                    self.sent.get(command).map_or("?", String::as_str)
                )),
                Some(event) if event.seq > *seq => {
                    faults.push(format!(
                        "{command} was acknowledged as {seq} and is {}",
                        event.seq
                    ));
                }
                Some(_) => {}
            }
        }
        for (seq, what) in &self.seen {
            let is_stored = record.get(seq.0 as usize - 1).is_some_and(|event| {
                let is = stored_as(&event.body);
                is.is_none_or(|is| is == *what)
            });
            if !is_stored {
                faults.push(format!(
                    "event {seq} was shown as {what} and is not in the record"
                ));
            }
        }
        for turn in &self.turns {
            faults.extend(turn.fault(record, tolerance));
        }
        faults.sort_unstable();
        faults
    }
}

impl Turn {
    /// What was done wrong to the player in this turn.
    fn fault(&self, record: &[Event], tolerance: i64) -> Option<String> {
        let had = self.arrived? as i64 - self.shown as i64;
        let moved = record.iter().find_map(|event| match &event.body {
            Body::Moved {
                seat, ply, spent, ..
            } if ply.0 == self.ply && Seat::from(*seat) == self.seat => Some(spent.0),
            _ => None,
        });
        if !self.is_smooth {
            return None;
        }
        match moved {
            Some(spent) if spent > had + tolerance + ON_THE_WAY => Some(format!(
                "ply {}: {spent} ms are charged for a turn of {had} ms",
                self.ply
            )),
            Some(_) => None,
            None => {
                let timed_out = record.iter().any(|event| match &event.body {
                    Body::Ended { outcome, .. } => {
                        EndReason::from(outcome.reason) == EndReason::Timeout
                    }
                    _ => false,
                });
                let left = self.left?;
                (timed_out && had + tolerance + ON_THE_WAY < left).then(|| {
                    format!(
                        "ply {}: the time ran out although the move came after {had} of {left} ms",
                        self.ply
                    )
                })
            }
        }
    }
}

/// What all who may see an event see of it; none for what some may not see.
fn shown(event: &GameEvent) -> Option<String> {
    Some(match event {
        GameEvent::Moved {
            seat, ply, text, ..
        } => format!("{seat:?} {} {text}", ply.0),
        GameEvent::Joined { .. } => "joined".to_owned(),
        GameEvent::Started { .. } => "started".to_owned(),
        GameEvent::ClocksHeld { .. } => "held".to_owned(),
        GameEvent::ClocksReleased { .. } => "released".to_owned(),
        GameEvent::Ended { .. } => "ended".to_owned(),
        _ => return None,
    })
}

/// The same of what is stored; none for what is not compared.
fn stored_as(body: &Body) -> Option<String> {
    Some(match body {
        Body::Moved { seat, ply, mv, .. } => {
            format!("{:?} {} {mv}", Seat::from(*seat), ply.0)
        }
        Body::Joined { .. } => "joined".to_owned(),
        Body::Started { .. } => "started".to_owned(),
        Body::ClocksHeld { .. } => "held".to_owned(),
        Body::ClocksReleased => "released".to_owned(),
        Body::Ended { .. } => "ended".to_owned(),
        _ => return None,
    })
}

/// Who plays a game.
fn players(record: &[Event]) -> Vec<PlayerId> {
    let player = |event: &Event| match &event.body {
        Body::Created(created) => Some(created.player.id),
        Body::Joined { player, .. } => Some(player.id),
        _ => None,
    };
    record.iter().filter_map(player).collect()
}
