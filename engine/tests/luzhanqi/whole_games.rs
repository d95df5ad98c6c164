//! Whole games with every rule set and level.

use std::sync::atomic::AtomicBool;

use qiguan_engine::{
    Level,
    luzhanqi::{Opponent, Seen, SeenError, choose, setup},
};
use qiguan_rules::{
    BySeat, Seat,
    luzhanqi::{Options, attack::Removed, board},
};

use crate::table::{Contender, RULE_SETS, Table, random_setups};

static GO_ON: AtomicBool = AtomicBool::new(false);

fn level(number: u8) -> Level {
    Level::try_from(number).unwrap()
}

#[test]
fn every_rule_set_is_played_to_its_end_without_an_illegal_move() {
    for (_, options) in RULE_SETS {
        for seed in 0..10 {
            let setups = BySeat {
                first: setup(options, Seat::First, level(2), seed),
                second: setup(options, Seat::Second, level(1), seed),
            };
            let players = BySeat {
                first: Contender::Computer(level(1 + (seed % 3) as u8)),
                second: Contender::Computer(level(1)),
            };
            // A move that is illegal ends the test inside.
            Table::start(options, &setups).play_out(players, seed);
        }
    }
}

#[test]
fn private_options_are_played_to_their_end() {
    for quiet_limit in [0, 12] {
        let options = Options {
            attacks_reveal: true,
            mines_survive: true,
            headquarters_hold: true,
            marshal_loss_reveals_flag: true,
            quiet_limit,
        };
        for seed in 0..4 {
            let players = BySeat {
                first: Contender::Computer(level(2)),
                second: Contender::Opponent(Opponent::Random),
            };
            Table::start(options, &random_setups(seed)).play_out(players, seed);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_move_and_nodes() {
    let mut table = Table::start(Options::REFEREE, &random_setups(3));
    for ply in 0..6 {
        let seen = table.seen.get(table.turn());
        let legal = table.play.legal_moves();
        for number in 1..=6 {
            let once = choose(seen, legal, level(number), ply, &GO_ON);
            assert_eq!(once, choose(seen, legal, level(number), ply, &GO_ON));
        }
        let mv = choose(seen, legal, level(3), ply, &GO_ON).unwrap().mv;
        table.plays(mv);
    }
}

#[test]
fn a_move_is_one_of_those_that_were_given() {
    let table = Table::start(Options::REFEREE, &random_setups(4));
    let legal = table.play.legal_moves();
    for mv in legal {
        let only = choose(&table.seen.first, &[*mv], level(3), 1, &GO_ON).unwrap();
        assert_eq!(only.mv, *mv);
        assert!((0.0..=1.0).contains(&only.chance));
    }
    assert_eq!(choose(&table.seen.first, &[], level(3), 1, &GO_ON), None);
    assert_eq!(choose(&table.seen.second, legal, level(3), 1, &GO_ON), None);
}

#[test]
fn stopping_leaves_a_move() {
    let stopped = AtomicBool::new(true);
    let table = Table::start(Options::REFEREE, &random_setups(5));
    let legal = table.play.legal_moves();
    let chosen = choose(&table.seen.first, legal, level(8), 1, &stopped).unwrap();
    assert!(legal.contains(&chosen.mv));
}

#[test]
fn what_can_not_have_happened_is_an_error_and_changes_nothing() {
    let setups = random_setups(6);
    assert!(matches!(
        Seen::start(Options::REFEREE, Seat::Second, &setups.first),
        Err(SeenError::Setup)
    ));
    let mut seen = Seen::start(Options::REFEREE, Seat::First, &setups.first)
        .unwrap_or_else(|error| panic!("{error}"));
    for (mv, removed, error) in [
        ("a7a6", None, SeenError::Nobody("a7".parse().unwrap())),
        ("b5b6", None, SeenError::Nobody("b5".parse().unwrap())),
        ("a6b6", None, SeenError::Impossible("a6b6".parse().unwrap())),
        ("a6a7", None, SeenError::Meeting("a7".parse().unwrap())),
        (
            "a6b5",
            Some(Removed::Both),
            SeenError::Meeting("b5".parse().unwrap()),
        ),
        ("i10a1", None, SeenError::Nobody("i10".parse().unwrap())),
    ] {
        assert_eq!(seen.see(mv.parse().unwrap(), removed, None), Err(error));
        assert_eq!(seen.plies(), 0);
    }
    assert_eq!(
        seen.see_flag("a7".parse().unwrap()),
        Err(SeenError::Contradiction("a7".parse().unwrap()))
    );
}

#[test]
fn a_flag_that_is_known_is_taken_from_the_second_level_on() {
    let mut taken = 0;
    for seed in 0..60 {
        let mut table = Table::start(Options::MODERN, &random_setups(seed));
        let mut ply = 0;
        while table.play.outcome().is_none() {
            let seat = table.turn();
            let position = table.play.position();
            let flag = position.flag(seat.other()).map(board::square);
            let shown = table.play.shows_flag(seat.other());
            let takes = table
                .play
                .legal_moves()
                .iter()
                .any(|mv| shown && Some(mv.to) == flag);
            let seen = table.seen.get(seat);
            let legal = table.play.legal_moves();
            if takes {
                for number in 2..=5 {
                    let chosen = choose(seen, legal, level(number), ply, &GO_ON).unwrap();
                    assert_eq!(Some(chosen.mv.to), flag, "level {number}, seed {seed}");
                }
                taken += 1;
                break;
            }
            let mv = Opponent::Heuristic.choose(seen, legal, ply).unwrap();
            table.plays(mv);
            ply += 1;
        }
    }
    assert!(taken > 5, "{taken} Flags could be taken");
}
