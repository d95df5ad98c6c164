//! Records and archives from elsewhere: damaged ones are read to their end or refused, and those of somebody else give nobody
//! anything.

use std::{
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use qiguan_tests::{
    Program, Seats, Setup, Start,
    command::{Ran, run},
    folder::Folder,
    http::Http,
    random::Random,
    record::{self, Database},
};
use serde_json::{Value, json};
use sqlx::Executor;

const HASH: &str =
    "$argon2id$v=19$m=8,t=1,p=1$AQEBAQEBAQEBAQEBAQEBAQ$3q2+796tvu/erb7v3q2+796tvu/erb7v3q2+796tvu8";

/// Runs a subcommand on a record.
async fn on(database: &Database, words: &[&dyn AsRef<std::ffi::OsStr>]) -> Ran {
    let url = database.url();
    let mut all = words.to_vec();
    all.extend([&"--database" as &dyn AsRef<std::ffi::OsStr>, &url]);
    run(&all).await
}

fn sqlite(folder: &Folder, name: &str) -> Database {
    Database::Sqlite(folder.path().join(name))
}

fn mode(file: &Path) -> u32 {
    let about =
        std::fs::metadata(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    about.permissions().mode() & 0o777
}

fn open_to_all(file: &Path) {
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o644)).unwrap();
}

/// A record at rest, with accounts, entries of the audit log, games that have ended and one that goes on.
async fn record_at_rest(games: usize) -> (Folder, PathBuf) {
    let program = Program::start().await;
    let admin = Http::admin(&program, "Anna").await;
    for name in ["Berta", "Carla"] {
        Http::registered(&program, name).await;
    }
    for number in 0..games {
        let rulesets = ["doushouqi/booklet", "xiangqi/standard", "luzhanqi/showdown"];
        let setup = Setup::default().ruleset(rulesets[number % rulesets.len()]);
        let mut seats = Seats::begin_with(&program, &setup).await;
        let game = seats.game;
        for _ in 0..5 {
            let text = json!({"text": "a line that takes some room in the record ".repeat(4)});
            seats.first.does(game, "chat", text).await.unwrap();
        }
        seats.second.does(game, "resign", json!({})).await.unwrap();
    }
    let mut seats = Seats::begin(&program).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    let database = program.database();
    for (what, reason) in [("ban", "rude"), ("mute", "shouts"), ("limit", "shouts")] {
        on(&database, &[&"admin", &what, &"Berta", &reason])
            .await
            .well();
    }
    drop(admin);
    program.terminate().await;
    let stopped = program.ends().await;
    let file = stopped.database().file().to_owned();
    (stopped.folder, file)
}

#[tokio::test(flavor = "multi_thread")]
async fn j1_j2_an_archive_of_somebody_else_makes_nobody_an_admin() {
    let folder = Folder::new();
    let file = folder.path().join("evil.jsonl");
    let id = "01890000-0000-7000-8000-000000000666";
    let lines = [
        json!({"archive": "qiguan", "version": 7, "epoch": 1, "everything": true}),
        json!({"player": id, "name": "Mallory", "created_at": 1,
            "account": {"role": "admin", "password": HASH, "registered_at": 2, "keys": ["nobody"]},
            "tokens": [{"sha256": "01".repeat(32), "created_at": 3}]}),
        json!({"end": {"players": 1, "games": 0}}),
    ];
    // The first field of a line says what it is.
    let lines = lines.map(|line| {
        let text = line.to_string();
        let first = ["archive", "player", "end"]
            .into_iter()
            .find(|first| line.get(first).is_some())
            .unwrap();
        let value = line[first].to_string();
        let rest: Vec<_> = line
            .as_object()
            .unwrap()
            .iter()
            .filter(|(name, _)| *name != first)
            .map(|(name, value)| format!(",\"{name}\":{value}"))
            .collect();
        assert!(text.len() > 9);
        format!("{{\"{first}\":{value}{}}}", rest.concat())
    });
    std::fs::write(&file, lines.join("\n")).unwrap();

    let database = sqlite(&folder, "plain.db");
    let ran = on(&database, &[&"import", &file]).await.well();
    assert!(ran.err.contains("skipped"), "{ran:?}");
    assert!(ran.err.contains("1 players with their accounts"), "{ran:?}");
    let promoted = on(&database, &[&"admin", &"role", &"Mallory", &"player"]).await;
    assert!(promoted.err.contains("there is no account"), "{promoted:?}");
    let audit = on(&database, &[&"admin", &"audit"]).await.well();
    assert_eq!(audit.out, "");

    // Asked for, the account comes, and does not come unseen.
    let database = sqlite(&folder, "everything.db");
    let ran = on(&database, &[&"import", &file, &"--everything"])
        .await
        .well();
    assert!(ran.err.contains("1 admins"), "{ran:?}");
    assert!(ran.err.contains("1 sign-ins and tokens"), "{ran:?}");
    let audit = on(&database, &[&"admin", &"audit"]).await.well();
    assert_eq!(audit.out.lines().count(), 2, "{audit:?}");
    for part in ["import_role", "import_token", "Mallory", "admin"] {
        assert!(audit.out.contains(part), "{part}: {audit:?}");
    }
    on(&database, &[&"verify"]).await.well();
    // The name is found, whatever keys the archive gave.
    on(&database, &[&"admin", &"role", &"mallory", &"player"])
        .await
        .well();
}

