//! `qiguan export`, `import` and `verify`: games go from one record into another, and none that could not be.

use std::{
    collections::BTreeSet,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use qiguan_protocol::{ids::GameId, view::GamePage};
use qiguan_tests::{
    Client, Program, Seats, Setup, Start,
    command::{self, Ran, run, run_with_faults, run_with_url},
    folder::Folder,
    game::fischer,
    http::Http,
    record::{self, Database},
    waiting::eventually,
};
use qiguan_tests_postgres::Cluster;
use serde_json::{Value, json};
use sqlx::{Connection, Executor};

/// Games that have ended, one way or the other, opened by different guests.
async fn ended_games(program: &Program, count: usize) -> Vec<GameId> {
    let rulesets = ["doushouqi/booklet", "xiangqi/standard", "luzhanqi/showdown"];
    let mut games = Vec::new();
    for number in 0..count {
        let mut seats = Seats::begin_with(
            program,
            &Setup::default().ruleset(rulesets[number % rulesets.len()]),
        )
        .await;
        let (game, text) = (seats.game, json!({"text": "good luck"}));
        seats.first.does(game, "chat", text).await.unwrap();
        let ends = ["resign", "abort"][number % 2];
        seats.second.does(game, ends, json!({})).await.unwrap();
        games.push(game);
    }
    games
}

async fn exports(database: &Database, file: &Path, flags: &[&str]) -> Ran {
    let url = database.url();
    let mut words: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"export", &file, &"--database", &url];
    words.extend(flags.iter().map(|flag| flag as &dyn AsRef<std::ffi::OsStr>));
    run(&words).await
}

async fn imports(file: &Path, database: &Database, faults: &str) -> Ran {
    let url = database.url();
    run_with_faults(&[&"import", &file, &"--database", &url], faults).await
}

async fn imports_everything(file: &Path, database: &Database) -> Ran {
    let url = database.url();
    run(&[&"import", &"--everything", &file, &"--database", &url]).await
}

async fn verifies(database: &Database) -> Ran {
    run(&[&"verify", &"--json", &"--database", &database.url()]).await
}

async fn listed(program: &Program) -> BTreeSet<GameId> {
    let page = Http::nobody(program).get("/api/games?limit=100").await;
    let page: GamePage = page.parsed();
    page.games.iter().map(|game| game.game).collect()
}

fn file_in(folder: &Folder) -> PathBuf {
    folder.path().join("games.jsonl")
}

#[tokio::test(flavor = "multi_thread")]
async fn games_go_from_one_running_server_into_another_while_both_are_played_on() {
    let (here, there) = (Program::start().await, Program::start().await);
    let games = ended_games(&here, 6).await;
    let mut seats = Seats::begin(&here).await;
    let mut others = Seats::begin(&there).await;
    let folder = Folder::new();
    let file = file_in(&folder);
    let moving = async {
        let ran = exports(&here.database(), &file, &[]).await.well();
        assert!(ran.err.contains("6 games in"), "{ran:?}");
        let ran = imports(&file, &there.database(), "").await.well();
        assert!(ran.err.contains("6 games imported"), "{ran:?}");
    };
    let playing = async {
        seats.play(1, &["a3a4", "g7g6", "a4a5"]).await;
        others.play(1, &["a3a4", "g7g6", "a4a5"]).await;
    };
    tokio::join!(moving, playing);
    let mut expected: BTreeSet<_> = games.iter().copied().collect();
    expected.insert(others.game);
    assert_eq!(listed(&there).await, expected);
    // A game is what it was, event by event, to everybody who looks at it.
    for game in &games {
        let path = format!("/api/games/{game}/events");
        let events = |frames: Value| {
            let mut frames = frames["events"].as_array().unwrap().clone();
            assert!(frames.len() > 2);
            // When an event became visible is known only where it was played.
            for frame in &mut frames {
                if let Some(clocks) = frame["event"].get_mut("clocks") {
                    clocks["at"].take();
                }
            }
            frames
        };
        let before = Http::nobody(&here).get(&path).await.json();
        let after = Http::nobody(&there).get(&path).await.json();
        assert_eq!(events(before), events(after));
    }
    assert_eq!(record::is_sound(&here.database()).await, 7);
    assert_eq!(record::is_sound(&there.database()).await, 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_moves_with_everybody_and_running_games_go_on_uncharged() {
    let program = Program::start().await;
    let luzhanqi = Setup::default().ruleset("luzhanqi/referee");
    let mut setting_up = Seats::setting_up(&program, &luzhanqi).await;
    let setup = "DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX";
    let asked = json!({"game": setting_up.game, "setup": setup});
    setting_up.first.asks("set_up", asked).await;
    let mut seats =
        Seats::begin_with(&program, &Setup::default().time_control(fischer(60_000, 0))).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    program.terminate().await;
    let stopped = program.ends().await;
    let (folder, new) = (Folder::new(), Folder::new());
    let file = file_in(&folder);
    exports(&stopped.database(), &file, &["--everything"])
        .await
        .well();
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(setup), "a paper of the first seat");
    for client in [&seats.first, &seats.second] {
        let token = client.token.as_ref().unwrap().reveal();
        assert!(!text.contains(token), "tokens are nowhere");
    }
    let mode = std::fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "nobody else may read it");
    let ran = imports_everything(&file, &Database::Sqlite(new.path().join("qiguan.db")))
        .await
        .well();
    assert!(ran.err.contains("2 games, 4 players imported"), "{ran:?}");
    assert!(
        ran.err.contains("4 guests; 4 sign-ins and tokens"),
        "{ran:?}"
    );

    let moved = Start::default().start_in(new).await;
    let mut again = Seats {
        game: seats.game,
        first: seats.first.again(moved.address()).await,
        second: seats.second.again(moved.address()).await,
    };
    let before = again.first.snapshot(again.game).await;
    again.second.watches(again.game).await;
    assert_eq!(before.moves.len(), 2);
    let left = before.clocks.left.unwrap();
    assert!(
        left.first.ms.0 > 50_000,
        "nobody pays for the move: {left:?}"
    );
    again.play(3, &["a4a5"]).await;
    let mut owner = setting_up.first.again(moved.address()).await;
    let view = owner.snapshot(setting_up.game).await;
    let yours = view.setup.unwrap().yours.unwrap();
    assert!(serde_json::to_string(&yours).unwrap().contains(setup));
}

