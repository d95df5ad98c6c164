//! Texts of games, there and back.

use proptest::prelude::*;
use qiguan_protocol::{
    delay::SpectatorDelay,
    ids::{Epoch, GameId, Millis, Seq},
    time_control::Clock,
};
use qiguan_rules::xiangqi::notation::Notation;
use uuid::Uuid;

use super::{
    importing, reading::Reader, replaying::replay, spans, telling::tell, writing::write, *,
};
use crate::{
    audience::{self, Audience, snapshot::Snapshot},
    event::Body,
    referee::Command,
    seat_drafts::Drafts,
    state::State,
    testing::{RULESETS, Table, fischer},
};

/// A game's text as spectators get it.
fn told(state: &State, notation: Notation) -> GameText {
    let state = state.snapshot();
    let snapshot = Snapshot::of_record(state, Drafts::default(), Epoch(0), Millis(0));
    let events = audience::missed(&snapshot.state, Seq(0), Audience::Spectators);
    tell(
        &snapshot.view(),
        &events,
        notation,
        Some("https://example.org"),
    )
}

/// Games of every rule set that have ended, one way or the other.
fn games() -> Vec<State> {
    let ends = [
        Command::Resign,
        Command::OfferDraw,
        Command::Resign,
        Command::OfferDraw,
    ];
    let mut games = Vec::new();
    for (number, ruleset) in (0..).zip(RULESETS) {
        for (seed, end) in (10 * number..).zip(&ends) {
            let clock = if seed % 3 == 0 {
                Clock::None
            } else {
                fischer()
            };
            let id = GameId(Uuid::from_u128(u128::from(seed) + 1));
            let mut table = match seed % 4 {
                1 => Table::open_later(id, ruleset, clock, seed, SpectatorDelay::Plies(3)),
                2 => Table::open_later(id, ruleset, clock, seed, SpectatorDelay::Minutes(60)),
                _ => Table::open(id, ruleset, clock, seed),
            };
            table.plays(if seed % 2 == 0 { 41 } else { 100_000 });
            if table.state.ended.is_none() {
                table.does(2, end);
                if matches!(end, Command::OfferDraw) {
                    table.does(1, end);
                }
            }
            games.push(table.state);
        }
    }
    // From a position, of either side to move.
    let positions: [(&str, &[&str]); 3] = [
        ("xiangqi/standard", &["h3e3"]),
        ("xiangqi/standard", &["h3e3", "h10g8"]),
        ("doushouqi/booklet", &["a3a4"]),
    ];
    for (number, (ruleset, moves)) in (1_000..).zip(positions) {
        for plies in [0, 1, 2, 40] {
            let id = GameId(Uuid::from_u128(100 * number + plies));
            let mut table = Table::from_position(id, ruleset, moves, plies as u64);
            table.plays(plies as usize);
            table.does(2, &Command::Resign);
            games.push(table.state);
        }
    }
    games
}

fn only(text: &str) -> GameText {
    let games: Vec<_> = Reader::new(text).collect();
    assert_eq!(games.len(), 1, "{text}");
    games.into_iter().next().unwrap().unwrap()
}

#[test]
fn a_game_is_read_back_as_it_was_written_and_played_as_it_was_played() {
    for state in games() {
        for notation in Notation::ALL {
            let said = told(&state, notation);
            let text = write(&said);
            let again = only(&text);
            assert_eq!(again, said, "{text}");
            let replayed = replay(&again).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let moves: Vec<_> = state.moves.iter().map(|played| played.mv).collect();
            assert_eq!(replayed.moves, moves, "{text}");
            assert_eq!(replayed.game.fen(), state.game.fen());
            assert_eq!(replayed.outcome, state.ended.map(|(outcome, _)| outcome));
        }
    }
}

#[test]
fn what_is_imported_says_the_same_but_for_who_and_which_game() {
    for state in games() {
        let said = told(&state, Notation::Squares);
        let entry =
            importing::entry(&said).unwrap_or_else(|error| panic!("{error}\n{}", write(&said)));
        assert_eq!(
            importing::entry(&said).as_ref(),
            Ok(&entry),
            "the same each time"
        );
        let there = State::fold(entry.game, entry.events).unwrap();
        let again = told(&there, Notation::Squares);
        let tags = |text: &GameText| -> Vec<_> {
            let own = ["GameId", "EndDate", "EndTime"];
            let tags = text
                .tags
                .iter()
                .filter(|(name, _)| !own.contains(&name.as_str()));
            tags.cloned().collect()
        };
        assert_eq!(tags(&again), tags(&said));
        assert_eq!(
            (again.result, again.moves.len()),
            (said.result, said.moves.len())
        );
        for (again, said) in again.moves.iter().zip(&said.moves) {
            assert_eq!((&again.text, again.took), (&said.text, said.took));
        }
    }
}

#[test]
fn a_game_that_goes_on_hides_what_is_hidden() {
    let mut table = Table::open(
        GameId(Uuid::from_u128(1)),
        "luzhanqi/referee",
        Clock::None,
        3,
    );
    table.plays(20);
    let text = write(&told(&table.state, Notation::Squares));
    assert!(
        text.contains("RedCommitment") && text.ends_with("*\n\n"),
        "{text}"
    );
    let Some(setup) = table.state.log.iter().find_map(|event| match &event.body {
        Body::SetupBegan { draw, .. } => Some(draw.setups.0.first.text()),
        _ => None,
    }) else {
        panic!("no setup")
    };
    assert!(!text.contains(&setup) && !text.contains("Salt"), "{text}");
}

