//! How long a move takes where a clock runs. It reads none: who searches says how long it has taken.

use qiguan_rules::{Move, Seat};

use crate::{Score, SearchResult, uci::Go};

/// A move takes this part of the time that is left, unless the client says for how many moves it has to last.
const MOVES_LEFT: i64 = 26;
/// Kept back of every move's time for the way to the client and back, in milliseconds.
const WAY_MS: i64 = 15;
/// While the best move changes a move may take so many times its share.
const MOST_SHARES: i64 = 3;
/// The next iteration mostly takes longer than all before it: in hundredths of the share, after how much it is not begun, by how many
/// iterations in a row had the same best move.
const ENOUGH: [i64; 6] = [95, 80, 70, 60, 52, 45];
/// A score that has fallen by so much is looked into for longer, in hundredths.
const FALLEN: i32 = 35;

/// How long a move takes.
#[derive(Clone, Debug)]
pub struct Pace {
    most_ms: i64,
    /// What it takes unless something speaks for more or less; none where it takes all that it may.
    share_ms: Option<i64>,
    /// The best move so far, and how many iterations have had it.
    best: Option<Move>,
    steady: usize,
    score: Option<i32>,
}

impl Pace {
    /// The pace of the side to move; none if only the size of the search is limited.
    pub fn of(go: &Go, turn: Seat) -> Option<Self> {
        let pace = |most_ms: i64, share_ms| Self {
            most_ms: most_ms.max(1),
            share_ms,
            best: None,
            steady: 0,
            score: None,
        };
        if let Some(move_ms) = go.move_ms {
            return Some(pace(move_ms - WAY_MS, None));
        }
        let left = go.left_ms[turn.index()]?;
        let moves = go
            .moves_to_go
            .unwrap_or(MOVES_LEFT)
            .clamp(1, MOVES_LEFT * 2);
        let share = left / moves + go.increment_ms[turn.index()] * 3 / 4;
        // Whatever the increment: never so much that a slow way home could lose the game.
        let most = (share * MOST_SHARES).min(left * 2 / 5) - WAY_MS;
        Some(pace(most, Some(share.min(left * 2 / 5) - WAY_MS)))
    }

    /// When the search has to end, in milliseconds since it began.
    pub const fn most_ms(&self) -> i64 {
        self.most_ms
    }

    /// Takes in the best line of an iteration that ended after so many milliseconds. True if the move is to be played now.
    pub fn is_enough(&mut self, found: &SearchResult, took_ms: i64) -> bool {
        let best = found.moves.first().copied();
        self.steady = if best == self.best {
            self.steady + 1
        } else {
            0
        };
        self.best = best;
        let score = match found.score {
            Score::Hundredths(score) => Some(score),
            Score::Decided(_) => None,
        };
        let has_fallen =
            matches!((self.score, score), (Some(before), Some(now)) if now < before - FALLEN);
        self.score = score;
        let Some(share) = self.share_ms else {
            return false;
        };
        let hundredths =
            ENOUGH[self.steady.min(ENOUGH.len() - 1)] + if has_fallen { 40 } else { 0 };
        took_ms * 100 >= share * hundredths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> Go {
        let crate::uci::Command::Go(go) = crate::uci::read(line) else {
            panic!("{line}");
        };
        go
    }

    fn found(mv: &str, score: i32) -> SearchResult {
        SearchResult {
            depth: 5,
            nodes: 1,
            score: Score::Hundredths(score),
            moves: vec![mv.parse().unwrap()],
        }
    }

    #[test]
    fn a_time_for_the_move_is_used_whole() {
        let mut pace = Pace::of(&go("go movetime 1000"), Seat::First).unwrap();
        assert_eq!(pace.most_ms(), 985);
        assert!(!pace.is_enough(&found("a1a2", 0), 980));
        assert!(Pace::of(&go("go nodes 1000"), Seat::First).is_none());
    }

    #[test]
    fn no_move_takes_more_than_two_fifths_of_what_is_left() {
        for left in [1, 10, 50, 300, 10_000] {
            let pace = Pace::of(&go(&format!("go btime {left} binc 5000")), Seat::Second).unwrap();
            assert!(pace.most_ms() <= (left * 2 / 5).max(1), "{left}");
        }
    }

    #[test]
    fn a_move_that_stays_best_is_played_sooner_and_one_that_looks_worse_later() {
        let begun = || Pace::of(&go("go wtime 26000"), Seat::First).unwrap();
        let mut pace = begun();
        let early = |pace: &mut Pace, score| pace.is_enough(&found("a1a2", score), 600);
        assert!((0..3).all(|_| !early(&mut pace, 0)));
        assert!(early(&mut pace, 0));
        assert!(!early(&mut pace, -50));
        let mut pace = begun();
        assert!(!pace.is_enough(&found("a1a2", 0), 600));
        assert!(!pace.is_enough(&found("a1b1", 0), 900));
    }
}
