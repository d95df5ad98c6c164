//! Taking moves back: the position, what counts towards its bans and limits, the clocks, and what everybody is told.

use proptest::prelude::*;
use qiguan_protocol::{
    event::EventFrame,
    ids::{Millis, Ply, Seq},
    limits,
    names::Status,
    time_control::Clock,
};
use qiguan_rules::{EndReason, Game, Outcome, Seat, outcome::LENGTH_LIMIT};

use super::{
    audience::{self, Audience},
    clock::Delay,
    event::Body,
    people::computer::Computer,
    referee::{self, Caller, Command},
    refusal::Refusal,
    state::State,
    testing::{GAME, RULESETS, Table, fischer, player},
    validate::validate,
};

fn decide(table: &Table, who: u128, command: &Command) -> Result<Vec<Body>, Refusal> {
    let caller = Caller {
        player: player(who),
        received: table.now,
        delay: Delay::default(),
        opponent_away_since: None,
        draw: None,
        current_setups: None,
        shadow_muted: false,
    };
    referee::decide(&table.state, command, &caller, table.now).map(|decision| decision.bodies)
}

/// One asks, the other agrees.
fn takes_back(table: &mut Table, who: u128) {
    table.does(who, &Command::RequestTakeback);
    let offer = table.state.takeback_request.unwrap().seq;
    table.does(3 - who, &Command::AcceptTakeback { offer });
}

/// All that the rules know of a game but the plies that count towards its length.
fn known(game: &Game) -> impl PartialEq + std::fmt::Debug + use<> {
    (
        game.fen(),
        game.legal_moves().to_vec(),
        game.banned_moves().to_vec(),
        game.outcome(),
    )
}

fn on_move(table: &Table) -> u128 {
    match table.state.game.turn() {
        Seat::First => 1,
        Seat::Second => 2,
    }
}

#[test]
fn a_player_who_is_on_the_move_takes_two_plies_back_and_the_other_one() {
    for (asks, plies) in [(1, 2), (2, 1)] {
        let mut table = Table::open(GAME, "xiangqi/standard", fischer(), 9);
        table.plays(6 - plies as usize);
        let before = known(&table.state.game);
        table.plays(6);
        takes_back(&mut table, asks);
        assert_eq!(known(&table.state.game), before);
        assert_eq!(table.state.ply(), Ply(6 - plies));
        assert_eq!(table.state.game.plies(), 6);
        assert_eq!(u128::from(plies), 3 - asks);
        assert_eq!(on_move(&table), asks);
        table.plays(8);
        validate(GAME, table.events()).unwrap();
    }
}

#[test]
fn a_request_stands_until_it_is_answered_or_a_move_is_played() {
    let mut table = Table::open(GAME, "doushouqi/booklet", fischer(), 2);
    let refused = decide(&table, 1, &Command::RequestTakeback);
    assert_eq!(refused.unwrap_err(), Refusal::NothingToTakeBack);
    table.plays(4);
    table.does(2, &Command::RequestTakeback);
    let offer = table.state.takeback_request.unwrap().seq;
    let again = decide(&table, 2, &Command::RequestTakeback);
    assert_eq!(again.unwrap_err(), Refusal::OfferOpen);
    let other = decide(&table, 1, &Command::RequestTakeback);
    assert_eq!(other.unwrap_err(), Refusal::RequestOpen);
    let own = decide(&table, 2, &Command::AcceptTakeback { offer });
    assert!(matches!(own, Err(Refusal::NoSuchRequest { .. })));
    table.does(1, &Command::DeclineTakeback { offer });
    let late = decide(&table, 1, &Command::AcceptTakeback { offer });
    assert!(matches!(late, Err(Refusal::NoSuchRequest { .. })));
    table.does(2, &Command::RequestTakeback);
    table.plays(5);
    assert_eq!(table.state.takeback_request, None);
    table.does(2, &Command::OfferDraw);
    table.does(1, &Command::RequestTakeback);
    let offer = table.state.takeback_request.unwrap().seq;
    table.does(2, &Command::AcceptTakeback { offer });
    assert_eq!(table.state.draw_offer, None);
    table.does(1, &Command::Resign);
    let over = decide(&table, 1, &Command::RequestTakeback);
    assert_eq!(over.unwrap_err(), Refusal::GameOver);
    validate(GAME, table.events()).unwrap();
}

