//! Programs of two releases on one record. `QIGUAN_VERSIONS` has the program under test stand for one of another release, and what the next
//! release does to the tables is done by hand.

use qiguan_tests::{
    Cluster, Nats, Program, Seats, Start,
    command::{Ran, run_in},
    record::{self, Database},
    reverse_proxy::ReverseProxy,
    waiting::eventually,
};
use sqlx::{Connection, Executor};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::foreign_rooms::{MOVES, on, setup};

/// The versions that a program of the older release knows.
const OLDER: &str = "1-1";
/// Those of the newer one.
const NEWER: &str = "1-2";
/// Those of one that is too new for the older one.
const TOO_NEW: &str = "2-3";

/// As a program that knows these versions.
fn of(versions: &str, start: Start) -> Start {
    start.behind(&["env", &format!("QIGUAN_VERSIONS={versions}")])
}

/// What a command of such a program says.
async fn ran(versions: &str, words: &[&str]) -> Ran {
    let words: Vec<&dyn AsRef<std::ffi::OsStr>> = words.iter().map(|word| word as _).collect();
    run_in(&words, &[("QIGUAN_VERSIONS", versions)]).await
}

/// What a program takes for the cluster version.
async fn version(program: &Program) -> u32 {
    let (_, text) = program.get("/metrics").await;
    let mut lines = text.lines();
    let version = lines.find_map(|line| line.strip_prefix("qiguan_cluster_version "));
    version.expect("a gauge").parse().expect("a number")
}

/// Both players come to these programs, which may not own the game yet.
async fn come(mut seats: Seats, first: &Program, second: &Program) -> Seats {
    seats.first = seats.first.again(first.address()).await;
    seats.second = seats.second.again(second.address()).await;
    let game = seats.game;
    for client in seats.both() {
        eventually("the game to be there", async || {
            client.tries_to_watch(game).await.ok()
        })
        .await;
    }
    seats
}

