//! How good the moves of a game were that is over, from the last to the first.
//!
//! A position is looked at after all that came of it in the game, with one table, so that no verdict contradicts a later one: what is
//! known of the end of the game is known before it.

use std::sync::{Arc, atomic::AtomicBool};

use qiguan_rules::{Game, Move};

use crate::{player::Player, search::Limits, tables::Endings};

/// Grows whenever reviews change, so that older ones are made again.
pub const VERSION: u32 = 1;

/// The size of the table of positions, in MiB.
const TABLE_MIB: usize = 16;
/// So many positions are searched for all of a game, shared out among those that it went through.
const NODES: u64 = 12_000_000;
/// And so many at least and at most for each of those.
const NODES_OF_POSITION: (u64, u64) = (20_000, 100_000);

/// A move beside the best one, for the side that played it. Chances are those to win, from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The best move that was found.
    pub best: Move,
    /// What was expected to follow it; empty where nobody looked further.
    pub line: Vec<Move>,
    /// The chance after the best move.
    pub best_chance: f64,
    /// The chance after the move that was played, never more.
    pub chance: f64,
}

/// What was found of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Reviewed {
    /// Moves played before it.
    pub plies: usize,
    /// The chance of the side to move.
    pub chance: f64,
    /// The move that was played in it; none after the last, and where the position after it was skipped.
    pub judged: Option<Judged>,
}

/// The review of a game of Xiangqi or Dou Shou Qi.
pub struct Reviewer {
    player: Player,
    start: Game,
    moves: Vec<Move>,
    limits: Limits,
    /// How many positions are still to be looked at: they are those after so many moves and fewer.
    left: usize,
    /// The chance of the side to move in the position after these, if it was looked at.
    after: Option<f64>,
}

impl Reviewer {
    /// A review that has looked at nothing yet: of the game with these moves from a start on.
    pub fn new(start: Game, moves: Vec<Move>, endings: Arc<Endings>) -> Self {
        let positions = moves.len() as u64 + 1;
        let (least, most) = NODES_OF_POSITION;
        let limits = Limits {
            nodes: (NODES / positions).clamp(least, most),
            ..Limits::NONE
        };
        Self {
            player: Player::new(TABLE_MIB).with_endings(endings),
            start,
            left: moves.len() + 1,
            moves,
            limits,
            after: None,
        }
    }

    /// How many positions are still to be looked at: the next one is that after one move fewer.
    pub const fn left(&self) -> usize {
        self.left
    }

    /// The position that is looked at next; none when all are done, and for moves that do not follow from each other.
    pub fn position(&self) -> Option<Game> {
        let mut game = self.start.clone();
        for mv in self.moves.get(..self.left.checked_sub(1)?)? {
            game.play_recorded(*mv).ok()?;
        }
        Some(game)
    }

    /// Passes over the next position: nothing is found of it, nor of the move that led there.
    pub const fn skip(&mut self) {
        self.left = self.left.saturating_sub(1);
        self.after = None;
    }

    /// Looks at the next position, which is this one. None when all are done, when the flag was set before anything was found, and in a
    /// game that nobody may know wholly.
    pub fn look(&mut self, game: &Game, stop: &AtomicBool) -> Option<Reviewed> {
        let plies = self.left.checked_sub(1)?;
        let played = self.moves.get(plies).copied();
        // Who comes to a position that ends the game has no move in it.
        let reviewed = match (game.outcome(), played) {
            (Some(outcome), _) => Reviewed {
                plies,
                chance: outcome
                    .winner
                    .map_or(0.5, |winner| f64::from(u8::from(winner == game.turn()))),
                judged: None,
            },
            (None, played) => {
                let found = self.player.best(game, &[], self.limits, stop, |_| {})?;
                let best = *found.moves.first()?;
                let found_chance = found.score.chance();
                let after = self.after.map(|theirs| 1.0 - theirs);
                // What was played is at least as good as it turned out to be.
                let chance = after.map_or(found_chance, |after| after.max(found_chance));
                let judged = played.zip(after).map(|(played, after)| {
                    if after >= found_chance && played != best {
                        return Judged::as_played(played, after);
                    }
                    Judged {
                        best,
                        line: found.moves,
                        best_chance: chance,
                        chance: if played == best { chance } else { after },
                    }
                });
                Reviewed {
                    plies,
                    chance,
                    judged,
                }
            }
        };
        self.left = plies;
        self.after = Some(reviewed.chance);
        Some(reviewed)
    }
}

impl Judged {
    /// The move that was played is the best that is known.
    const fn as_played(played: Move, chance: f64) -> Self {
        Self {
            best: played,
            line: Vec::new(),
            best_chance: chance,
            chance,
        }
    }

    /// By how much the chance to win has become less, from 0 to 1.
    pub fn loss(&self) -> f64 {
        (self.best_chance - self.chance).max(0.0)
    }
}

/// How well a side has played, from 0 to 1, by what each of its moves has lost of the chance to win; none without moves.
///
/// A move counts by a curve on which a loss of a tenth leaves about two thirds, and one of three tenths a quarter. A game counts by the
/// mean of the arithmetic and the harmonic mean, so that one blunder among many good moves is felt.
pub fn accuracy(losses: &[f64]) -> Option<f64> {
    if losses.is_empty() {
        return None;
    }
    let count = losses.len() as f64;
    let of_move = |loss: &f64| (-4.5 * loss.clamp(0.0, 1.0)).exp();
    let arithmetic = losses.iter().map(of_move).sum::<f64>() / count;
    let harmonic = count / losses.iter().map(|loss| 1.0 / of_move(loss)).sum::<f64>();
    Some(f64::midpoint(arithmetic, harmonic))
}
