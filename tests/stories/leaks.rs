//! Nothing tells anybody what the rules keep from them: games of Luzhanqi over real sockets and over HTTP, every byte kept.
//!
//! The mass of games is played in-process, by the server's own leak tests (`server/src/room/leak_tests/`).

use std::sync::Arc;

use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    event::{EventFrame, GameEvent},
    ids::{Cursor, GameId, Seq},
    setup::{Met, Removed},
    view::Position,
};
use qiguan_rules::Seat;
use qiguan_tests::{
    Client, Program, Seats, Setup, Start,
    client::command_id,
    game::{command_data, done, fischer},
    http::Http,
    random::Random,
    secrets::{FIRST, RULESETS, Reader, SECOND, before_the_end, random_setup},
};
use reqwest::Method;
use serde_json::{Value, json};

/// `SECOND` with the Field Marshal and the General, who take no part in [`MOVES`], in each other's place.
const SECOND_TWIN: &str = "xfcxe/elxcl/j1e1n/db1lk/n1g1m/cjbkd";
/// Moves that both twins can play with the same results. With the second the first seat's Field Marshal is lost.
const MOVES: [&str; 6] = ["a6a7", "a8a7", "e6e7", "e7e6", "c6c7", "b9b8"];

fn a_game(ruleset: &'static str) -> Setup {
    Setup::default()
        .ruleset(ruleset)
        .time_control(fischer(600_000, 1_000))
}

async fn playing(program: &Program, ruleset: &'static str, first: &str, second: &str) -> Seats {
    let mut seats = Seats::setting_up(program, &a_game(ruleset)).await;
    let game = seats.game;
    seats.first.sets_up(game, first).await.unwrap();
    seats.second.sets_up(game, second).await.unwrap();
    seats.are_ready().await;
    seats.start().await;
    seats
}

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
        let mut seats = playing(&program, ruleset, FIRST, SECOND).await;
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
    let mut seats = playing(program, ruleset, FIRST, second).await;
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
    let mut seats = playing(&program, "luzhanqi/referee", FIRST, SECOND).await;
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
            assert_eq!(banned.is_some(), reader == mover);
            let legal = legal.unwrap_or_default();
            let own = |square: &str| owner(&fen, square) == Some(Seat::ALL[mover]);
            let from = |text: &str| {
                text[..text[1..].find(|c: char| c.is_alphabetic()).unwrap() + 1].to_owned()
            };
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
    let mut seats = playing(&program, "luzhanqi/referee", FIRST, SECOND).await;
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

