//! Something of everything that a record can hold, played through the doors that everybody uses.

use qiguan_protocol::{
    answer::Answer,
    event::GameEvent,
    ids::{GameId, PlayerId, Token},
    report::ReportPage,
};
use qiguan_tests::{
    Client, Program, Seats, Setup,
    account::PASSWORD,
    client::command_id,
    command::run,
    game::{command_data, fischer},
    http::Http,
    lobby::{paired, seek_data, state},
    secrets::{FIRST, SECOND},
    sharing::has_shared,
    waiting::eventually,
};
use reqwest::Method;
use serde_json::{Value, json};

/// Whom and what the record has, for those who open it later.
pub(super) struct Cast {
    /// Accounts by name.
    pub(super) players: Vec<(&'static str, PlayerId)>,
    /// The token of a program that plays as a bot.
    pub(super) bot: Token,
    /// Every game.
    pub(super) games: Vec<GameId>,
    /// A rated game between Anna and Bodo under way, Anna to move at ply 3.
    pub(super) running: GameId,
    /// A game of Luzhanqi that Anna and Bodo set up.
    pub(super) setting_up: GameId,
}

/// The people.
struct People {
    anna: Http,
    bodo: Http,
    clara: Http,
    chief: Http,
    judge: Http,
}

fn untimed(ruleset: &'static str) -> Setup {
    Setup::default()
        .ruleset(ruleset)
        .time_control(json!({"clock": {"type": "none"}}))
}

/// Fills an empty record.
pub(super) async fn happens(program: &Program) -> Cast {
    let people = People {
        anna: Http::registered(program, "Anna").await,
        bodo: Http::registered(program, "Bodo").await,
        clara: Http::registered(program, "Clara").await,
        chief: Http::admin(program, "Chief").await,
        judge: Http::moderator(program, "Solomon").await,
    };
    let bot = a_bot(program).await;
    let mut games = rated(program, &people).await;
    games.extend(dou_shou_qi(program, &people).await);
    games.push(xiangqi(program, &people).await);
    is_reviewed(&people.clara, games[games.len() - 1]).await;
    games.push(luzhanqi(program, &people).await);
    games.extend(lobby(program, &people, &bot).await);
    disputes(program, &people, games[0]).await;

    // Nobody is charged for the years between.
    let setup = Setup::rated().time_control(fischer(600_000, 0));
    let mut seats = sit(program, &people, &setup).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    let running = seats.game;
    does(&mut seats.second, running, "offer_draw", json!({})).await;
    let setting_up = setting_up(program, &people).await;
    games.extend([running, setting_up]);
    // How games begin is counted a little later.
    eventually("games are counted", async || {
        let path = "/api/openings?ruleset=doushouqi/booklet";
        let opening = people.anna.get(path).await.json();
        (opening["results"]["games"] == json!(2)).then_some(())
    })
    .await;
    announces(&people).await;
    let mut players = Vec::new();
    for (name, http) in [
        ("Anna", &people.anna),
        ("Bodo", &people.bodo),
        ("Clara", &people.clara),
        ("Chief", &people.chief),
        ("Solomon", &people.judge),
        ("Robot", &bot),
    ] {
        players.push((name, http.id().await));
    }
    Cast {
        players,
        bot: bot.token.expect("a token"),
        games,
        running,
        setting_up,
    }
}

async fn done(http: &Http, method: Method, path: &str, body: Value) {
    let body = (!body.is_null()).then(|| body.to_string());
    let response = http.send(method, path, &[], body).await;
    assert!(response.status < 300, "{path}: {response:?}");
}

async fn does(client: &mut Client, game: GameId, kind: &str, extra: Value) {
    client.does(game, kind, extra).await.expect(kind);
}

async fn sit(program: &Program, people: &People, setup: &Setup) -> Seats {
    let first = people.anna.socket(program).await;
    let second = people.bodo.socket(program).await;
    Seats::sit(first, second, setup).await
}

/// An account of a bot with a token for ever; another program may read alone, for a while.
async fn a_bot(program: &Program) -> Http {
    let robot = Http::registered(program, "Robot").await;
    done(&robot, Method::POST, "/api/account/bot", Value::Null).await;
    let robot = robot.signs_in("Robot").await;
    let reads = json!({"name": "reads", "scopes": ["read"], "days": 30});
    done(&robot, Method::POST, "/api/account/tokens", reads).await;
    robot.issues(&["bot"]).await
}

/// Rated games: one that counts, a rematch, one whose result is withdrawn, one that a moderator ends.
async fn rated(program: &Program, people: &People) -> Vec<GameId> {
    let setup = Setup::rated();
    let mut games = Vec::new();
    let mut seats = sit(program, people, &setup).await;
    let game = seats.game;
    seats.play(1, &["a3a4", "g7g6", "a4a5", "g6g5"]).await;
    let hello = json!({"text": "good luck 你好"});
    does(&mut seats.first, game, "chat", hello).await;
    let rude = json!({"text": "you will need it"});
    does(&mut seats.second, game, "chat", rude).await;
    does(&mut seats.second, game, "resign", json!({})).await;
    games.push(game);
    does(&mut seats.first, game, "rematch", json!({})).await;
    seats.second.does(game, "rematch", json!({})).await.unwrap();
    let found = people.anna.get("/api/games?status=playing").await.json();
    let again: GameId = serde_json::from_value(found["games"][0]["game"].clone()).unwrap();
    does(&mut seats.second, again, "abort", json!({})).await;
    games.push(again);

    let mut seats = sit(program, people, &setup).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    let withdrawn = seats.game;
    does(&mut seats.first, withdrawn, "resign", json!({})).await;
    let why = json!({"reason": "played for them by a friend"});
    let path = format!("/api/games/{withdrawn}/withdraw");
    done(&people.judge, Method::POST, &path, why).await;

    let mut seats = sit(program, people, &setup).await;
    let judged = seats.game;
    seats.play(1, &["a3a4", "g7g6", "a4a5"]).await;
    let how = json!({"command": command_id(), "result": "second", "reason": "stalls"});
    let path = format!("/api/games/{judged}/adjudicate");
    done(&people.judge, Method::POST, &path, how).await;
    games.extend([withdrawn, judged]);
    games
}

/// Games of Dou Shou Qi: two that the openings count, one of other options that a flag ends, one by link, one that nobody joins.
async fn dou_shou_qi(program: &Program, people: &People) -> Vec<GameId> {
    let booklet = Setup::default().ruleset("doushouqi/booklet");
    let mut games = Vec::new();
    let mut seats = sit(program, people, &booklet).await;
    seats.play(1, &["a3a4", "g7g6", "a4a5"]).await;
    does(&mut seats.first, seats.game, "resign", json!({})).await;
    games.push(seats.game);
    let mut seats = Seats::begin_with(program, &booklet).await;
    seats.play(1, &["a3a4", "a7a6"]).await;
    does(&mut seats.second, seats.game, "offer_draw", json!({})).await;
    does(&mut seats.first, seats.game, "offer_draw", json!({})).await;
    games.push(seats.game);

    let hurried = Setup {
        options: json!({"quiet_limit": 0}),
        ..Setup::default().time_control(fischer(1_000, 0))
    };
    let mut seats = sit(program, people, &hurried).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    let ended = |event: &GameEvent| matches!(event, GameEvent::Ended { .. });
    seats.second.event_where(seats.game, ended).await;
    games.push(seats.game);

    let by_link = Setup {
        visibility: "link",
        ..Setup::default()
    };
    games.push(people.clara.opens(&by_link).await);
    games.push(people.clara.opens(&Setup::default()).await);
    games
}

/// A game of Xiangqi with a byoyomi clock, which spectators see later and talk about: drawn at the second offer.
async fn xiangqi(program: &Program, people: &People) -> GameId {
    let clock = json!({"clock": {"type": "byoyomi", "main_ms": 600_000, "period_ms": 30_000, "periods": 3}});
    let setup = Setup {
        spectator_delay: json!({"plies": 2}),
        ..Setup::default()
            .ruleset("xiangqi/standard")
            .time_control(clock)
    };
    let mut seats = sit(program, people, &setup).await;
    let game = seats.game;
    let path = format!("/api/games/{game}/spectator_chat");
    let said = json!({"command": command_id(), "text": "a cannon opening 炮二平五"});
    done(&people.clara, Method::POST, &path, said).await;
    seats.play(1, &["h3e3", "h10g8", "h1g3", "i10h10"]).await;
    for answer in ["decline_draw", "accept_draw"] {
        does(&mut seats.second, game, "offer_draw", json!({})).await;
        let offered = |event: &GameEvent| matches!(event, GameEvent::DrawOffered { .. });
        let offer = seats.first.event_where(game, offered).await.seq;
        does(&mut seats.first, game, answer, json!({"offer": offer})).await;
        if answer == "decline_draw" {
            seats.play(5, &["i1h1", "g7g6"]).await;
        }
    }
    game
}

/// Has a game that is over reviewed.
async fn is_reviewed(http: &Http, game: GameId) {
    let path = format!("/api/games/{game}/review");
    let mut review = http.post(&path, None).await.json();
    while review["complete"] != json!(true) {
        let reviewed = review["reviewed"].as_u64().expect("a review");
        let more = format!("{path}?after={reviewed}");
        review = http.get(&more).await.json();
    }
}

/// A game of Luzhanqi with a fight in it, which Anna gives up: both setups are revealed.
async fn luzhanqi(program: &Program, people: &People) -> GameId {
    let setup = untimed("luzhanqi/showdown");
    let game = people.anna.opens(&setup).await;
    let mut seats = Seats {
        game,
        first: people.anna.socket(program).await,
        second: people.bodo.socket(program).await,
    };
    seats.second.watches(game).await;
    seats.first.watches(game).await;
    does(&mut seats.second, game, "join", json!({})).await;
    seats.first.sets_up(game, FIRST).await.unwrap();
    seats.second.sets_up(game, SECOND).await.unwrap();
    seats.are_ready().await;
    seats.start().await;
    seats.play(1, &["a6a7"]).await;
    seats.second.notes(game, "a6 was strong").await.unwrap();
    does(&mut seats.first, game, "resign", json!({})).await;
    game
}

/// A game of a seek and one of a pool with a bot in it, a challenge that waits and one that is declined.
async fn lobby(program: &Program, people: &People, bot: &Http) -> Vec<GameId> {
    let mut games = Vec::new();
    let seek = seek_data(command_id());
    let placed = people.anna.post("/api/lobby/seeks", Some(&seek)).await;
    let (seek, _) = state(Ok(placed.parsed())).unwrap();
    let accept = json!({"command": command_id()});
    let path = format!("/api/lobby/seeks/{seek}/accept");
    let accepted = people.clara.post(&path, Some(&accept)).await;
    let game = paired(Ok(accepted.parsed())).unwrap();
    let mut clara = people.clara.socket(program).await;
    does(&mut clara, game, "abort", json!({})).await;
    games.push(game);
    for (name, declined) in [("Clara", false), ("Bodo", true)] {
        let challenge = json!({
            "command": command_id(), "ruleset": "xiangqi/standard", "time_control": fischer(600_000, 0),
            "seat": "second", "to": name,
        });
        let opened = people.anna.post("/api/games", Some(&challenge)).await;
        let Answer::Created { game } = opened.parsed() else {
            panic!("{opened:?}")
        };
        if declined {
            let declines = people.bodo.does(game, "decline", json!({})).await;
            assert_eq!(declines.status, 200, "{declines:?}");
        }
        games.push(game);
    }
    let game = bot.opens(&Setup::default()).await;
    let guest = Http::guest(program).await;
    assert_eq!(guest.does(game, "join", json!({})).await.status, 200);
    let moves = json!({"ply": 1, "move": "a3a4"});
    assert_eq!(bot.does(game, "move", moves).await.status, 200);
    assert_eq!(bot.does(game, "resign", json!({})).await.status, 200);
    games.push(game);
    games
}

/// Blocks, reports, sanctions, another name, another role, and an account that was deleted.
async fn disputes(program: &Program, people: &People, game: GameId) {
    let rude = Http::registered(program, "Rude").await;
    let id = rude.id().await;
    let path = format!("/api/account/blocks/{id}");
    done(&people.anna, Method::PUT, &path, Value::Null).await;
    let bodo = people.bodo.id().await;
    for report in [
        json!({"player": bodo, "game": game, "seq": 9, "reason": "chat", "text": "rude\nand loud"}),
        json!({"player": id, "reason": "name"}),
    ] {
        done(&people.anna, Method::POST, "/api/reports", report).await;
    }
    let page: ReportPage = people.judge.get("/api/reports").await.parsed();
    let report = page.reports.iter().find(|open| open.player == id).unwrap();
    let report = serde_json::to_value(report.report).unwrap();
    let path = format!("/api/reports/{}/close", report.as_str().unwrap());
    let upheld = json!({"outcome": "upheld", "reason": "it is"});
    done(&people.judge, Method::POST, &path, upheld).await;
    for sanction in ["mute", "limit", "ban"] {
        let path = format!("/api/players/{id}/{sanction}");
        let why = json!({"reason": "again and again"});
        done(&people.judge, Method::POST, &path, why).await;
    }
    let path = format!("/api/players/{id}/name");
    let other = json!({"name": "Polite", "reason": "nobody should have to read it"});
    done(&people.judge, Method::PUT, &path, other).await;

    let helper = Http::registered(program, "Helper").await;
    let path = format!("/api/players/{}/role", helper.id().await);
    let promoted = json!({"role": "moderator", "reason": "helps"});
    done(&people.chief, Method::PUT, &path, promoted).await;
    let url = program.database().url();
    run(&[
        &"admin",
        &"mute",
        &"Helper",
        &"by hand",
        &"--database",
        &url,
    ])
    .await
    .well();
    let leaves = Http::registered(program, "Quintilian").await;
    let password = json!({"password": PASSWORD});
    done(&leaves, Method::POST, "/api/account/delete", password).await;
    let follow = format!("/api/account/following/{}", people.clara.id().await);
    done(&people.anna, Method::PUT, &follow, Value::Null).await;
    let hides = json!({"shown": false});
    done(&people.clara, Method::PUT, "/api/account/presence", hides).await;
    let likes =
        json!({"version": 0, "settings": {"theme": "dark", "boards": {"xiangqi": "slate"}}});
    done(&people.anna, Method::PUT, "/api/account/settings", likes).await;
    puzzle_of_the_day(&people.anna).await;
    has_shared(&people.anna, "中炮").await;
    let setup = json!({"setup": FIRST});
    done(&people.anna, Method::PUT, "/api/setups/%E6%94%BB", setup).await;
    let owner = json!({"password": PASSWORD});
    let codes = people
        .anna
        .post("/api/account/recovery_codes", Some(&owner));
    assert_eq!(codes.await.status, 201);
    // A point of the curve that belongs to nobody, at a host that there is not.
    let device = json!({
        "endpoint": "https://push.example.net/anna",
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg", "language": "de", "kinds": {"turns": false, "challenges": false, "pairings": true},
    });
    done(&people.anna, Method::PUT, "/api/account/push", device).await;
    let mut spectator = Client::spectator(program.address()).await;
    spectator.watches(game).await;
    let said = command_data(game, command_id(), json!({"text": "well played"}));
    let mut clara = people.clara.socket(program).await;
    clara.asks("spectator_chat", said).await;
}

/// Anna has set up and noted something, and is ready; Bodo has set up.
async fn setting_up(program: &Program, people: &People) -> GameId {
    let game = people.anna.opens(&untimed("luzhanqi/referee")).await;
    let mut anna = people.anna.socket(program).await;
    let mut bodo = people.bodo.socket(program).await;
    does(&mut bodo, game, "join", json!({})).await;
    anna.sets_up(game, FIRST).await.unwrap();
    anna.notes(game, "the Flag is on the left").await.unwrap();
    bodo.sets_up(game, SECOND).await.unwrap();
    does(&mut anna, game, "ready", json!({})).await;
    game
}

/// Maintenance stands, and so does a notice.
async fn announces(people: &People) {
    let why = json!({"message": "a new disk at eight"});
    done(&people.chief, Method::PUT, "/api/admin/maintenance", why).await;
    let notice = json!({"text": "a tournament on Sunday", "minutes": 60});
    done(&people.chief, Method::PUT, "/api/admin/notice", notice).await;
}

/// Solves the puzzle of the day; the solution is everybody's who gives up.
async fn puzzle_of_the_day(http: &Http) {
    let daily = http.get("/api/puzzles/daily").await.json();
    let puzzle = daily["puzzle"]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/puzzles/{puzzle}/attempts");
    let mut nobody = http.clone();
    nobody.token = None;
    let shown = nobody
        .post(&path, Some(&json!({"show": true})))
        .await
        .json();
    let solution = shown["solution"].as_array().unwrap().clone();
    let moves: Vec<_> = solution.into_iter().step_by(2).collect();
    let solved = http
        .post(&path, Some(&json!({"moves": moves})))
        .await
        .json();
    assert_eq!(solved["verdict"], "solved");
}
