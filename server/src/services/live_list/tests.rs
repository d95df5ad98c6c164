use std::collections::BTreeMap;

use qiguan_protocol::{
    ids::{Millis, PlayerId},
    names::{BySeat, Player, Rating},
    time_control::{Clock, TimeControl},
};
use uuid::Uuid;

use super::*;
use crate::services::{live_report::LiveReport, ranked_games::first};

fn player(rating: Option<i32>) -> Player {
    Player {
        id: PlayerId(Uuid::nil()),
        name: "Calm Carp 1000".to_owned(),
        rating: rating.map(|value| Rating {
            value,
            provisional: false,
        }),
        bot: false,
        computer: None,
    }
}

fn game(number: u128, ruleset: &str, ratings: [Option<i32>; 2], spectators: u32) -> LiveGame {
    LiveGame {
        game: GameId(Uuid::from_u128(number)),
        ruleset: ruleset.to_owned(),
        options: BTreeMap::new(),
        time_control: TimeControl {
            clock: Clock::Fischer {
                initial_ms: Millis(60_000),
                increment_ms: Millis(0),
            },
            absence_ms: None,
            setup_ms: None,
        },
        rated: false,
        players: BySeat {
            first: player(ratings[0]),
            second: player(ratings[1]),
        },
        ply: Ply(0),
        spectators,
        created_at: Millis(0),
    }
}

fn numbers(list: &LiveList, limit: usize, ruleset: &str) -> (Vec<u128>, usize) {
    let (games, total) = list.games_of(limit, |id| id.starts_with(ruleset));
    let numbers = games.iter().map(|game| game.game.0.as_u128());
    (numbers.collect(), total)
}

#[test]
fn the_highest_rated_come_first_then_the_most_watched_then_the_youngest() {
    let list = LiveList::default();
    for (number, ratings, spectators) in [
        (1, [None, None], 900),
        (2, [Some(2_700), None], 0),
        (3, [Some(1_500), Some(1_700)], 0),
        (4, [Some(1_800), Some(1_400)], 5),
        (5, [Some(1_600), Some(1_601)], 0),
        (6, [None, None], 0),
    ] {
        drop(list.enter(
            game(number, "xiangqi/standard", ratings, spectators),
            Millis(0),
        ));
    }
    let all = vec![5, 4, 3, 1, 6, 2];
    assert_eq!(numbers(&list, 10, "xiangqi/"), (all, 6));
    assert_eq!(numbers(&list, 2, "xiangqi/"), (vec![5, 4], 6));
    assert_eq!(numbers(&list, 2, "luzhanqi/"), (vec![], 0));
}

#[test]
fn a_game_whose_players_have_gone_comes_last_and_leaves_its_channel_after_a_minute() {
    let list = LiveList::default();
    let strong = game(1, "xiangqi/standard", [Some(2_000), Some(2_000)], 9);
    let strong = list.enter(strong, Millis(0));
    let weak = game(2, "xiangqi/standard", [Some(1_000), Some(1_000)], 0);
    let weak = list.enter(weak, Millis(0));
    let gone = |line: &Arc<LiveEntry>, since: Option<i64>, now: i64| {
        list.note(line, Ply(0), 0, since.map(Millis), Millis(now));
        list.look(Millis(now));
        (numbers(&list, 10, "").0, featured(&list, "xiangqi"))
    };
    assert_eq!(gone(&strong, None, 0), (vec![1, 2], Some(1)));
    assert_eq!(gone(&strong, Some(1_000), 1_000), (vec![2, 1], Some(1)));
    assert_eq!(gone(&strong, Some(1_000), 61_000), (vec![2, 1], Some(2)));
    assert_eq!(gone(&weak, Some(61_000), 121_000), (vec![1, 2], None));
    assert_eq!(gone(&strong, None, 122_000), (vec![1, 2], Some(1)));
}