#[tokio::test(flavor = "multi_thread")]
async fn j3_j4_what_import_accepts_verify_finds_in_order() {
    const ROUNDS: u64 = 30;
    let (folder, record) = record_at_rest(3).await;
    let archive = folder.path().join("archive.jsonl");
    on(
        &Database::Sqlite(record),
        &[&"export", &archive, &"--everything"],
    )
    .await
    .well();
    let lines: Vec<String> = std::fs::read_to_string(&archive)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    assert!(lines.iter().any(|line| line.contains("\"password\"")));
    let mut random = Random::new(18);
    let mut accepted = 0;
    for round in 0..ROUNDS {
        let mut lines = lines.clone();
        for _ in 0..=random.below(3) {
            mutate(&mut lines, &mut random);
        }
        let file = folder.path().join(format!("mutated{round}.jsonl"));
        std::fs::write(&file, lines.join("\n")).unwrap();
        let database = sqlite(&folder, &format!("mutated{round}.db"));
        let ran = on(&database, &[&"import", &file, &"--everything"]).await;
        assert!(
            ran.status.is_some_and(|status| status < 2),
            "{file:?}: {ran:?}"
        );
        if !database.file().exists() {
            continue;
        }
        let verified = on(&database, &[&"verify", &"--json"]).await;
        // An archive that is not whole leaves games unrated; verify says so of the ratings alone.
        let findings = verified.out.lines().filter(|line| {
            !line.contains("\"seconds\"") && (ran.ok || !line.starts_with("{\"ratings\""))
        });
        let findings: Vec<_> = findings.collect();
        assert_eq!(findings, Vec::<&str>::new(), "{file:?}: {ran:?}");
        assert!(verified.ok || !ran.ok, "{file:?}: {ran:?} {verified:?}");
        accepted += u64::from(ran.ok);
    }
    assert!(accepted < ROUNDS, "some are refused");
}

