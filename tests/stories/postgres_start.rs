//! What a server does when Postgres is not as it was thought to be: not there yet, held by others, elsewhere, or behind TLS.

use qiguan_protocol::error::ErrorCode;
use qiguan_tests::{
    Cluster, Seats, Setup, Start, Stop,
    command::{run, start},
    http::Http,
    on_every_database,
    secrets::a_game,
};
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection, postgres::PgConnectOptions};

on_every_database! {
    l12_no_list_of_nothing_is_an_error,
    l13_no_text_that_a_database_can_not_keep_is_taken,
}

async fn l12_no_list_of_nothing_is_an_error(on: fn() -> Start) {
    let program = on().start().await;
    let http = Http::nobody(&program);
    let page = http
        .get("/api/games?game=xiangqi&ruleset=luzhanqi/modern")
        .await;
    assert_eq!(page.status, 200, "{page:?}");
    assert_eq!(page.json()["games"], json!([]));
    for unknown in ["%00", "xiangqi/nothing", "", "%27"] {
        let refused = http.get(&format!("/api/games?ruleset={unknown}")).await;
        assert_eq!(
            refused.refusal(),
            (400, ErrorCode::UnknownRuleset),
            "{unknown}"
        );
    }
}

async fn l13_no_text_that_a_database_can_not_keep_is_taken(on: fn() -> Start) {
    let program = on().start().await;
    let seats = Seats::setting_up(&program, &a_game("luzhanqi/referee")).await;
    let game = seats.game;
    let mut guest = Http::nobody(&program);
    guest.token = seats.first.token.clone();
    let notes = format!("/api/games/{game}/notes");
    let put = async |path: &str, body: Value| {
        let body = Some(body.to_string());
        guest.send(Method::PUT, path, &[], body).await
    };
    for bad in ["\0", "a\u{1}b", "\u{1b}[2J", "\u{9b}"] {
        let refused = put(&notes, json!({ "notes": bad })).await;
        assert_eq!(refused.refusal(), (400, ErrorCode::BadValue), "{bad:?}");
        assert_eq!(refused.error().field.as_deref(), Some("notes"));
    }
    let kept = put(&notes, json!({ "notes": "one\n\ttwo\r\n三" })).await;
    assert_eq!(kept.status, 204, "{kept:?}");
    // Wherever else a text of a player's goes.
    let setup = json!({ "setup": "DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX" });
    for (method, path, body) in [
        (Method::PUT, "/api/setups/a%00b", setup.clone()),
        (Method::PUT, "/api/setups/a", json!({ "setup": "\0" })),
        (
            Method::POST,
            "/api/register",
            json!({"name": "a\0b", "password": "long enough 1"}),
        ),
        (
            Method::POST,
            "/api/login",
            json!({"name": "a\0b", "password": "long enough 1"}),
        ),
        (
            Method::POST,
            &format!("/api/games/{game}/spectator_chat"),
            json!({"command": qiguan_tests::client::command_id(), "text": "a\0b"}),
        ),
        (
            Method::POST,
            "/api/analyses",
            qiguan_tests::sharing::analysis("a\0b"),
        ),
        (Method::GET, "/api/players?name=%00", Value::Null),
        (
            Method::GET,
            "/api/games?ruleset=xiangqi/standard&position=%00",
            Value::Null,
        ),
        (
            Method::GET,
            "/api/openings?ruleset=xiangqi/standard&fen=%00",
            Value::Null,
        ),
        (
            Method::GET,
            "/api/leaderboards/xiangqi/standard?after=%00",
            Value::Null,
        ),
    ] {
        let body = (!body.is_null()).then(|| body.to_string());
        let answer = guest.send(method.clone(), path, &[], body).await;
        assert!(
            (400..500).contains(&answer.status),
            "{method} {path}: {answer:?}"
        );
    }
    assert!(!program.log().contains("WARN"), "{}", program.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn l14_no_start_waits_in_silence_for_another_session() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let mut beside = PgConnection::connect(&url).await.unwrap();
    beside
        .execute("set application_name = 'somebody else'")
        .await
        .unwrap();
    // The number is made of the database's name, as the program makes it.
    let name = url
        .rsplit('/')
        .find_map(|part| part.split_once('?'))
        .unwrap()
        .0;
    let mut sum = flate2::Crc::new();
    sum.update(name.as_bytes());
    let lock = 0x3d32_ad9e_i64 * i64::from(sum.sum());
    sqlx::query("select pg_advisory_lock($1)")
        .bind(lock)
        .execute(&mut beside)
        .await
        .unwrap();
    let mut starting = start(&[
        &"serve",
        &"--listen",
        &"127.0.0.1:0",
        &"--database",
        &url.as_str(),
    ]);
    let line = starting.says("waiting for another session").await;
    assert!(line.contains("somebody else"), "{line}");
    sqlx::query("select pg_advisory_unlock($1)")
        .bind(lock)
        .execute(&mut beside)
        .await
        .unwrap();
    starting.says("ready").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn l15_no_table_that_others_hold_looks_like_a_fault_of_the_server() {
    let program = Start::on_postgres().start().await;
    let guest = Http::guest(&program).await;
    let mut beside = program.database().session().await;
    let held = "begin; lock table games in access exclusive mode";
    beside.execute(held).await.unwrap();
    for path in ["/api/games", "/api/lobby"] {
        let refused = guest.get(path).await;
        assert_eq!(refused.refusal(), (503, ErrorCode::Busy), "{path}");
    }
    assert_eq!(guest.get("/readyz").await.status, 503);
    beside.execute("rollback").await.unwrap();
    assert_eq!(guest.get("/readyz").await.status, 200);
    assert_eq!(guest.get("/api/games").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn l16_no_list_breaks_when_postgres_is_gone() {
    let cluster = Cluster::start();
    let program = Start::default()
        .at_database(cluster.database())
        .start()
        .await;
    let http = Http::nobody(&program);
    cluster.stop(Stop::Fast);
    for path in [
        "/api/games",
        "/api/games/01890000-0000-7000-8000-000000000001",
        "/api/leaderboards/xiangqi/standard",
    ] {
        let refused = http.get(path).await;
        assert_eq!(refused.refusal(), (503, ErrorCode::Busy), "{path}");
    }
    assert_eq!(http.get("/healthz").await.status, 200);
    assert_eq!(http.get("/readyz").await.status, 503);
}

#[tokio::test(flavor = "multi_thread")]
async fn l17_no_setting_of_the_database_leads_the_tables_elsewhere() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let mut beside = PgConnection::connect(&url).await.unwrap();
    let elsewhere = "create schema elsewhere; \
         do $$ begin execute format('alter database %I set search_path = elsewhere', current_database()); end $$";
    beside.execute(elsewhere).await.unwrap();
    let schema = async || -> Option<String> {
        let mut looking = PgConnection::connect(&url).await.unwrap();
        let schema = "select schemaname::text from pg_tables where tablename = 'events'";
        sqlx::query_scalar(schema)
            .fetch_optional(&mut looking)
            .await
            .unwrap()
    };
    let program = Start::default().at_database(&url).start().await;
    assert_eq!(schema().await.as_deref(), Some("public"));
    let game = Http::guest(&program).await.opens(&Setup::default()).await;
    drop(program);
    // Where records are already, they stay.
    let moved = "do $$ declare it record; begin \
         for it in select tablename from pg_tables where schemaname = 'public' loop \
         execute format('alter table public.%I set schema elsewhere', it.tablename); end loop; \
         for it in select p.oid::regprocedure::text as name from pg_proc p where p.pronamespace = 'public'::regnamespace loop \
         execute format('alter function %s set schema elsewhere', it.name); end loop; end $$";
    beside.execute(moved).await.unwrap();
    let program = Start::default().at_database(&url).start().await;
    assert_eq!(schema().await.as_deref(), Some("elsewhere"));
    let http = Http::nobody(&program);
    assert_eq!(http.get(&format!("/api/games/{game}")).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn l18_no_connection_to_postgres_is_made_to_a_server_that_cannot_prove_its_name() {
    let cluster = Cluster::with_tls();
    let url = cluster.url_over_network("localhost");
    let authority = cluster.authority();
    // Not signed by anybody whom the system knows.
    let verified = format!("{url}?sslmode=verify-full");
    let password = cluster.password().display().to_string();
    let file = "--database-password-file";
    let verify = async |url: &str, ca: Option<&str>| {
        let mut words: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"verify", &"--database", &url];
        words.extend([&file as &dyn AsRef<std::ffi::OsStr>, &password]);
        if let Some(ca) = &ca {
            words.extend([&"--database-ca" as &dyn AsRef<std::ffi::OsStr>, ca]);
        }
        run(&words).await
    };
    let refused = verify(&verified, None).await;
    assert!(
        !refused.ok && refused.err.contains("certificate"),
        "{refused:?}"
    );
    // Signed by the right authority, for another name.
    let ca = authority.display().to_string();
    let other = cluster.url_over_network("127.0.0.1");
    let refused = verify(&other, Some(&ca)).await;
    assert!(
        !refused.ok && refused.err.contains("certificate"),
        "{refused:?}"
    );
    // In the clear there is no door.
    let refused = verify(&format!("{url}?sslmode=disable"), None).await;
    assert!(!refused.ok, "{refused:?}");
    let program = Start::default()
        .at_database(&url)
        .with("--database-ca", &ca)
        .with(file, &password)
        .start()
        .await;
    let guest = Http::guest(&program).await;
    guest.opens(&Setup::default()).await;
    let migrate: [&dyn AsRef<std::ffi::OsStr>; 8] = [
        &"migrate",
        &"--no-copy",
        &"--database",
        &url,
        &"--database-ca",
        &ca,
        &file,
        &password,
    ];
    run(&migrate).await.well();
    let options: PgConnectOptions = format!("{url}?sslmode=require").parse().unwrap();
    let typed = std::fs::read_to_string(&password).unwrap();
    let options = options.password(typed.trim_end());
    let mut looking = PgConnection::connect_with(&options).await.unwrap();
    let plain: i64 = sqlx::query_scalar(
        "select count(*) from pg_stat_activity a join pg_stat_ssl s using (pid) where a.application_name like 'qiguan%' and not s.ssl",
    )
    .fetch_one(&mut looking)
    .await
    .unwrap();
    assert_eq!(plain, 0);
    // The URL alone can say the same.
    let in_url = format!("{verified}&sslrootcert={ca}");
    verify(&in_url, None).await.well();
    // Without the password nobody comes in, and no message has it.
    let none = run(&[&"verify", &"--database", &in_url]).await;
    assert!(!none.ok && none.err.contains("password"), "{none:?}");
    assert!(!none.err.contains(typed.trim_end()) && !program.log().contains(typed.trim_end()));
}

#[tokio::test(flavor = "multi_thread")]
async fn l19_no_start_gives_up_before_postgres_has_had_its_time() {
    let cluster = Cluster::start();
    let url = cluster.database();
    cluster.stop(Stop::Fast);
    let serve = |wait: &'static str| {
        let url = url.clone();
        start(&[
            &"serve",
            &"--listen",
            &"127.0.0.1:0",
            &"--database",
            &url,
            &"--database-wait-seconds",
            &wait,
        ])
    };
    let mut impatient = serve("1");
    impatient
        .says("within 1 seconds (--database-wait-seconds)")
        .await;
    assert!(!impatient.ends().await);
    let mut patient = serve("600");
    let line = patient.says("waiting for Postgres").await;
    assert!(line.contains("postgres://qiguan@/"), "{line}");
    cluster.start_again();
    patient.says("ready").await;
    // What will never be there is not waited for.
    let nowhere = url.replace("localhost/q", "localhost/no-such-");
    let mut wrong = start(&[
        &"serve",
        &"--listen",
        &"127.0.0.1:0",
        &"--database",
        &nowhere.as_str(),
    ]);
    wrong.says("does not exist").await;
    assert!(!wrong.ends().await);
}
