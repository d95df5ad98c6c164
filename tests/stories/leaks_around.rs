//! The ways around a game of Luzhanqi on which a secret could get out: other addresses and identities, caches, the end, logs, time.

use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    event::{EventFrame, GameEvent},
    ids::{Cursor, GameId, Seq},
};
use qiguan_rules::Seat;
use qiguan_tests::{
    Client, Program, Seats, Start,
    game::done,
    http::Http,
    random::Random,
    secrets::{FIRST, Reader, SECOND, a_game, random_setup},
};
use reqwest::Method;
use serde_json::{Value, json};

/// Moves from [`FIRST`] and [`SECOND`]. With the second the first seat's Field Marshal is lost.
const MOVES: [&str; 6] = ["a6a7", "a8a7", "e6e7", "e7e6", "c6c7", "b9b8"];

/// Every address that can be read, those of a game among them.
async fn addresses(program: &Program, game: GameId) -> Vec<String> {
    let (_, document) = program.get("/api/openapi.json").await;
    let document: Value = serde_json::from_str(&document).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let readable = paths
        .iter()
        .filter(|(_, methods)| methods.get("get").is_some());
    let mut paths: Vec<String> = readable
        .map(|(path, _)| path.replace("{id}", &game.to_string()))
        .collect();
    let of_the_game = |path: &&String| path.contains(&game.to_string());
    assert!(paths.iter().filter(of_the_game).count() >= 3, "{paths:?}");
    let others = [
        "/metrics",
        "/",
        "/api/games?status=playing",
        "/api/games?ruleset=luzhanqi/referee",
    ];
    paths.extend(others.map(str::to_owned));
    paths.push(format!("/api/games/{game}/events?since=3"));
    paths.push(format!("/api/games/{game}/stream?as=me"));
    paths
}

#[tokio::test(flavor = "multi_thread")]
async fn e7_e9_every_address_tells_every_kind_of_visitor_what_they_may_know_and_nothing_is_kept_on_the_way()
 {
    let program = Start::default().for_machines().start().await;
    let mut seats = Seats::begin_from(&program, "luzhanqi/referee", FIRST, SECOND).await;
    let game = seats.game;
    let stranger = Client::guest(program.address()).await;
    seats.play(1, &MOVES[..4]).await;
    let paths = addresses(&program, game).await;
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
            if path.contains("/stream") {
                begins_with_what_may_be_known(&http, path, *seat, &own).await;
                continue;
            }
            let response = if path.ends_with("/preview.png") {
                http.picture(path).await
            } else {
                http.get(path).await
            };
            assert!(response.status < 500, "{path}: {response:?}");
            let mut known = seat.map_or_else(Vec::new, |seat| own[seat.index()].clone());
            if let (Some(seat), true) = (seat, path.ends_with("/events")) {
                // What was drawn at first stands in the seat's own event.
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
            // The page itself is the same for everybody, and has nothing of any game; so is the picture of what spectators see, where
            // there is one.
            let picture = path.ends_with("/preview.png") && response.status == 200;
            let same = path == "/" || picture;
            let kept = match path.as_str() {
                "/" => "no-cache",
                // HAProxy does not pass it on, and says so itself.
                "/metrics" if program.addresses().len() > 1 => "no-cache",
                "/api/preview.png" => "public, max-age=3600",
                _ if same => "public, max-age=10",
                _ => "no-store",
            };
            assert_eq!(header("cache-control").as_deref(), Some(kept), "{path}");
            assert_eq!(
                (
                    header("etag").filter(|_| !same),
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

/// A stream goes on as long as the game: what it begins with is everything until now.
async fn begins_with_what_may_be_known(
    http: &Http,
    path: &str,
    seat: Option<Seat>,
    own: &[Vec<String>; 2],
) {
    let mut stream = http.streams(path, &[]).await;
    assert_eq!(stream.header("cache-control"), "no-store", "{path}");
    if stream.status() != 200 {
        assert!([401, 403].contains(&stream.status()), "{path}");
        return;
    }
    // Without `as=me` nobody's identity matters.
    let seat = seat.filter(|_| path.ends_with("?as=me"));
    let known = seat.map_or_else(Vec::new, |seat| own[seat.index()].clone());
    let others = Seat::ALL.into_iter().filter(|other| Some(*other) != seat);
    let secrets: Vec<_> = others
        .flat_map(|other| own[other.index()].clone())
        .collect();
    let reader = Reader {
        seat,
        own: &known,
        secrets: &secrets,
        flags: false,
    };
    reader.may_read(&stream.message().await.to_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn e8_a_viewer_without_the_seat_s_identity_is_a_spectator() {
    let program = Program::start().await;
    let mut seats = Seats::begin_from(&program, "luzhanqi/referee", FIRST, SECOND).await;
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
    assert!(own.contains('K') && own != spectators_fen);
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
        let mut seats = Seats::begin_from(&program, "luzhanqi/referee", FIRST, SECOND).await;
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
    let mut seats = Seats::begin_from(&program, "luzhanqi/modern", FIRST, SECOND).await;
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
    // Its room panics with the move in its hands, and is made again.
    drop(seats.first.plays(game, 3, MOVES[2]).await);
    drop(seats.first.plays(game, 3, "a1a12").await);
    let metrics = program.metrics().await.concat();
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
