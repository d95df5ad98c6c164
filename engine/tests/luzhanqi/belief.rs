//! What is believed of the enemy's pieces always allows the truth.

use qiguan_engine::Draws;
use qiguan_rules::{
    Seat,
    luzhanqi::{
        Options, Piece,
        board::{self, each_point},
    },
};

use crate::table::{RULE_SETS, Table, random_setups};

fn truth_is_possible(table: &Table) {
    let position = table.play.position();
    for seat in Seat::ALL {
        for point in each_point(position.all()) {
            let (owner, piece) = position.at(point).unwrap();
            let square = board::square(point);
            let (seen, kinds) = table.seen.get(seat).candidates(square).unwrap();
            assert_eq!(seen, owner, "{square}");
            assert!(
                kinds.has(piece),
                "{seat} rules out the {} on {square}",
                piece.name()
            );
            if owner == seat {
                assert_eq!(kinds.len(), 1, "{square}");
            }
        }
    }
}

#[test]
fn the_truth_is_never_ruled_out() {
    for (id, options) in RULE_SETS {
        for seed in 0..150 {
            let mut table = Table::start(options, &random_setups(seed));
            let mut draws = Draws::new(seed);
            while table.play.outcome().is_none() {
                truth_is_possible(&table);
                let legal = table.play.legal_moves();
                let mv = legal[draws.below(legal.len())];
                table.plays(mv);
            }
            assert!(table.play.plies() > 10, "{id} {seed}");
        }
    }
}

#[test]
fn a_piece_that_has_won_a_meeting_is_stronger_than_what_it_met() {
    let mut survived = 0;
    for seed in 0..40 {
        let (_, options) = RULE_SETS[seed as usize % RULE_SETS.len()];
        let mut table = Table::start(options, &random_setups(seed));
        let mut draws = Draws::new(seed);
        while table.play.outcome().is_none() {
            let legal = table.play.legal_moves();
            let mv = legal[draws.below(legal.len())];
            let to = board::index(mv.to).unwrap();
            let met = table.play.position().at(to).is_some();
            table.plays(mv);
            if let (true, None, Some((owner, _))) =
                (met, table.play.outcome(), table.play.position().at(to))
            {
                let seen = table.seen.get(owner.other());
                let (_, kinds) = seen.candidates(mv.to).unwrap();
                // At most the eight ranks above an Engineer's, and a Landmine that stays.
                assert!(kinds.len() <= 9, "{} kinds", kinds.len());
                survived += 1;
            }
        }
    }
    assert!(survived > 100, "{survived} pieces have won a meeting");
}

#[test]
fn what_is_shown_is_known() {
    // Pieces that met are known where the rule set shows them.
    let mut known = 0;
    for seed in 0..20 {
        let mut table = Table::start(Options::SHOWDOWN, &random_setups(seed));
        let mut draws = Draws::new(seed);
        while table.play.outcome().is_none() {
            let legal = table.play.legal_moves();
            let mv = legal[draws.below(legal.len())];
            let met = table
                .play
                .position()
                .at(board::index(mv.to).unwrap())
                .is_some();
            table.plays(mv);
            if !met || table.play.outcome().is_some() {
                continue;
            }
            for seat in Seat::ALL {
                if let Some((_, kinds)) = table.seen.get(seat).candidates(mv.to) {
                    assert_eq!(kinds.len(), 1);
                    known += 1;
                }
            }
        }
    }
    assert!(known > 100);
}

#[test]
fn the_flag_is_known_once_it_is_shown() {
    let mut shown = 0;
    for seed in 0..60 {
        let mut table = Table::start(Options::MODERN, &random_setups(seed));
        let mut draws = Draws::new(seed);
        while table.play.outcome().is_none() {
            let legal = table.play.legal_moves();
            let mv = legal[draws.below(legal.len())];
            table.plays(mv);
            if let (true, Some(flag)) = (
                table.play.shows_flag(Seat::Second),
                table.play.position().flag(Seat::Second),
            ) {
                let (_, kinds) = table.seen.first.candidates(board::square(flag)).unwrap();
                assert!(kinds.has(Piece::Flag) && kinds.len() == 1);
                shown += 1;
            }
        }
    }
    assert!(shown > 0);
}

#[test]
fn once_the_enemys_setup_is_known_so_is_every_piece_and_another_setup_is_refused() {
    for seed in 0..40 {
        let (_, options) = RULE_SETS[seed as usize % RULE_SETS.len()];
        let setups = random_setups(seed);
        let others = random_setups(seed + 1);
        let mut table = Table::start(options, &setups);
        let mut draws = Draws::new(seed);
        while table.play.outcome().is_none() {
            let position = table.play.position();
            for seat in Seat::ALL {
                let mut seen = table.seen.get(seat).clone();
                assert!(seen.see_setup(setups.get(seat)).is_err(), "its own");
                seen.see_setup(setups.get(seat.other())).unwrap();
                assert!(seen.see_setup(others.get(seat.other())).is_err());
                for point in each_point(position.all()) {
                    let (_, piece) = position.at(point).unwrap();
                    let square = board::square(point);
                    let (_, kinds) = seen.candidates(square).unwrap();
                    assert!(kinds.has(piece) && kinds.len() == 1, "{square}");
                }
            }
            let legal = table.play.legal_moves();
            let mv = legal[draws.below(legal.len())];
            table.plays(mv);
        }
    }
}
