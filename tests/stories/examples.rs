//! docs/examples: the file of settings and the unit of systemd, as an operator copies them. The proxies have a file of their own (`reverse_proxies`).

use std::path::{Path, PathBuf};

use qiguan_tests::{
    Folder, Start, command::run, http::Http, program::executable, waiting::in_time,
};
use tokio::process::Command;

/// A file below docs/examples.
fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/examples");
    std::fs::read_to_string(path.join(name)).expect("an example")
}

/// A line of the file of settings that is not heeded, as it would be without its `#`.
fn setting(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.strip_prefix("# ")?.split_once(" = ")?;
    let is_name = |byte: u8| byte.is_ascii_lowercase() || byte == b'-';
    name.bytes().all(is_name).then_some((name, value))
}

/// Writes the text, and starts a server with it that has its record and its ports elsewhere.
async fn serves(text: &str) -> Start {
    let folder = Folder::new();
    let file: PathBuf = folder.path().join("qiguan.toml");
    std::fs::write(&file, text).unwrap();
    let start = Start::default()
        .with("--config", file.display())
        .with("--tables", folder.path().join("tables").display())
        .with("--metrics-listen", "127.0.0.1:0");
    let program = start.clone().start().await;
    let ready = Http::nobody(&program).get("/readyz").await;
    assert_eq!(ready.status, 200, "{ready:?}");
    let page = Http::nobody(&program).get("/").await;
    let is_public = page.headers.contains_key("strict-transport-security");
    assert_eq!(is_public, text.contains("\npublic-url"), "{page:?}");
    start
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_starts_with_the_file_of_settings_as_it_is_and_with_every_setting_in_it() {
    let text = example("qiguan.toml");
    serves(&text).await;
    let all = text.lines().map(|line| match setting(line) {
        Some((name, value)) => format!("{name} = {value}\n"),
        None => format!("{line}\n"),
    });
    let all: String = all.collect();
    assert!(all.contains("\npublic-url = \"https://"), "{all}");
    serves(&all).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_file_of_settings_shows_as_a_default_is_one() {
    let help = run(&[&"serve", &"--help"]).await.well().out;
    let mut compared = 0;
    for (name, shown) in example("qiguan.toml").lines().filter_map(setting) {
        let about = [" ", "\n"].map(|end| help.split_once(&format!("\n      --{name}{end}")));
        let about = about.into_iter().flatten().map(|(_, about)| about).next();
        let about = about.unwrap_or_else(|| panic!("{name} is not in {help}"));
        let about = about.split("\n      --").next().unwrap();
        let Some((_, default)) = about.split_once("[default: ") else {
            continue;
        };
        let default = default.split(']').next().unwrap();
        assert_eq!(shown.trim_matches('"'), default, "{name}");
        compared += 1;
    }
    assert!(compared >= 8, "{compared}");
}

#[tokio::test(flavor = "multi_thread")]
async fn systemd_takes_the_unit_and_finds_little_that_it_leaves_open() {
    let unit = example("qiguan.service");
    assert!(unit.contains("ExecStart=/usr/bin/qiguan serve --config /etc/qiguan/qiguan.toml\n"));
    let folder = Folder::new();
    let file = folder.path().join("qiguan.service");
    let program = executable().display().to_string();
    std::fs::write(&file, unit.replace("/usr/bin/qiguan", &program)).unwrap();
    let checks: [&[&str]; 2] = [
        &["verify", "--man=no"],
        // Of 100; a unit without any of it has 96.
        &["security", "--offline=true", "--no-pager", "--threshold=20"],
    ];
    for words in checks {
        let mut analyze = Command::new("systemd-analyze");
        analyze.args(words).arg(&file);
        let output = in_time("systemd-analyze", analyze.output()).await;
        let output = output.expect("systemd-analyze is installed (sudo apt-get install systemd)");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{words:?}: {output:?}");
        assert_eq!(text, "", "{words:?}");
    }
}
