//! Luzhanqi over terminals: secret setups, attacks, private guesses, and the verdict on the referee at the end.

use qiguan_tests::{Program, Start, folder::Folder, record, terminal::Terminal};
use sqlx::Connection;

const FIRST: &str = "DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX";
const SECOND: &str = "xfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkd";
const FAIR: &str =
    "fair: both setups match their commitments, and every move and attack follows from them";

/// Two players and a spectator at a new game.
async fn begin(
    program: &Program,
    homes: &[Folder; 3],
    ruleset: &str,
) -> (String, Terminal, Terminal, Terminal) {
    let server = format!("http://{}", program.address());
    let arguments = [ruleset, "--setup-time", "10m", "--seat", "first", &server];
    let (first, game) = Terminal::opens(&homes[0], &arguments).await;
    let second = Terminal::start(&homes[1], &["play", "--plain", &game]);
    let mut watcher = Terminal::start(&homes[2], &["watch", "--plain", &game]);
    // From here on it receives events.
    watcher.shows("  |  ").await;
    (game, first, second, watcher)
}

/// Setups are made, refused, saved and loaded; each player sees only their own half. What comes back is the first seat's.
async fn they_set_up(first: &mut Terminal, second: &mut Terminal) -> String {
    first.shows("set up your pieces").await;
    first.shows("  |  to set up ").await;
    first.types(&format!("setup {FIRST}")).await;
    first.shows("  6  D = K = B = J = C  6").await;
    first.shows("     ||\\ | / | \\ | / ||").await;
    first.shows("  1  E -[X]- C -[F]- X  1").await;
    first.shows("you are setting up, Blue is setting up").await;
    first.types("swap b1 d1").await;
    first.shows("  1  E -[F]- C -[X]- X  1").await;
    first.types("swap c2 c6").await;
    first
        .shows("Landmines must be on the two rear ranks, not on c6")
        .await;
    first.types("swap a6 a7").await;
    first.shows("two points of your half").await;
    first.types("a6a7").await;
    first.shows("the setups are not both in").await;
    first.types("setups").await;
    first.shows("you have no saved setups").await;
    first.types("save the strong one").await;
    first.shows("saved: the strong one").await;
    first.types("swap a6 b6").await;
    first.shows("  6  K = D = B = J = C  6").await;
    first.types("load the strong one").await;
    first.shows("  6  D = K = B = J = C  6").await;
    first.types("load the weak one").await;
    first.shows("you have no setup with this name").await;
    first.types("setup").await;
    let changed = FIRST.replace("EXCFX", "EFCXX");
    first.shows(&format!("your setup: {changed}")).await;

    second.shows("set up your pieces").await;
    second.types(&format!("setup {SECOND}")).await;
    second.shows("  7  d = k = b = j = c  7").await;
    // Kept as the first seat would write it.
    second.types("save mine").await;
    second.shows("saved: mine").await;
    second.types("setups").await;
    second.shows(&format!("mine: {FIRST}")).await;
    second.types("swap a7 b7").await;
    second.shows("  7  d = k = b = c = j  7").await;
    second.types("load mine").await;
    second.shows("  7  d = k = b = j = c  7").await;
    changed
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_set_up_in_secret_play_and_see_that_the_referee_was_fair() {
    let program = Program::start().await;
    let homes = [Folder::new(), Folder::new(), Folder::new()];
    let (game, mut first, mut second, mut watcher) =
        begin(&program, &homes, "luzhanqi/referee").await;

    let changed = they_set_up(&mut first, &mut second).await;
    first.types("ready").await;
    second.shows("Red is ready").await;
    first.types("swap a6 b6").await;
    first.shows("you are ready; your setup").await;
    second.types("ready").await;
    for player in [&mut first, &mut second, &mut watcher] {
        player.shows("the game begins").await;
        player.shows("Red is committed to ").await;
        player.shows("Blue is committed to ").await;
    }
    first.shows(" 12  u -[u]- u -[u]- u  12").await;
    first.shows("  1  E -[F]- C -[X]- X  1").await;

    // Attacks tell who is removed, and guesses go along with their pieces.
    first.shows("your move").await;
    first.types("a6a7").await;
    for player in [&mut first, &mut second, &mut watcher] {
        player.shows("1. Red a6a7: the defender is removed").await;
    }
    second.shows("your move").await;
    second.types("note b6 x").await;
    second.types("note a7 g").await;
    second.shows("  7  d = k = b = j = G? 7").await;
    second.types("note b7 g").await;
    second.shows("there is no hidden piece on b7").await;
    second.types("note a7 z").await;
    second.shows("expected one of the letters M G D").await;
    second.types("notes").await;
    second.shows("a7 G General").await;
    second.shows("b6 X Landmine").await;
    second.types("a8a7").await;
    first.shows("2. Blue a8a7: the attacker is removed").await;
    watcher.shows("  1  U -[U]- U -[U]- U  1").await;
    first.shows("your move").await;
    first.types("a7a8").await;
    second.shows("3. Red a7a8").await;
    second.shows("  8  g -( )- m -( )- G? 8").await;
    second.types("note clear a8").await;
    second.shows("  8  g -( )- m -( )- U  8").await;
    second.types("moves").await;
    second.shows("a6a7: the defender is removed").await;
    second.types("resign yes").await;

    // The end shows both armies, and everybody checks the referee.
    for player in [&mut first, &mut second, &mut watcher] {
        player.shows("Red wins (resignation)").await;
        player
            .shows(&format!("Red had set up {changed} (salt "))
            .await;
        player
            .shows(&format!("Blue had set up {SECOND} (salt "))
            .await;
        player.shows(FAIR).await;
    }
    first.types("board").await;
    first.shows(" 12  x -[f]- c -[x]- e  12").await;
    first.ends().await;
    second.ends().await;
    watcher.ends().await;

    let mut replay = Terminal::start(&homes[2], &["replay", "--plain", &game]);
    replay.shows("ply 0 of 3").await;
    replay.shows(" 12  x -[f]- c -[x]- e  12").await;
    replay.shows("  1  E -[F]- C -[X]- X  1").await;
    replay
        .shows("ply 1 of 3: a6a7: the defender is removed")
        .await;
    replay.shows("ply 3 of 3: a7a8").await;
    replay.shows(FAIR).await;
    replay.ends().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_attacks_reveal_the_terminal_tells_who_met_and_a_running_game_stays_secret() {
    let program = Program::start().await;
    let homes = [Folder::new(), Folder::new(), Folder::new()];
    let (game, mut first, mut second, mut watcher) =
        begin(&program, &homes, "luzhanqi/showdown").await;
    first.shows("set up your pieces").await;
    second.shows("set up your pieces").await;
    // The second line builds on the first, which is not answered yet.
    first.types(&format!("setup {FIRST}")).await;
    first.types("swap a6 b6").await;
    first.shows("  6  K = D = B = J = C  6").await;
    first.types("ready").await;
    second.types(&format!("setup {SECOND}")).await;
    second.types("ready").await;
    first.shows("your move").await;
    first.types("a6a7").await;
    for player in [&mut first, &mut second, &mut watcher] {
        player
            .shows("1. Red a6a7: K attacks c, the defender is removed")
            .await;
    }

    // A replay shows each what they may see now.
    for (home, rank) in [
        (&homes[0], "  6  . = D = B = J = C  6"),
        (&homes[1], "  6  . = U = U = U = U  6"),
        (&homes[2], "  6  . = U = U = U = U  6"),
    ] {
        let mut replay = Terminal::start(home, &["replay", "--plain", &game]);
        replay.shows("ply 1 of 1: a6a7: K attacks c").await;
        replay.shows(rank).await;
        replay.ends().await;
    }
    let mut replay = Terminal::start(&homes[1], &["replay", "--plain", &game]);
    replay.shows(" 12  x -[f]- c -[x]- e  12").await;
    replay.ends().await;

    // The operator, who has the record, sees both armies while they fight.
    let (url, id) = (program.database().url(), game.rsplit('/').next().unwrap());
    let words = ["replay", "--plain", "--database", &url, id];
    let mut replay = Terminal::start(&homes[1], &words);
    replay.shows("ply 0 of 1").await;
    replay.shows(" 12  x -[f]- c -[x]- e  12").await;
    replay.shows("  1  E -[X]- C -[F]- X  1").await;
    replay.ends().await;

    // Broken off while both set up, a game has nothing to reveal.
    first.types("resign yes").await;
    second.shows(FAIR).await;
    first.types("rematch").await;
    second.shows("Red offers a rematch").await;
    second.types("rematch").await;
    first.shows("set up your pieces").await;
    first.types("abort").await;
    second.shows("the game was aborted").await;
    first.shows("the game was aborted").await;
    first.ends().await;
    second.ends().await;
    watcher.ends().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_record_was_changed_while_the_game_ran_is_found_out() {
    let program = Program::start().await;
    let port = program.address().rsplit(':').next().unwrap().to_owned();
    let homes = [Folder::new(), Folder::new(), Folder::new()];
    let (game, mut first, mut second, mut watcher) =
        begin(&program, &homes, "luzhanqi/referee").await;
    first.shows("set up your pieces").await;
    second.shows("set up your pieces").await;
    first.types(&format!("setup {FIRST}")).await;
    first.types("ready").await;
    second.types(&format!("setup {SECOND}")).await;
    second.types("ready").await;
    first.shows("your move").await;
    watcher.shows("the game begins").await;
    first.types("a6a7").await;
    second.shows("1. Red a6a7: the defender is removed").await;
    watcher.shows("1. Red a6a7: the defender is removed").await;

    // Somebody exchanges two of Blue's pieces that have not been seen.
    let stopped = program.kill().await;
    let mut record = record::open(&stopped.database()).await;
    let changed = sqlx::query(
        "update event_log set body = replace(body, 'cjbkd', 'cbjkd') where body like '%\"started\"%'",
    );
    let changed = changed.execute(&mut record).await.expect("a change");
    assert_eq!(changed.rows_affected(), 1);
    record.close().await.expect("the record can be closed");
    let _program = stopped.restart_as(Start::default().at_port(&port)).await;

    first.shows("the clocks are stopped").await;
    first.types("resign yes").await;
    for terminal in [&mut first, &mut watcher] {
        terminal.shows("Blue wins (resignation)").await;
        let verdict = terminal.shows("NOT FAIR: ").await;
        assert_eq!(
            verdict,
            "NOT FAIR: the second seat's setup does not match its commitment; the commitments differ from those shown before"
        );
    }
    // Who comes afterwards can't know.
    let mut replay = Terminal::start(&homes[2], &["replay", "--plain", &game]);
    replay.shows(FAIR).await;
    replay.ends().await;
}
