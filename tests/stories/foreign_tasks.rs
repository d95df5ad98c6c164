//! Work that one of several programs does for all, and what that comes to when the program is gone: counting, reviews, and what devices are told.

use qiguan_protocol::{ids::GameId, opening::Opening, push::PushKind};
use qiguan_tests::{
    Cluster, Http, Nats, Program, Seats, Setup, Start,
    push_receiver::PushReceiver,
    slots::{OPENINGS, have_their_shares, with_the_owner_first},
    waiting::eventually,
};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{foreign_rooms::on, one_lobby::two};

/// A day, in milliseconds.
const DAY: i64 = 86_400_000;
const TWELVE: [&str; 12] = [
    "h3e3", "h10g8", "h1g3", "i10h10", "i1h1", "g7g6", "h1h7", "b10c8", "b1c3", "c7c6", "b3b2",
    "h8i8",
];

/// A game at a program, with these moves, which the second player gives up.
async fn ended(program: &Program, ruleset: &'static str, moves: &[&str]) -> GameId {
    let setup = Setup::default()
        .ruleset(ruleset)
        .time_control(json!({"clock": {"type": "none"}}));
    let mut seats = Seats::begin_with(program, &setup).await;
    seats.play(1, moves).await;
    let resigned = seats.second.does(seats.game, "resign", json!({})).await;
    resigned.unwrap();
    seats.game
}

/// Until so many games have been counted.
async fn counted(program: &Program, games: u64) {
    let http = Http::nobody(program);
    eventually("games to be counted", async || {
        let opening = http.get("/api/openings?ruleset=doushouqi/booklet").await;
        let opening: Opening = opening.parsed();
        assert!(opening.results.games <= games, "{opening:?}");
        (opening.results.games == games).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn p10_games_are_counted_by_one_program_and_by_another_when_that_is_killed() {
    let nats = Nats::start().await;
    let programs = two(&nats).await;
    let [counts, other] = with_the_owner_first(OPENINGS, programs).await;
    ended(&counts, "doushouqi/booklet", &["a3a4", "g7g6"]).await;
    ended(&other, "doushouqi/booklet", &["a3a4", "g7g6"]).await;
    for program in [&counts, &other] {
        counted(program, 2).await;
    }
    let _killed = counts.kill().await;
    ended(&other, "doushouqi/booklet", &["a3a4", "g7g6"]).await;
    counted(&other, 3).await;
}

/// The review as a program shows it, once it is whole.
async fn whole(program: &Program, game: GameId) -> Value {
    let http = Http::nobody(program);
    eventually("a whole review", async || {
        let review = http.get(&format!("/api/games/{game}/review?after=0")).await;
        (review.status == 200 && review.json()["complete"] == json!(true)).then(|| review.json())
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn p11_a_review_is_made_by_the_owner_of_its_game_and_begins_again_when_that_is_killed() {
    let nats = Nats::start().await;
    let [owner, other] = two(&nats).await;
    let short = ended(&owner, "doushouqi/booklet", &["a3a4"]).await;
    let long = ended(&owner, "xiangqi/standard", &TWELVE).await;
    let http = Http::nobody(&other);
    let path = |game| format!("/api/games/{game}/review");
    assert_eq!(http.get(&path(short)).await.status, 404);
    assert_eq!(http.post(&path(short), None).await.status, 200);
    // It is under way, or done, at all programs.
    for program in [&owner, &other] {
        assert_eq!(Http::nobody(program).get(&path(short)).await.status, 200);
    }
    assert_eq!(whole(&owner, short).await, whole(&other, short).await);
    let begun = http.post(&path(long), None).await;
    assert_eq!(begun.status, 200);
    assert_eq!(begun.json()["complete"], json!(false));
    let _killed = owner.kill().await;
    // Nobody asks for it once more.
    assert_eq!(whole(&other, long).await["reviewed"], 12);
}

fn with_devices(start: Start) -> Start {
    // Two minutes pass in six seconds.
    start
        .with("--push-anywhere", true)
        .with("--clock-speed", 20)
}

/// The same caller at another program.
fn at(http: &Http, program: &Program) -> Http {
    let mut there = Http::nobody(program);
    there.token.clone_from(&http.token);
    there
}

async fn moves(http: &Http, game: GameId, ply: u32, text: &str) {
    let played = http.does(game, "move", json!({"ply": ply, "move": text}));
    assert_eq!(played.await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn p12_who_is_still_to_be_told_of_their_turn_is_told_once_when_the_game_has_moved() {
    let nats = Nats::start().await;
    let mut receiver = PushReceiver::start().await;
    let url = Cluster::shared().database();
    let one = with_devices(on(&url, &nats)).start().await;
    let two = with_devices(on(&url, &nats)).start().await;
    have_their_shares(&one.database()).await;
    let anna = Http::registered(&one, "Anna").await;
    let bodo = Http::registered(&one, "Bodo").await;
    let device = Some(receiver.device("/anna").to_string());
    let added = anna.send(Method::PUT, "/api/account/push", &[], device);
    assert_eq!(added.await.status, 204);
    let correspondence =
        Setup::default().time_control(json!({"clock": {"type": "per_move", "move_ms": 14 * DAY}}));
    let game = anna.opens(&correspondence).await;
    assert_eq!(bodo.does(game, "join", json!({})).await.status, 200);
    let (_, began) = receiver.reads().await;
    assert_eq!((began.kind, began.game), (PushKind::Turn, game));
    // She has the game open, and is not told at once.
    let mut page = anna.socket(&two).await;
    eventually("the way to the owner", async || {
        page.tries_to_watch(game).await.ok()
    })
    .await;
    moves(&anna, game, 1, "a3a4").await;
    moves(&bodo, game, 2, "g7g6").await;
    one.terminate().await;
    let _ended = one.ends().await;
    let (_, waits) = receiver.reads().await;
    assert_eq!((waits.kind, waits.game), (PushKind::Turn, game));
    // The next one is of another game: nothing is told twice.
    let anna = at(&anna, &two);
    let other = anna.opens(&correspondence).await;
    assert_eq!(
        at(&bodo, &two).does(other, "join", json!({})).await.status,
        200
    );
    let (_, next) = receiver.reads().await;
    assert_eq!(next.game, other);
}