#[tokio::test(flavor = "multi_thread")]
async fn a18_an_export_that_was_cut_off_goes_on_where_it_was() {
    let program = Program::start().await;
    ended_games(&program, 5).await;
    let folder = Folder::new();
    let file = file_in(&folder);
    exports(&program.database(), &file, &[]).await.well();
    let whole = std::fs::read(&file).unwrap();
    let again = exports(&program.database(), &file, &[]).await;
    assert!(!again.ok && again.err.contains("exists"), "{again:?}");
    assert_eq!(
        std::fs::read(&file).unwrap(),
        whole,
        "nothing is overwritten"
    );
    for cut in [0, 20, whole.len() / 2, whole.len() - 5, whole.len()] {
        std::fs::write(&file, &whole[..cut]).unwrap();
        exports(&program.database(), &file, &["--resume"])
            .await
            .well();
        assert!(std::fs::read(&file).unwrap() == whole, "cut after {cut}");
    }
    let other = exports(&program.database(), &file, &["--resume", "--status", "any"]).await;
    assert!(other.err.contains("with other filters"), "{other:?}");
    // It can go through a pipe as well.
    let url = program.database().url();
    let piped = run(&[&"export", &"-", &"--database", &url]).await.well();
    assert_eq!(piped.out.as_bytes(), whole);
}

