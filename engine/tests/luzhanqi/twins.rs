//! Two games that look alike from a seat get the same move, after the same number of nodes.

use std::sync::atomic::AtomicBool;

use qiguan_engine::{
    Draws, Level,
    luzhanqi::{Chosen, Seen, choose},
};
use qiguan_rules::{
    BySeat, Move, Seat,
    luzhanqi::{
        Options, Play, Setup,
        board::{self, CAMPS, HALF, each_point},
    },
};

use crate::table::{RULE_SETS, Received, random_setups, received, take_in};

static GO_ON: AtomicBool = AtomicBool::new(false);

/// Pairs of positions that are compared; `QIGUAN_TWINS` sets another number.
const PAIRS: usize = 10_000;

/// What a seat receives of a game, and what it may play at its end. None if the game can't be played so, or has ended.
fn stream(
    options: Options,
    setups: &BySeat<Setup>,
    moves: &[Move],
    seat: Seat,
) -> Option<(Vec<Received>, Vec<Move>)> {
    let mut play = Play::start(options, setups);
    let mut stream = Vec::with_capacity(moves.len());
    for mv in moves {
        let played = play.play(*mv).ok()?;
        stream.push(received(&play, seat, *mv, &played));
    }
    let legal = play.legal_moves().to_vec();
    (play.outcome().is_none() && play.position().turn() == seat).then_some((stream, legal))
}

fn same(one: &[Received], other: &[Received]) -> bool {
    // Pieces can't be printed, but compared.
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one == other)
}

fn answer(
    options: Options,
    seat: Seat,
    own: &Setup,
    stream: &[Received],
    legal: &[Move],
    seed: u64,
) -> Option<Chosen> {
    let mut seen = Seen::start(options, seat, own).unwrap();
    for item in stream {
        take_in(&mut seen, *item);
    }
    // Now and then a level that looks further ahead.
    let level = Level::try_from(if seed.is_multiple_of(50) { 3 } else { 1 }).unwrap();
    choose(&seen, legal, level, seed, &GO_ON)
}

/// Another setup of the enemy with which the same moves look the same; none if no setup is found.
fn twin(
    options: Options,
    setups: &BySeat<Setup>,
    moves: &[Move],
    seat: Seat,
    draws: &mut Draws,
) -> Option<BySeat<Setup>> {
    let enemy = seat.other();
    let (seen, legal) = stream(options, setups, moves, seat)?;
    let points: Vec<u8> = each_point(HALF[enemy.index()] & !(CAMPS[0] | CAMPS[1])).collect();
    let mut found = *setups;
    let mut exchanged = 0;
    for _ in 0..12 {
        let mut tried = found;
        let (one, other) = (
            points[draws.below(points.len())],
            points[draws.below(points.len())],
        );
        let text = tried.get(enemy).text();
        let exchange = tried
            .get_mut(enemy)
            .exchange(board::square(one), board::square(other));
        if exchange.is_err() || tried.get(enemy).text() == text {
            continue;
        }
        if let Some((again, legal_again)) = stream(options, &tried, moves, seat)
            && same(&seen, &again)
            && legal == legal_again
        {
            found = tried;
            exchanged += 1;
            if exchanged == 2 {
                break;
            }
        }
    }
    (exchanged > 0 && found.get(enemy) != setups.get(enemy)).then_some(found)
}

#[test]
fn games_that_look_alike_from_a_seat_get_the_same_move_and_nodes() {
    let wanted = std::env::var("QIGUAN_TWINS")
        .ok()
        .and_then(|number| number.parse().ok())
        .unwrap_or(PAIRS);
    let (mut pairs, mut seed) = (0, 0);
    while pairs < wanted {
        seed += 1;
        let mut draws = Draws::new(seed);
        let (id, options) = RULE_SETS[draws.below(RULE_SETS.len())];
        let setups = random_setups(seed);
        let mut play = Play::start(options, &setups);
        let length = draws.below(90);
        let mut moves = Vec::new();
        while moves.len() < length && play.outcome().is_none() {
            let legal = play.legal_moves();
            let mv = legal[draws.below(legal.len())];
            play.play(mv).unwrap();
            moves.push(mv);
        }
        let seat = play.position().turn();
        let Some(twin) = twin(options, &setups, &moves, seat, &mut draws) else {
            continue;
        };
        let (one, legal) = stream(options, &setups, &moves, seat).unwrap();
        let (other, legal_of_other) = stream(options, &twin, &moves, seat).unwrap();
        let chosen = answer(options, seat, setups.get(seat), &one, &legal, seed);
        let of_twin = answer(options, seat, twin.get(seat), &other, &legal_of_other, seed);
        assert!(chosen.is_some(), "{id} {seed}");
        assert_eq!(chosen, of_twin, "{id} {seed}");
        pairs += 1;
    }
}

#[test]
fn a_view_that_is_rebuilt_from_the_list_of_moves_chooses_the_same() {
    let mut shown = 0;
    for seed in 0..60 {
        let setups = random_setups(seed);
        let mut play = Play::start(Options::MODERN, &setups);
        let mut draws = Draws::new(seed);
        let mut live = Seen::start(Options::MODERN, Seat::First, &setups.first).unwrap();
        let mut list = Vec::new();
        while play.outcome().is_none() && list.len() < 150 {
            let legal = play.legal_moves();
            let mv = legal[draws.below(legal.len())];
            let played = play.play(mv).unwrap();
            let item = received(&play, Seat::First, mv, &played);
            take_in(&mut live, item);
            list.push(item);
        }
        if play.outcome().is_some() || play.position().turn() == Seat::Second {
            continue;
        }
        // The list of moves says nothing of a Flag; where it is shown, the position does.
        let mut rebuilt = Seen::start(Options::MODERN, Seat::First, &setups.first).unwrap();
        let flag = list.last().and_then(|(.., flag)| *flag);
        for (mv, removed, met, _) in list {
            rebuilt.see(mv, removed, met).unwrap();
        }
        if let Some(flag) = flag {
            rebuilt.see_flag(flag).unwrap();
            shown += 1;
        }
        let chosen = |seen| {
            choose(
                seen,
                play.legal_moves(),
                Level::try_from(2).unwrap(),
                seed,
                &GO_ON,
            )
        };
        assert_eq!(chosen(&live), chosen(&rebuilt), "seed {seed}");
    }
    assert!(shown > 3, "{shown} games showed a Flag");
}
