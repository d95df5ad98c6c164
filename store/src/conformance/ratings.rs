//! Ratings are written with the end of the game that changes them, once, one after the other, and by nobody else.

use std::sync::Arc;

use qiguan_game::{
    audit_entry::AuditEntry,
    event::{Body, Created, Event},
    ratings::{
        change::{Cause, Change, RatingState},
        recompute::{recompute, revise},
    },
    record::Entry,
    state::State,
};
use qiguan_protocol::{
    ids::{CommandId, Millis, Seq},
    names::Visibility,
    operation::Operation,
    time_control::{Clock, TimeControl},
};
use qiguan_rules::{EndReason, Outcome, Seat};
use uuid::Uuid;

use super::{game, player};
use crate::{
    ratings::{Ruling, Withdrawal},
    store::{Append, AppendError, Store},
    testing::{Place, audit_entry},
};

pub(super) const SET: &str = "xiangqi/standard";

/// A game to be appended up to its end, and its end.
pub(super) struct Table {
    number: u128,
    events: Vec<Event>,
}

impl Table {
    pub(super) fn new(number: u128, one: u128, two: u128) -> Self {
        Self::of(number, one, two, true, Visibility::Public)
    }

    pub(super) fn of(
        number: u128,
        one: u128,
        two: u128,
        rated: bool,
        visibility: Visibility,
    ) -> Self {
        let created = Created {
            ruleset: SET.to_owned(),
            options: Vec::new(),
            time_control: TimeControl {
                clock: Clock::Fischer {
                    initial_ms: Millis(60_000),
                    increment_ms: Millis(0),
                },
                absence_ms: None,
                setup_ms: None,
            },
            visibility,
            seat: Seat::First,
            player: player(one),
            rated,
            invited: None,
            spectator_delay: None,
            start: None,
            practice: false,
            bounded: true,
        };
        let bodies = [
            Body::Created(Box::new(created)),
            Body::Joined {
                seat: Seat::Second,
                player: player(two),
            },
            Body::Started {
                until: Millis(1),
                setups: None,
            },
        ];
        let events = (1..).zip(bodies).map(|(seq, body)| Event {
            seq: Seq(seq),
            at: Millis(number as i64),
            command: (seq == 1).then(|| CommandId(Uuid::from_u128(number))),
            body,
        });
        Self {
            number,
            events: events.collect(),
        }
    }

    pub(super) fn append(&self, events: Vec<Event>, after: &State) -> Append {
        Append {
            cause: "move",
            audit_entry: None,
            commands: Vec::new(),
            quotas: Vec::new(),
            entries: vec![Entry {
                game: game(self.number),
                events,
                summary: Some(after.summary()),
            }],
        }
    }

    pub(super) fn opening(&self) -> Append {
        let state = State::fold(game(self.number), self.events.clone()).unwrap();
        self.append(self.events.clone(), &state)
    }

    /// The end, so long after the opening.
    pub(super) fn ending(&self, after: i64, outcome: Outcome, by: Option<Seat>) -> Append {
        let end = Event {
            seq: Seq(4),
            at: Millis(self.number as i64 + after),
            command: None,
            body: Body::Ended {
                outcome,
                spent: Millis(0),
                by,
            },
        };
        let mut events = self.events.clone();
        events.push(end.clone());
        let state = State::fold(game(self.number), events).unwrap();
        self.append(vec![end], &state)
    }

    pub(super) fn won_by(&self, winner: Option<Seat>) -> Append {
        let reason = match winner {
            Some(_) => EndReason::Checkmate,
            None => EndReason::Agreement,
        };
        self.ending(10, Outcome { winner, reason }, None)
    }
}

pub(super) async fn all_stored(store: &Store, batches: &[Append]) {
    let results = store.append(batches).await;
    assert!(results.iter().all(Result::is_ok), "{results:?}");
}

/// Every change of the rule set, after making sure that they are a history and what follows from the results.
async fn history(store: &Store) -> Vec<Change> {
    let stored = store.all_ratings(SET).await.unwrap();
    let mut changes = stored.changes;
    changes.sort_by_key(|change| (change.player, change.number));
    assert_eq!(recompute(changes.clone()).unwrap(), changes);
    for (player, rating_state) in stored.rating_states {
        let own = changes.iter().filter(|change| change.player == player);
        let expected = own.fold(RatingState::NEW, |rating_state, change| {
            rating_state.then(change)
        });
        assert_eq!(rating_state, expected);
    }
    changes
}

