//! Which puzzle is that of a day, and which one comes next.

use std::collections::HashMap;

use qiguan_protocol::ids::Millis;
use qiguan_puzzles::{Puzzle, shipped};

/// A puzzle of the program: the id of its rule set, its own, and the puzzle.
pub type KnownPuzzle = (&'static str, &'static str, &'static Puzzle);

const DAY: i64 = 86_400_000;
/// The puzzles of the day are of these rule sets by turns.
const BY_TURNS: [&str; 2] = ["xiangqi/standard", "doushouqi/booklet"];
/// The next puzzle is one of so many that are nearest to the player's rating.
const NEAREST: usize = 12;

/// The day of a time: days since 1970 in UTC.
pub(super) fn day_of(at: Millis) -> u32 {
    u32::try_from(at.0.div_euclid(DAY).max(0)).unwrap_or(u32::MAX)
}

/// When a day begins.
pub(super) fn beginning(day: u32) -> Millis {
    Millis(i64::from(day) * DAY)
}

/// The puzzle of a day. None comes again before all of its rule set have come.
pub(super) fn of_day(day: u32) -> Option<KnownPuzzle> {
    let turns = BY_TURNS.len();
    let ruleset = *BY_TURNS.get(day as usize % turns)?;
    let puzzles = shipped::of(ruleset);
    let (id, puzzle) = puzzles.get(place_of_day(day as usize / turns, puzzles.len()))?;
    Some((ruleset, id, puzzle))
}

/// Each place among so many once, in an order that does not look like one.
fn place_of_day(turn: usize, count: usize) -> usize {
    let count = count.max(1);
    let start = (count * 5).div_ceil(8);
    // Steps that have no factor in common with the count come to every place.
    let step = (start..=start + count).find(|step| common_factor(*step, count) == 1);
    (turn % count) * step.unwrap_or(1) % count
}

const fn common_factor(mut a: usize, mut b: usize) -> usize {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A puzzle of a rule set for a player of this rating: one that is about as hard, and that was not tried yet, or else was longest ago.
/// `draw` draws a number below another.
pub(super) fn next(
    ruleset: &str,
    rating: i64,
    tried: &[(String, Millis)],
    draw: impl FnOnce(u32) -> u32,
) -> Option<KnownPuzzle> {
    let file = shipped::ALL.iter().find(|file| file.ruleset == ruleset)?;
    let tried: HashMap<&str, Millis> = tried.iter().map(|(id, at)| (id.as_str(), *at)).collect();
    let mut puzzles: Vec<&'static (String, Puzzle)> = shipped::of(ruleset).iter().collect();
    let fresh = puzzles
        .iter()
        .filter(|(id, _)| !tried.contains_key(id.as_str()));
    if fresh.count() > 0 {
        puzzles.retain(|(id, _)| !tried.contains_key(id.as_str()));
        puzzles.sort_by_key(|(_, puzzle)| (i64::from(puzzle.rating) * 1_000 - rating).abs());
    } else {
        puzzles.sort_by_key(|(id, _)| tried.get(id.as_str()).copied());
    }
    puzzles.truncate(NEAREST);
    let most = u32::try_from(puzzles.len()).unwrap_or(u32::MAX);
    let (id, puzzle) = puzzles.get(draw(most.max(1)) as usize)?;
    Some((file.ruleset, id, puzzle))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_day_has_its_puzzle_and_the_games_come_by_turns() {
        assert_eq!(day_of(Millis(-1)), 0);
        assert_eq!(day_of(beginning(20_783)), 20_783);
        let today = of_day(20_783).unwrap();
        assert_eq!(of_day(20_783), Some(today));
        assert_ne!(of_day(20_784).unwrap().0, today.0);
    }

    #[test]
    fn every_place_comes_once() {
        for count in 1..200 {
            let places: HashSet<_> = (0..count).map(|turn| place_of_day(turn, count)).collect();
            assert_eq!(places.len(), count);
        }
    }

    #[test]
    fn the_next_one_is_new_and_about_as_hard() {
        let ruleset = "xiangqi/standard";
        let all = shipped::of(ruleset);
        let hardest = all.iter().map(|(_, puzzle)| puzzle.rating).max().unwrap();
        let (_, _, puzzle) = next(ruleset, 9_000_000, &[], |_| 0).unwrap();
        assert_eq!(puzzle.rating, hardest);
        let (left, tried) = all.split_first().unwrap();
        let tried: Vec<_> = tried
            .iter()
            .map(|(id, _)| (id.clone(), Millis(5)))
            .collect();
        for drawn in [0, 7] {
            let found = next(ruleset, 0, &tried, |most| drawn % most);
            assert_eq!(found.map(|(_, id, _)| id), Some(left.0.as_str()));
        }
    }

    #[test]
    fn when_all_were_tried_the_first_ones_come_again() {
        let ruleset = "xiangqi/standard";
        let all = shipped::of(ruleset).iter().enumerate();
        let tried: Vec<_> = all
            .map(|(place, (id, _))| (id.clone(), Millis(100 - place as i64)))
            .collect();
        let last = tried.last().map(|(id, _)| id.as_str());
        let found = next(ruleset, 0, &tried, |_| 0);
        assert_eq!(found.map(|(_, id, _)| id), last);
        assert_eq!(next("luzhanqi/standard", 0, &[], |_| 0), None);
    }
}
