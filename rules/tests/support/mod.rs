//! What the rules' outside tests share: random games, and a slow second opinion.

pub(crate) mod reference;
mod starts;

pub(crate) use starts::{luzhanqi_start, random_setups, written};

use proptest::prelude::*;
use qiguan_rules::{
    Game, Move, OptionKind, RuleSet, Seat,
    catalog::{self, GameEntry},
    option::RawValue,
    ruleset::Options,
};

/// A rule set by name, with options as on a command line.
pub(crate) fn ruleset(id: &str, options: &[(&str, &str)]) -> RuleSet {
    let mut ruleset = RuleSet::named(id).expect("a rule set");
    for (name, value) in options {
        ruleset
            .set(name, RawValue::from_text(value))
            .expect("an option");
    }
    ruleset
}

/// The lines of a data file but for empty ones and comments, each with its place.
pub(crate) fn data_lines<'a>(
    file: &'a str,
    text: &'a str,
) -> impl Iterator<Item = (String, &'a str)> {
    let lines = text.lines().zip(1..);
    lines
        .filter(|(line, _)| !line.is_empty() && !line.starts_with('#'))
        .map(move |(line, number)| (format!("{file}:{number}"), line))
}

/// The catalog's page of the game that a rule set belongs to.
pub(crate) fn game_of(ruleset: &RuleSet) -> GameEntry {
    let id = ruleset.id().split('/').next();
    let entry = catalog::games()
        .into_iter()
        .find(|game| Some(game.id) == id);
    entry.expect("every rule set has a game")
}

/// A rule set, perhaps with options changed, and choices of moves from a start.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    /// The rule set.
    pub(crate) ruleset: RuleSet,
    /// Where it starts, if not at the beginning.
    start: Option<String>,
    /// Which of the legal moves is played, again and again.
    choices: Vec<u16>,
    /// What some moves are chosen for.
    habits: Habits,
}

/// What some of the moves of a walk are chosen for.
#[derive(Clone, Copy, Debug)]
enum Habits {
    /// Nothing.
    None,
    /// To go back to where the piece has come from, so that positions come back.
    GoBack,
    /// To capture or attack something.
    Attack,
    /// To go back for one side, and to give check for the other.
    Check(Seat),
}

/// Games of every rule set and with options changed at will.
pub(crate) fn walks(plies: usize) -> impl Strategy<Value = Walk> {
    walks_of("", plies)
}

/// The same of the rule sets whose names begin so.
pub(crate) fn walks_of(game: &str, plies: usize) -> impl Strategy<Value = Walk> + use<> {
    let sets: Vec<_> = RuleSet::ALL
        .into_iter()
        .filter(|ruleset| ruleset.id().starts_with(game))
        .collect();
    let changes = prop::option::of(prop::collection::vec(any::<u8>(), 10));
    let choices = prop::collection::vec(any::<u16>(), 0..plies);
    let habits = prop_oneof![
        Just(Habits::None),
        Just(Habits::GoBack),
        Just(Habits::Attack),
        Just(Habits::Check(Seat::First)),
        Just(Habits::Check(Seat::Second)),
    ];
    let sets = prop::sample::select(sets);
    (sets, changes, any::<u64>(), choices, habits).prop_map(
        |(mut ruleset, changes, start, choices, habits)| {
            let options = game_of(&ruleset).options;
            for ((name, kind), byte) in options.into_iter().zip(changes.unwrap_or_default()) {
                set_option(&mut ruleset, name, kind, byte);
            }
            let start = match ruleset.options() {
                Options::DouShouQi(_) => None,
                Options::Luzhanqi(_) => Some(luzhanqi_start(&ruleset, start)),
                Options::Xiangqi(_) => FEW_MEN.get(start as usize % 16).map(ToString::to_string),
            };
            Walk {
                ruleset,
                start,
                choices,
                habits,
            }
        },
    )
}

