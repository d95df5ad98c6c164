use proptest::prelude::*;
use qiguan_rules::{BySeat, Seat};
use uuid::Uuid;

use super::*;
use crate::ratings::change::{RatedEnd, RatingStates};

const SET: &str = "xiangqi/standard";

fn player(number: u8) -> PlayerId {
    PlayerId(Uuid::from_u128(u128::from(number)))
}

fn game(number: u32) -> GameId {
    GameId(Uuid::from_u128(0x1000 + u128::from(number)))
}

/// Players by number, and who won.
type Played = (u8, u8, Option<Seat>);

/// What is written when these games end one after the other, an hour apart.
fn live(games: &[Played]) -> Vec<Change> {
    let mut rating_states = RatingStates::default();
    let rated = games
        .iter()
        .zip(1..)
        .flat_map(|(&(one, two, winner), number)| {
            let end = RatedEnd {
                game: game(number),
                ruleset: SET.to_owned(),
                at: Millis(i64::from(number) * 3_600_000),
                players: BySeat {
                    first: player(one),
                    second: player(two),
                },
                winner,
                counts: true,
            };
            let BySeat { first, second } = rating_states.rate(&end);
            [first, second]
        });
    let mut changes: Vec<_> = rated.collect();
    changes.sort_by_key(|change| (change.player, change.number));
    changes
}

/// The strengths after each change, without numbers and revisions.
fn strengths(changes: &[Change]) -> Vec<(PlayerId, GameId, Strength)> {
    let counted = changes.iter().filter(|change| {
        let Cause::Played { counts, .. } = change.cause else {
            return false;
        };
        counts
    });
    counted
        .map(|change| (change.player, change.game, change.after))
        .collect()
}

/// A list after a revision was written.
fn revised(mut changes: Vec<Change>, revision: &Revision) -> Vec<Change> {
    for altered in &revision.altered {
        let place = changes
            .iter()
            .position(|change| (change.player, change.number) == (altered.player, altered.number));
        changes[place.unwrap()] = altered.clone();
    }
    changes.extend(revision.added.iter().cloned());
    changes.sort_by_key(|change| (change.player, change.number));
    changes
}

const GAMES: [Played; 6] = [
    (1, 2, Some(Seat::First)),
    (3, 4, None),
    (2, 3, Some(Seat::Second)),
    (1, 3, Some(Seat::First)),
    (5, 6, Some(Seat::Second)),
    (2, 1, None),
];

#[test]
fn a_withdrawn_result_leaves_what_would_be_without_it() {
    let stored = live(&GAMES);
    let revision = revise(stored.clone(), game(1), false, Millis(99_000_000)).unwrap();
    let revision = revision.unwrap();
    let after = revised(stored, &revision);
    let mut without = GAMES.to_vec();
    // A game of strangers in its place, so that the times and ids of the others stay.
    without[0] = (8, 9, None);
    let mut expected = strengths(&live(&without));
    expected.retain(|(_, changed, _)| *changed != game(1));
    assert_eq!(strengths(&after), expected);
    assert_eq!(recompute(after.clone()).unwrap(), after);
}

#[test]
fn only_those_whose_ratings_follow_from_it_are_concerned() {
    let stored = live(&GAMES);
    let revision = revise(stored, game(1), false, Millis(99_000_000)).unwrap();
    let concerned: Vec<_> = revision
        .unwrap()
        .rating_states
        .into_iter()
        .map(|(player, _)| player)
        .collect();
    // 4 played 3 before 3 met anybody concerned; 5 and 6 played each other alone.
    assert_eq!(concerned, [player(1), player(2), player(3)]);
}

#[test]
fn a_result_that_counts_again_brings_back_what_was() {
    let stored = live(&GAMES);
    let withdrawn = revise(stored.clone(), game(3), false, Millis(99_000_000));
    let between = revised(stored.clone(), &withdrawn.unwrap().unwrap());
    assert_ne!(strengths(&between), strengths(&stored));
    let restored = revise(between.clone(), game(3), true, Millis(99_100_000));
    let after = revised(between, &restored.unwrap().unwrap());
    assert_eq!(strengths(&after), strengths(&stored));
}

