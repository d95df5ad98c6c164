//! `docs/bots.md` is true: the bot that stands there plays, and goes on after a restart of the server. Bots play with people who choose them.

use std::{path::Path, process::Stdio};

use qiguan_protocol::{
    account::IssuedToken,
    error::ErrorCode,
    event::GameEvent,
    ids::{GameId, Ply},
    names::{Seat, Status},
};
use qiguan_tests::{
    Client, Folder, Program, Setup, Start, client::command_id, game::fischer, http::Http,
    random::Random, reverse_proxy::ReverseProxy, waiting::in_time,
};
use serde_json::json;
use tokio::process::{Child, Command};

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/bots.md");

/// The one program in this language that stands in the document.
fn code(language: &str) -> String {
    let document = std::fs::read_to_string(DOCUMENT).unwrap();
    let begin = format!("```{language}\n");
    let blocks: Vec<_> = document.split(&begin).skip(1).collect();
    assert_eq!(blocks.len(), 1, "one program");
    blocks[0].split("```").next().unwrap().to_owned()
}

/// The bot's account, opened as the document says, by its token.
async fn opens_account(program: &Program) -> Http {
    let here = "http://localhost:8080";
    let commands = code("sh");
    assert!(commands.contains(here));
    let shell = Command::new("sh")
        .arg("-ec")
        .arg(commands.replace(here, &program.url("")))
        .output();
    let said = in_time("the account of the bot", shell).await.unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    // What becoming a bot answers is empty, and so is the rest.
    let issued: IssuedToken = serde_json::from_str(&said).unwrap();
    let mut bot = Http::nobody(program);
    bot.token = Some(issued.token);
    bot
}

/// Runs it as the document says.
fn runs(folder: &Folder, server: &str, bot: &Http, environment: &[(&str, &Path)]) -> Child {
    let file = folder.path().join("bot.py");
    std::fs::write(&file, code("python")).unwrap();
    let token = bot.token.as_ref().unwrap().reveal();
    Command::new("python3")
        .arg(file)
        .arg(server)
        .env("QIGUAN_TOKEN", token)
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("python3 is there")
}

/// A person who makes any move, until the game is over or so many plies are played; who has won by then.
async fn plays_anything(
    person: &mut Client,
    game: GameId,
    random: &mut Random,
    until: u32,
) -> Option<Option<Seat>> {
    let view = person.snapshot(game).await;
    if view.status == Status::Ended {
        return Some(view.outcome.unwrap().winner);
    }
    let mut position = view.position;
    loop {
        if position.ply >= Ply(until) {
            return None;
        }
        let legal = position.legal.unwrap_or_default();
        if !legal.is_empty() {
            let mv = random.pick(&legal).to_string();
            person.plays(game, position.ply.0 + 1, &mv).await.unwrap();
        }
        let next =
            |event: &GameEvent| matches!(event, GameEvent::Moved { .. } | GameEvent::Ended { .. });
        let frame = in_time("a move of the bot", person.event_where(game, next)).await;
        if let GameEvent::Ended { outcome, .. } = frame.event {
            return Some(outcome.winner);
        }
        position = frame.position.unwrap();
    }
}