#[test]
fn a_line_tells_what_its_room_has_noted_last_until_the_game_leaves() {
    let list = LiveList::default();
    let now = Millis(0);
    let line = list.enter(game(1, "xiangqi/standard", [None, None], 0), now);
    list.enter(game(2, "xiangqi/standard", [None, None], 1), now);
    assert_eq!(numbers(&list, 10, ""), (vec![2, 1], 2));
    list.note(&line, Ply(7), 3, None, now);
    assert_eq!(numbers(&list, 10, ""), (vec![1, 2], 2));
    let (games, _) = list.games_of(1, |_| true);
    assert_eq!((games[0].ply, games[0].spectators), (Ply(7), 3));
    list.leave(games[0].game, now);
    assert_eq!(numbers(&list, 10, ""), (vec![2], 1));
    // A stale line of a game that has left changes nothing.
    list.note(&line, Ply(8), 9, None, now);
    assert_eq!(numbers(&list, 10, ""), (vec![2], 1));
}

#[test]
fn i4_the_beginning_of_the_list_costs_no_look_at_the_rest_of_it() {
    let list = LiveList::default();
    for number in 0..3_000 {
        let ruleset = ["xiangqi/standard", "luzhanqi/referee"][number as usize % 2];
        let ratings = [Some(1_000 + number as i32), Some(1_500)];
        drop(list.enter(game(number, ruleset, ratings, 0), Millis(0)));
    }
    assert_eq!(numbers(&list, 3, ""), (vec![2_999, 2_998, 2_997], 3_000));
    let games = list.games.lock();
    let looked_at = std::cell::Cell::new(0);
    let lists = games.here.rulesets().map(|(_, ranked)| {
        let count = |_: &_| looked_at.set(looked_at.get() + 1);
        ranked.iter().inspect(count)
    });
    assert_eq!(first(lists, 3).len(), 3);
    assert_eq!(looked_at.get(), 6);
}

fn featured(list: &LiveList, kind: &str) -> Option<u128> {
    let mut channels = list.featured().into_iter();
    let channel = channels.find(|channel| channel.kind == kind).unwrap();
    channel.game.map(|game| game.game.0.as_u128())
}

#[test]
fn a_game_is_featured_of_each_kind_of_which_there_is_one() {
    let list = LiveList::default();
    let now = Millis(0);
    assert_eq!(featured(&list, "xiangqi"), None);
    let slow = LiveGame {
        time_control: TimeControl {
            clock: Clock::None,
            absence_ms: None,
            setup_ms: None,
        },
        ..game(1, "xiangqi/standard", [Some(2_000), Some(2_000)], 9)
    };
    list.enter(slow, now);
    assert_eq!(featured(&list, "xiangqi"), None, "nobody has to move in it");
    let mut following = list.follow("xiangqi").unwrap();
    list.enter(game(2, "xiangqi/standard", [None, None], 0), now);
    list.enter(
        game(3, "xiangqi/grunfeld", [Some(2_000), Some(2_000)], 9),
        now,
    );
    list.enter(game(4, "luzhanqi/referee", [None, None], 0), now);
    assert_eq!(
        (featured(&list, "xiangqi"), featured(&list, "luzhanqi")),
        (Some(2), Some(4))
    );
    assert!(following.has_changed().unwrap());
    list.leave(GameId(Uuid::from_u128(2)), now);
    assert_eq!(featured(&list, "xiangqi"), Some(3));
    assert_eq!(
        *following.borrow_and_update(),
        Some(GameId(Uuid::from_u128(3)))
    );
    list.leave(GameId(Uuid::from_u128(3)), now);
    assert_eq!(
        (featured(&list, "xiangqi"), featured(&list, "luzhanqi")),
        (None, Some(4))
    );
    assert!(list.follow("go").is_none());
}

