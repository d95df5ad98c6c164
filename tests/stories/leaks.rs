//! Nothing tells anybody what the rules keep from them: games of Luzhanqi over real sockets and over HTTP, every byte kept.
//!
//! The mass of games is played in-process, by the server's own leak tests (`server/src/room/leak_tests/`).

use std::sync::Arc;

use qiguan_protocol::{
    error::ErrorCode,
    event::GameEvent,
    setup::{Met, Removed},
    view::Position,
};
use qiguan_rules::Seat;
use qiguan_tests::{
    Client, Program, Seats, Start,
    client::command_id,
    game::command_data,
    random::Random,
    secrets::{FIRST, RULESETS, Reader, SECOND, a_game, before_the_end, random_setup},
};
use serde_json::{Value, json};

/// `SECOND` with the Field Marshal and the General, who take no part in [`MOVES`], in each other's place.
const SECOND_TWIN: &str = "xfcxe/elxcl/j1e1n/db1lk/n1g1m/cjbkd";
/// Moves that both twins can play with the same results. With the second the first seat's Field Marshal is lost.
const MOVES: [&str; 6] = ["a6a7", "a8a7", "e6e7", "e7e6", "c6c7", "b9b8"];

/// The two salts, as they were revealed.
fn salts(received: &[String]) -> Vec<String> {
    let revealed = received
        .iter()
        .find(|text| text.contains("\"type\":\"revealed\""));
    let value: Value = serde_json::from_str(revealed.expect("the game has ended")).unwrap();
    let salt = |seat: &str| {
        let salt = &value["event"]["setups"][seat]["salt"];
        salt.as_str().expect("a salt").to_owned()
    };
    vec![salt("first"), salt("second")]
}