#[test]
fn errors_tell_where_they_are_and_the_next_game_is_read_all_the_same() {
    let text = "[Event \"one\"]\n[Event \"two\"]\n\n1. a3a4 *\n\n[Event \"good\"]\n\n1. a3a4 {why not} g7g6 *\n";
    let read: Vec<_> = Reader::new(text).collect();
    assert_eq!(read.len(), 2);
    assert_eq!(
        read[0].as_ref().unwrap_err().to_string(),
        "line 2, column 14: there are two tags of this name"
    );
    assert_eq!(read[1].as_ref().unwrap().moves.len(), 2);
    for (text, expected) in [
        ("[Event]", "line 1, column 7: a tag value must be in quotes"),
        (
            "[\"x\"]",
            "line 1, column 2: a tag name can only contain letters, digits and _",
        ),
        (
            "[A \"x]\n",
            "line 1, column 7: the tag's value has no closing quote",
        ),
        ("[A \"x\"\n1. a3a4 *", "line 2, column 1: a tag ends with ]"),
        (
            "1. a3a4",
            "line 1, column 8: the game has no result; write * for none",
        ),
        ("1. a3a4\n{never", "line 2, column 1: the comment has no }"),
        (
            "1. a3a4 (1. g3g4 *",
            "line 1, column 19: the variation has no )",
        ),
        (
            "(1. g3g4) *",
            "line 1, column 1: a variation stands behind the move that it replaces",
        ),
        (
            "1. a3a4 ) *",
            "line 1, column 9: expected a move, a comment or a result",
        ),
    ] {
        let read = Reader::new(text).next().unwrap();
        assert_eq!(read.unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn a_result_or_a_number_with_a_judgement_is_no_move() {
    let read = only("1. a3a4 g7g6 1-0\n");
    for result in ["2. 1-0", "2.1-0", "1-0!", "1-0?!", "2.? 1-0", "2... 1-0"] {
        assert_eq!(only(&format!("1. a3a4 g7g6 {result}\n")), read, "{result}");
    }
}

#[test]
fn what_does_not_follow_is_told() {
    let good = "[RuleSet \"doushouqi/booklet\"]\n\n1. a3a4 g7g6 1-0\n";
    assert!(replay(&only(good)).is_ok());
    for (from, to, expected) in [
        ("doushouqi/booklet", "chess", "tag RuleSet: "),
        ("a3a4", "a3a5", "move 1, a3a5: no piece can make this move"),
        (
            "g7g6",
            "x",
            "move 2, x: a move is from and to, such as a3a4",
        ),
        (
            "\n\n1.",
            "\n[Result \"0-1\"]\n\n1.",
            "tag Result: the moves end with another result",
        ),
        ("\n\n1.", "\n[Reason \"den\"]\n\n1.", "tag Reason"),
        (
            "\n\n1.",
            "\n[Reason \"tired\"]\n\n1.",
            "tag Reason: unknown reason",
        ),
        ("\n\n1.", "\n[Options \"x=1\"]\n\n1.", "tag Options, x: "),
        (
            "\n\n1.",
            "\n[SpectatorDelay \"16 plies\"]\n\n1.",
            "tag SpectatorDelay: spectator delay is 16 plies; allowed: 0 to 15",
        ),
        (
            "\n\n1.",
            "\n[SpectatorDelay \"a while\"]\n\n1.",
            "tag SpectatorDelay: expected",
        ),
    ] {
        let text = only(&good.replace(from, to));
        let refused = importing::entry(&text).map(|_| ()).unwrap_err();
        assert!(refused.starts_with(expected), "{to}: {refused}");
    }
}

#[test]
fn days_and_spans_are_read_back() {
    for (ms, day, time) in [
        (0, "1970.01.01", "0:00:00"),
        (951_782_400_000, "2000.02.29", "0:00:00"),
        (1_795_350_896_789, "2026.11.22", "12:34:56.789"),
        (253_402_300_799_999, "9999.12.31", "23:59:59.999"),
    ] {
        assert_eq!(spans::day(Millis(ms)), (day.to_owned(), time.to_owned()));
        assert_eq!(spans::read_day(day, time), Some(Millis(ms)));
    }
    for (day, time) in [
        ("2026.02.30", "0:00:00"),
        ("2026.13.01", "0:00:00"),
        ("2026.1.1", "0:00:00"),
        ("2026.01.01", "0:60:00"),
    ] {
        assert_eq!(spans::read_day(day, time), None, "{day} {time}");
    }
}

proptest! {
    #[test]
    fn whatever_is_said_is_read_back(
        tags in prop::collection::btree_map("[A-Za-z0-9_]{1,20}", "[^\n\r\\p{Cc}]{0,60}", 0..12),
        moves in prop::collection::vec(("[a-z][0-9]{1,2}[a-z][0-9]{1,2}|[CRH][1-9][=+-][1-9]|炮二平五|\\+\\+[=+-]1", prop::option::of(0..100_000_000_i64), prop::option::of(0..100_000_000_i64)), 0..30),
        result in prop::sample::select(ResultMark::ALL.to_vec()),
    ) {
        let moves = moves.into_iter().map(|(text, took, left)| WrittenMove { text, took: took.map(Millis), left: left.map(Millis) });
        let game = GameText { tags: tags.into_iter().collect(), moves: moves.collect(), result };
        let twice = write(&game) + &write(&game);
        let read: Vec<_> = Reader::new(&twice).collect();
        prop_assert_eq!(read, vec![Ok(game.clone()), Ok(game)]);
    }

    #[test]
    fn no_text_breaks_the_reader(text in "[\\[\\]{}()\"\\\\;%\n a-c0-9.*/=炮-]{0,200}") {
        let lines = text.lines().count() + 1;
        for read in Reader::new(&text) {
            match read {
                Ok(game) => { let _ = importing::entry(&game); }
                Err(error) => prop_assert!((1..=lines + 1).contains(&error.line) && error.column >= 1),
            }
        }
    }
}
