//! Finding an opponent from the terminal.

use qiguan_tests::{
    Client, Program, Start, command, folder::Folder, http::Http, terminal::Terminal,
    waiting::eventually,
};

/// The address of a game in a line.
fn address(line: &str) -> String {
    let at = line.find("http://").expect("an address");
    line[at..].trim().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_who_seek_the_same_in_the_terminal_play_with_each_other() {
    let program = Program::start().await;
    let server = program.url("");
    let homes = [Folder::new(), Folder::new()];
    for flags in [&[][..], &["--quick"]] {
        let seek = [
            "play",
            "--plain",
            "--seek",
            "doushouqi/booklet",
            "--time",
            "5+3",
            &server,
        ];
        let words: Vec<&str> = seek.iter().chain(flags).copied().collect();
        let mut first = Terminal::start(&homes[0], &words);
        first.shows("looking for an opponent").await;
        let listed = command::run(&[&"seeks", &server]).await.well().out;
        let wanted = if flags.is_empty() {
            "looks for doushouqi/booklet 5+3, casual"
        } else {
            "1 waits in the pool doushouqi/booklet 5+3, casual"
        };
        assert!(listed.contains(wanted), "{listed}");
        let mut second = Terminal::start(&homes[1], &words);
        let game = address(&first.shows("opponent found").await);
        assert_eq!(address(&second.shows("opponent found").await), game);
        first.shows("the game begins").await;
        first.types("abort").await;
        first.shows("the game was aborted").await;
        drop((first, second));
        let listed = command::run(&[&"seeks", &server]).await.well().out;
        assert!(listed.contains("nobody is looking for a game"), "{listed}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_those_find_each_other_in_the_terminal_who_want_the_same_delay() {
    let program = Program::start().await;
    let server = program.url("");
    let homes = [Folder::new(), Folder::new(), Folder::new()];
    let words = |delay: &'static str| {
        let seek = ["play", "--plain", "--seek", "doushouqi/booklet"];
        let rest = ["--spectator-delay", delay, server.as_str()];
        seek.into_iter().chain(rest).collect::<Vec<&str>>()
    };
    let mut first = Terminal::start(&homes[0], &words("5m"));
    first.shows("looking for an opponent").await;
    let listed = command::run(&[&"seeks", &server]).await.well().out;
    assert!(
        listed.contains("casual, spectators 5 minutes later"),
        "{listed}"
    );
    let mut other = Terminal::start(&homes[1], &words("0p"));
    other.shows("looking for an opponent").await;
    let mut second = Terminal::start(&homes[2], &words("5m"));
    let game = address(&second.shows("opponent found").await);
    assert_eq!(address(&first.shows("opponent found").await), game);
    let id = game.rsplit('/').next().expect("an id");
    let view = Http::nobody(&program)
        .get(&format!("/api/games/{id}"))
        .await;
    assert_eq!(view.json()["spectator_delay"]["minutes"], 5);
    let refused = command::run(&[
        &"play",
        &"--seek",
        &"doushouqi/booklet",
        &"--spectator-delay",
        &"16p",
        &server,
    ])
    .await;
    let told = "16p: spectator delay is 16 plies; allowed: 0 to 15";
    assert!(!refused.ok && refused.err.contains(told), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seek_in_the_terminal_goes_on_after_the_connection_was_lost() {
    let program = Program::start().await;
    let server = program.url("");
    let home = Folder::new();
    let mut seeker = Terminal::start(
        &home,
        &[
            "play",
            "--plain",
            "--seek",
            "doushouqi/booklet",
            "--time",
            "10+0",
            &server,
        ],
    );
    seeker.shows("looking for an opponent").await;
    let port = server.rsplit(':').next().expect("a port").to_owned();
    let dead = program.kill().await;
    seeker.shows("the connection is lost").await;
    let program = dead
        .restart_as(qiguan_tests::Start::default().at_port(&port))
        .await;
    seeker.shows("looking for an opponent").await;
    let mut other = Client::guest(program.address()).await;
    let seek = eventually("the seek", async || {
        other.enters().await.seeks.first().map(|seek| seek.id)
    });
    let seek = seek.await;
    let command = qiguan_tests::client::command_id();
    other.accepts(seek, command).await.expect("it is open");
    seeker.shows("opponent found").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_is_made_and_listed_and_taken_in_the_terminal() {
    let start = Start::default().with("--guests-may-challenge", true);
    let program = start.start().await;
    let server = program.url("");
    let bert = Http::registered(&program, "Bert").await;
    let mut of_bert = bert.socket(&program).await;
    let home = Folder::new();
    let mut anna = Terminal::start(
        &home,
        &[
            "play",
            "--plain",
            "--new",
            "doushouqi/booklet",
            "--challenge",
            "Bert",
            &server,
        ],
    );
    let told = anna.shows("Bert is challenged").await;
    let lobby = of_bert.enters().await;
    assert!(address(&told).ends_with(&lobby.challenges[0].game.to_string()));
    let game = lobby.challenges[0].game;
    of_bert.watches(game).await;
    of_bert
        .does(game, "join", serde_json::json!({}))
        .await
        .expect("it is Bert's");
    anna.shows("the game begins").await;
}