#[test]
fn only_casual_games_between_people_and_practice_games_know_takebacks() {
    let mut rated = Table::rated([1, 2], GAME, "xiangqi/standard");
    rated.plays(2);
    let refused = decide(&rated, 1, &Command::RequestTakeback);
    assert_eq!(refused.unwrap_err(), Refusal::NoTakebacks);
    for practice in [false, true] {
        let computer = Computer::all().find(|computer| computer.game() == "xiangqi");
        let computer = computer.unwrap().id().0.as_u128();
        let mut table = Table::against(computer, GAME, "xiangqi/standard", practice);
        for (who, text) in [(1, "b3e3"), (computer, "b10c8"), (1, "h1g3")] {
            let (ply, mv) = (table.state.ply().next(), Ok(text.parse().unwrap()));
            table.does(who, &Command::Move { ply, mv });
        }
        let done = decide(&table, 1, &Command::RequestTakeback);
        if !practice {
            assert_eq!(done.unwrap_err(), Refusal::NoTakebacks);
            continue;
        }
        // The computer is thinking: its answer comes too late.
        table.does(1, &Command::RequestTakeback);
        assert_eq!((table.state.ply(), on_move(&table)), (Ply(2), 1));
        let late = Command::Move {
            ply: Ply(4),
            mv: Ok("h10g8".parse().unwrap()),
        };
        let late = decide(&table, computer, &late);
        assert!(matches!(late, Err(Refusal::Ahead { .. })));
        table.does(1, &Command::RequestTakeback);
        assert_eq!(table.state.ply(), Ply(0));
        validate(GAME, table.events()).unwrap();
    }
}

#[test]
fn a_game_is_aborted_only_before_both_have_moved_for_the_first_time() {
    let mut table = Table::open(GAME, "xiangqi/standard", fischer(), 9);
    table.plays(2);
    takes_back(&mut table, 1);
    assert_eq!(table.state.ply(), Ply(0));
    let late = decide(&table, 1, &Command::Abort);
    assert_eq!(late.unwrap_err(), Refusal::TooLate);
}

#[test]
fn a_game_knows_twenty_takebacks_and_a_player_twenty_requests() {
    let mut table = Table::open(GAME, "xiangqi/standard", fischer(), 9);
    for _ in 0..limits::TAKEBACKS {
        table.plays(3);
        takes_back(&mut table, 1);
    }
    table.plays(3);
    let more = decide(&table, 2, &Command::RequestTakeback);
    assert_eq!(more.unwrap_err(), Refusal::NoMoreTakebacks);
    validate(GAME, table.events()).unwrap();
    let mut table = Table::open(GAME, "xiangqi/standard", fischer(), 9);
    table.plays(3);
    for _ in 0..limits::TAKEBACKS {
        table.does(1, &Command::RequestTakeback);
        let offer = table.state.takeback_request.unwrap().seq;
        table.does(2, &Command::DeclineTakeback { offer });
    }
    let more = decide(&table, 1, &Command::RequestTakeback);
    assert_eq!(more.unwrap_err(), Refusal::NoMoreRequests);
    table.plays(4);
    assert!(decide(&table, 2, &Command::RequestTakeback).is_ok());
}

#[test]
fn no_attack_is_taken_back() {
    let mut table = Table::open(GAME, "luzhanqi/referee", fischer(), 3);
    let ends_with_attack = |table: &Table| {
        let last = table.state.moves.last();
        last.and_then(|last| last.did.removed).is_some()
    };
    while !ends_with_attack(&table) {
        table.plays(table.state.moves.len() + 1);
    }
    let refused = |table: &Table, who| decide(table, who, &Command::RequestTakeback).unwrap_err();
    assert_eq!(refused(&table, 1), Refusal::BehindAttack);
    assert_eq!(refused(&table, 2), Refusal::BehindAttack);
    table.plays(2_000);
    validate(GAME, table.events()).unwrap();
}

#[test]
fn plies_that_were_taken_back_count_towards_the_greatest_length() {
    let mut table = Table::open_endless(GAME, true);
    for plies in [4, 9, 12] {
        table.goes_round(plies);
        let asks = on_move(&table);
        takes_back(&mut table, asks);
    }
    table.goes_round(LENGTH_LIMIT as usize);
    assert_eq!(table.state.ply(), Ply(LENGTH_LIMIT - 6));
    assert_eq!(table.state.ended.unwrap().0, Outcome::LENGTH);
    assert_eq!(Outcome::LENGTH.reason, EndReason::LengthLimit);
    validate(GAME, table.events()).unwrap();
}