/// Challenges the bot, until play has begun.
async fn begins(anna: &Http, program: &Program, ruleset: &'static str) -> GameId {
    let setup = Setup::default().ruleset(ruleset);
    let mut challenge = setup
        .time_control(fischer(3_600_000, 0))
        .create(command_id());
    challenge["to"] = json!("Tinman");
    challenge.as_object_mut().unwrap().remove("options");
    let opened = anna.post("/api/games", Some(&challenge)).await;
    assert_eq!(opened.status, 201, "{opened:?}");
    let game: GameId = serde_json::from_value(opened.json()["game"].clone()).unwrap();
    let mut person = anna.socket(program).await;
    let view = person.snapshot(game).await;
    if view.status == Status::Open {
        let joined = |event: &GameEvent| matches!(event, GameEvent::Joined { .. });
        let GameEvent::Joined { player, .. } = person.event_where(game, joined).await.event else {
            unreachable!()
        };
        assert!(player.bot, "it is marked");
    }
    if ruleset.starts_with("luzhanqi") {
        person.does(game, "ready", json!({})).await.unwrap();
        let started = |event: &GameEvent| matches!(event, GameEvent::Started { .. });
        if person.snapshot(game).await.position.legal.is_none() {
            person.event_where(game, started).await;
        }
    }
    game
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bot_of_the_document_plays_whole_games_and_survives_a_restart() {
    let program = Start::default().for_machines().start().await;
    let bot = opens_account(&program).await;
    let anna = Http::registered(&program, "Anna").await;
    let folder = Folder::new();
    let _running = runs(&folder, &program.url(""), &bot, &[]);
    let mut games = Vec::new();
    for ruleset in [
        "doushouqi/ancientchess",
        "luzhanqi/referee",
        "xiangqi/standard",
    ] {
        let game = begins(&anna, &program, ruleset).await;
        games.push(game);
    }
    let mut random = Random::new(7);
    let mut person = anna.socket(&program).await;
    for game in &games {
        plays_anything(&mut person, *game, &mut random, 10).await;
    }
    let port = program.address().rsplit(':').next().unwrap().to_owned();
    let again = Start::default().for_machines().at_port(&port);
    let program = program.kill().await.restart_as(again).await;
    let mut person = anna.socket(&program).await;
    beats_anything(&mut person, &anna, &program, &mut random, games[0]).await;
    for game in &games[1..] {
        plays_anything(&mut person, *game, &mut random, 30).await;
    }
}

/// Plays anything in a game of Dou Shou Qi, and in another if the bot has not won; it draws lots among equal moves, so once in a while it may not.
async fn beats_anything(
    person: &mut Client,
    anna: &Http,
    program: &Program,
    random: &mut Random,
    mut game: GameId,
) {
    for tries_left in (0..3).rev() {
        let over = plays_anything(person, game, random, 2_000).await;
        if over.expect("the end of the game") == Some(Seat::Second) {
            break;
        }
        assert!(tries_left > 0, "it plays better than anything");
        game = begins(anna, program, "doushouqi/ancientchess").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bot_of_the_document_beats_who_plays_anything_over_https_through_nginx() {
    let program = Start::default().for_machines().start().await;
    let nginx = ReverseProxy::nginx_with_tls(&program).await;
    let bot = opens_account(&program).await;
    let anna = Http::registered(&program, "Anna").await;
    let folder = Folder::new();
    let port = nginx.address().rsplit(':').next().unwrap();
    let server = format!("https://localhost:{port}");
    // What it trusts stands where Python looks for it.
    let authority = nginx.authority();
    let environment = [("SSL_CERT_FILE", authority.as_path())];
    let _running = runs(&folder, &server, &bot, &environment);
    let game = begins(&anna, &program, "doushouqi/ancientchess").await;
    let mut person = anna.socket(&program).await;
    beats_anything(&mut person, &anna, &program, &mut Random::new(8), game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn people_choose_whether_they_play_with_a_bot() {
    let program = Program::start().await;
    let bot = Http::bot(&program, "Tinman").await;
    let other = Http::bot(&program, "Clank").await;
    let anna = Http::registered(&program, "Anna").await;
    let forbidden = (403, ErrorCode::Forbidden);
    let joins = |who: &Http, game| {
        let who = who.clone();
        async move { who.does(game, "join", json!({})).await }
    };

    let public = anna.opens(&Setup::default()).await;
    assert_eq!(joins(&bot, public).await.refusal(), forbidden);
    let link = Setup {
        visibility: "link",
        ..Setup::default()
    };
    let link = anna.opens(&link).await;
    assert_eq!(joins(&bot, link).await.status, 200);
    let of_bot = bot.opens(&Setup::default()).await;
    assert_eq!(joins(&other, of_bot).await.status, 200);
    let of_bot = bot.opens(&Setup::default()).await;
    assert_eq!(joins(&anna, of_bot).await.status, 200);

    let seeks = async |who: &Http| {
        let seek = qiguan_tests::lobby::seek_data(command_id());
        let sought = who.post("/api/lobby/seeks", Some(&seek)).await;
        assert_eq!(sought.status, 201, "{sought:?}");
        let id = sought.json()["seek"].as_str().unwrap().to_owned();
        format!("/api/lobby/seeks/{id}/accept")
    };
    let accepts = async |who: &Http, path: &str| {
        let command = json!({"command": command_id()});
        who.post(path, Some(&command)).await
    };
    let of_anna = seeks(&anna).await;
    assert_eq!(accepts(&bot, &of_anna).await.refusal(), forbidden);
    let of_bot = seeks(&bot).await;
    assert_eq!(accepts(&anna, &of_bot).await.status, 200);
    // Whom the lobby has just paired may be told of that game again in place of another seek.
    let third = Http::bot(&program, "Rusty").await;
    let of_bot = seeks(&third).await;
    assert_eq!(accepts(&other, &of_bot).await.status, 200);

    let pool = qiguan_tests::lobby::pool_data(command_id(), "5+3");
    let refused = bot.post("/api/lobby/quick", Some(&pool)).await;
    assert_eq!(refused.refusal(), forbidden);
}
