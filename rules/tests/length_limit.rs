//! The length limit: `data/length-limit.txt` has judged games for each rule set.

use std::collections::HashSet;

use crate::support::{data_lines, ruleset};
use qiguan_rules::{Game, Move, PlayError, RuleSet, Seat, outcome::LENGTH_LIMIT};

/// A line of the file.
struct Long {
    place: String,
    start: Game,
    moves: Vec<Move>,
    end: String,
}

fn moves(text: &str) -> Vec<Move> {
    let words = text.split_whitespace();
    words.map(|word| word.parse().expect(word)).collect()
}

fn read() -> Vec<Long> {
    let text = include_str!("data/length-limit.txt");
    let lines = data_lines("length-limit.txt", text).map(|(place, line)| {
        let fields: Vec<_> = line.split(';').map(str::trim).collect();
        let [id, options, start, first, second, last, end] = fields[..] else {
            panic!("{place}: it has seven fields");
        };
        let options: Vec<_> = options
            .split(' ')
            .map(|option| option.split_once('=').expect("name=value"))
            .collect();
        let ruleset = ruleset(id, &options);
        let start = Game::from_fen(&ruleset, start).expect(&place);
        let mut rounds = [
            moves(first).into_iter().cycle(),
            moves(second).into_iter().cycle(),
        ];
        let last = moves(last);
        let mut all = Vec::new();
        let mut turn = start.turn();
        while all.len() + last.len() < LENGTH_LIMIT as usize {
            all.extend(rounds[turn.index()].next());
            turn = turn.other();
        }
        all.extend(last);
        Long {
            place: format!("{place}: {id}"),
            start,
            moves: all,
            end: end.to_owned(),
        }
    });
    lines.collect()
}

fn end(game: &Game) -> Option<String> {
    let outcome = game.outcome()?;
    let winner = outcome.winner.map_or("draw", Seat::as_str);
    Some(format!("{winner} {}", outcome.reason.as_str()))
}

#[test]
fn a_game_of_two_thousand_plies_is_drawn_unless_it_ends_otherwise() {
    let games = read();
    for long in &games {
        let place = &long.place;
        let mut game = long.start.clone();
        for (mv, ply) in long.moves.iter().zip(1..) {
            assert_eq!(end(&game), None, "{place}: before ply {ply}");
            let after = game.after(*mv).expect(place).0;
            game.play(*mv).expect(place);
            assert_eq!(end(&after), end(&game), "{place}: ply {ply}");
        }
        assert_eq!(end(&game).as_ref(), Some(&long.end), "{place}");
        assert!(game.legal_moves().is_empty(), "{place}");
        assert!(game.banned_moves().is_empty(), "{place}");
        let beyond = game.play(long.moves[0]);
        assert_eq!(beyond, Err(PlayError::GameOver), "{place}");
    }
    let tried: HashSet<_> = games
        .iter()
        .filter(|long| long.end == "draw length_limit")
        .filter_map(|long| long.place.split(' ').nth(1))
        .collect();
    let all: HashSet<_> = RuleSet::ALL.iter().map(RuleSet::id).collect();
    assert_eq!(tried, all, "each rule set has a game");
}

#[test]
fn a_record_goes_on_past_the_limit_as_it_was_played() {
    for long in read().iter().filter(|long| long.end == "draw length_limit") {
        let place = &long.place;
        let mut recorded = long.start.clone();
        for mv in &long.moves {
            recorded.play_recorded(*mv).expect(place);
        }
        assert_eq!(end(&recorded), None, "{place}");
        assert!(!recorded.legal_moves().is_empty(), "{place}");
        let mv = recorded.legal_moves()[0];
        let on = recorded.after_recorded(mv).expect(place).0;
        assert_eq!((on.plies(), end(&on)), (LENGTH_LIMIT + 1, None), "{place}");
        // Played on by the rules, it ends with that ply.
        recorded.play(mv).expect(place);
        assert_eq!(end(&recorded).as_ref(), Some(&long.end), "{place}");
    }
}

#[test]
fn moves_that_are_not_judged_lead_to_the_same_positions() {
    for long in read() {
        let mut judged = long.start.clone();
        let mut unchecked = long.start.clone();
        for mv in &long.moves {
            let played = judged.play_recorded(*mv).expect(&long.place);
            assert_eq!(unchecked.play_unchecked(*mv), Some(played));
            assert_eq!(unchecked.fen(), judged.fen(), "{}", long.place);
            assert_eq!(unchecked.in_check(), judged.in_check(), "{}", long.place);
        }
        let nobody = "d5d6".parse().expect("a move");
        assert_eq!(unchecked.play_unchecked(nobody), None, "{}", long.place);
    }
}
