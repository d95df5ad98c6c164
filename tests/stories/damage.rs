//! A record that breaks off in the middle of a game: what is left of it is shown, and nothing else suffers.

use qiguan_protocol::{answer::Answer, error::ErrorCode, ids::GameId};
use qiguan_tests::{
    Client, Seats, Start, command::run, folder::Folder, http::Http, on_every_database, record,
    terminal::Terminal,
};
use serde_json::json;

on_every_database! {
    a13_a_damaged_game_can_be_looked_at_up_to_there_and_the_others_are_untouched,
}

async fn a13_a_damaged_game_can_be_looked_at_up_to_there_and_the_others_are_untouched(
    on: fn() -> Start,
) {
    let program = on().start().await;
    let mut good = Seats::begin(&program).await;
    let mut bad = Seats::begin(&program).await;
    bad.play(1, &["a3a4", "g7g6", "a4a5"]).await;
    good.play(1, &["a3a4"]).await;
    let stopped = program.kill().await;
    // The second move can't be read any more; the third would not follow from the first.
    record::damage(&stopped.database(), bad.game, "g7g6", "g7").await;
    let program = stopped.restart().await;
    let mut visitor = Client::spectator(program.address()).await;
    let view = visitor.snapshot(bad.game).await;
    assert!(view.damaged && view.clocks.running.is_none());
    assert_eq!(view.moves.len(), 1, "the moves before");
    assert!(program.log().contains("damaged"));
    // Its players see the same, come back as often as they like, and change nothing.
    for player in [&bad.first, &bad.second] {
        let mut player = player.again(program.address()).await;
        let view = player.snapshot(bad.game).await;
        assert!(view.damaged && view.position.legal.is_none());
        let since = json!({"game": bad.game, "since": view.cursor});
        let again = player.asks("watch", since).await;
        assert!(matches!(again, Answer::Snapshot { view, .. } if view.damaged));
        for (kind, extra) in [
            ("move", json!({"ply": 2, "move": "g7g6"})),
            ("resign", json!({})),
            ("chat", json!({"text": "hello"})),
        ] {
            let refused = player.is_refused(bad.game, kind, extra).await;
            assert_eq!(refused, ErrorCode::Parked, "{kind}");
        }
    }
    let home = Folder::new();
    let address = format!("http://{}/games/{}", program.address(), bad.game);
    let mut terminal = Terminal::start(&home, &["watch", "--plain", &address]);
    terminal
        .shows("the record of this game is damaged; it can be viewed")
        .await;
    let http = Http::nobody(&program);
    let positions = http
        .get(&format!("/api/games/{}/positions", bad.game))
        .await;
    assert_eq!(positions.json()["positions"].as_array().unwrap().len(), 2);
    let metrics = http.get("/metrics").await.text;
    // Counted each time that its room is opened, and the start of the server does so too.
    assert!(
        metrics.contains("qiguan_games_damaged_total ")
            && !metrics.contains("qiguan_games_damaged_total 0"),
        "{metrics}"
    );
    assert_eq!(visitor.snapshot(good.game).await.moves.len(), 1);
    // An operator is told which game it is, and that the other one is sound.
    let url = program.database().url();
    let verified = run(&[&"verify", &"--json", &"--database", &url]).await;
    assert_eq!(verified.status, Some(1), "{verified:?}");
    let told = |game: GameId| verified.out.contains(&game.to_string());
    assert!(told(bad.game) && !told(good.game), "{verified:?}");
    assert!(verified.out.contains("\"games\":2"), "{verified:?}");
    good.first = good.first.again(program.address()).await;
    good.second = good.second.again(program.address()).await;
    good.first.watches(good.game).await;
    good.second.watches(good.game).await;
    good.play(2, &["g7g6"]).await;
}