pub(super) async fn a_rated_game_changes_both_ratings_and_one_that_does_not_count_none(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    let rated = Table::new(1, 1, 2);
    all_stored(store, &[rated.opening()]).await;
    assert_eq!(store.rating_changes_of(game(1)).await, Ok(Vec::new()));
    all_stored(store, &[rated.won_by(Some(Seat::Second))]).await;
    let changes = store.rating_changes_of(game(1)).await.unwrap();
    let [lost, won] = &changes[..] else {
        panic!("{changes:?}");
    };
    assert_eq!((lost.player, won.player), (player(1).id, player(2).id));
    assert!(lost.after.rating < lost.before && won.after.rating > won.before);

    let aborted = Table::new(2, 1, 2);
    let casual = Table::of(3, 1, 2, false, Visibility::Public);
    let decided = Table::new(4, 1, 2);
    let outcome = Outcome {
        winner: None,
        reason: EndReason::Aborted,
    };
    let adjudicated = Outcome {
        winner: Some(Seat::First),
        reason: EndReason::Adjudication,
    };
    let opened = [&aborted, &casual, &decided].map(Table::opening);
    all_stored(store, &opened).await;
    let ends = [
        aborted.ending(10, outcome, Some(Seat::First)),
        decided.ending(10, adjudicated, None),
        casual.won_by(Some(Seat::First)),
    ];
    all_stored(store, &ends).await;
    assert_eq!(history(store).await.len(), 2);
    let rating_states = store.rating_states(player(1).id).await.unwrap();
    let expected = RatingState {
        number: 1,
        strength: lost.after,
        played_at: Some(lost.at),
    };
    assert_eq!(rating_states, [(SET.to_owned(), expected)]);
}

pub(super) async fn games_that_end_together_are_rated_one_after_the_other(
    store: Arc<Store>,
    _: &Place,
) {
    let tables: Vec<_> = (1..=40)
        .map(|number| Table::new(number, number % 3, 3))
        .collect();
    let openings: Vec<_> = tables.iter().map(Table::opening).collect();
    all_stored(store.as_ref(), &openings).await;
    let ends: Vec<_> = tables
        .iter()
        .map(|table| table.won_by(Seat::ALL.get(table.number as usize % 3).copied()))
        .collect();
    all_stored(store.as_ref(), &ends).await;
    let changes = history(store.as_ref()).await;
    assert_eq!(changes.len(), 80);
    let of_all = changes
        .iter()
        .filter(|change| change.player == player(3).id);
    assert_eq!(of_all.count(), 40);
}

pub(super) async fn a_game_that_ends_twice_is_rated_once_and_one_that_fails_not_at_all(
    store: Arc<Store>,
    _: &Place,
) {
    let tables = [1, 2, 3].map(|number| Table::new(number, 1, 2));
    let openings: Vec<_> = tables.iter().map(Table::opening).collect();
    all_stored(store.as_ref(), &openings).await;
    let [one, two, three] = tables.map(|table| table.won_by(Some(Seat::First)));
    all_stored(store.as_ref(), std::slice::from_ref(&one)).await;
    let results = store.append(&[two, one, three]).await;
    let conflict = Err(AppendError::Conflict {
        game: game(1),
        seq: Seq(4),
    });
    assert_eq!(results, [Ok(()), conflict, Ok(())]);
    let changes = history(store.as_ref()).await;
    let games: Vec<_> = changes
        .iter()
        .filter(|change| change.player == player(1).id)
        .map(|change| change.game)
        .collect();
    assert_eq!(games, [game(1), game(2), game(3)]);
}

