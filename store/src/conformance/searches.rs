//! What is searched for among stored games.

use std::sync::Arc;

use qiguan_game::{event::Player, record::GameSummary};
use qiguan_protocol::{
    ids::{GameId, Millis, Ply, Seq},
    names::{Rating, Status, Visibility},
    time_control::Clock,
};
use qiguan_rules::{EndReason, Outcome, Seat};
use uuid::Uuid;

use super::{game, lists::shows, opening, player};
use crate::{
    list::LOOKED_AT,
    store::{Append, ClockKind, Deletable, GameFilter, GamesPage, ResultFilter, Store},
    testing::Place,
};

/// Numbers that look like chance, the same in every run.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }

    fn of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// One time in `rarely` something.
    fn at_times<T: Clone>(&mut self, rarely: usize, choices: &[T]) -> Option<T> {
        (self.below(rarely) == 0).then(|| self.of(choices))
    }
}

const RULESETS: [&str; 3] = [
    "doushouqi/booklet",
    "doushouqi/tierschach",
    "xiangqi/standard",
];

/// A game like any other: one of each kind, ended more often than not.
pub(super) fn any_game(number: u128, random: &mut Random) -> Append {
    let fischer = Clock::Fischer {
        initial_ms: Millis(60_000),
        increment_ms: Millis(0),
    };
    let visibility = random.of(&[Visibility::Public, Visibility::Public, Visibility::Link]);
    let clock = random.of(&[Clock::None, fischer]);
    let mut append = opening(number, 1, visibility, clock);
    let game = append.entries[0].summary.as_mut().unwrap();
    game.ruleset = random.of(&RULESETS).to_owned();
    // Some are opened in the same millisecond.
    game.created_at = Millis(number as i64 / 2);
    game.rated = random.below(2) == 0;
    game.status = random.of(&[Status::Open, Status::Playing, Status::Ended, Status::Ended]);
    let first = 1 + random.below(4);
    let second = 1 + (first + random.below(3)) % 4;
    let mut seated = |number: usize| {
        let value = (random.below(4) > 0).then(|| 1_000 + random.below(15) as i32 * 100);
        Some(Player {
            rating: value.map(|value| Rating {
                value,
                provisional: false,
            }),
            ..player(number as u128)
        })
    };
    game.players.first = seated(first);
    if game.status != Status::Open {
        game.players.second = seated(second);
    }
    if game.status == Status::Ended {
        let winner = random.of(&[None, Some(Seat::First), Some(Seat::Second)]);
        let reason = match winner {
            None => random.of(&[
                EndReason::Agreement,
                EndReason::Repetition,
                EndReason::Aborted,
            ]),
            Some(_) => random.of(&[EndReason::Resignation, EndReason::Den]),
        };
        game.outcome = Some(Outcome { winner, reason });
        game.plies = Some(Ply(random.below(200) as u32));
        game.ended_at = Some(Millis(number as i64));
    }
    append
}

/// Something that may be asked for.
pub(super) fn any_filter(random: &mut Random) -> GameFilter {
    let people = [1, 2, 3, 4].map(|number| player(number).id);
    let rulesets = [
        vec![RULESETS[0]],
        vec![RULESETS[2]],
        vec![RULESETS[0], RULESETS[1]],
    ]
    .map(|ids| ids.into_iter().map(str::to_owned).collect::<Vec<_>>());
    let results = [
        ResultFilter::First,
        ResultFilter::Second,
        ResultFilter::Draw,
        ResultFilter::Aborted,
    ];
    let reasons = [EndReason::Den, EndReason::Repetition, EndReason::Aborted];
    let player = random.at_times(2, &people);
    GameFilter {
        viewer: random.at_times(2, &people),
        oversees: random.below(5) == 0,
        status: random.at_times(3, &[Status::Open, Status::Playing, Status::Ended]),
        player,
        against: player.and_then(|_| random.at_times(2, &people)),
        rulesets: random.at_times(3, &rulesets),
        result: random.at_times(4, &results),
        reason: random.at_times(6, &reasons),
        plies_from: random.at_times(6, &[20, 100]),
        plies_until: random.at_times(6, &[80, 150]),
        rating_from: random.at_times(6, &[1_200, 1_800]),
        rating_until: random.at_times(6, &[1_500, 2_200]),
        rated: random.at_times(4, &[true, false]),
        clock: random.at_times(4, &[ClockKind::None, ClockKind::Fischer]),
        created_from: random.at_times(4, &[Millis(50), Millis(120)]),
        created_until: random.at_times(4, &[Millis(100), Millis(160)]),
        position: None,
        before: None,
        limit: random.of(&[1, 7, 100]),
    }
}