#[tokio::test(flavor = "multi_thread")]
async fn e7_e9_every_address_tells_every_kind_of_visitor_what_they_may_know_and_nothing_is_kept_on_the_way()
 {
    let program = Start::default().for_machines().start().await;
    let mut seats = playing(&program, "luzhanqi/referee", FIRST, SECOND).await;
    let game = seats.game;
    let stranger = Client::guest(program.address()).await;
    seats.play(1, &MOVES[..4]).await;
    let (_, document) = program.get("/api/openapi.json").await;
    let document: Value = serde_json::from_str(&document).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let mut paths: Vec<String> = paths
        .iter()
        .filter(|(_, methods)| methods.get("get").is_some())
        .map(|(path, _)| path.replace("{id}", &game.to_string()))
        .collect();
    assert!(
        paths
            .iter()
            .filter(|path| path.contains(&game.to_string()))
            .count()
            >= 3,
        "{paths:?}"
    );
    paths.extend(
        [
            "/metrics",
            "/",
            "/api/games?status=playing",
            "/api/games?ruleset=luzhanqi/referee",
        ]
        .map(str::to_owned),
    );
    paths.push(format!("/api/games/{game}/events?since=3"));
    let own = [vec![FIRST.to_owned()], vec![SECOND.to_owned()]];
    let tokens = [
        (None, None),
        (Some(Seat::First), seats.first.token.clone()),
        (Some(Seat::Second), seats.second.token.clone()),
        (None, stranger.token.clone()),
    ];
    let mut drawn = Vec::new();
    for path in &paths {
        for (seat, token) in &tokens {
            let mut http = Http::nobody(&program);
            http.token.clone_from(token);
            let response = http.get(path).await;
            assert!(response.status < 500, "{path}: {response:?}");
            let mut known = seat.map_or_else(Vec::new, |seat| own[seat.index()].clone());
            if let (Some(seat), true) = (seat, path.ends_with("/events")) {
                // What was drawn at first stands in the own event.
                let began = &response.json()["events"][2]["event"]["setup"];
                drawn.push((*seat, began.as_str().unwrap().to_owned()));
            }
            known.extend(
                drawn
                    .iter()
                    .filter(|(of, _)| Some(*of) == *seat)
                    .map(|(_, text)| text.clone()),
            );
            let others = Seat::ALL.into_iter().filter(|other| Some(*other) != *seat);
            let secrets: Vec<_> = others
                .flat_map(|other| own[other.index()].clone())
                .collect();
            let reader = Reader {
                seat: *seat,
                own: &known,
                secrets: &secrets,
                flags: false,
            };
            reader.may_read(&response.text);
            let header = |name: &str| {
                response
                    .headers
                    .get(name)
                    .and_then(|value| value.to_str().ok())
                    .map(str::to_owned)
            };
            // The page itself is the same for everybody, and has nothing of any game.
            let kept = if path == "/" { "no-cache" } else { "no-store" };
            assert_eq!(header("cache-control").as_deref(), Some(kept), "{path}");
            assert_eq!(
                (
                    header("etag"),
                    header("last-modified"),
                    header("content-encoding")
                ),
                (None, None, None),
                "{path}"
            );

            // Neither a condition nor a range is a way to ask for less, or compression for how alike it is.
            if path.contains(&game.to_string()) {
                let headers = [
                    ("if-none-match", "*"),
                    ("range", "bytes=0-9"),
                    ("accept-encoding", "gzip, br"),
                ];
                let again = http.send(Method::GET, path, &headers, None).await;
                assert_eq!(
                    (again.status, again.text.len()),
                    (response.status, response.text.len()),
                    "{path}"
                );
                assert!(again.headers.get("content-encoding").is_none());
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn e8_whoever_looks_without_the_seat_s_identity_is_a_spectator() {
    let program = Program::start().await;
    let mut seats = playing(&program, "luzhanqi/referee", FIRST, SECOND).await;
    let game = seats.game;
    seats.play(1, &MOVES[..2]).await;
    let spectators_fen = Client::spectator(program.address())
        .await
        .snapshot_fen(game)
        .await;
    assert!(!spectators_fen.contains(|letter: char| "MGDBKJCLENXFmgdjklcenxf".contains(letter)));

    // The same person with a second account, and in a window without identity.
    let mut second_account = Client::guest(program.address()).await;
    assert_eq!(second_account.snapshot_fen(game).await, spectators_fen);
    // A player leaves, looks on without identity, and comes back: each connection has the view of its identity alone.
    let mut back = seats.first.again(program.address()).await;
    let own = back.snapshot_fen(game).await;
    assert!(own.contains("K") && own != spectators_fen);
    back.asks("unwatch", json!({"game": game})).await;
    assert_eq!(back.snapshot_fen(game).await, own);
    let Seats {
        first, mut second, ..
    } = seats;
    first.leaves().await;
    assert_eq!(
        Client::spectator(program.address())
            .await
            .snapshot_fen(game)
            .await,
        spectators_fen
    );
    // A connection that has said who it is can't become somebody else.
    let refused = back.request("hello", json!({"token": second.token})).await;
    assert_eq!(refused.err().unwrap().code, ErrorCode::BadRequest);
    assert_eq!(back.snapshot_fen(game).await, own);
    // The opponent's token gives the opponent's view, in which nothing of this side is.
    let theirs = second.snapshot_fen(game).await;
    assert!(
        !theirs.contains(|letter: char| "MGDBKJCLENXF".contains(letter)),
        "{theirs}"
    );
    // Over HTTP a token that is not known is refused, not taken for a spectator with a past.
    let mut http = Http::nobody(&program);
    http.token = Some(qiguan_protocol::ids::Token::new("nobody's"));
    assert!(http.get(&format!("/api/games/{game}")).await.status == 401);
}

trait Looks {
    async fn snapshot_fen(&mut self, game: GameId) -> String;
}

impl Looks for Client {
    async fn snapshot_fen(&mut self, game: GameId) -> String {
        self.snapshot(game).await.position.fen
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn e10_the_setups_are_shown_by_an_event_of_their_own_after_the_end() {
    let program = Program::start().await;
    for (kind, moves) in [("resign", 2), ("abort", 1)] {
        let mut seats = playing(&program, "luzhanqi/referee", FIRST, SECOND).await;
        let game = seats.game;
        let mut spectator = Client::spectator(program.address()).await;
        spectator.watches(game).await;
        seats.play(1, &MOVES[..moves]).await;
        done(seats.first.does(game, kind, json!({})).await).unwrap();
        for client in [&mut spectator, &mut seats.second] {
            let ended = client
                .event_where(game, |event| matches!(event, GameEvent::Ended { .. }))
                .await;
            let fen = ended.position.unwrap().fen;
            assert!(fen.contains('U'), "the end itself shows nothing: {fen}");
            let EventFrame {
                event,
                seq,
                position,
                ..
            } = client.event(game).await;
            assert!(matches!(event, GameEvent::Revealed { .. }) && seq == ended.seq.next());
            assert!(!position.unwrap().fen.contains(['U', 'u']));
        }
        // Resumed before the end, the same in the same order; a rematch knows nothing of it.
        let cursor = Cursor {
            seq: Seq(5),
            ..spectator.cursors[&game]
        };
        let Answer::Missed { events, .. } = spectator
            .asks("watch", json!({"game": game, "since": cursor}))
            .await
        else {
            panic!("not resumed")
        };
        let kinds: Vec<_> = events
            .iter()
            .rev()
            .take(2)
            .map(|frame| &frame.event)
            .collect();
        assert!(matches!(
            kinds[..],
            [GameEvent::Revealed { .. }, GameEvent::Ended { .. }]
        ));
        done(seats.second.does(game, "rematch", json!({})).await).unwrap();
        done(seats.first.does(game, "rematch", json!({})).await).unwrap();
        let next = seats.first.looks(&program, game).await.next.unwrap();
        let mut http = Http::nobody(&program);
        for token in [None, seats.first.token.clone(), seats.second.token.clone()] {
            http.token = token;
            for path in ["", "/events", "/positions"] {
                let read = http.get(&format!("/api/games/{next}{path}")).await.text;
                assert!(
                    !read.contains(FIRST) && !read.contains(SECOND) && !read.contains("salt"),
                    "{read}"
                );
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn e11_a_flag_is_shown_from_the_loss_of_the_marshal_on_in_every_path() {
    let program = Start::default().for_machines().start().await;
    let mut seats = playing(&program, "luzhanqi/modern", FIRST, SECOND).await;
    let game = seats.game;
    let mut spectator = Client::spectator(program.address()).await;
    spectator.watches(game).await;
    let mut lost_at = None;
    for (mv, ply) in MOVES.iter().zip(1..) {
        seats.plays(ply, mv).await.unwrap();
        let shown = spectator
            .event_where(game, |event| matches!(event, GameEvent::Moved { .. }))
            .await;
        let fen = shown.position.unwrap().fen;
        assert_eq!(fen.contains("/UUUFU "), ply >= 2, "ply {ply}: {fen}");
        if ply == 2 {
            lost_at = Some(shown.seq);
        }
        let [first, second] = seats.both();
        for (client, own) in [(first, true), (second, false), (&mut spectator, false)] {
            let snapshot = client.snapshot(game).await.position.fen;
            assert_eq!(snapshot.contains('F'), own || ply >= 2, "{snapshot}");
            assert!(!snapshot.starts_with("uf"), "the other Marshal is there");
        }
    }
    // Resumed from each number, before the loss and after: the position of now, and no event that tells more.
    let end = spectator.cursors[&game];
    for seq in 1..=end.seq.0 {
        let since = Cursor {
            seq: Seq(seq),
            ..end
        };
        for client in [&mut spectator, &mut seats.second] {
            let answer = client
                .asks("watch", json!({"game": game, "since": since}))
                .await;
            let Answer::Missed { live, events, .. } = answer else {
                panic!("not resumed")
            };
            assert!(live.position.fen.contains("/UUUFU "));
            assert!(events.iter().all(|event| event.position.is_none()));
        }
    }
    assert!(lost_at.is_some_and(|lost| lost < end.seq));
    let (_, positions) = program.get(&format!("/api/games/{game}/positions")).await;
    let positions: qiguan_protocol::view::Positions = serde_json::from_str(&positions).unwrap();
    for position in positions.positions {
        assert_eq!(
            position.fen.contains('F'),
            position.ply.0 >= 2,
            "{}",
            position.fen
        );
    }
    let program = program.kill().await.restart().await;
    let fen = Client::spectator(program.address())
        .await
        .snapshot_fen(game)
        .await;
    assert!(
        fen.contains("/UUUFU ") && !fen.starts_with("uf"),
        "after a restart as well: {fen}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn e12_no_setup_no_salt_and_no_notes_are_in_a_log_or_a_metric() {
    const NOTES: &str = "my notes are mine";
    let start = Start::default()
        .with("--log", "trace")
        .faults("apply/move=panic@3");
    let program = start.start().await;
    let mut seats = Seats::setting_up(&program, &a_game("luzhanqi/showdown")).await;
    let game = seats.game;
    let mut secrets = vec![NOTES.to_owned(), FIRST.to_owned(), SECOND.to_owned()];
    for client in seats.both() {
        secrets.push(client.own_setup(&program, game).await);
    }
    seats.first.sets_up(game, FIRST).await.unwrap();
    seats.second.sets_up(game, SECOND).await.unwrap();
    let wrong = FIRST.replace("MKBJC", "MKBJM");
    seats.first.may_not_set_up(game, &wrong).await;
    secrets.push(wrong);
    seats.first.notes(game, NOTES).await.unwrap();
    seats.are_ready().await;
    seats.start().await;
    seats.play(1, &MOVES[..2]).await;
    // Its room panics with the move in its hands, and is made anew.
    drop(seats.first.plays(game, 3, MOVES[2]).await);
    drop(seats.first.plays(game, 3, "a1a12").await);
    let (_, metrics) = program.get("/metrics").await;
    done(seats.first.does(game, "resign", json!({})).await).unwrap();
    let revealed = seats
        .second
        .event_where(game, |event| matches!(event, GameEvent::Revealed { .. }))
        .await;
    let GameEvent::Revealed { setups } = revealed.event else {
        unreachable!()
    };
    secrets.extend([setups.first.salt, setups.second.salt]);
    // Another one starts on the record, and reads it.
    let program = program.kill().await.restart().await;
    seats.first.looks(&program, game).await;
    let log = program.log();
    assert!(
        log.contains("ready") && log.contains("panic"),
        "the log was read"
    );
    for secret in &secrets {
        assert!(!log.contains(secret.as_str()), "{secret} is in the log");
        assert!(
            !metrics.contains(secret.as_str()),
            "{secret} is in the metrics"
        );
    }
    for rank in FIRST.split('/').chain(SECOND.split('/')) {
        assert!(
            !log.contains(&format!("/{rank}")) && !log.contains(&format!("{rank}/")),
            "{rank} is in the log"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn e13_setting_up_is_one_bit_sent_once_however_long_somebody_thinks_about_it() {
    let program = Start::default().for_machines().start().await;
    let mut counts = Vec::new();
    for changes in [0, 1, 50] {
        let mut seats = Seats::setting_up(&program, &a_game("luzhanqi/referee")).await;
        let game = seats.game;
        let mut spectator = Client::spectator(program.address()).await;
        spectator.watches(game).await;
        let mut random = Random::new(changes);
        for _ in 0..changes {
            let setup = random_setup(Seat::First, &mut random);
            seats.first.sets_up(game, &setup).await.unwrap();
            seats.first.notes(game, &setup).await.unwrap();
        }
        done(seats.first.does(game, "ready", json!({})).await).unwrap();
        let sizes = [&mut seats.second, &mut spectator].map(|client| async {
            let ready = |event: &GameEvent| matches!(event, GameEvent::SetupReady { .. });
            client.event_where(game, ready).await;
            let events = client
                .received
                .iter()
                .filter(|text| text.contains("\"event\""));
            let texts: Vec<_> = events
                .filter(|text| !text.contains("\"re\""))
                .cloned()
                .collect();
            assert!(texts.last().unwrap().contains("\"setup_ready\""));
            texts.iter().map(String::len).collect::<Vec<_>>()
        });
        let [second, spectator] = sizes;
        counts.push((second.await.last().copied(), spectator.await));
    }
    assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
}