#[test]
fn clocks_keep_what_they_have() {
    let byoyomi = Clock::Byoyomi {
        main_ms: Millis(60_000),
        period_ms: Millis(10_000),
        periods: 3,
    };
    let per_move = Clock::PerMove {
        move_ms: Millis(86_400_000),
    };
    for clock in [fischer(), byoyomi, per_move] {
        for asks in [1, 2] {
            let mut table = Table::open(GAME, "xiangqi/standard", clock, 9);
            table.plays(4);
            table.does(asks, &Command::RequestTakeback);
            table.now = table.now + Millis(1_300);
            let offer = table.state.takeback_request.unwrap().seq;
            let left = |table: &Table| {
                let (state, at) = (&table.state, table.now + Millis(700));
                state.clock.view(state.game.turn(), at).left.unwrap()
            };
            let before = left(&table);
            table.does(3 - asks, &Command::AcceptTakeback { offer });
            let (state, at) = (&table.state, table.now);
            let now = state.clock.view(state.game.turn(), at);
            let after = now.left.unwrap();
            if let Clock::PerMove { .. } = clock {
                // The player who is on the move again has the rest of the same move, or a whole one.
                let first = before.first.ms.0;
                let whole = Millis(86_400_000);
                let expected = if asks == 1 { Millis(first) } else { whole };
                assert_eq!(after.get(now.running.unwrap()).ms, expected);
            } else {
                assert_eq!(after, before, "{clock:?}");
            }
            assert_eq!(now.running, Some(Seat::ALL[asks as usize - 1].into()));
            table.plays(5);
            validate(GAME, table.events()).unwrap();
        }
    }
}

type Change = fn(&mut Body);

#[test]
fn a_takeback_that_could_not_be_is_found_at_its_event() {
    let mut table = Table::open(GAME, "xiangqi/standard", fischer(), 9);
    table.plays(6);
    takes_back(&mut table, 2);
    table.plays(8);
    let events = table.events();
    let at = events
        .iter()
        .position(|event| matches!(event.body, Body::TakenBack { .. }));
    let at = at.unwrap();
    let changes: [(usize, Change); 5] = [
        (at, |body| {
            let Body::TakenBack { plies, .. } = body else {
                panic!()
            };
            *plies = 2;
        }),
        (at, |body| {
            let Body::TakenBack { by, .. } = body else {
                panic!()
            };
            *by = by.other();
        }),
        (at, |body| {
            let Body::TakenBack { spent, .. } = body else {
                panic!()
            };
            *spent = Millis(60_000);
        }),
        (at - 1, |body| {
            *body = Body::TakebackDeclined { seat: Seat::First }
        }),
        (at - 1, |body| {
            *body = Body::DrawOffered { seat: Seat::Second }
        }),
    ];
    for (place, change) in changes {
        let mut changed = events.clone();
        change(&mut changed[place].body);
        let found = validate(GAME, changed).unwrap_err().seq;
        assert!(found.0 as usize <= at + 1, "{found}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn what_happened_is_told_afterwards_as_it_was_told_then(
        ruleset in 0..RULESETS.len(),
        seed in any::<u64>(),
        steps in prop::collection::vec((1..4_usize, 1..3_u128), 1..10),
    ) {
        let mut table = Table::open(GAME, RULESETS[ruleset], fischer(), seed);
        for (plies, who) in steps {
            table.plays(table.state.moves.len() + plies);
            if decide(&table, who, &Command::RequestTakeback).is_ok() {
                takes_back(&mut table, who);
            }
        }
        let moves = table.state.moves.iter().map(|played| played.mv);
        let mut fresh = table.state.beginning();
        for mv in moves {
            fresh.play(mv).unwrap();
        }
        prop_assert_eq!(known(&table.state.game), known(&fresh));
        let is_over = table.state.status == Status::Ended;
        prop_assert_eq!(fresh.outcome().is_some(), is_over);
        let mut events = table.events().into_iter();
        let mut live = State::open(GAME, events.next().unwrap()).unwrap();
        let mut told: Vec<Vec<EventFrame>> = vec![Vec::new(); 3];
        for event in events {
            live.apply(event.clone()).unwrap();
            for (audience, frames) in Audience::ALL.into_iter().zip(&mut told) {
                let frame = audience::frame(&live, &event, audience);
                frames.push(EventFrame { position: None, ..frame });
            }
        }
        for (audience, frames) in Audience::ALL.into_iter().zip(told) {
            prop_assert_eq!(audience::missed(&table.state, Seq(1), audience), frames);
        }
        prop_assert!(validate(GAME, table.events()).is_ok());
    }
}
