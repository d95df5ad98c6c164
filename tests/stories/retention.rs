//! What is not kept for ever, if the operator wishes so.

use qiguan_tests::{
    Program, Seats, Setup, Start, command::run, http::Http, record, waiting::eventually,
};
use serde_json::{Value, json};

/// Milliseconds in eight days.
const EIGHT_DAYS: i64 = 8 * 86_400_000;

#[tokio::test(flavor = "multi_thread")]
async fn a_week_later_old_chat_and_forsaken_games_are_gone_and_the_rest_is_as_it_was() {
    let program = Program::start().await;
    let waiting = Http::guest(&program).await.opens(&Setup::default()).await;
    let mut running = Seats::begin(&program).await;
    running.play(1, &["a3a4", "g7g6"]).await;
    let mut seats = Seats::begin(&program).await;
    let (game, text) = (seats.game, json!({"text": "well played"}));
    seats.first.does(game, "chat", text).await.unwrap();
    seats.second.does(game, "resign", json!({})).await.unwrap();
    program.terminate().await;
    let stopped = program.ends().await;

    // Without the settings nothing is deleted, however late it is.
    let later = Start::default().with("--clock-offset-ms", EIGHT_DAYS);
    let program = stopped.restart_as(later.clone()).await;
    let looks = async |program: &Program, game| {
        let path = format!("/api/games/{game}");
        Http::nobody(program).get(&path).await.status
    };
    assert_eq!(looks(&program, waiting).await, 200);
    program.terminate().await;
    let stopped = program.ends().await;
    let keeping = later
        .with("--keep-unfinished-guest-games-days", 7)
        .with("--keep-chat-days", 7);
    let program = stopped.restart_as(keeping).await;
    eventually("the game to go", async || {
        (looks(&program, waiting).await == 404).then_some(())
    })
    .await;
    let mut player = Http::nobody(&program);
    player.token.clone_from(&seats.first.token);
    let path = format!("/api/games/{game}");
    let view: Value = eventually("the chat to go", async || {
        let view = player.get(&path).await.json();
        (view["chat"][0]["text"] == "").then_some(view)
    })
    .await;
    assert_eq!(view["chat"][0]["seat"], "first");
    assert_eq!(view["outcome"]["reason"], "resignation");
    // The game with a clock goes on.
    assert_eq!(looks(&program, running.game).await, 200);
    let url = program.database().url();
    assert_eq!(record::is_sound(&program.database()).await, 2);
    let archive = run(&[&"export", &"-", &"--database", &url]).await.well();
    assert!(!archive.out.contains("well played"));
}