pub(super) async fn writers_that_end_games_of_the_same_players_lose_no_rating(
    store: Arc<Store>,
    place: &Place,
) {
    const GAMES: u128 = 60;
    let tables: Vec<_> = (1..=GAMES)
        .map(|number| Table::new(number, number % 4, 4 + number % 2))
        .collect();
    let openings: Vec<_> = tables.iter().map(Table::opening).collect();
    all_stored(store.as_ref(), &openings).await;
    let writers = [store, place.open().await];
    let mut ending = Vec::new();
    for (table, turn) in tables.iter().zip(0..) {
        let end = table.won_by(Seat::ALL.get(turn % 3).copied());
        let writer = Arc::clone(&writers[turn % 2]);
        ending.push(tokio::spawn(async move {
            // Two writers of one file of SQLite may have to wait too long for each other; nothing is stored then.
            loop {
                match writer.append(std::slice::from_ref(&end)).await.remove(0) {
                    Err(AppendError::Refused(why)) if why.contains("locked") => {}
                    result => return result,
                }
            }
        }));
    }
    for end in ending {
        assert_eq!(end.await.unwrap(), Ok(()));
    }
    let changes = history(writers[0].as_ref()).await;
    assert_eq!(changes.len(), 2 * GAMES as usize);
    let mut games: Vec<_> = changes.iter().map(|change| change.game).collect();
    games.sort_unstable();
    games.dedup();
    assert_eq!(
        games.len(),
        GAMES as usize,
        "each game once for each player"
    );
}

pub(super) fn ruling(number: u128, counts: bool) -> Ruling {
    Ruling {
        game: game(number),
        ruleset: SET.to_owned(),
        withdrawal: (!counts).then(|| Withdrawal {
            at: Millis(900),
            by: Some(player(9).id),
            reason: "helped by a program".to_owned(),
        }),
        audit_entry: AuditEntry {
            by: None,
            ..audit_entry(
                number + 100 * u128::from(counts),
                Operation::Withdraw,
                player(9).id,
            )
        },
    }
}

pub(super) async fn a_withdrawn_result_is_as_if_it_had_not_been_and_can_count_again(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    for (number, one, two) in [(1, 1, 2), (2, 2, 3), (3, 3, 1), (4, 4, 5)] {
        let table = Table::new(number, one, two);
        all_stored(store, &[table.opening()]).await;
        all_stored(store, &[table.won_by(Some(Seat::First))]).await;
    }
    let before = history(store).await;
    let mut strengths = Vec::new();
    for counts in [false, true] {
        let changes = store.all_ratings(SET).await.unwrap().changes;
        let revision = revise(changes, game(1), counts, Millis(901)).unwrap();
        assert_eq!(
            store.revise(ruling(1, counts), revision.unwrap()).await,
            Ok(true)
        );
        let after = history(store).await;
        strengths.push(
            after
                .iter()
                .filter(|change| change.cause != Cause::Revised)
                .map(|change| change.after)
                .collect::<Vec<_>>(),
        );
        let withdrawal = store.withdrawal(game(1)).await.unwrap();
        assert_eq!(withdrawal, ruling(1, counts).withdrawal);
        let [first, second] = &store.rating_changes_of(game(1)).await.unwrap()[..] else {
            panic!("a game has two players");
        };
        for change in [first, second] {
            assert_eq!(change.before != change.after.rating, counts);
        }
    }
    assert_ne!(strengths[0], strengths[1]);
    let at_first: Vec<_> = before.iter().map(|change| change.after).collect();
    assert_eq!(strengths[1], at_first);
}

pub(super) async fn a_revision_that_knows_older_ratings_writes_nothing(
    store: Arc<Store>,
    _: &Place,
) {
    let store = store.as_ref();
    let tables = [(1, 1, 2), (2, 2, 3)].map(|(number, one, two)| Table::new(number, one, two));
    for table in &tables {
        all_stored(store, &[table.opening()]).await;
    }
    all_stored(store, &[tables[0].won_by(Some(Seat::First))]).await;
    let changes = store.all_ratings(SET).await.unwrap().changes;
    let old = revise(changes, game(1), false, Millis(901))
        .unwrap()
        .unwrap();
    all_stored(store, &[tables[1].won_by(None)]).await;
    let before = history(store).await;
    assert_eq!(store.revise(ruling(1, false), old).await, Ok(false));
    assert_eq!(history(store).await, before);
    assert_eq!(store.withdrawal(game(1)).await, Ok(None));
}