#[test]
fn i5_two_who_do_not_move_hold_no_channel_while_others_play() {
    let list = LiveList::default();
    let minutes = |minutes: i64| Millis(minutes * 60_000);
    list.enter(game(1, "xiangqi/standard", [None, None], 50), minutes(0));
    list.look(minutes(60));
    assert_eq!(featured(&list, "xiangqi"), Some(1), "there is no other");
    let other = game(2, "xiangqi/standard", [None, None], 0);
    let other = list.enter(other, minutes(61));
    assert_eq!(featured(&list, "xiangqi"), Some(2));
    // The other one goes on, and stays.
    for minute in 62..70 {
        list.note(&other, Ply(minute), 0, None, minutes(minute.into()));
        list.look(minutes(minute.into()));
        assert_eq!(featured(&list, "xiangqi"), Some(2));
    }
}

const fn node(number: u128) -> Incarnation {
    Incarnation {
        node: Uuid::from_u128(number),
        number: 1,
    }
}

/// A program with its list and what others know of that.
#[derive(Default)]
struct Reporting {
    list: LiveList,
    report: LiveReport,
}

impl Reporting {
    /// Tells a list what has changed, as it travels. Comes back with its text.
    fn tells(&mut self, from: u128, other: &LiveList, now: Millis) -> String {
        let changes = self.report.update(self.list.best(), now);
        let written = serde_json::to_string(&changes).unwrap();
        let read = serde_json::from_str(&written).unwrap();
        other.hear(node(from), read, now);
        written
    }
}

#[test]
fn the_lists_of_all_programs_are_one_in_the_same_order() {
    let now = Millis(0);
    let mut there = Reporting::default();
    let here = LiveList::default();
    here.enter(game(1, "xiangqi/standard", [None, None], 5), now);
    let strong = [Some(1_500), Some(1_500)];
    let best = there
        .list
        .enter(game(2, "xiangqi/standard", strong, 0), now);
    let other = there
        .list
        .enter(game(3, "xiangqi/standard", [None, None], 2), now);
    there
        .list
        .enter(game(4, "luzhanqi/referee", [None, None], 9), now);
    there.tells(1, &here, now);
    assert_eq!(numbers(&here, 10, "xiangqi/"), (vec![2, 1, 3], 3));
    assert_eq!(numbers(&here, 2, ""), (vec![2, 4], 4));
    // What has not changed is not said again.
    there.list.note(&other, Ply(3), 7, None, Millis(1_000));
    let said = there.tells(1, &here, Millis(1_000));
    assert!(said.contains(&other.id().to_string()) && !said.contains(&best.id().to_string()));
    assert_eq!(numbers(&here, 10, "xiangqi/"), (vec![2, 3, 1], 3));
    let (games, _) = here.games_of(2, |_| true);
    assert_eq!(games.iter().find(|it| it.game == other.id()), None);
    let (games, _) = here.games_of(3, |id| id.starts_with("xiangqi/"));
    assert_eq!((games[1].ply, games[1].spectators), (Ply(3), 7));
    there.list.leave(best.id(), Millis(2_000));
    there.list.leave(GameId(Uuid::from_u128(4)), Millis(2_000));
    there.tells(1, &here, Millis(2_000));
    assert_eq!(numbers(&here, 10, ""), (vec![3, 1], 2));
    assert!(
        there
            .report
            .update(there.list.best(), Millis(2_000))
            .is_empty()
    );
    // After a loss everything is said again.
    here.forget_program(node(1), now);
    assert_eq!(numbers(&here, 10, ""), (vec![1], 1));
    here.hear(node(1), there.report.whole(now), now);
    assert_eq!(numbers(&here, 10, ""), (vec![3, 1], 2));
}

#[test]
fn a_game_that_two_programs_have_for_a_moment_is_listed_once() {
    let now = Millis(0);
    let [mut one, mut two] = [Reporting::default(), Reporting::default()];
    let here = LiveList::default();
    let moves = || game(1, "xiangqi/standard", [None, None], 0);
    one.list.enter(moves(), now);
    two.list.enter(moves(), now);
    two.list
        .enter(game(2, "xiangqi/standard", [None, None], 0), now);
    one.tells(1, &here, now);
    two.tells(2, &here, now);
    assert_eq!(numbers(&here, 10, ""), (vec![2, 1], 2));
    here.enter(moves(), now);
    assert_eq!(numbers(&here, 10, ""), (vec![2, 1], 2));
    here.forget(|_| true, now);
    here.forget_program(node(2), now);
    assert_eq!(numbers(&here, 10, ""), (vec![1], 1));
}

