//! Settings that are not as they should be stop the program at its start, with what is allowed.

use qiguan_tests::{
    Folder, Program, Start,
    command::{run, run_in},
    game::Seats,
};

/// Nothing was made, and no server was left running.
async fn is_refused(words: &[&str], variables: &[(&str, &str)], told: &[&str]) {
    let folder = Folder::new();
    let database = format!("sqlite:{}/new.db", folder.path().display());
    let mut all: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"serve", &"--listen", &"127.0.0.1:0"];
    all.extend([&"--database" as &dyn AsRef<std::ffi::OsStr>, &database]);
    all.extend(words.iter().map(|word| word as &dyn AsRef<std::ffi::OsStr>));
    let ran = run_in(&all, variables).await;
    assert!(
        !ran.ok && ran.out.is_empty(),
        "{words:?} {variables:?}: {ran:?}"
    );
    for told in told {
        assert!(ran.err.contains(told), "{told:?} is not in {}", ran.err);
    }
    assert!(!folder.path().join("new.db").exists(), "{words:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn l7_no_server_starts_with_an_origin_that_no_browser_sends() {
    for flag in ["--public-url", "--allow-origin"] {
        for wrong in [
            "qiguan.example.org",
            "foo",
            "https://x/y/z",
            "https://x/",
            "*",
        ] {
            let told = [flag, wrong, "such as https://qiguan.example.org"];
            is_refused(&[flag, wrong], &[], &told).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn l8_no_misspelt_setting_is_passed_over() {
    let told = ["QIGUAN_LISTE", "QIGUAN_LISTEN"];
    is_refused(&[], &[("QIGUAN_LISTE", "0.0.0.0:80")], &told).await;
    let told = ["QIGUAN_DATABASE_URL", "QIGUAN_DATABASE"];
    is_refused(&[], &[("QIGUAN_DATABASE_URL", "sqlite:x")], &told).await;
    // Other subcommands would work on the wrong record as well.
    let ran = run_in(&[&"verify"], &[("QIGUAN_DATABSE", "sqlite:x")]).await;
    assert!(!ran.ok && ran.err.contains("QIGUAN_DATABASE"), "{ran:?}");
    // What builds, tests and other subcommands read is nobody's mistake.
    let known = [
        ("QIGUAN_WEB_DIST", "/x"),
        ("QIGUAN_TOKEN", "x"),
        ("QIGUAN_TWINS", "5"),
    ];
    let ran = run_in(&[&"perft", &"--depth", &"1"], &known).await;
    assert!(!ran.err.contains("QIGUAN_"), "{ran:?}");
}

/// Every name of ours in the sources is one that the program knows.
#[tokio::test]
async fn l8_no_name_that_something_reads_is_refused() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<_> = [
        "server", "tests", "bench", "scripts", "web", "fuzz", "protocol",
    ]
    .map(|folder| root.join(folder))
    .into();
    folders.push(root.join("Makefile"));
    let mut names = std::collections::BTreeSet::new();
    while let Some(place) = folders.pop() {
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let left_out = [
            "node_modules",
            "target",
            "build",
            "settings.rs",
            "names.rs",
            "corpus",
        ];
        if left_out.contains(&&*name) || name.starts_with('.') {
            continue;
        }
        if place.is_dir() {
            let inner = std::fs::read_dir(&place).unwrap();
            folders.extend(inner.map(|entry| entry.unwrap().path()));
            continue;
        }
        let text = std::fs::read_to_string(&place).unwrap_or_default();
        for rest in text.split("QIGUAN_").skip(1) {
            let is_letter = |letter: char| letter.is_ascii_uppercase() || letter == '_';
            let word: String = rest
                .chars()
                .take_while(|letter| is_letter(*letter))
                .collect();
            if word.len() > 1 {
                names.insert(format!("QIGUAN_{}", word.trim_end_matches('_')));
            }
        }
    }
    assert!(names.contains("QIGUAN_LISTEN"), "{names:?}");
    let variables: Vec<_> = names.iter().map(|name| (name.as_str(), "")).collect();
    let ran = run_in(&[&"check", &"--help"], &[]).await;
    assert!(ran.ok, "{ran:?}");
    for variable in variables {
        let ran = run_in(&[&"perft", &"--depth", &"1"], &[variable]).await;
        assert!(
            !ran.err.contains("in the environment"),
            "{variable:?}: {ran:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn l9_no_server_opens_a_record_that_its_operator_has_not_named() {
    let folder = Folder::new();
    let path = |name: &str| format!("sqlite:{}/{name}.db", folder.path().display());
    let (one, other) = (path("one"), path("other"));
    let verify: &[&dyn AsRef<std::ffi::OsStr>] = &[&"verify"];
    for name in ["QIGUAN_DATABASE", "DATABASE_URL"] {
        let ran = run_in(verify, &[(name, &one)]).await;
        assert!(!ran.ok && ran.err.contains("one.db"), "{name}: {ran:?}");
    }
    let both = [("QIGUAN_DATABASE", one.as_str()), ("DATABASE_URL", &other)];
    let ran = run_in(verify, &both).await;
    assert!(!ran.ok && ran.err.contains("differ"), "{ran:?}");
    assert!(
        !ran.err.contains("one.db"),
        "a URL may hold a password: {ran:?}"
    );
    // The log of a start says where the records are.
    let program = Program::start().await;
    let file = program.database().url();
    assert!(program.log().contains(&file), "{}: {}", file, program.log());
    // No help shows what the environment has.
    let secret = [("DATABASE_URL", "postgres://a:hunter2@b/c")];
    let help = run_in(&[&"serve", &"--help"], &secret).await;
    assert!(help.ok && !help.out.contains("hunter2"), "{help:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn l10_no_wrong_setting_leaves_its_operator_looking_for_where_it_stands() {
    let variable = [("QIGUAN_MAX_CONNECTIONS", "abc")];
    let told =
        "the environment: QIGUAN_MAX_CONNECTIONS = \"abc\": expected a whole number from 1 to";
    is_refused(&[], &variable, &[told]).await;
    let folder = Folder::new();
    let file = folder.path().join("qiguan.toml");
    let shown = file.display().to_string();
    for (wrong, told) in [
        (
            "max-connections = \"abc\"",
            "max-connections = \"abc\": expected a whole number from 1 to",
        ),
        (
            "max-connections = 0",
            "max-connections = \"0\": expected a whole number from 1 to",
        ),
        (
            "max-connections = 1.5",
            "max-connections: expected a string, a whole number",
        ),
        ("max-connectons = 5", "unknown setting \"max-connectons\""),
        ("max-connections = [5", "unclosed array"),
        (
            "log-json = \"maybe\"",
            "log-json = \"maybe\": expected true or false",
        ),
        ("log = \"a=b=c\"", "log = \"a=b=c\": expected error, warn"),
    ] {
        std::fs::write(&file, format!("# Settings.\n\n{wrong}\n")).unwrap();
        let told = format!("qiguan: {shown} line 3: {told}");
        is_refused(&["--config", &shown], &[], &[&told]).await;
    }
    let ran = run(&[&"serve", &"--max-connections", &"abc"]).await;
    assert!(!ran.err.contains("the environment"), "{ran:?}");
    let ran = run(&[&"serve", &"--listen", &"localhost:99999"]).await;
    assert!(
        !ran.ok && ran.err.contains("such as 127.0.0.1:8080"),
        "{ran:?}"
    );
    is_refused(&["--trusted-proxy", "here"], &[], &["such as 127.0.0.1"]).await;
    // A URL may hold a password, wherever it stands.
    let secret = "mysql://anna:hunter2@db/games";
    for (words, variables, place) in [
        (
            &["verify", "--database", secret][..],
            &[][..],
            "--database: ",
        ),
        (
            &["verify"],
            &[("QIGUAN_DATABASE", secret)],
            "QIGUAN_DATABASE: ",
        ),
    ] {
        let words: Vec<_> = words
            .iter()
            .map(|word| word as &dyn AsRef<std::ffi::OsStr>)
            .collect();
        let ran = run_in(&words, variables).await;
        assert!(
            !ran.ok && ran.err.contains(place) && !ran.err.contains("hunter2"),
            "{ran:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn l28_no_subcommand_works_on_another_record_than_the_server_of_the_same_file() {
    let program = Program::start().await;
    let folder = Folder::new();
    let file = folder.path().join("qiguan.toml");
    let url = program.database().url();
    // What only a server needs is no mistake for the others.
    std::fs::write(
        &file,
        format!("listen = \"localhost:0\"\ndatabase = \"{url}\"\n"),
    )
    .unwrap();
    let shown = file.display().to_string();
    let named = [("QIGUAN_CONFIG", shown.as_str()), ("QIGUAN_DATABASE", "")];
    let game = Seats::begin(&program).await.game.to_string();
    let puzzles = folder.path().join("puzzles.txt").display().to_string();
    for words in [
        &["verify"][..],
        &["admin", "audit"],
        &["export", "-"],
        &["reindex"],
        &["replay", "--from-record", &game],
        &[
            "puzzles",
            "--from-record",
            "--ruleset",
            "xiangqi/standard",
            "--output",
            &puzzles,
        ],
        &["tables", "--ruleset", "doushouqi/booklet", "--pieces", "2"],
    ] {
        let words: Vec<_> = words
            .iter()
            .map(|word| word as &dyn AsRef<std::ffi::OsStr>)
            .collect();
        run_in(&words, &named).await.well();
        let flag: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"--config", &shown];
        run(&[words, flag].concat()).await.well();
    }
    let beside = program.database().file().with_file_name("tables");
    assert!(beside.join("booklet").exists());
    // A record is read only where that is asked for.
    for (words, told) in [
        (
            ["replay", &game, "--from-record", "--review"],
            "--server and --review are for",
        ),
        (["puzzles", "--check", "--database", &url], "read no games"),
    ] {
        let words = words
            .each_ref()
            .map(|word| word as &dyn AsRef<std::ffi::OsStr>);
        let ran = run_in(&words, &named).await;
        assert!(!ran.ok && ran.err.contains(told), "{ran:?}");
    }
    // The environment wins over the file, and a flag over both.
    let other = format!("sqlite:{}/other.db", folder.path().display());
    let both = [
        ("QIGUAN_CONFIG", shown.as_str()),
        ("QIGUAN_DATABASE", &other),
    ];
    let ran = run_in(&[&"verify"], &both).await;
    assert!(!ran.ok && ran.err.contains("other.db"), "{ran:?}");
    run_in(&[&"verify", &"--database", &url], &both)
        .await
        .well();
}

#[tokio::test(flavor = "multi_thread")]
async fn l11_no_public_server_believes_its_whole_machine_without_a_warning() {
    let public = || Start::default().with("--public-url", "https://qiguan.example.org");
    let program = public().start().await;
    assert!(
        program.log().contains("--trusted-proxy 127.0.0.1"),
        "{}",
        program.log()
    );
    let program = public().with("--trusted-proxy", "127.0.0.1").start().await;
    assert!(
        !program.log().contains("--trusted-proxy"),
        "{}",
        program.log()
    );
}
