//! `qiguan doctor` and `qiguan health`: what is wrong with how a server is set up, and whether it answers.

use std::{ffi::OsStr, os::unix::fs::PermissionsExt};

use qiguan_tests::{
    Cluster, Folder, Nats, Program,
    command::{Ran, run, run_in},
    tls_proxy::TlsProxy,
};
use serde_json::Value;

use crate::foreign_rooms::on;

/// What it finds, in words, each with how bad it is.
fn findings(ran: &Ran) -> Vec<(String, String)> {
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let lines = ran.out.lines();
    let findings = lines.map(|line| serde_json::from_str(line).unwrap());
    findings
        .map(|finding: Value| {
            let what = format!("{}: {}", text(&finding, "about"), text(&finding, "what"));
            (text(&finding, "level"), what)
        })
        .collect()
}

fn found(ran: &Ran, level: &str, told: &str) {
    let all = findings(ran);
    let mut all = all.iter();
    assert!(
        all.any(|(of, what)| of == level && what.contains(told)),
        "{level} {told:?} is not in {}\n{}",
        ran.out,
        ran.err
    );
}

async fn doctor(words: &[&str], variables: &[(&str, &str)]) -> Ran {
    let mut all: Vec<&dyn AsRef<OsStr>> = vec![&"doctor", &"--json"];
    all.extend(words.iter().map(|word| word as &dyn AsRef<OsStr>));
    run_in(&all, variables).await
}

#[tokio::test(flavor = "multi_thread")]
async fn l29_a_sound_set_up_has_nothing_wrong_and_a_proxy_that_shows_metrics_is_named() {
    let program = Program::start().await;
    let (address, database) = (program.address(), program.database().url());
    let own = ["--listen", address, "--database", database.as_str()];
    let ran = doctor(&own, &[]).await;
    assert!(ran.ok, "{ran:?}");
    found(&ran, "ok", "has the tables of this program");
    found(&ran, "ok", "is ready");
    found(&ran, "ok", "only this machine can connect");
    let proxy = TlsProxy::before(address).await;
    let (public, authority) = (proxy.url(""), proxy.authority());
    let authority = authority.display().to_string();
    let before = ["--public-url", public.as_str(), "--ca", authority.as_str()];
    let ran = doctor(&[&own[..], &before].concat(), &[]).await;
    found(&ran, "ok", "answers");
    found(&ran, "ok", "WebSockets pass");
    found(&ran, "warning", "any program on this machine can choose");
    found(&ran, "problem", "everybody can read");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    // An authority that nobody knows.
    let ran = doctor(&[&own[..], &before[..2]].concat(), &[]).await;
    found(&ran, "problem", "certificate");
}

#[tokio::test(flavor = "multi_thread")]
async fn l29_a_program_of_several_finds_its_postgres_and_its_nats() {
    let (database, mut nats) = (Cluster::shared().database(), Nats::guarded().await);
    let program = on(&database, &nats).start().await;
    let url = program.database().url();
    let settings = nats.settings();
    let settings = settings
        .iter()
        .flat_map(|(flag, value)| [*flag, value.as_str()]);
    let own = ["--listen", program.address(), "--database", url.as_str()];
    let words: Vec<_> = own.into_iter().chain(settings).collect();
    let ran = doctor(&words, &[]).await;
    assert!(ran.ok, "{ran:?}");
    found(&ran, "ok", "has the tables of this program");
    found(&ran, "ok", "the database's clock is ");
    found(&ran, "ok", "NATS answers");
    nats.is_killed();
    let ran = doctor(&words, &[]).await;
    assert_eq!(ran.status, Some(1), "{ran:?}");
    found(&ran, "problem", "NATS");
}

#[tokio::test(flavor = "multi_thread")]
async fn l29_what_is_wrong_is_found_and_no_secret_is_shown() {
    let folder = Folder::new();
    let file = folder.path().join("qiguan.toml");
    // Nothing listens at port 1.
    let text = "database = \"postgres://anna:hunter2@127.0.0.1:1/games\"\nlisten = \"0.0.0.0:1\"\n";
    std::fs::write(&file, text).unwrap();
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
    let shown = file.display().to_string();
    let variables = [
        ("QIGUAN_CONFIG", shown.as_str()),
        ("QIGUAN_LOG_JSON", "1"),
        ("QIGUAN_PUBLIC_URL", ""),
    ];
    let ran = doctor(&["--trusted-proxy", "0.0.0.0/0"], &variables).await;
    assert!(!ran.ok && !ran.out.contains("hunter2"), "{ran:?}");
    found(
        &ran,
        "ok",
        &format!("listen = 0.0.0.0:1, from {shown} line 2"),
    );
    found(
        &ran,
        "ok",
        "log-json = 1, from QIGUAN_LOG_JSON in the environment",
    );
    found(&ran, "ok", "trusted-proxy = 0.0.0.0/0, on the command line");
    found(&ran, "problem", "Postgres");
    found(&ran, "problem", "everybody is believed to be a proxy");
    found(&ran, "warning", "holds a secret");
    found(&ran, "warning", "without encryption");
    found(&ran, "note", "is not ready");
    // An empty variable is unset.
    assert!(!ran.out.contains("public-url ="), "{ran:?}");
    let record = folder.path().join("open.db");
    std::fs::write(&record, "").unwrap();
    std::fs::set_permissions(&record, PermissionsExt::from_mode(0o644)).unwrap();
    let url = format!("sqlite:{}", record.display());
    let ran = doctor(&["--database", &url, "--nats", "nats://127.0.0.1:1"], &[]).await;
    found(&ran, "warning", "everybody on this machine can open");
    found(&ran, "problem", "cluster-key");
    let missing = format!("sqlite:{}/new/none.db", folder.path().display());
    let ran = doctor(&["--database", &missing], &[]).await;
    found(&ran, "note", "there is no record yet");
    assert!(!folder.path().join("new").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn l30_a_container_knows_whether_its_server_answers() {
    let program = Program::start().await;
    let (address, url) = (program.address().to_owned(), program.url(""));
    let variables = [("QIGUAN_LISTEN", address.as_str())];
    for words in [&["health"][..], &["health", "--ready"], &["health", &url]] {
        let words: Vec<_> = words.iter().map(|word| word as &dyn AsRef<OsStr>).collect();
        let ran = run_in(&words, &variables).await.well();
        assert!(
            ran.out.contains("is alive") || ran.out.contains("is ready"),
            "{ran:?}"
        );
    }
    let stopped = program.kill().await;
    let ran = run_in(&[&"health"], &variables).await;
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.err.contains("is not alive"), "{ran:?}");
    drop(stopped);
    let ran = run(&[&"health", &"nonsense"]).await;
    assert!(!ran.ok, "{ran:?}");
}
