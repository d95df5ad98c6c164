//! What an event costs does not depend on identities: not the bytes of its texts, and to the eye not the time to make them.

use std::{hint::black_box, time::Instant};

use qiguan_game::referee::Command;
use qiguan_rules::Seat;

use super::{for_each_seed, number, table::Table, twins::Twins};
use crate::room::publishing::texts_of;

/// The texts of each event of one of two twins: how long each is, and how long it took to make, in nanoseconds.
#[expect(
    clippy::disallowed_methods,
    reason = "here the passing of time is what is measured"
)]
fn measured(twins: &Twins, twin: usize) -> (Vec<[usize; 3]>, Vec<u64>) {
    let mut table = Table::open(twins.ruleset, &twins.draws[twin]);
    for seat in Seat::ALL {
        table.does(seat, &Command::Ready);
    }
    let (mut sizes, mut times) = (Vec::new(), Vec::new());
    for mv in &twins.moves {
        table.plays(table.state.game.turn(), &mv.to_string());
        let before = Instant::now();
        let texts = black_box(texts_of(&table.state, [true; 3]).each());
        times.push(before.elapsed().as_nanos() as u64);
        sizes.push(texts.map(|text| text.map_or(0, |text| text.len())));
    }
    (sizes, times)
}

#[test]
fn the_size_of_an_event_does_not_depend_on_identities() {
    for_each_seed(100, |seed| {
        let twins = Twins::random(seed);
        let [(one, _), (other, _)] = [0, 1].map(|twin| measured(&twins, twin));
        for (one, other) in one.iter().zip(&other) {
            let opponent = twins.seat.other().index();
            assert_eq!(
                (one[opponent], one[2]),
                (other[opponent], other[2]),
                "pair {seed}"
            );
        }
    });
}

/// What is timed of each twin unless `QIGUAN_TIMED_MOVES` says otherwise, as `make soak` does.
const TIMED_MOVES: u64 = 2_000;
/// So many moves at least let a difference of 50 µs be told.
const MANY_MOVES: usize = 100_000;

/// The medians of two samples, of which each is taken in turn with the other: neither is twice the other, and of 100,000 moves they differ
/// by less than 50 µs.
#[test]
fn the_time_to_make_an_event_does_not_depend_on_identities() {
    let wanted = number("QIGUAN_TIMED_MOVES", TIMED_MOVES) as usize;
    let mut times = [Vec::new(), Vec::new()];
    for seed in 0.. {
        if times[0].len() >= wanted {
            break;
        }
        let twins = Twins::random(seed);
        // Each goes first as often as the other.
        for twin in [seed as usize % 2, (seed as usize + 1) % 2] {
            times[twin].extend(measured(&twins, twin).1);
        }
    }
    let [one, other] = times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2]
    });
    eprintln!("medians of {wanted} moves: {one} ns and {other} ns");
    assert!(
        one < 2 * other && other < 2 * one,
        "{one} ns and {other} ns"
    );
    assert!(
        wanted < MANY_MOVES || one.abs_diff(other) < 50_000,
        "{one} ns and {other} ns"
    );
}