#[test]
fn what_is_withdrawn_already_or_unknown_changes_nothing() {
    let stored = live(&GAMES);
    for (concerned, counts) in [(game(1), true), (game(77), false)] {
        let revision = revise(stored.clone(), concerned, counts, Millis(99_000_000));
        assert_eq!(revision, Ok(None));
    }
}

#[test]
fn everybody_concerned_gets_the_next_number() {
    let stored = live(&GAMES);
    let revision = revise(stored, game(1), false, Millis(99_000_000)).unwrap();
    let revision = revision.unwrap();
    let added: Vec<_> = revision
        .added
        .iter()
        .map(|change| (change.player, change.number, change.cause))
        .collect();
    assert_eq!(
        added,
        [
            (player(1), 4, Cause::Revised),
            (player(2), 4, Cause::Revised),
            (player(3), 4, Cause::Revised),
        ]
    );
    for (change, (player, rating_state)) in revision.added.iter().zip(&revision.rating_states) {
        assert_eq!(
            (change.player, change.after),
            (*player, rating_state.strength)
        );
        assert_eq!(change.number, rating_state.number);
        assert_ne!(rating_state.played_at, Some(change.at), "nobody has played");
    }
}

#[test]
fn what_is_no_history_is_refused() {
    let whole = live(&GAMES);
    let mut gap = whole.clone();
    gap.remove(0);
    assert!(matches!(recompute(gap), Err(Disorder::Number { .. })));
    let mut twice = whole.clone();
    twice.push(whole[0].clone());
    assert!(matches!(recompute(twice), Err(Disorder::Number { .. })));
    let mut alone = whole.clone();
    alone.retain(|change| change.player != player(6));
    assert_eq!(recompute(alone), Err(Disorder::OneSided { game: game(5) }));
    let mut disagreeing = whole.clone();
    let change = disagreeing
        .iter_mut()
        .find(|change| change.game == game(5))
        .unwrap();
    if let Cause::Played { score, .. } = &mut change.cause {
        *score = score.other();
    }
    assert_eq!(
        recompute(disagreeing),
        Err(Disorder::OneSided { game: game(5) })
    );
    let mut knot = live(&[(1, 2, None), (1, 2, None)]);
    // Each has another of the two games first.
    knot[2].number = 2;
    knot[3].number = 1;
    assert!(matches!(recompute(knot), Err(Disorder::OneSided { .. })));
}

fn any_games() -> impl Strategy<Value = Vec<Played>> {
    let winner = prop_oneof![
        Just(None),
        Just(Some(Seat::First)),
        Just(Some(Seat::Second))
    ];
    let played =
        (0..8_u8, 1..8_u8, winner).prop_map(|(one, step, winner)| (one, (one + step) % 8, winner));
    prop::collection::vec(played, 1..60)
}

proptest! {
    #[test]
    fn what_is_computed_again_is_what_was_written(games in any_games()) {
        let written = live(&games);
        let mut forgotten = written.clone();
        for change in &mut forgotten {
            change.after = Strength::START;
            change.before = 0;
        }
        forgotten.reverse();
        prop_assert_eq!(recompute(forgotten).unwrap(), written);
    }

    #[test]
    fn withdrawing_and_restoring_in_any_order_ends_where_it_began(
        games in any_games(),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
    ) {
        let written = live(&games);
        let mut changes = written.clone();
        for counts in [false, true] {
            for pick in &picks {
                let concerned = game(pick.index(games.len()) as u32 + 1);
                if let Some(revision) = revise(changes.clone(), concerned, counts, Millis(1)).unwrap() {
                    changes = revised(changes, &revision);
                    prop_assert_eq!(&recompute(changes.clone()).unwrap(), &changes);
                }
            }
        }
        prop_assert_eq!(strengths(&changes), strengths(&written));
    }
}
