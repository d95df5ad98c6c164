//! What the rules' outside tests share: random games, and a slow second opinion.

pub(crate) mod reference;

use proptest::prelude::*;
use qiguan_rules::{Game, Move, RuleSet, option::RawValue};

/// A rule set, perhaps with options changed, and choices of moves from the start.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    /// The rule set.
    pub(crate) ruleset: RuleSet,
    /// Which of the legal moves is played, again and again.
    pub(crate) choices: Vec<u16>,
}

/// Games of every rule set and with options changed at will.
pub(crate) fn walks(plies: usize) -> impl Strategy<Value = Walk> {
    let switches = prop::collection::vec(any::<u8>(), 10);
    let choices = prop::collection::vec(any::<u16>(), 0..plies);
    (0..RuleSet::ALL.len(), any::<bool>(), switches, choices).prop_map(
        |(set, change, switches, choices)| {
            let mut ruleset = RuleSet::ALL[set];
            if change {
                for (name, byte) in NAMES.iter().zip(switches) {
                    set_option(&mut ruleset, name, byte);
                }
            }
            Walk { ruleset, choices }
        },
    )
}

const NAMES: [&str; 10] = [
    "dog_outranks_wolf",
    "elephant_takes_rat",
    "tiger_takes_lion",
    "own_traps_weaken",
    "shore_capture",
    "lion_jumps",
    "tiger_jumps",
    "leopard_jumps",
    "repetition_limit",
    "quiet_limit",
];

fn set_option(ruleset: &mut RuleSet, name: &str, byte: u8) {
    let words = ["none", "lengthwise", "crosswise", "both"];
    let value = match name {
        "shore_capture" => RawValue::Word(["none", "not_elephant"][usize::from(byte % 2)]),
        "lion_jumps" | "tiger_jumps" | "leopard_jumps" => {
            RawValue::Word(words[usize::from(byte % 4)])
        }
        "repetition_limit" => RawValue::Number(i64::from(byte % 3) + 1),
        "quiet_limit" => RawValue::Number(i64::from(byte % 4) * 20),
        _ => RawValue::Bool(byte.is_multiple_of(2)),
    };
    ruleset
        .set(name, value)
        .expect("a value of the option's kind");
}

impl Walk {
    /// Plays the walk and shows every position on it, the start first, with the move that leads on.
    pub(crate) fn each(&self, mut look: impl FnMut(&Game, Option<Move>)) {
        let mut game = Game::start(&self.ruleset);
        for choice in &self.choices {
            let legal = game.legal_moves();
            if legal.is_empty() {
                break;
            }
            // Captures and the den are preferred now and then, so that games get somewhere.
            let mv = legal[usize::from(*choice) % legal.len()];
            look(&game, Some(mv));
            game.play(mv).expect("a legal move is legal");
        }
        look(&game, None);
    }
}
