//! Endings of Dou Shou Qi to practise on: positions with three animals that the side to move wins, if it knows how.

use std::sync::{OnceLock, atomic::AtomicBool};

use qiguan_engine::{
    Draws,
    tables::{Tables, Value},
};
use qiguan_rules::{Game, RuleSet, Seat, doushouqi::Play};

/// The rule set of all drills.
pub const RULESET: &str = "doushouqi/booklet";
/// How many moves the winner needs at most in each step of difficulty; the first begins at `FEWEST`.
pub const STEPS: [u32; 5] = [6, 10, 15, 22, u32::MAX];
/// What takes fewer moves is no drill.
const FEWEST: u32 = 4;
/// How many drills there are of each step.
const OF_STEP: usize = 10;
/// So many positions are drawn at most.
const DRAWN: u32 = 400_000;
/// Room for values of tables in use, in MiB.
const TABLES_MIB: usize = 4;
const ANIMALS: [char; 8] = ['r', 'c', 'd', 'w', 'p', 't', 'l', 'e'];

/// A position that is won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drill {
    /// The moves that the winner needs, if the other side holds out as long as it can.
    pub moves: u32,
    /// The position as text; the winner is to move.
    pub position: String,
}

impl Drill {
    /// The step of its difficulty, from 0 for the easiest.
    pub fn step(&self) -> usize {
        STEPS
            .iter()
            .position(|most| self.moves <= *most)
            .unwrap_or(STEPS.len() - 1)
    }

    /// The drill as a line, without its end.
    pub fn write(&self) -> String {
        format!("{}\t{}", self.moves, self.position)
    }

    /// Reads a line; none if it is no drill.
    pub fn read(line: &str) -> Option<Self> {
        let (moves, position) = line.split_once('\t')?;
        Some(Self {
            moves: moves.parse().ok()?,
            position: position.to_owned(),
        })
    }

    /// Whether tables say that it is won in so many moves.
    pub fn holds(&self, tables: &Tables) -> bool {
        play_of(&self.position)
            .and_then(|play| moves_to_win(tables, &play))
            .is_some_and(|moves| moves == self.moves)
    }
}

/// The drills of the program, the easiest first.
pub fn shipped() -> &'static [Drill] {
    static READ: OnceLock<Vec<Drill>> = OnceLock::new();
    READ.get_or_init(|| {
        let lines = include_str!("../shipped/drills.txt").lines();
        lines.filter_map(Drill::read).collect()
    })
}

/// Tables of three animals; none for a rule set that has none.
pub fn tables() -> Option<Tables> {
    let ruleset = RuleSet::named(RULESET).ok()?;
    let qiguan_rules::ruleset::Options::DouShouQi(options) = ruleset.options() else {
        return None;
    };
    let tables = Tables::new(options, TABLES_MIB);
    tables.prepare(&AtomicBool::new(false)).then_some(tables)
}

/// Finds drills of every step among positions that follow from a seed, no two with the same animals in a step as long as there are others.
pub fn find(tables: &Tables, seed: u64) -> Vec<Drill> {
    let mut draws = Draws::new(seed);
    let mut steps: [Vec<(String, Drill)>; STEPS.len()] = Default::default();
    for _ in 0..DRAWN {
        let Some((animals, position)) = drawn(&mut draws) else {
            continue;
        };
        let Some(play) = play_of(&position) else {
            continue;
        };
        let Some(moves) = moves_to_win(tables, &play).filter(|moves| *moves >= FEWEST) else {
            continue;
        };
        let drill = Drill { moves, position };
        let Some(step) = steps.get_mut(drill.step()) else {
            continue;
        };
        let is_new = step.iter().all(|(other, _)| *other != animals);
        if is_new && step.len() < OF_STEP {
            step.push((animals, drill));
        }
        if steps.iter().all(|step| step.len() == OF_STEP) {
            break;
        }
    }
    let mut found: Vec<Drill> = steps
        .into_iter()
        .flatten()
        .map(|(_, drill)| drill)
        .collect();
    found.sort_by(|one, other| (one.moves, &one.position).cmp(&(other.moves, &other.position)));
    found
}

/// Two animals and one, drawn onto the board, with the side that moves first to move; and which animals they are.
fn drawn(draws: &mut Draws) -> Option<(String, String)> {
    let mut letters: Vec<char> = Vec::new();
    for number in 0..3 {
        let letter = *ANIMALS.get(draws.below(ANIMALS.len()))?;
        // The first side has one or two of them.
        let is_first = number == 0 || number == 1 && draws.below(4) > 0;
        letters.push(if is_first {
            letter.to_ascii_uppercase()
        } else {
            letter
        });
    }
    let mut squares = [[None; 7]; 9];
    for letter in &letters {
        let (rank, file) = (draws.below(9), draws.below(7));
        let square = squares.get_mut(rank)?.get_mut(file)?;
        if square.replace(*letter).is_some() {
            return None;
        }
    }
    letters.sort_unstable();
    letters.dedup();
    (letters.len() == 3).then_some(())?;
    let ranks: Vec<String> = squares.iter().map(|rank| written(rank)).collect();
    let animals = letters.iter().collect();
    Some((animals, format!("{} w - - 0 1", ranks.join("/"))))
}

fn written(rank: &[Option<char>]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for square in rank {
        match square {
            Some(letter) => {
                if empty > 0 {
                    text += &empty.to_string();
                }
                empty = 0;
                text.push(*letter);
            }
            None => empty += 1,
        }
    }
    if empty > 0 {
        text += &empty.to_string();
    }
    text
}

fn play_of(position: &str) -> Option<Play> {
    let ruleset = RuleSet::named(RULESET).ok()?;
    match Game::from_fen(&ruleset, position).ok()? {
        Game::DouShouQi(play) => Some(*play),
        Game::Xiangqi(_) | Game::Luzhanqi(_) => None,
    }
}

/// How many moves the side to move needs to win; none if it does not.
fn moves_to_win(tables: &Tables, play: &Play) -> Option<u32> {
    if play.outcome().is_some() || play.position().turn() != Seat::First {
        return None;
    }
    match tables.probe(play.position())? {
        Value::Win(_) => {
            let plies = u32::try_from(tables.line(play)?.len()).ok()?;
            Some(plies.div_ceil(2))
        }
        Value::Draw | Value::Loss(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_drill_of_the_program_is_won_in_its_moves() {
        let tables = tables().unwrap();
        let drills = shipped();
        for drill in drills {
            assert!(drill.holds(&tables), "{}", drill.write());
        }
        for step in 0..STEPS.len() {
            let of_step = drills.iter().filter(|drill| drill.step() == step);
            assert!(of_step.count() > 5, "step {step}");
        }
        let text = include_str!("../shipped/drills.txt");
        assert_eq!(text.lines().count(), drills.len());
    }

    #[test]
    fn a_drill_is_read_as_it_was_written() {
        let drill = Drill {
            moves: 7,
            position: "7/7/7/7/7/7/7/7/7 w - - 0 1".to_owned(),
        };
        assert_eq!(Drill::read(&drill.write()), Some(drill));
        assert_eq!(Drill::read("seven"), None);
    }
}
