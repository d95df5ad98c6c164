//! Plays a game of a rule set in which both sides move at random, and prints each move and the end:
//! `cargo run --example random_game -- luzhanqi/referee 7`, with any number in the place of 7.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use qiguan_rules::{BySeat, Game, RuleSet, Seat, luzhanqi::Setup};

/// Numbers that follow from the first one (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let name = words
        .next()
        .unwrap_or_else(|| "xiangqi/standard".to_owned());
    let first = words.next().map_or(Ok(7), |word| word.parse())?;
    let mut numbers = Numbers(std::cmp::max(first, 1));
    let rules = RuleSet::named(&name)?;
    let setups = BySeat {
        first: Setup::random(Seat::First, |bound| numbers.below(bound)),
        second: Setup::random(Seat::Second, |bound| numbers.below(bound)),
    };
    // Only Luzhanqi has setups.
    let mut game = Game::set_up(&rules, &setups).unwrap_or_else(|| Game::start(&rules));
    while game.outcome().is_none() {
        let moves = game.legal_moves();
        let mv = moves[numbers.below(moves.len())];
        println!("{:>4} {mv}", game.plies() + 1);
        game.play(mv)?;
    }
    println!("{}", game.fen());
    println!("{:?}", game.outcome());
    Ok(())
}