/// Games of Xiangqi in which one side likes to give check and the other to go back.
pub(crate) fn walks_with_checks(plies: usize) -> impl Strategy<Value = Walk> {
    let choices = prop::collection::vec(any::<u16>(), plies);
    (0..FEW_MEN.len(), 1..3_u8, any::<bool>(), choices).prop_map(
        |(start, limit, first, choices)| {
            let checker = if first { Seat::First } else { Seat::Second };
            Walk {
                ruleset: ruleset(
                    "xiangqi/standard",
                    &[("repetition_limit", &limit.to_string())],
                ),
                start: Some(FEW_MEN[start].to_owned()),
                choices,
                habits: Habits::Check(checker),
            }
        },
    )
}

/// Positions of Xiangqi in which checks come easily and positions come back.
const FEW_MEN: &[&str] = &[
    "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1",
    "3ak4/4a4/4b4/9/9/5N3/9/4B4/4A2r1/4KA3 b - - 0 1",
    "3k5/4a4/5a3/9/2b6/9/9/3C1A3/4A4/4KC3 w - - 0 1",
    "3k5/9/4R4/9/9/9/9/5r3/9/4K4 b - - 0 1",
    "4kab2/4a4/4b1n2/9/8R/4C4/9/4B2c1/4A2r1/4KAB2 w - - 0 1",
    "3k5/9/3R5/9/9/9/9/9/7r1/4K4 b - - 0 1",
    "3k5/1R2P4/9/4n4/9/9/4N4/9/4p2r1/5K3 w - - 0 1",
    "4k4/4a4/9/4c4/9/2r3R2/9/4C4/4A4/4K4 w - - 0 1",
];

fn set_option(ruleset: &mut RuleSet, name: &str, kind: OptionKind, byte: u8) {
    let value = match kind {
        OptionKind::Bool => RawValue::Bool(byte.is_multiple_of(2)),
        OptionKind::Word(words) => RawValue::Word(words[usize::from(byte) % words.len()]),
        OptionKind::Number { .. } if name == "quiet_limit" => {
            RawValue::Number(i64::from(byte % 4) * 20)
        }
        OptionKind::Number { .. } => RawValue::Number(i64::from(byte % 3) + 1),
    };
    ruleset
        .set(name, value)
        .expect("a value of the option's kind");
}

impl Walk {
    /// Plays the walk and shows every position on it, the start first, with the move that leads on.
    pub(crate) fn each(&self, mut look: impl FnMut(&Game, Option<Move>)) {
        let mut game = match &self.start {
            Some(fen) => Game::from_fen(&self.ruleset, fen).expect("a position"),
            None => Game::start(&self.ruleset),
        };
        let mut played = Vec::new();
        for choice in &self.choices {
            if game.legal_moves().is_empty() {
                break;
            }
            let mv = self.choose(&game, &played, *choice);
            look(&game, Some(mv));
            game.play(mv).expect("a legal move is legal");
            played.push(mv);
        }
        look(&game, None);
    }

    /// One of the legal moves. Seven in eight follow the habit, where there is such a move.
    fn choose(&self, game: &Game, played: &[Move], choice: u16) -> Move {
        let legal = game.legal_moves();
        let any = legal[usize::from(choice) % legal.len()];
        if choice >> 13 == 0 {
            return any;
        }
        let first_that = |wanted: &dyn Fn(&Move) -> bool| {
            let (before, from) = legal.split_at(usize::from(choice) % legal.len());
            from.iter().chain(before).copied().find(wanted)
        };
        let back = || {
            let own = played.len().checked_sub(2).map(|ply| played[ply])?;
            let back = Move {
                from: own.to,
                to: own.from,
            };
            legal.contains(&back).then_some(back)
        };
        let check = || {
            let gives_check = |mv: &Move| {
                let mut after = game.clone();
                after.play(*mv).is_ok() && after.in_check()
            };
            back()
                .filter(gives_check)
                .or_else(|| first_that(&gives_check))
        };
        let attack = || {
            first_that(&|mv| {
                let played = game.clone().play(*mv).expect("a legal move is legal");
                played.captured.is_some() || played.removed.is_some()
            })
        };
        let chosen = match self.habits {
            Habits::None => None,
            Habits::Attack => attack(),
            Habits::Check(seat) if seat == game.turn() => check(),
            Habits::GoBack | Habits::Check(_) => back(),
        };
        chosen.unwrap_or(any)
    }
}