/// Plays random moves, then gives up.
async fn random_moves(seats: &mut Seats, most: u32, random: &mut Random) {
    let game = seats.game;
    for ply in 1..=most {
        let mover = if ply % 2 == 1 {
            &mut seats.first
        } else {
            &mut seats.second
        };
        let view = mover.snapshot(game).await;
        let Some(legal) = view.position.legal.filter(|legal| !legal.is_empty()) else {
            break;
        };
        let mv = random.pick(&legal).to_string();
        mover.plays(game, ply, &mv).await.unwrap();
    }
    // It may have ended by itself.
    drop(seats.first.does(game, "resign", json!({})).await);
    for client in seats.both() {
        client.snapshot(game).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn e1_e6_forty_games_give_nobody_what_they_may_not_know() {
    let program = Arc::new(Start::default().for_machines().start().await);
    let mut games = Vec::new();
    for seed in 0..40 {
        let program = Arc::clone(&program);
        games.push(tokio::spawn(async move {
            let ruleset = RULESETS[seed as usize % 4];
            let mut random = Random::new(seed);
            let mut seats = Seats::setting_up(&program, &a_game(ruleset)).await;
            let game = seats.game;
            let mut spectator = Client::spectator(program.address()).await;
            spectator.watches(game).await;
            let mut own = Vec::new();
            for (client, seat) in seats.both().into_iter().zip(Seat::ALL) {
                let drawn = client.own_setup(&program, game).await;
                let setup = random_setup(seat, &mut random);
                client.sets_up(game, &setup).await.unwrap();
                own.push(vec![drawn, setup]);
            }
            seats.are_ready().await;
            seats.start().await;
            random_moves(&mut seats, 60, &mut random).await;
            spectator
                .event_where(game, |event| matches!(event, GameEvent::Revealed { .. }))
                .await;
            let salts = salts(&spectator.received);
            let Seats { first, second, .. } = &seats;
            let readers = [
                (Some(Seat::First), first),
                (Some(Seat::Second), second),
                (None, &spectator),
            ];
            for (seat, client) in readers {
                let mut secrets = salts.clone();
                for other in Seat::ALL.into_iter().filter(|other| Some(*other) != seat) {
                    secrets.extend_from_slice(&own[other.index()]);
                }
                let reader = Reader {
                    seat,
                    own: seat.map_or(&[], |seat| &own[seat.index()]),
                    secrets: &secrets,
                    flags: ruleset == "luzhanqi/modern",
                };
                let mut read = 0;
                for text in before_the_end(&client.received) {
                    reader.may_read(text);
                    assert!(
                        ruleset == "luzhanqi/showdown" || !text.contains("\"met\""),
                        "{text}"
                    );
                    read += 1;
                }
                assert!(read > 40, "{read} messages");
            }
        }));
    }
    for game in games {
        game.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn e6_what_met_is_shown_in_that_event_alone_and_only_where_the_rules_say_so() {
    let program = Program::start().await;
    for ruleset in RULESETS {
        let mut seats = Seats::begin_from(&program, ruleset, FIRST, SECOND).await;
        let game = seats.game;
        let mut spectator = Client::spectator(program.address()).await;
        spectator.watches(game).await;
        let wanted = [
            (
                Removed::Defender,
                Met {
                    attacker: 'M',
                    defender: 'c',
                },
            ),
            (
                Removed::Both,
                Met {
                    attacker: 'n',
                    defender: 'M',
                },
            ),
        ];
        for (ply, (result, pieces)) in (1..).zip(wanted) {
            seats.plays(ply, MOVES[ply as usize - 1]).await.unwrap();
            let shown = spectator
                .event_where(game, |event| matches!(event, GameEvent::Moved { .. }))
                .await;
            let GameEvent::Moved { removed, met, .. } = shown.event else {
                unreachable!()
            };
            assert_eq!(removed, Some(result));
            assert_eq!(
                met,
                (ruleset == "luzhanqi/showdown").then_some(pieces),
                "{ruleset}"
            );
            let fen = shown.position.unwrap().fen;
            let flag = ruleset == "luzhanqi/modern" && ply == 2;
            assert_eq!(fen.matches(|letter: char| letter.is_ascii_alphabetic() && !"Uuwb".contains(letter)).count(), usize::from(flag), "{fen}");
        }
    }
}

/// A text without what differs from game to game: ids, names, times, commitments. Presence comes when it comes.
fn without_chance(text: &str) -> Option<String> {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    let chance = matches!(
                        name.as_str(),
                        "game"
                            | "id"
                            | "name"
                            | "at"
                            | "until"
                            | "server_time"
                            | "created_at"
                            | "spent_ms"
                            | "lag_ms"
                            | "epoch"
                            | "left"
                            | "clocks"
                            | "commitments"
                            | "presence"
                            | "token"
                            | "re"
                    );
                    if chance && !value.is_object() {
                        *value = json!("…");
                    } else if chance {
                        // What is in it is chance, how much is not.
                        let length = value.as_object().map(serde_json::Map::len);
                        *value = json!(length);
                    } else {
                        strip(value);
                    }
                }
            }
            Value::Array(elements) => elements.iter_mut().for_each(strip),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let mut value: Value = serde_json::from_str(text).unwrap();
    if value["notice"]["type"] == "presence" || value["ok"]["server"].is_string() {
        return None;
    }
    strip(&mut value);
    // What is drawn for the reader is chance too.
    if let Some(setup) = value.pointer_mut("/event/setup") {
        *setup = json!("…");
    }
    Some(value.to_string())
}

/// What the opponent and a spectator are sent of a game between these setups, and what they read.
async fn seen_of(program: &Program, ruleset: &'static str, second: &str) -> [Vec<String>; 2] {
    let mut seats = Seats::begin_from(program, ruleset, FIRST, second).await;
    let game = seats.game;
    let mut spectator = Client::spectator(program.address()).await;
    spectator.watches(game).await;
    for (mv, ply) in MOVES.iter().zip(1..) {
        seats.plays(ply, mv).await.unwrap();
        seats.first.snapshot(game).await;
        spectator
            .event_where(game, |event| matches!(event, GameEvent::Moved { .. }))
            .await;
        spectator.snapshot(game).await;
    }
    let mut seen = [seats.first, spectator].map(|client| {
        let texts = client
            .received
            .iter()
            .filter_map(|text| without_chance(text));
        texts.collect::<Vec<_>>()
    });
    for path in ["", "/events", "/positions"] {
        let (_, read) = program.get(&format!("/api/games/{game}{path}")).await;
        seen[1].extend(without_chance(&read));
    }
    seen
}

#[tokio::test(flavor = "multi_thread")]
async fn e2_e3_twin_games_are_the_same_bytes_to_the_opponent_and_to_a_spectator() {
    let program = Start::default().for_machines().start().await;
    for ruleset in RULESETS {
        let one = seen_of(&program, ruleset, SECOND).await;
        let other = seen_of(&program, ruleset, SECOND_TWIN).await;
        for (one, other) in one.iter().zip(&other) {
            assert_eq!(one, other, "{ruleset}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn e4_a_list_of_moves_goes_to_the_player_on_the_move_alone_and_names_own_pieces() {
    let program = Start::default().for_machines().start().await;
    let mut seats = Seats::begin_from(&program, "luzhanqi/referee", FIRST, SECOND).await;
    let game = seats.game;
    let mut spectator = Client::spectator(program.address()).await;
    for (mv, ply) in MOVES.iter().zip(1..) {
        let [first, second] = seats.both();
        let mut lists = Vec::new();
        for client in [first, second, &mut spectator] {
            let snapshot = client.snapshot(game).await.position;
            assert_eq!(client.looks(&program, game).await.position, snapshot);
            lists.push(snapshot);
        }
        let mover = (ply as usize + 1) % 2;
        for (
            reader,
            Position {
                legal, banned, fen, ..
            },
        ) in lists.into_iter().enumerate()
        {
            assert_eq!(
                legal.is_some(),
                reader == mover,
                "ply {ply}, reader {reader}"
            );
            assert!(banned.is_empty() || reader == mover);
            let legal = legal.unwrap_or_default();
            let own = |square: &str| owner(&fen, square) == Some(Seat::ALL[mover]);
            let from =
                |text: &str| text[..=text[1..].find(char::is_alphabetic).unwrap()].to_owned();
            assert!(legal.iter().all(|mv| own(&from(mv.as_str()))));
            assert!(
                legal.is_sorted_by_key(|mv| mv.as_str().parse::<qiguan_rules::Move>().unwrap())
            );
        }
        seats.plays(ply, mv).await.unwrap();
    }
}

/// Whose piece stands on a square of a position.
fn owner(fen: &str, square: &str) -> Option<Seat> {
    let rank: usize = square[1..].parse().ok()?;
    let mut file = usize::from(square.as_bytes()[0] - b'a');
    for shown in fen.split(' ').next()?.split('/').nth(12 - rank)?.chars() {
        let width = shown.to_digit(10).map_or(1, |empty| empty as usize);
        if file < width {
            return match shown {
                _ if shown.is_ascii_digit() => None,
                _ if shown.is_ascii_uppercase() => Some(Seat::First),
                _ => Some(Seat::Second),
            };
        }
        file -= width;
    }
    None
}

#[tokio::test(flavor = "multi_thread")]
async fn e5_a_refusal_says_the_same_whatever_stands_there() {
    let program = Start::default().for_machines().start().await;
    let mut seats = Seats::begin_from(&program, "luzhanqi/referee", FIRST, SECOND).await;
    seats.play(1, &MOVES[..4]).await;
    let game = seats.game;
    let legal = seats.first.snapshot(game).await.position.legal.unwrap();
    let squares: Vec<String> = ('a'..='e')
        .flat_map(|file| (1..=12).map(move |rank| format!("{file}{rank}")))
        .collect();
    let pairs: Vec<String> = squares
        .iter()
        .flat_map(|from| squares.iter().map(move |to| format!("{from}{to}")))
        .filter(|mv| legal.iter().all(|legal| legal.as_str() != mv))
        .collect();
    assert!(pairs.len() > 3_500);
    let [first, second] = seats.both();
    for (client, code) in [
        (first, ErrorCode::IllegalMove),
        (second, ErrorCode::NotYourTurn),
    ] {
        let mut told = Vec::new();
        for some in pairs.chunks(64) {
            let mut asked = Vec::new();
            for mv in some {
                let data = command_data(game, command_id(), json!({"ply": 5, "move": mv}));
                asked.push((mv, client.sends("move", data).await));
            }
            for (mv, id) in asked {
                let error = client.answer(id).await.err().expect("a refusal");
                assert_eq!(error.code, code, "{mv}");
                told.push((error.message.replace(mv.as_str(), "…"), error.field));
            }
        }
        assert!(
            told.iter().all(|error| *error == told[0]),
            "one refusal for all of them"
        );
    }
    let after = seats.second.snapshot(game).await;
    assert_eq!(after.position.ply.0, 4, "nothing was played");
}