#[test]
fn what_is_said_does_not_grow_with_the_number_of_games() {
    let now = Millis(0);
    let mut there = Reporting::default();
    let here = LiveList::default();
    for number in 0..2_000 {
        let ratings = [Some(1_000 + number as i32), Some(1_500)];
        drop(
            there
                .list
                .enter(game(number, "xiangqi/standard", ratings, 0), now),
        );
    }
    // The featured one, which came first, is said though it is not among the best.
    assert_eq!(featured(&there.list, "xiangqi"), Some(0));
    there.tells(1, &here, now);
    let (best, total) = numbers(&here, 100, "");
    assert_eq!((best[0], best[99], total), (1_999, 1_900, 2_000));
    let (known, _) = numbers(&here, 2_000, "");
    assert_eq!((known.len(), known[100]), (101, 0));
    assert_eq!(featured(&here, "xiangqi"), Some(1_999));
}

#[test]
fn others_show_what_the_program_features_that_chooses() {
    let now = Millis(0);
    let mut there = Reporting::default();
    let here = LiveList::default();
    let own = here.enter(game(1, "xiangqi/standard", [None, None], 0), now);
    let strong = [Some(1_500), Some(1_500)];
    there
        .list
        .enter(game(2, "xiangqi/standard", strong, 0), now);
    there.tells(1, &here, now);
    // Nobody is torn away from a game, also for one of another program.
    assert_eq!(featured(&here, "xiangqi"), Some(1));
    let choice = Featured {
        game: GameId(Uuid::from_u128(2)),
        since: now,
    };
    let following = here.follow("xiangqi").unwrap();
    here.hear_choice(node(1), "xiangqi".to_owned(), Some(choice), now);
    assert_eq!(featured(&here, "xiangqi"), Some(1), "another one chooses");
    here.is_chosen_by(Some(node(1)), now);
    assert_eq!(featured(&here, "xiangqi"), Some(2));
    assert!(following.has_changed().unwrap());
    here.leave(own.id(), now);
    here.hear_choice(node(1), "xiangqi".to_owned(), None, now);
    assert_eq!(featured(&here, "xiangqi"), None);
    // Of a kind of which it has said nothing, and once it is gone, each chooses for itself.
    here.enter(game(3, "luzhanqi/referee", [None, None], 0), now);
    assert_eq!(featured(&here, "luzhanqi"), Some(3));
    here.enter(game(4, "xiangqi/standard", [None, None], 0), now);
    assert_eq!(featured(&here, "xiangqi"), None);
    here.forget_program(node(1), now);
    assert_eq!(featured(&here, "xiangqi"), Some(4));
}

#[test]
fn a_game_of_another_program_is_featured_and_gives_way_when_that_is_gone() {
    let minutes = |minutes: i64| Millis(minutes * 60_000);
    let mut there = Reporting::default();
    let here = LiveList::default();
    let entry = there
        .list
        .enter(game(2, "xiangqi/standard", [None, None], 0), minutes(0));
    there.tells(1, &here, minutes(0));
    assert_eq!(featured(&here, "xiangqi"), Some(2));
    here.enter(game(1, "xiangqi/standard", [None, None], 50), minutes(0));
    // It goes on there, and stays.
    there.list.note(&entry, Ply(1), 0, None, minutes(2));
    there.tells(1, &here, minutes(2));
    here.look(minutes(4));
    assert_eq!(featured(&here, "xiangqi"), Some(2));
    here.forget_program(node(1), minutes(4));
    assert_eq!(featured(&here, "xiangqi"), Some(1));
}
