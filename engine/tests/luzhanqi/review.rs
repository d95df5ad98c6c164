//! What a move was worth, by what its player knew and by what everybody knows after the game.

use std::sync::atomic::AtomicBool;

use qiguan_engine::{Draws, Level, luzhanqi::judge};
use qiguan_rules::{Seat, luzhanqi::board};

use crate::table::{RULE_SETS, Table, random_setups};

static GO_ON: AtomicBool = AtomicBool::new(false);

#[test]
fn who_knows_where_the_flag_stands_should_have_taken_it() {
    let level = Level::try_from(3).unwrap();
    let mut missed = 0;
    for seed in 0..400 {
        let (_, options) = RULE_SETS[seed as usize % RULE_SETS.len()];
        let setups = random_setups(seed);
        let mut table = Table::start(options, &setups);
        let mut draws = Draws::new(seed);
        while table.play.outcome().is_none() {
            let seat = table.play.position().turn();
            let legal = table.play.legal_moves().to_vec();
            let flag = table.play.position().flag(seat.other()).unwrap();
            let flag = board::square(flag);
            let takes = legal.iter().find(|mv| mv.to == flag).copied();
            let other = legal.iter().find(|mv| mv.to != flag).copied();
            if let Some((takes, other)) = takes.zip(other) {
                let mut seen = table.seen.get(seat).clone();
                seen.see_setup(setups.get(seat.other())).unwrap();
                let judged = judge(&seen, &legal, other, level, 1, &GO_ON).unwrap();
                assert!(judged.best_chance > 0.9, "{judged:?}");
                // A win that only comes later is as good.
                assert!(judged.best == takes || judged.loss() == 0.0, "{judged:?}");
                missed += u32::from(judged.loss() > 0.1);
                // What takes the Flag is the best, and loses nothing.
                let judged = judge(&seen, &legal, takes, level, 1, &GO_ON).unwrap();
                assert!(judged.best == takes && judged.loss() == 0.0, "{judged:?}");
                break;
            }
            table.plays(legal[draws.below(legal.len())]);
        }
    }
    assert!(missed >= 5, "{missed}");
}

#[test]
fn nothing_is_judged_out_of_turn() {
    let setups = random_setups(3);
    let table = Table::start(RULE_SETS[0].1, &setups);
    let legal = table.play.legal_moves();
    let level = Level::try_from(1).unwrap();
    let of = |seat| judge(table.seen.get(seat), legal, legal[0], level, 1, &GO_ON);
    assert!(of(Seat::First).is_some());
    assert!(of(Seat::Second).is_none());
}