/// Changes one thing of an archive.
fn mutate(lines: &mut Vec<String>, random: &mut Random) {
    let place = 1 + random.below(lines.len() as u64 - 1) as usize;
    let another = random.below(lines.len() as u64) as usize;
    match random.below(8) {
        0 => {
            lines.remove(place);
        }
        1 => lines.swap(place, another),
        2 => {
            let line = lines[another].clone();
            lines.insert(place, line);
        }
        3 => {
            let line = &lines[place];
            let cut = random.below(line.len() as u64 + 1) as usize;
            let cut = (cut..=line.len())
                .find(|at| line.is_char_boundary(*at))
                .unwrap();
            lines[place].truncate(cut);
        }
        4 => {
            let bytes = lines[place].clone().into_bytes();
            let mut bytes = bytes;
            if !bytes.is_empty() {
                let at = random.below(bytes.len() as u64) as usize;
                bytes[at] = b' ' + random.below(95) as u8;
            }
            lines[place] = String::from_utf8_lossy(&bytes).into_owned();
        }
        5 => {
            // A number becomes another.
            let number = *random.pick(&["0", "-1", "9223372036854775807", "7", "1e9"]);
            let digits = lines[place].find(|letter: char| letter.is_ascii_digit());
            if let Some(at) = digits {
                lines[place].replace_range(at..=at, number);
            }
        }
        6 => {
            let (from, to) = *random.pick(&[
                ("player", "admin"),
                ("admin", "guest"),
                ("Berta", "Anna"),
                ("Anna", "Carla"),
                ("$argon2id", "$argon3"),
                ("\"keys\":[", "\"keys\":[\"anna\","),
                ("ban", "mute"),
                ("registered_at", "deleted_at"),
            ]);
            let all = lines.iter_mut().skip(1);
            if let Some(line) = all.into_iter().find(|line| line.contains(from)) {
                *line = line.replacen(from, to, 1);
            }
        }
        _ => lines.truncate(place.max(1)),
    }
    if lines.len() < 2 {
        lines.push(String::new());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn j5_a_second_server_on_one_file_does_not_start() {
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    seats.play(1, &["a3a4"]).await;
    let file = program.database().file().to_owned();
    let elsewhere = Folder::new();
    let link = elsewhere.path().join("link.db");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let linked = elsewhere.path().join("folder");
    std::os::unix::fs::symlink(file.parent().unwrap(), &linked).unwrap();
    let name = file.file_name().unwrap();
    let around = file.parent().unwrap().join("..");
    let around = around.join(file.parent().unwrap().file_name().unwrap());
    for other in [file.clone(), link, linked.join(name), around.join(name)] {
        let database = Database::Sqlite(other.clone());
        let ran = on(&database, &[&"serve", &"--listen", &"127.0.0.1:0"]).await;
        let process = format!("process {}", program.pid());
        for part in ["another server", &process, "locked"] {
            assert!(!ran.ok && ran.err.contains(part), "{other:?}: {ran:?}");
        }
        let ran = on(&database, &[&"migrate"]).await;
        assert!(!ran.ok && ran.err.contains("another server"), "{ran:?}");
    }
    // What stands beside a server goes on as before.
    let database = program.database();
    let (copy, archive) = (
        elsewhere.path().join("copy.db"),
        elsewhere.path().join("games.jsonl"),
    );
    on(&database, &[&"verify"]).await.well();
    on(&database, &[&"backup", &copy]).await.well();
    on(&database, &[&"export", &archive, &"--everything"])
        .await
        .well();
    on(&database, &[&"import", &archive]).await.well();
    on(&database, &[&"admin", &"audit"]).await.well();
    on(&database, &[&"reindex"]).await.well();
    seats.play(2, &["g7g6"]).await;
    // A server that was killed leaves no lock.
    let program = program.kill().await.restart().await;
    let mut first = seats.first.again(program.address()).await;
    assert_eq!(first.snapshot(seats.game).await.moves.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn j6_nobody_else_on_the_machine_reads_a_record_or_a_copy() {
    let program = Program::start().await;
    let mut seats = Seats::begin(&program).await;
    seats.play(1, &["a3a4"]).await;
    let database = program.database();
    let file = database.file().to_owned();
    let beside = |ending: &str| PathBuf::from(format!("{}{ending}", file.display()));
    for ending in ["", "-wal", "-shm", ".lock"] {
        assert_eq!(mode(&beside(ending)), 0o600, "{ending}");
    }
    let folder = Folder::new();
    let copy = folder.path().join("copy.db");
    on(&database, &[&"backup", &copy]).await.well();
    assert_eq!(mode(&copy), 0o600);
    // A copy with open permissions becomes a record with closed ones, in a closed folder.
    open_to_all(&copy);
    let restored = Database::Sqlite(folder.path().join("new/data/qiguan.db"));
    on(&restored, &[&"restore", &copy]).await.well();
    assert_eq!(mode(restored.file()), 0o600);
    for made in ["new", "new/data"] {
        assert_eq!(mode(&folder.path().join(made)), 0o700, "{made}");
    }
    // A record that an older program has made is closed when a server starts; one that is open to a group stays so.
    let stopped = program.kill().await;
    for ending in ["", "-wal", "-shm"] {
        open_to_all(&beside(ending));
    }
    let program = stopped.restart().await;
    for ending in ["", "-wal", "-shm"] {
        assert_eq!(mode(&beside(ending)), 0o600, "{ending}");
    }
    assert!(program.log().contains("could read the record"));
    let stopped = program.kill().await;
    let to_group = std::fs::Permissions::from_mode(0o640);
    std::fs::set_permissions(&file, to_group).unwrap();
    let _program = stopped.restart().await;
    assert_eq!(mode(&file), 0o640);
}

/// Overwrites bytes of a file that stand after a text.
fn overwrite(file: &Path, at: usize, with: &[u8]) {
    let mut bytes = std::fs::read(file).unwrap();
    bytes[at..at + with.len()].copy_from_slice(with);
    std::fs::write(file, bytes).unwrap();
}

fn positions(bytes: &[u8], wanted: &[u8]) -> Vec<usize> {
    let windows = bytes.windows(wanted.len()).enumerate();
    windows
        .filter(|(_, window)| *window == wanted)
        .map(|(at, _)| at)
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn j7_one_changed_byte_makes_no_reading_endless() {
    let (folder, record) = record_at_rest(2).await;
    let ids: Vec<uuid::Uuid> = {
        let mut beside = record::open(&Database::Sqlite(record.clone())).await;
        // All of it into the file itself.
        beside
            .execute("pragma wal_checkpoint(truncate)")
            .await
            .unwrap();
        let ids = "select id from acts order by id";
        sqlx::query_scalar(ids)
            .fetch_all(&mut beside)
            .await
            .unwrap()
    };
    let whole = std::fs::read(&record).unwrap();
    for (place, id) in ids.iter().enumerate() {
        for first in [0x00, 0xff] {
            let damaged = folder.path().join(format!("damaged{place}_{first}.db"));
            std::fs::write(&damaged, &whole).unwrap();
            for at in positions(&whole, id.as_bytes()) {
                overwrite(&damaged, at, &[first]);
            }
            let database = Database::Sqlite(damaged.clone());
            let verified = on(&database, &[&"verify"]).await;
            let archive = folder.path().join(format!("damaged{place}_{first}.jsonl"));
            let exported = on(&database, &[&"export", &archive, &"--everything"]).await;
            for ran in [&verified, &exported] {
                assert!(ran.status.is_some_and(|status| status < 2), "{ran:?}");
            }
            let bytes = archive.metadata().unwrap().len();
            assert!(bytes < 4 * whole.len() as u64, "{bytes} bytes were written");
        }
    }
    // A row at the end that says that it is behind all others.
    let damaged = folder.path().join("order.db");
    std::fs::write(&damaged, &whole).unwrap();
    for at in positions(&whole, ids[0].as_bytes()) {
        overwrite(&damaged, at, &[0xff]);
    }
    let database = Database::Sqlite(damaged);
    let verified = on(&database, &[&"verify"]).await;
    assert!(
        !verified.ok && verified.out.contains("damage"),
        "{verified:?}"
    );
    let exported = on(&database, &[&"export", &"-", &"--everything"]).await;
    assert!(
        !exported.ok && exported.err.contains("damaged"),
        "{exported:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn j8_verify_names_what_is_on_a_damaged_page_and_goes_on() {
    const PAGE: usize = 4_096;
    const GAMES: usize = 9;
    let (folder, record) = record_at_rest(GAMES).await;
    let bytes = std::fs::read(&record).unwrap();
    // Of a table whose rows have numbers, as those of the log.
    let leaf = 0x0d;
    let page = (1..bytes.len() / PAGE).find(|page| {
        let page = &bytes[page * PAGE..(page + 1) * PAGE];
        page[0] == leaf && !positions(page, b"{\"t\":\"created\"").is_empty()
    });
    let page = page.expect("a page with the first event of a game");
    let mut beside = record::open(&Database::Sqlite(record.clone())).await;
    let ids = "select id from games order by id";
    let ids: Vec<uuid::Uuid> = sqlx::query_scalar(ids)
        .fetch_all(&mut beside)
        .await
        .unwrap();
    drop(beside);
    let on_it = |id: &&uuid::Uuid| {
        !positions(&bytes[page * PAGE..(page + 1) * PAGE], id.as_bytes()).is_empty()
    };
    let lost: Vec<_> = ids.iter().filter(on_it).collect();
    assert!(!lost.is_empty() && lost.len() < ids.len());
    overwrite(&record, page * PAGE, &[0xee; 64]);
    let database = Database::Sqlite(record.clone());
    let ran = on(&database, &[&"verify", &"--json"]).await;
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let lines: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let number = format!("page {}", page + 1);
    let named = lines.iter().filter_map(|line| line["damage"].as_str());
    let named: Vec<_> = named.collect();
    assert!(
        named
            .iter()
            .any(|what| what.contains(&number) && what.contains("event_log")),
        "{number}: {named:?}"
    );
    let games: Vec<_> = lines
        .iter()
        .filter_map(|line| line["game"].as_str())
        .collect();
    for id in &lost {
        assert!(games.contains(&id.to_string().as_str()), "{id}: {games:?}");
    }
    let summary = lines.last().unwrap();
    assert_eq!(summary["games"], json!(ids.len()), "{ran:?}");
    assert_eq!(
        summary["players"].as_u64().map(|all| all > 3),
        Some(true),
        "{ran:?}"
    );
    assert!(
        summary["bad"].as_u64().unwrap() < ids.len() as u64,
        "{ran:?}"
    );
    // No server plays on it.
    let refused = on(&database, &[&"serve", &"--listen", &"127.0.0.1:0"]).await;
    assert!(
        !refused.ok && refused.err.contains("the record is damaged"),
        "{refused:?}"
    );
    drop(folder);
}

#[tokio::test(flavor = "multi_thread")]
async fn j9_a_record_can_be_filled_before_any_server_has_run_on_it() {
    let folder = Folder::new();
    let database = sqlite(&folder, "qiguan.db");
    // As README says: the first admin is made before any server has started.
    let archive = folder.path().join("none.jsonl");
    std::fs::write(
        &archive,
        "{\"archive\":\"qiguan\",\"version\":1,\"epoch\":1}\n{\"end\":{\"players\":0,\"games\":0}}\n",
    )
    .unwrap();
    on(&database, &[&"import", &archive]).await.well();
    let program = Start::default().start_in(folder).await;
    Seats::begin(&program).await;
    program.terminate().await;
    let stopped = program.ends().await;
    let database = stopped.database();
    let mut beside = record::open(&database).await;
    let newest = "select max(version) from _sqlx_migrations";
    let newest: i64 = sqlx::query_scalar(newest)
        .fetch_one(&mut beside)
        .await
        .unwrap();
    drop(beside);
    let ran = on(&database, &[&"migrate"]).await.well();
    assert!(ran.out.contains("up to date"), "{ran:?}");
    assert!(newest > 15);
}

#[tokio::test(flavor = "multi_thread")]
async fn j11_whatever_bytes_a_record_has_reading_it_ends() {
    const ROUNDS: u64 = 25;
    let (folder, record) = record_at_rest(3).await;
    let whole = std::fs::read(&record).unwrap();
    let mut random = Random::new(11);
    for round in 0..ROUNDS {
        let mut bytes = whole.clone();
        for _ in 0..=random.below(12) {
            let at = random.below(bytes.len() as u64) as usize;
            bytes[at] = random.next() as u8;
        }
        if random.below(4) == 0 {
            let length = random.below(bytes.len() as u64) as usize;
            bytes.truncate(length);
        }
        let file = folder.path().join(format!("flipped{round}.db"));
        std::fs::write(&file, &bytes).unwrap();
        let database = Database::Sqlite(file.clone());
        let archive = folder.path().join(format!("flipped{round}.jsonl"));
        let copy = folder.path().join(format!("flipped{round}.copy"));
        for ran in [
            on(&database, &[&"verify"]).await,
            on(&database, &[&"export", &archive, &"--everything"]).await,
            on(&database, &[&"admin", &"audit"]).await,
            on(&database, &[&"backup", &copy]).await,
        ] {
            assert!(
                ran.status.is_some_and(|status| status < 2),
                "{file:?}: {ran:?}"
            );
        }
        let bytes = archive.metadata().map_or(0, |about| about.len());
        assert!(
            bytes < 8 * whole.len() as u64,
            "{file:?}: {bytes} bytes were written"
        );
    }
}
