//! Who one is in the terminal: several people on one machine, and one person on several servers.

use qiguan_tests::{
    Program,
    account::PASSWORD,
    command::run_at_home,
    folder::Folder,
    hostile_server::{HostileServer, Reply},
    http::Http,
    terminal::Terminal,
};

async fn opens(home: &Folder, server: &str, flags: &[&str]) -> (Terminal, String) {
    let words = [
        "play",
        "--plain",
        "--new",
        "doushouqi/booklet",
        "--seat",
        "first",
        server,
    ];
    let mut terminal = Terminal::start(home, &[&words, flags].concat());
    let line = terminal.shows("your game: ").await;
    (terminal, line.trim_start_matches("your game: ").to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn k4_who_waits_at_another_terminal_of_this_machine_is_told_so_and_a_second_person_can_play()
{
    let program = Program::start().await;
    let home = Folder::new();
    let (mut first, game) = opens(&home, &program.url(""), &[]).await;
    // The address stays with the board, and can be asked for again.
    first.shows("waiting for an opponent").await;
    first
        .shows(&format!("your opponent types: qiguan play {game}"))
        .await;
    first.types("address").await;
    first
        .shows(&format!("your opponent types: qiguan play {game}"))
        .await;

    let mut same = Terminal::start(&home, &["play", "--plain", &game]);
    let told = same.shows("in another terminal").await;
    let typed = told.split("types: qiguan ").nth(1).expect("what to type");
    assert_eq!(typed, format!("play --as second {game}"));
    drop(same);
    let mut words: Vec<&str> = typed.split(' ').collect();
    words.push("--plain");
    let mut second = Terminal::start(&home, &words);
    first.shows("the game begins").await;
    second.shows("come back with --as second").await;
    first.types("a3a4").await;
    second.shows("your move").await;
    second.types("g7g6").await;
    first.shows("2. Red g7g6").await;
    first.types("address").await;
    first.shows(&format!("this game: {game}")).await;

    // Each comes back as who they were.
    drop((first, second));
    let mut second = Terminal::start(&home, &words);
    second.shows("you play Red").await;
    let mut first = Terminal::start(&home, &["play", "--plain", &game]);
    first.shows("you play Blue").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_of_one_run_leaves_no_trace_and_an_id_is_enough_on_the_default_server() {
    let program = Program::start().await;
    let home = Folder::new();
    let server = program.url("");
    let environment = [("QIGUAN_SERVER", server.as_str())];
    let (mut first, game) = opens(&home, &server, &[]).await;
    let id = game.rsplit('/').next().expect("an id");
    let kept = std::fs::read_to_string(home.path().join("qiguan/identities.json")).expect("a file");
    let words = ["play", "--plain", "--guest", id];
    let mut guest = Terminal::start_in(&home, &environment, &words);
    guest.shows("until you quit").await;
    first.shows("the game begins").await;
    let now = std::fs::read_to_string(home.path().join("qiguan/identities.json")).expect("a file");
    assert_eq!(kept, now);
    // So it is for everything else that names a server or a game.
    let mut watcher = Terminal::start_in(&home, &environment, &["watch", "--plain", id]);
    watcher.shows("Blue to move").await;
    for words in [&["watch"][..], &["seeks"], &["tv"], &["replay", id]] {
        run_at_home(&home, &environment, words, "").await.well();
    }
    let password = format!("{PASSWORD}\n");
    for words in [&["register", "Anna"][..], &["logout"], &["login", "Anna"]] {
        run_at_home(&home, &environment, words, &password)
            .await
            .well();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn k5_an_identity_is_the_same_however_the_servers_address_is_spelled() {
    let program = Program::start().await;
    let home = Folder::new();
    let port = program.address().rsplit(':').next().expect("a port");
    let spelled = |host: &str| format!("{host}:{port}");
    let words = ["register", &spelled("http://127.0.0.1"), "Anna"];
    let password = format!("{PASSWORD}\n");
    run_at_home(&home, &[], &words, &password).await.well();
    for host in ["http://localhost", "HTTP://LOCALHOST", "http://127.0.0.1"] {
        let (first, game) = opens(&home, &spelled(host), &["--rated"]).await;
        let id = game.rsplit('/').next().expect("an id");
        let view = Http::nobody(&program)
            .get(&format!("/api/games/{id}"))
            .await;
        assert_eq!(view.json()["players"]["first"]["name"], "Anna", "{host}");
        drop(first);
    }
    // An empty folder name is ignored: nothing lands where the program was started.
    let environment = [
        ("XDG_CONFIG_HOME", ""),
        ("HOME", home.path().to_str().expect("a path")),
    ];
    let words = ["login", &spelled("http://localhost"), "Anna"];
    run_at_home(&home, &environment, &words, &password)
        .await
        .well();
    assert!(home.path().join(".config/qiguan/identities.json").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn k6_a_token_goes_to_no_other_server_than_its_own() {
    let program = Program::start().await;
    let home = Folder::new();
    let stranger = HostileServer::start(|_| Reply::http("404 Not Found", "", "{}")).await;
    let order = Http::moderator(&program, "Solomon").await;
    let token = order.token.as_ref().expect("a session").reveal();
    let (own, other) = (program.url(""), stranger.url(""));
    let words = ["admin", "unban", "Anna", "--server", &other];
    // A token alone does not say whose it is.
    let refused = run_at_home(&home, &[("QIGUAN_TOKEN", token)], &words, "").await;
    assert!(
        !refused.ok && refused.err.contains("QIGUAN_SERVER is missing: set it too"),
        "{refused:?}"
    );
    let environment = [("QIGUAN_TOKEN", token), ("QIGUAN_SERVER", own.as_str())];
    let refused = run_at_home(&home, &environment, &words, "").await;
    assert!(
        !refused.ok && refused.err.contains("this needs a moderator of"),
        "{refused:?}"
    );
    let seeks = ["seeks", &other];
    for environment in [&environment[..], &environment[..1]] {
        let refused = run_at_home(&home, environment, &seeks, "").await;
        assert!(!refused.ok, "{refused:?}");
    }
    let heard = stranger.heard().join("\n");
    assert!(!heard.contains(token), "{heard}");
    // To its own it does, whichever way that is spelled.
    let port = own.rsplit(':').next().expect("a port");
    let spelled = format!("http://localhost:{port}/");
    Http::registered(&program, "Anna").await;
    let words = ["admin", "player", "Anna", "--server", &spelled];
    let shown = run_at_home(&home, &environment, &words, "").await.well();
    assert_eq!(shown.out, "Anna is player\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_name_is_said_before_a_password_is_asked_for() {
    let program = Program::start().await;
    let home = Folder::new();
    let server = program.url("");
    let anna = Http::registered(&program, "Anna").await;
    for (name, told) in [
        ("a", "3 to 20"),
        ("Anna", "Anna is taken: choose another name"),
    ] {
        // No password comes: that would be said too.
        let refused = run_at_home(&home, &[], &["register", &server, name], "").await;
        assert!(!refused.ok && refused.err.contains(told), "{refused:?}");
    }
    drop(anna);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_is_listed_by_its_address_and_declined_in_the_terminal() {
    let program = Program::start().await;
    let server = program.url("");
    let homes = [Folder::new(), Folder::new()];
    let password = format!("{PASSWORD}\n");
    for (home, name) in homes.iter().zip(["Anna", "Bert"]) {
        let words = ["register", server.as_str(), name];
        run_at_home(home, &[], &words, &password).await.well();
    }
    let challenge = [
        "play",
        "--plain",
        "--new",
        "doushouqi/booklet",
        "--challenge",
        "Bert",
        &server,
    ];
    let mut anna = Terminal::start(&homes[0], &challenge);
    anna.shows("waiting for Bert").await;
    let listed = run_at_home(&homes[1], &[], &["seeks", &server], "")
        .await
        .well();
    let line = listed
        .out
        .lines()
        .find(|line| line.contains("challenges Bert"));
    let game = line
        .and_then(|line| line.rsplit(": ").next())
        .expect("an address");
    let words = ["play", "--decline", game];
    let declined = run_at_home(&homes[1], &[], &words, "").await.well();
    assert_eq!(declined.out, "the challenge is declined\n");
    anna.shows("the game was aborted").await;

    // While something else goes on, it is a word.
    let (mut bert, _) = opens(&homes[1], &server, &[]).await;
    let _anna = Terminal::start(&homes[0], &challenge);
    bert.shows("or type decline").await;
    bert.types("decline").await;
    bert.shows("the challenge is declined").await;
    // What can't be is said without codes.
    let nobody = [
        "play",
        "--new",
        "doushouqi/booklet",
        "--challenge",
        "Nobody7",
        &server,
    ];
    let refused = run_at_home(&homes[0], &[], &nobody, "").await;
    assert_eq!(
        refused.err,
        "qiguan: --challenge: no account has this name\n"
    );
}
