//! `qiguan backup` and `qiguan restore`: a copy made under play is a whole record, and nobody takes it for the lost one.

use std::path::Path;

use qiguan_protocol::{
    answer::Answer,
    ids::{Cursor, Seq},
};
use qiguan_tests::{
    Client, Cluster, Program, Seats, Setup, Start,
    command::{Ran, run},
    folder::Folder,
    game::fischer,
    record::{self, Database},
};
use serde_json::json;

async fn backs_up(database: &Database, file: &Path) -> Ran {
    let url = database.url();
    run(&[&"backup", &file, &"--database", &url]).await
}

async fn restores(file: &Path, database: &Database) -> Ran {
    let url = database.url();
    run(&[&"restore", &file, &"--database", &url]).await
}

/// Moves to and fro.
const TO_AND_FRO: [&str; 4] = ["a3a4", "g7g6", "a4a3", "g6g7"];
/// So many of them: before a position is there a hundred times.
const PLIES: u32 = 392;

/// Plays four games while something is done, and comes back with them and with how many plies each has.
async fn under_play(program: &Program, doing: impl Future<Output = ()>) -> Vec<(Seats, u32)> {
    let for_ever = Setup {
        options: json!({"quiet_limit": 0, "repetition_limit": 100}),
        ..Setup::default().time_control(fischer(600_000, 0))
    };
    let mut tables = Vec::new();
    for _ in 0..4 {
        tables.push(Seats::begin_with(program, &for_ever).await);
    }
    // The games are in the middle of a move all the time.
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let playing: Vec<_> = tables
        .into_iter()
        .map(|mut seats| {
            let stopped = stopped.clone();
            tokio::spawn(async move {
                let mut ply = 0;
                while ply < PLIES && !*stopped.borrow() {
                    seats.play(ply + 1, &TO_AND_FRO).await;
                    ply += 4;
                }
                (seats, ply)
            })
        })
        .collect();
    doing.await;
    stop.send(true).unwrap();
    let mut played = Vec::new();
    for table in playing {
        played.push(table.await.unwrap());
    }
    played
}

/// A copy has all four games, up to some earlier time.
async fn is_of_an_earlier_time(copy: &Database, (seats, plies): &(Seats, u32)) {
    assert_eq!(record::is_sound(copy).await, 4);
    let moves = record::moves(&record::events(copy, seats.game).await);
    assert!(moves.len() <= *plies as usize, "{moves:?}");
    assert!(
        moves.iter().eq(TO_AND_FRO.iter().cycle().take(moves.len())),
        "{moves:?}"
    );
}

