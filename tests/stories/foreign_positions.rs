//! Nobody is helped with a position that stands in a running game, at whatever program that is played.

use qiguan_tests::{
    Nats, Program, Seats, Setup,
    http::{Http, Response},
    waiting::eventually,
};
use serde_json::{Value, json};

use crate::one_lobby::two;

/// Twelve moves, after which a position counts as somebody's own.
const TWELVE: [&str; 12] = [
    "h3e3", "h10g8", "h1g3", "i10h10", "i1h1", "g7g6", "h1h7", "b10c8", "b1c3", "c7c6", "b3b2",
    "h8i8",
];

/// Xiangqi without a clock.
fn unhurried() -> Setup {
    Setup::default()
        .ruleset("xiangqi/standard")
        .time_control(json!({"clock": {"type": "none"}}))
}

async fn asks_for_advice(program: &Program) -> Response {
    let asked = json!({"ruleset": "xiangqi/standard", "moves": TWELVE});
    let nobody = Http::nobody(program);
    nobody.post("/api/positions/hint", Some(&asked)).await
}

/// Until a program refuses to advise.
async fn refuses(program: &Program) {
    eventually("the position to be refused", async || {
        let refused = asks_for_advice(program).await.json();
        let error = (&refused["error"]["code"], &refused["error"]["field"]);
        (error == (&json!("forbidden"), &json!("position"))).then_some(())
    })
    .await;
}

async fn whole_review(http: &Http, path: &str) -> Value {
    eventually("a whole review", async || {
        let review = http.get(path).await.json();
        (review["complete"] == json!(true)).then_some(review)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn p9_a_position_of_a_running_game_is_refused_at_every_program_also_while_the_game_moves() {
    let nats = Nats::start().await;
    let [one, two] = two(&nats).await;
    let mut over = Seats::begin_with(&two, &unhurried()).await;
    over.play(1, &TWELVE).await;
    let resigned = over.first.does(over.game, "resign", json!({})).await;
    resigned.unwrap();
    let mut running = Seats::begin_with(&one, &unhurried()).await;
    running.play(1, &TWELVE).await;
    for program in [&one, &two] {
        refuses(program).await;
    }
    // A review of a game of another program says nothing of the position either.
    let http = Http::guest(&two).await;
    let path = format!("/api/games/{}/review", over.game);
    assert_eq!(http.post(&path, None).await.status, 200);
    let review = whole_review(&http, &path).await;
    let known = |at: usize| review["moves"][at].get("judged").is_some();
    assert!(known(10) && !known(11), "{review}");
    // The program ends, and its game goes on at the other.
    let ends = async {
        one.terminate().await;
        one.ends().await
    };
    let asks = async {
        for _ in 0..20 {
            let answer = asks_for_advice(&two).await;
            assert_ne!(answer.status, 200, "{}", answer.json());
        }
    };
    let (_stopped, ()) = tokio::join!(ends, asks);
    refuses(&two).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn p9_while_a_program_does_not_answer_nobody_is_advised() {
    let nats = Nats::start().await;
    let [one, two] = two(&nats).await;
    let mut running = Seats::begin_with(&one, &unhurried()).await;
    running.play(1, &TWELVE).await;
    refuses(&two).await;
    one.signal("STOP").await;
    // Until it is taken over, nobody knows where its games stand; after that the other program does.
    for _ in 0..20 {
        let answer = asks_for_advice(&two).await;
        assert_ne!(answer.status, 200, "{}", answer.json());
    }
    refuses(&two).await;
    let resigned = running.first.again(two.address()).await;
    running.first = resigned;
    eventually("the game to be over", async || {
        let resigned = running.first.does(running.game, "resign", json!({})).await;
        resigned.is_ok().then_some(())
    })
    .await;
    eventually("advice", async || {
        (asks_for_advice(&two).await.status == 200).then_some(())
    })
    .await;
    one.signal("CONT").await;
}
