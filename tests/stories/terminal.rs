//! The terminal client, driven through pipes as two people would over SSH.

use qiguan_tests::{
    Program, folder::Folder, program::executable, terminal::Terminal, waiting::in_time,
};
use tokio::process::Command;

/// What `qiguan` says that ends at once: its standard output, or its standard error if it fails.
async fn said(arguments: &[&str]) -> String {
    let output = Command::new(executable()).args(arguments).output();
    let output = in_time("the program to end", output)
        .await
        .expect("it runs");
    let text = if output.status.success() {
        output.stdout
    } else {
        output.stderr
    };
    String::from_utf8(text).expect("text")
}

#[tokio::test(flavor = "multi_thread")]
async fn help_of_a_subcommand_tells_what_goes_in_and_comes_out() {
    let overview = said(&["--help"]).await;
    for (subcommand, short, long) in [
        ("play", "Plays in the terminal", "say TEXT; help, quit"),
        ("watch", "Watches a game", "for a list"),
        ("replay", "Steps through a stored game", "enter or n"),
        (
            "check",
            "Judges games from JSON lines",
            "\"moves\": [\"a3a4\", …]",
        ),
        ("perft", "Counts move paths", "Ignores repetition"),
    ] {
        assert!(overview.contains(short), "{overview}");
        let help = said(&[subcommand, "--help"]).await;
        assert!(help.starts_with(short), "{help}");
        assert!(help.contains(long), "{help}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_position_and_no_game_is_said_in_plain_words() {
    let no_game = |id| {
        format!("qiguan: \"{id}\" is not a game id: expected 32 hexadecimal digits with dashes\n")
    };
    let position =
        "qiguan: the position \"\": a position needs six fields separated by single spaces\n";
    let perft = [
        "perft",
        "--ruleset",
        "xiangqi/standard",
        "--depth",
        "1",
        "--start",
        "",
    ];
    for (arguments, words) in [
        (&perft[..], position.to_owned()),
        (&["replay", "x\x1by"], no_game("xy")),
        (&["replay", ""], no_game("")),
        (&["replay", "http://127.0.0.1:1/games/7"], no_game("7")),
    ] {
        assert_eq!(said(arguments).await, words);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_play_over_their_terminals_a_third_watches_and_it_can_be_replayed() {
    let program = Program::start().await;
    let server = format!("http://{}", program.address());
    let homes = [Folder::new(), Folder::new(), Folder::new()];
    let arguments = [
        "doushouqi/booklet",
        "--time",
        "5+3",
        "--seat",
        "first",
        &server,
    ];
    let (mut first, game) = Terminal::opens(&homes[0], &arguments).await;
    let mut second = Terminal::start(&homes[1], &["play", "--plain", &game]);
    let mut watcher = Terminal::start(&homes[2], &["watch", "--plain", &game]);
    first.shows("the game begins").await;
    first.shows("your move").await;
    second.shows("Blue to move").await;
    watcher.shows("Blue to move").await;

    // What can't be played is said, and the game goes on.
    first.types("a3a5").await;
    first.shows("not legal").await;
    first.types("legal a3").await;
    first.shows("legal: a3").await;
    first.types("banned").await;
    first.shows("nothing is banned").await;
    first.types("a3a4").await;
    second.shows("1. Blue a3a4").await;
    second.shows("your move").await;
    second.types("g7g6").await;
    first.shows("2. Red g7g6").await;
    watcher.shows("2. Red g7g6").await;
    first.types("say 你好").await;
    second.shows("Blue: 你好").await;
    second.types("draw").await;
    first.shows("Red offers a draw").await;
    first.types("decline").await;
    second.shows("Blue declines").await;
    second.types("resign").await;
    second.shows("resign yes").await;
    second.types("resign yes").await;
    first.shows("Blue wins (resignation)").await;
    watcher.shows("Blue wins (resignation)").await;

    // Another one, with the seats changed.
    first.types("rematch").await;
    second.shows("Blue offers a rematch").await;
    second.types("rematch").await;
    second.shows("the next game: ").await;
    second.shows("your move").await;
    // A move before the other connects is shown as made, not live.
    first.shows("the next game: ").await;
    first.shows("Blue to move").await;
    second.types("g3g4").await;
    first.shows("1. Blue g3g4").await;
    first.types("resign yes").await;
    second.shows("Blue wins (resignation)").await;
    first.ends().await;
    second.ends().await;

    let mut replay = Terminal::start(&homes[2], &["replay", "--plain", &game]);
    replay.shows("ply 0 of 2").await;
    replay.shows("ply 1 of 2: a3a4").await;
    replay.shows("ply 2 of 2: g7g6").await;
    replay.shows("Blue wins (resignation)").await;
    replay.shows("played again by the rules: all ").await;
    replay.ends().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn xiangqi_is_played_to_checkmate_over_terminals_that_show_the_river_and_each_check() {
    let program = Program::start().await;
    let server = format!("http://{}", program.address());
    let homes = [Folder::new(), Folder::new()];
    let ruleset = "xiangqi/standard";
    let arguments = [ruleset, "--seat", "first", &server];
    let (mut first, game) = Terminal::opens(&homes[0], &arguments).await;
    let mut second = Terminal::start(&homes[1], &["play", "--plain", &game]);
    first.shows(" 10  r  n  b  a  k  a  b  n  r  10").await;
    first.shows("     ~  ~  ~  ~  ~  ~  ~  ~  ~ ").await;
    first.shows("your move").await;
    // A move before the other connects is shown as made, not live.
    second.shows("Red to move").await;

    for (mv, told) in [
        ("h3h5", "1. Red h3h5"),
        ("g10i8", "2. Black g10i8"),
        ("h5c5", "3. Red h5c5"),
        ("e10e9", "4. Black e10e9"),
        ("c5e5", "Black is in check"),
        ("e9f9", "6. Black e9f9"),
        ("e5f5", "7. Red e5f5"),
        ("d10e9", "8. Black d10e9"),
        ("b3f3", "Red wins (checkmate)"),
    ] {
        if told.contains(". Black") {
            second.types(mv).await;
            first.shows(told).await;
            first.shows("your move").await;
        } else {
            first.types(mv).await;
            second.shows(told).await;
        }
    }
    first.shows("Red wins (checkmate)").await;
    first.ends().await;
    second.ends().await;

    let mut replay = Terminal::start(&homes[0], &["replay", "--plain", &game]);
    replay.shows("ply 5 of 9: c5e5").await;
    replay.shows("Black is in check").await;
    replay.shows("ply 9 of 9: b3f3").await;
    replay.shows("Red wins (checkmate)").await;
    replay.ends().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_comes_back_by_itself_after_the_server_was_killed() {
    let program = Program::start().await;
    let port = program.address().rsplit(':').next().unwrap().to_owned();
    let server = format!("http://{}", program.address());
    let homes = [Folder::new(), Folder::new()];
    let arguments = ["doushouqi/ancientchess", "--seat", "first", &server];
    let (mut first, game) = Terminal::opens(&homes[0], &arguments).await;
    let mut second = Terminal::start(&homes[1], &["play", "--plain", &game]);
    first.shows("your move").await;
    first.types("a3a4").await;
    second.shows("your move").await;

    let stopped = program.kill().await;
    second.shows("the connection is lost").await;
    // Typed while the server is away: sent when it is back.
    second.types("g7g6").await;
    let again = qiguan_tests::Start::default().at_port(&port);
    let _program = stopped.restart_as(again).await;
    first.shows("2. Red g7g6").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_xiangqi_is_typed_in_any_notation_and_shown_in_the_one_asked_for() {
    let program = Program::start().await;
    let server = format!("http://{}", program.address());
    let homes = [Folder::new(), Folder::new(), Folder::new()];
    let arguments = [
        "play",
        "--plain",
        "--notation",
        "chinese",
        "--new",
        "xiangqi/standard",
        "--option",
        "quiet_limit=60",
        "--seat",
        "first",
        &server,
    ];
    let mut first = Terminal::start(&homes[0], &arguments);
    let line = first.shows("your game: ").await;
    let game = line.trim_start_matches("your game: ").to_owned();
    let rules = "xiangqi/standard, quiet_limit=60";
    first.shows(rules).await;
    let arguments = ["play", "--plain", "--notation", "wxf", &game];
    let mut second = Terminal::start(&homes[1], &arguments);
    second.shows(&format!("you join a game of {rules}")).await;
    second.shows(rules).await;
    let mut watcher = Terminal::start(&homes[2], &["watch", "--plain", &game]);
    watcher.shows(rules).await;
    let listed = said(&["watch", &server]).await;
    assert!(listed.contains(&format!("  {rules}  ")), "{listed}");
    first.shows("your move").await;
    second.shows("Red to move").await;
    watcher.shows("Red to move").await;

    // What means no move is said here; whose move it is, the server says.
    first.types("C2=2").await;
    first.shows("C2=2: no piece can make this move").await;
    first.types("xyz").await;
    first.shows("xyz: not a valid move in this notation").await;
    first.types("h2e2").await;
    first.shows("this move is not legal; type legal to list the legal ones. Ranks start at 1; in capitals with a dash (H2-E2) they start at 0").await;
    first.types(&"x".repeat(10_000)).await;
    let refused = format!("{}…: not a valid move in this notation", "x".repeat(40));
    assert_eq!(first.shows("not a valid move in this").await, refused);
    first.types(&format!("say {}", "x".repeat(10_000))).await;
    first
        .shows("a chat message must have 1 to 300 characters; this one has 10000")
        .await;
    first.types_bytes(b"h3e3\xff\n").await;
    first.shows("not valid UTF-8").await;
    second.types("C2=5").await;
    second.shows("it is the opponent's turn").await;

    first.types("1. C2=5").await;
    first.shows("1. Red 炮二平五").await;
    second.shows("1. Red C2=5").await;
    watcher.shows("1. Red h3e3").await;
    second.shows("your move").await;
    second.types("馬8進7").await;
    first.shows("2. Black 马８进７").await;
    second.shows("2. Black H8+7").await;
    first.shows("last move: 2. 马８进７").await;
    first.shows("your move").await;
    first.types("H0-G2").await;
    second.shows("3. Red H2+3").await;
    second.types("i10h10").await;
    first.shows("4. Black 车９平８").await;
    first.shows("your move").await;
    first.types("moves").await;
    first.shows("1. 炮二平五").await;
    first.shows("2. 马二进三").await;
    first.types("legal i1").await;
    let legal = first.shows("legal: ").await;
    assert_eq!(legal, "legal: 车一平二 车一进一 车一进二");
    first.types("resign yes").await;
    second.shows("Black wins (resignation)").await;
    first.ends().await;
    second.ends().await;

    let arguments = ["replay", "--plain", "--notation", "wxf", &game];
    let mut replay = Terminal::start(&homes[2], &arguments);
    replay.shows("ply 1 of 4: C2=5").await;
    replay.shows("ply 4 of 4: R9=8").await;
    replay.ends().await;
}