/// Both players come back with what they have seen of the lost record, to a server on a copy of it, and play on.
async fn come_back(seats: &Seats, seen: Cursor, restored: &Program) {
    let game = seats.game;
    let mut first = seats.first.again(restored.address()).await;
    let Cursor { epoch, seq } = seen;
    // What was seen of the lost record is void, even if the numbers would fit.
    for seq in [seq, Seq(3)] {
        let since = json!({"game": game, "since": {"epoch": epoch, "seq": seq}});
        let answer = first.asks("watch", since).await;
        let Answer::Snapshot { view, .. } = answer else {
            panic!("no snapshot since {seq}")
        };
        assert_ne!(view.cursor.epoch, epoch);
    }
    let view = first.snapshot(game).await;
    let mut second = seats.second.again(restored.address()).await;
    second.watches(game).await;
    let left = view.clocks.left.unwrap();
    assert!(left.first.ms.0 > 500_000, "{left:?}");
    let next = view.moves.len();
    let mover = if next % 2 == 0 {
        &mut first
    } else {
        &mut second
    };
    let text = TO_AND_FRO[next % 4];
    mover.plays(game, next as u32 + 1, text).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a19_a_copy_made_under_play_is_whole_and_play_goes_on_from_it() {
    let program = Start::default().for_machines().start().await;
    let folder = Folder::new();
    let mut copies = Vec::new();
    let mut played = under_play(&program, async {
        for number in 0..3 {
            let copy = folder.path().join(format!("copy{number}.db"));
            let ran = backs_up(&program.database(), &copy).await.well();
            assert!(ran.out.starts_with("4 games, "), "{ran:?}");
            copies.push(copy);
        }
    })
    .await;
    let names = std::fs::read_dir(folder.path()).unwrap();
    assert_eq!(names.count(), 3, "nothing else is left there");

    let again = backs_up(&program.database(), &copies[0]).await;
    assert!(!again.ok && again.err.contains("overwritten"), "{again:?}");
    let live = restores(&copies[0], &program.database()).await;
    assert!(!live.ok && live.err.contains("overwritten"), "{live:?}");

    for copy in &copies {
        let new = Folder::new();
        let database = Database::Sqlite(new.path().join("data").join("qiguan.db"));
        restores(copy, &database).await.well();
        is_of_an_earlier_time(&database, &played[0]).await;
    }
    let (seats, _) = &mut played[0];
    let seen = seats.first.snapshot(seats.game).await.cursor;
    let new = Folder::new();
    restores(&copies[2], &Database::Sqlite(new.path().join("qiguan.db")))
        .await
        .well();
    let restored = Start::default().start_in(new).await;
    come_back(seats, seen, &restored).await;
}

/// The commands are those of docs/operations.md.
#[tokio::test(flavor = "multi_thread")]
async fn a19_a_dump_of_postgres_made_under_play_is_whole_and_play_goes_on_from_it() {
    let cluster = Cluster::shared();
    let program = Start::on_postgres().for_machines().start().await;
    let dump = cluster.folder().join("qiguan.dump").display().to_string();
    let file = format!("--file={dump}");
    let url = program.database().url();
    let mut played = under_play(&program, async {
        let (file, url) = (file.clone(), url.clone());
        let dumps = move || cluster.run("pg_dump", &["--format=custom", &file, &url]);
        tokio::task::spawn_blocking(dumps).await.unwrap();
    })
    .await;
    let (seats, _) = &mut played[0];
    let seen = seats.first.snapshot(seats.game).await.cursor;

    let copy = Database::Postgres(cluster.database());
    let to = format!("--dbname={}", copy.url());
    cluster.run("pg_restore", &["--exit-on-error", &to, &dump]);
    let renumber = "update meta set value = floor(random() * 2147483647) where key = 'epoch'";
    cluster.run(
        "psql",
        &["-v", "ON_ERROR_STOP=1", &copy.url(), "-c", renumber],
    );
    is_of_an_earlier_time(&copy, &played[0]).await;
    let restored = Start::default().at_database(copy.url()).start().await;
    come_back(&played[0].0, seen, &restored).await;
    let refused = run(&[&"backup", &"copy.db", &"--database", &url]).await;
    assert!(
        !refused.ok && refused.err.contains("pg_dump"),
        "{refused:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a19_a_copy_that_is_damaged_is_not_put_in_place() {
    let program = Program::start().await;
    let mut client = Client::guest(program.address()).await;
    for _ in 0..20 {
        let creation = Setup::default().create(qiguan_tests::client::command_id());
        client.asks("create_game", creation).await;
    }
    let folder = Folder::new();
    let copy = folder.path().join("copy.db");
    backs_up(&program.database(), &copy).await.well();
    let whole = std::fs::read(&copy).unwrap();
    let target = folder.path().join("restored.db");
    let mut changed = whole.clone();
    let middle = changed.len() / 2;
    changed[middle..middle + 4_096].fill(0x55);
    for (bytes, what) in [
        (&changed[..], "damaged"),
        (&whole[..whole.len() / 2], "the copy is incomplete"),
        (&b"this is no record at all"[..], "the copy is incomplete"),
        (&b""[..], "no record of games"),
    ] {
        std::fs::write(&copy, bytes).unwrap();
        let ran = restores(&copy, &Database::Sqlite(target.clone())).await;
        assert!(!ran.ok, "{what}: {ran:?}");
        assert!(ran.err.contains(what), "{what}: {ran:?}");
        let left = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 1, "nothing is left of it");
    }
    std::fs::write(&copy, whole).unwrap();
    std::fs::write(folder.path().join("restored.db-wal"), "x").unwrap();
    let ran = restores(&copy, &Database::Sqlite(target.clone())).await;
    assert!(
        !ran.ok && ran.err.contains("-wal already exists"),
        "{ran:?}"
    );
    std::fs::remove_file(folder.path().join("restored.db-wal")).unwrap();
    restores(&copy, &Database::Sqlite(target.clone()))
        .await
        .well();
    let elsewhere = run(&[&"backup", &copy, &"--database", &"postgres://localhost/q"]).await;
    assert!(elsewhere.err.contains("pg_dump"), "{elsewhere:?}");
}
