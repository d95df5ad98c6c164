//! Subcommands as their user types them: completions, manual pages, filters, and how they end.

use qiguan_tests::{
    Folder, Program, Seats, Setup,
    command::{run, start},
    http::Http,
    waiting::eventually,
};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn shells_complete_and_every_subcommand_has_a_manual_page() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = run(&[&"completions", &shell]).await.well();
        assert!(ran.out.contains("metrics-listen"), "{shell}: {}", ran.out);
    }
    let page = run(&[&"man"]).await.well();
    assert!(page.out.contains(".TH qiguan 1"), "{}", page.out);
    let folder = Folder::new();
    run(&[&"man", &folder.path()]).await.well();
    let page = std::fs::read_to_string(folder.path().join("qiguan-serve.1")).unwrap();
    assert!(page.contains("QIGUAN_LISTEN"), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_that_is_none_is_shown_as_it_was_typed_and_paths_are_counted_by_move() {
    let perft = |more: &'static str, with: &'static str| {
        let words = [
            "perft",
            "--ruleset",
            "xiangqi/standard",
            "--depth",
            "2",
            more,
            with,
        ];
        let words = words.into_iter().filter(|word| !word.is_empty());
        let words: Vec<_> = words.collect();
        async move {
            let words: Vec<_> = words
                .iter()
                .map(|word| word as &dyn AsRef<std::ffi::OsStr>)
                .collect();
            run(&words).await
        }
    };
    let ran = perft("--start", "garbage").await;
    assert!(!ran.ok && ran.err.contains("\"garbage\""), "{ran:?}");
    let divided = perft("--divide", "").await.well().out;
    let moves = divided.lines().filter(|line| line.contains(": ")).count();
    assert_eq!(moves, 44, "{divided}");
    assert!(divided.contains("1920 nodes"), "{divided}");
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_chosen_by_name_day_and_a_rule_set_that_there_is() {
    let program = Program::start().await;
    let anna = Http::registered(&program, "Anna").await;
    let bodo = Http::registered(&program, "Bodo").await;
    let (one, other) = (anna.socket(&program).await, bodo.socket(&program).await);
    let mut seats = Seats::sit(one, other, &Setup::default()).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    seats
        .first
        .does(seats.game, "resign", json!({}))
        .await
        .unwrap();
    let url = program.database().url();
    let exported = async |filter: &[&str]| {
        let words = [&["export", "-", "--database", url.as_str()], filter].concat();
        let words: Vec<_> = words
            .iter()
            .map(|word| word as &dyn AsRef<std::ffi::OsStr>)
            .collect();
        run(&words).await
    };
    let game = seats.game.to_string();
    for (filter, is_there) in [
        (&["--player", "anna"][..], true),
        (&["--from", "2020-01-01"], true),
        (&["--until", "2020-01-01"], false),
        (
            &["--from", "2020-01-01T12:00", "--until", "9000-01-01"],
            true,
        ),
        (&["--ruleset", "xiangqi/standard"], false),
    ] {
        let ran = exported(filter).await.well();
        assert_eq!(ran.out.contains(&game), is_there, "{filter:?}: {ran:?}");
    }
    for (filter, told) in [
        (&["--ruleset", "foo/bar"][..], "xiangqi/standard"),
        (&["--player", "Nobody"], "there is no account \"Nobody\""),
        (&["--from", "yesterday"], "such as 2026-11-28"),
    ] {
        let ran = exported(filter).await;
        assert!(!ran.ok && ran.err.contains(told), "{filter:?}: {ran:?}");
    }
}

/// Whether the copy is made or not, which is a matter of moments: nothing else is left.
#[tokio::test(flavor = "multi_thread")]
async fn a_backup_that_is_interrupted_leaves_no_half_of_a_copy() {
    let program = Program::start().await;
    let folder = Folder::new();
    let copy = folder.path().join("copy.db");
    let url = program.database().url();
    let names = || {
        let entries = std::fs::read_dir(folder.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names
            .filter(|name| name.starts_with("copy.db"))
            .collect::<Vec<_>>()
    };
    let backup = start(&[&"backup", &copy, &"--database", &url]);
    eventually("a copy is begun", async || {
        (!names().is_empty()).then_some(())
    })
    .await;
    backup.signal("INT").await;
    let made = backup.ends().await;
    let expected: &[&str] = if made { &["copy.db"] } else { &[] };
    assert_eq!(names(), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_cause_is_told_twice() {
    let ran = run(&[&"verify", &"--database", &"sqlite:/proc/none/x.db"]).await;
    assert!(!ran.ok, "{ran:?}");
    let parts: Vec<_> = ran.err.trim().split(": ").collect();
    let once: std::collections::BTreeSet<_> = parts.iter().collect();
    assert_eq!(parts.len(), once.len(), "{}", ran.err);
}