#[tokio::test(flavor = "multi_thread")]
async fn a18_an_import_that_was_killed_is_begun_again_and_nothing_is_there_twice() {
    let program = Program::start().await;
    ended_games(&program, 6).await;
    let folder = Folder::new();
    let file = file_in(&folder);
    exports(&program.database(), &file, &[]).await.well();
    for faults in [
        "before_commit/import=abort@1",
        "after_commit/import=abort@1",
        "after_commit/import=error@1",
        "append/import=error@1",
    ] {
        let new = Folder::new();
        let database = Database::Sqlite(new.path().join("qiguan.db"));
        let ran = imports(&file, &database, faults).await;
        assert_eq!(ran.status.is_none(), faults.contains("abort"), "{ran:?}");
        // What failed without a crash was tried again by itself.
        assert_eq!(ran.ok, faults.contains("error"), "{ran:?}");
        imports(&file, &database, "").await.well();
        assert_eq!(record::is_sound(&database).await, 6, "{faults}");
        assert_eq!(record::games(&database).await.len(), 6);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a7_an_import_says_that_the_record_is_busy_and_goes_on_when_it_is_not() {
    let program = Program::start().await;
    ended_games(&program, 2).await;
    let folder = Folder::new();
    let file = file_in(&folder);
    exports(&program.database(), &file, &[]).await.well();
    let target = Program::start().await;
    let mut holder = record::open(&target.database()).await;
    let database = target.database().url();
    let words: [&dyn AsRef<std::ffi::OsStr>; 4] = [&"import", &file, &"--database", &database];
    // A record that is there is opened all the same: that writes nothing.
    holder.execute("begin immediate").await.unwrap();
    let mut importing = command::start(&words);
    importing.says("busy").await;
    holder.execute("rollback").await.unwrap();
    importing.says("2 games imported").await;
    assert!(importing.ends().await);
    assert_eq!(listed(&target).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_could_not_have_been_played_is_refused_and_the_status_says_so() {
    let program = Program::start().await;
    ended_games(&program, 3).await;
    let folder = Folder::new();
    let file = file_in(&folder);
    exports(&program.database(), &file, &[]).await.well();
    let text = std::fs::read_to_string(&file).unwrap();
    let forged = text.replacen("\"winner\":1", "\"winner\":2", 1);
    assert_ne!(forged, text);
    std::fs::write(&file, forged).unwrap();
    let (new, refused) = (
        Database::Sqlite(folder.path().join("new.db")),
        folder.path().join("bad.jsonl"),
    );
    let url = new.url();
    let words: [&dyn AsRef<std::ffi::OsStr>; 6] = [
        &"import",
        &file,
        &"--database",
        &url,
        &"--refused",
        &refused,
    ];
    let ran = run(&words).await;
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.err.contains("the game can't end this way"), "{ran:?}");
    assert!(ran.err.contains("2 games imported"), "{ran:?}");
    let bad = std::fs::read_to_string(&refused).unwrap();
    assert_eq!(bad.lines().count(), 1);
    assert!(bad.starts_with("{\"game\":") && bad.contains("\"winner\":2"));
    assert_eq!(record::is_sound(&new).await, 2);
    // An archive that was cut off is imported, and the status tells that something is missing.
    let lines: Vec<&str> = text.lines().collect();
    std::fs::write(&file, lines[..lines.len() - 1].join("\n")).unwrap();
    let ran = imports(&file, &new, "").await;
    assert!(!ran.ok && ran.err.contains("incomplete"), "{ran:?}");
    assert_eq!(record::is_sound(&new).await, 3);
    for missing in [&"export", &"verify"] {
        let nowhere = "sqlite:/nowhere/at/all.db";
        let ran = match *missing {
            "export" => run(&[missing, &"-", &"--database", &nowhere]).await,
            _ => run(&[missing, &"--database", &nowhere]).await,
        };
        assert!(!ran.ok && ran.err.contains("there is no file"), "{ran:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a20_damage_in_a_record_is_found_by_its_game_and_event_while_the_server_runs() {
    let program = Program::start().await;
    let games = ended_games(&program, 4).await;
    let mut seats = Seats::begin(&program).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    assert_eq!(record::is_sound(&program.database()).await, 5);
    let mut beside = record::open(&program.database()).await;
    let change =
        "update event_log set body = replace(body, 'resignation', 'den') where game_id = $1";
    for game in [games[0], games[2]] {
        sqlx::query(change)
            .bind(game.0)
            .execute(&mut beside)
            .await
            .unwrap();
    }
    beside.close().await.unwrap();
    let ran = verifies(&program.database()).await;
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let lines: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3, "{ran:?}");
    for (line, game) in lines.iter().zip([games[0], games[2]]) {
        assert_eq!(line["game"], json!(game));
        assert!(line["seq"].as_u64().is_some_and(|seq| seq > 3), "{line}");
        assert_eq!(line["what"], "the game can't end this way");
    }
    assert_eq!(
        (&lines[2]["games"], &lines[2]["bad"]),
        (&json!(5), &json!(2))
    );
    let url = program.database().url();
    let words: [&dyn AsRef<std::ffi::OsStr>; 5] = [
        &"verify",
        &"--database",
        &url,
        &"--ruleset",
        &"xiangqi/standard",
    ];
    let some = run(&words).await.well();
    assert!(some.out.starts_with("1 games with "), "{some:?}");
    assert!(some.out.contains("plies/s; 0 bad"), "{some:?}");
    // Those who play notice nothing.
    seats.play(3, &["a4a5"]).await;
    let mut spectator = Client::spectator(program.address()).await;
    eventually("the game", async || {
        (spectator.snapshot(seats.game).await.moves.len() == 3).then_some(())
    })
    .await;
}

/// A line without the ids of commands if it is a game that is over: an import packs it, and forgets most of them.
fn without_old_commands(line: &str) -> String {
    let mut read: Value = serde_json::from_str(line).unwrap();
    let events = read["events"].as_array_mut();
    let Some(events) = events.filter(|_| line.contains(r#""t":"ended""#)) else {
        return line.to_owned();
    };
    for event in events {
        event.as_object_mut().unwrap().remove("command");
    }
    read.to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_moves_into_postgres_and_back_and_nothing_is_lost_on_the_way() {
    let program = Program::start().await;
    ended_games(&program, 3).await;
    let mut setting_up =
        Seats::setting_up(&program, &Setup::default().ruleset("luzhanqi/modern")).await;
    let setup = "DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX";
    let asked = json!({"game": setting_up.game, "setup": setup});
    setting_up.first.asks("set_up", asked).await;
    let mut seats = Seats::begin(&program).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    program.terminate().await;
    let stopped = program.ends().await;

    let (folder, back) = (Folder::new(), Folder::new());
    let postgres = Database::Postgres(Cluster::shared().database());
    let back = Database::Sqlite(back.path().join("qiguan.db"));
    let mut archives = Vec::new();
    for (number, (from, to)) in [(stopped.database(), &postgres), (postgres.clone(), &back)]
        .into_iter()
        .enumerate()
    {
        let file = folder.path().join(format!("{number}.jsonl"));
        exports(&from, &file, &["--everything"]).await.well();
        imports_everything(&file, to).await.well();
        assert_eq!(record::is_sound(to).await, 5);
        archives.push(std::fs::read_to_string(&file).unwrap());
    }
    // All but the first line, which names the record that it was made from, what the audit log says of the imports, and the last line,
    // which counts that.
    let lines = |archive: &str| {
        let is_import = |line: &&str| line.contains(r#""operation":"import_"#);
        let lines = archive.lines().skip(1).filter(|line| !is_import(line));
        let mut lines: Vec<_> = lines.map(without_old_commands).collect();
        lines.pop();
        lines
    };
    assert!(lines(&archives[0]).len() > 9 && archives[0].contains(setup));
    assert_eq!(lines(&archives[0]), lines(&archives[1]));

    // A filter selects the same, one page or many.
    for (database, flags) in [(&postgres, "in Postgres"), (&back, "in SQLite")] {
        let file = folder.path().join(flags);
        let words = ["--ruleset", "xiangqi/standard", "--status", "any"];
        let ran = exports(database, &file, &words).await.well();
        assert!(ran.err.contains("1 game"), "{flags}: {ran:?}");
    }
    let moved = Start::default().at_database(postgres.url()).start().await;
    let mut first = seats.first.again(moved.address()).await;
    assert_eq!(first.snapshot(seats.game).await.moves.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_in_a_url_is_never_shown() {
    let folder = Folder::new();
    let file = folder.path().join("file");
    let addresses = [
        (
            "postgres://someone:geheim@127.0.0.1:1/qiguan",
            "Connection refused",
        ),
        ("mysql://someone:geheim@127.0.0.1:1/qiguan", "are kept in"),
    ];
    for (url, why) in addresses {
        for command in ["serve", "export", "import", "verify", "backup", "restore"] {
            let mut words: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&command];
            if !matches!(command, "serve" | "verify") {
                words.push(&file);
            }
            if matches!(command, "import" | "restore") {
                std::fs::write(&file, "").unwrap();
            }
            words.extend([&"--database" as &dyn AsRef<std::ffi::OsStr>, &url]);
            if command == "serve" {
                words.extend([
                    &"--database-wait-seconds" as &dyn AsRef<std::ffi::OsStr>,
                    &"0",
                ]);
            }
            let ran = run(&words).await;
            let why = match (command, url.starts_with("postgres")) {
                ("backup" | "restore", true) => "pg_dump",
                _ => why,
            };
            assert!(!ran.ok && ran.err.contains(why), "{command}: {ran:?}");
            assert!(!format!("{ran:?}").contains("geheim"), "{command}: {ran:?}");
            let help = run_with_url(&[&command, &"--help"], url).await.well();
            assert!(help.out.contains("DATABASE_URL"), "{command}: {help:?}");
            assert!(!help.out.contains("geheim"), "{command}: {help:?}");
            std::fs::remove_file(&file).ok();
        }
    }
}