async fn end(program: Program) {
    program.terminate().await;
    program.ends().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn p20_programs_are_upgraded_one_by_one_under_play_and_the_older_release_stays_outside_once_that_is_finished()
 {
    let (nats, url) = (Nats::start().await, Cluster::shared().database());
    let start = |versions| {
        let start = on(&url, &nats).with("--finish-upgrade-after-secs", 1);
        of(versions, start)
    };
    let (one, two) = (start(OLDER).start().await, start(OLDER).start().await);
    let seats = Seats::begin_with(&one, &setup()).await;
    let mut seats = come(seats, &one, &two).await;
    seats.play(1, &MOVES).await;

    let newer = start(NEWER).start().await;
    end(one).await;
    let mut seats = come(seats, &newer, &two).await;
    seats.play(5, &MOVES).await;
    // As long as the older release is there, nothing is finished.
    let migrate = ["migrate", "--database", &url, "--finish"];
    let refused = ran(NEWER, &migrate).await;
    assert!(!refused.ok);
    for part in ["cluster version is 1", "older programs", "127.0.0.1"] {
        assert!(refused.err.contains(part), "{refused:?}");
    }
    assert_eq!((version(&newer).await, version(&two).await), (1, 1));

    let other = start(NEWER).start().await;
    end(two).await;
    let mut seats = come(seats, &newer, &other).await;
    seats.play(9, &MOVES).await;
    for program in [&newer, &other] {
        eventually("the upgrade to be finished", async || {
            (version(program).await == 2).then_some(())
        })
        .await;
    }
    seats.play(13, &MOVES).await;
    let events = record::events(&Database::Postgres(url.clone()), seats.game).await;
    assert_eq!(record::moves(&events).len(), 16);
    let serve = ["serve", "--listen", "127.0.0.1:0", "--database", &url];
    let refused = ran(OLDER, &serve).await;
    assert!(!refused.ok);
    for part in ["cluster version 2", "up to 1", "newer program"] {
        assert!(refused.err.contains(part), "{refused:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn p21_a_program_that_skips_a_release_does_not_join_and_names_who_is_in_the_way() {
    let url = Cluster::shared().database();
    let database = || Start::default().at_database(url.clone());
    let older = of(OLDER, database()).start().await;
    let serve = ["serve", "--listen", "127.0.0.1:0", "--database", &url];
    let refused = ran(TOO_NEW, &serve).await;
    assert!(!refused.ok);
    let process = format!("process {}", older.pid());
    for part in [
        process.as_str(),
        "1 to 1",
        "2 to 3",
        "one release at a time",
    ] {
        assert!(refused.err.contains(part), "{refused:?}");
    }
    // The other has noticed nothing, and once it is gone nobody is in the way.
    let mut seats = Seats::begin_with(&older, &setup()).await;
    seats.play(1, &MOVES).await;
    end(older).await;
    let newer = of(TOO_NEW, database()).start().await;
    assert_eq!(version(&newer).await, 2);
}

/// What the next release does to the tables of a record, in either database.
async fn expand(database: &Database) {
    let expand = "create table next_release (id integer not null, constraint next_release_pk primary key (id)); \
        alter table games add column next_release integer; \
        alter table players add column next_release integer not null default 0; \
        create index games_by_next_release on games (next_release);";
    let note = |zero| {
        let text = format!(
            "{expand} insert into _sqlx_migrations (version, description, success, checksum, execution_time) \
             values (9000, 'next release', true, {zero}, 0)"
        );
        sqlx::AssertSqlSafe(text)
    };
    match database {
        Database::Sqlite(_) => {
            let mut file = record::open(database).await;
            sqlx::raw_sql(note("x'00'"))
                .execute(&mut file)
                .await
                .unwrap();
            file.close().await.unwrap();
        }
        Database::Postgres(_) => {
            let mut session = database.session().await;
            session
                .execute(sqlx::raw_sql(note("'\\x00'")))
                .await
                .unwrap();
            session.close().await.unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn p22_a_program_starts_again_on_tables_that_the_next_release_has_added_to_and_games_go_on() {
    for start in [Start::default(), Start::on_postgres()] {
        let program = start.for_machines().start().await;
        let database = program.database();
        let mut seats = Seats::begin_with(&program, &setup()).await;
        seats.play(1, &MOVES).await;
        if matches!(database, Database::Postgres(_)) {
            // Under play: a program of the next release has started beside it.
            expand(&database).await;
            seats.play(5, &MOVES).await;
        }
        program.terminate().await;
        let stopped = program.ends().await;
        if matches!(database, Database::Sqlite(_)) {
            expand(&database).await;
        }
        let program = stopped.restart().await;
        let mut seats = come(seats, &program, &program).await;
        let from = record::moves(&record::events(&database, seats.game).await).len() as u32;
        seats.play(from + 1, &MOVES).await;
        let mut more = Seats::begin_with(&program, &setup()).await;
        more.play(1, &MOVES).await;
        program.terminate().await;
        let _stopped = program.ends().await;
        assert!(record::is_sound(&database).await >= 2);
    }
}

/// Something that answers as a program does that has a file or not, for every request.
async fn answers(status: &'static str) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut asked = vec![0; 4_096];
                let length = socket.read(&mut asked).await.unwrap_or(0);
                let is_check = asked[..length].starts_with(b"GET /readyz");
                let status = if is_check { "200 OK" } else { status };
                let answer = format!(
                    "HTTP/1.1 {status}\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}",
                    if status.starts_with('2') { "ok" } else { "no" }
                );
                drop(socket.write_all(answer.as_bytes()).await);
            });
        }
    });
    address
}

#[tokio::test(flavor = "multi_thread")]
async fn p23_a_file_of_another_release_comes_from_the_program_that_has_it() {
    let none = "404 Not Found";
    let programs = [
        answers(none).await,
        answers("200 OK").await,
        answers(none).await,
    ];
    let proxy = ReverseProxy::haproxy_before(programs.clone(), None).await;
    let http = qiguan_tests::Http::at(&format!("http://{}", proxy.address()));
    for turn in 0..6 {
        let file = http.get("/_app/immutable/entry/start.older.js").await;
        assert_eq!((file.status, file.text.as_str()), (200, "ok"), "{turn}");
    }
    // What nobody has is still answered, once all have been asked.
    let programs = [
        answers(none).await,
        answers(none).await,
        answers(none).await,
    ];
    let proxy = ReverseProxy::haproxy_before(programs.clone(), None).await;
    let http = qiguan_tests::Http::at(&format!("http://{}", proxy.address()));
    let file = http.get("/_app/immutable/entry/start.older.js").await;
    assert_eq!(file.status, 404);
}