pub(super) async fn a_search_finds_what_its_conditions_say_page_by_page(
    store: Arc<Store>,
    _: &Place,
) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let games: Vec<_> = (1..=400)
        .rev()
        .map(|number| any_game(number, &mut random))
        .collect();
    assert!(store.append(&games).await.iter().all(Result::is_ok));
    let summaries: Vec<_> = games
        .into_iter()
        .filter_map(|append| append.entries.into_iter().next()?.summary)
        .collect();
    let mut shown = 0;
    for _ in 0..400 {
        let mut filter = any_filter(&mut random);
        let expected: Vec<_> = summaries
            .iter()
            .filter(|game| shows(&filter, game))
            .collect();
        let mut found = Vec::new();
        loop {
            let page = store.games(&filter).await.unwrap();
            assert!(page.games.len() <= filter.limit as usize);
            found.extend(page.games);
            if page.before.is_none() {
                break;
            }
            filter.before = page.before;
        }
        assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{filter:?}");
        shown += found.len();
    }
    assert!(shown > 1_000, "the filters let something through: {shown}");
}

pub(super) async fn games_of_a_player_that_have_ended_since_a_time_are_found_the_last_first(
    store: Arc<Store>,
    _: &Place,
) {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let games: Vec<_> = (1..=200)
        .map(|number| any_game(number, &mut random))
        .collect();
    assert!(store.append(&games).await.iter().all(Result::is_ok));
    let summaries: Vec<_> = games
        .into_iter()
        .filter_map(|append| append.entries.into_iter().next()?.summary)
        .collect();
    for (number, since, limit) in [
        (1, 0, 500),
        (2, 120, 500),
        (3, 0, 7),
        (1, 201, 5),
        (9, 0, 5),
    ] {
        let who = player(number).id;
        let sits = |seat| {
            move |game: &&GameSummary| {
                let sat: &Option<Player> = game.players.get(seat);
                sat.as_ref().is_some_and(|sat| sat.id == who)
            }
        };
        let ended = summaries.iter().rev();
        let ended = ended.filter(|game| sits(Seat::First)(game) || sits(Seat::Second)(game));
        let ended = ended.filter(|game| game.ended_at.is_some_and(|at| at.0 >= since));
        let expected: Vec<_> = ended.map(|game| game.game).take(limit as usize).collect();
        let found = store.ended_since(who, Millis(since), limit).await;
        assert_eq!(found, Ok(expected), "{number} {since} {limit}");
    }
}

pub(super) async fn a_search_for_what_is_rare_stops_and_is_carried_on(
    store: Arc<Store>,
    _: &Place,
) {
    // The oldest game is the only one of its kind, and more games than one page tries have been opened since.
    let many = u128::from(LOOKED_AT) + 20;
    let games: Vec<_> = (1..=many)
        .map(|number| {
            let mut game = opening(number, number, Visibility::Public, Clock::None);
            game.entries[0].summary.as_mut().unwrap().rated = number == 1;
            game
        })
        .collect();
    for games in games.chunks(500) {
        assert!(store.append(games).await.iter().all(Result::is_ok));
    }
    let rare = GameFilter {
        rated: Some(true),
        limit: 10,
        ..GameFilter::default()
    };
    let page = store.games(&rare).await.unwrap();
    assert_eq!(page.games, [], "so far nothing is found");
    assert_eq!(page.before, Some(game(many - u128::from(LOOKED_AT))));
    let rest = GameFilter {
        before: page.before,
        ..rare.clone()
    };
    let page = store.games(&rest).await.unwrap();
    assert_eq!(page.games.len(), 1);
    assert_eq!((page.games[0].game, page.before), (game(1), None));

    // A list that needs no trying does not stop, and neither does one that has found enough.
    for filter in [
        GameFilter {
            rated: None,
            ..rare.clone()
        },
        GameFilter {
            rated: Some(false),
            ..rare
        },
    ] {
        let page = store.games(&filter).await.unwrap();
        assert_eq!(page.games.len(), 10);
        assert_eq!(page.before, Some(game(many - 9)));
    }
}

pub(super) async fn a_list_is_carried_on_after_a_game_that_is_gone(store: Arc<Store>, _: &Place) {
    // Ids as they are drawn, which tell when.
    let id = |ms: u64| {
        let at = uuid::Timestamp::from_unix(
            uuid::NoContext,
            ms / 1_000,
            (ms % 1_000) as u32 * 1_000_000,
        );
        GameId(Uuid::new_v7(at))
    };
    let ids = [1_000, 2_001, 3_000].map(id);
    for (number, game) in (1..).zip(ids) {
        let mut append = opening(number, number, Visibility::Public, Clock::None);
        append.entries[0].game = game;
        let summary = append.entries[0].summary.as_mut().unwrap();
        summary.game = game;
        summary.created_at = Millis([1_000, 2_001, 3_000][number as usize - 1]);
        assert_eq!(store.append(&[append]).await, [Ok(())]);
    }
    assert_eq!(
        store.delete_game(ids[1], Seq(1), Deletable::Endless).await,
        Ok(true)
    );
    let after = |game| GameFilter {
        before: Some(game),
        limit: 10,
        ..GameFilter::default()
    };
    let page = store.games(&after(ids[1])).await.unwrap();
    let found: Vec<_> = page.games.iter().map(|found| found.game).collect();
    assert_eq!(found, [ids[0]]);
    // Of an id that nothing is known of, nothing is older.
    let page = store.games(&after(game(7))).await.unwrap();
    assert_eq!(page, GamesPage::default());
}
