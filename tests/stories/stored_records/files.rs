//! The files of a stored record: what the database held and the archive of it, packed.

use std::{
    io::{Read, Write},
    path::{Path, PathBuf},
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use qiguan_tests::{
    Cluster, Folder, Start,
    client::command_id,
    command::run,
    record::{self, Database},
};
use sqlx::{AssertSqlSafe, Row};

/// The folder of a stored record.
pub(super) fn made(when: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("records")
        .join(when)
}

/// What was stored of a record, by the database that it was in.
pub(super) fn file(folder: &Path, database: &Database, kind: &str) -> PathBuf {
    let name = match database {
        Database::Sqlite(_) => "sqlite",
        Database::Postgres(_) => "postgres",
    };
    folder.join(format!("{name}.{kind}.gz"))
}

pub(super) fn packed(file: &Path, bytes: &[u8]) {
    let mut packing = GzEncoder::new(Vec::new(), Compression::best());
    packing.write_all(bytes).unwrap();
    std::fs::write(file, packing.finish().unwrap()).unwrap();
}

fn bytes_of(file: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let packed =
        std::fs::File::open(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    GzDecoder::new(packed).read_to_end(&mut bytes).unwrap();
    bytes
}

pub(super) fn text_of(file: &Path) -> String {
    String::from_utf8(bytes_of(file)).unwrap()
}

/// Everything that an archive holds, a line each.
pub(super) async fn exported(database: &Database) -> String {
    let url = database.url();
    let words: [&dyn AsRef<std::ffi::OsStr>; 5] =
        [&"export", &"-", &"--everything", &"--database", &url];
    run(&words).await.well().out
}

/// Packs a record that nobody uses.
pub(super) async fn store(database: &Database, folder: &Path) {
    match database {
        Database::Sqlite(_) => {
            let whole = Folder::new();
            let copy = whole.path().join("copy.db");
            run(&[&"backup", &copy, &"--database", &database.url()])
                .await
                .well();
            packed(&file(folder, database, "db"), &std::fs::read(copy).unwrap());
        }
        Database::Postgres(url) => {
            let cluster = Cluster::shared();
            let dump = cluster.folder().join("everything.sql");
            let to = format!("--file={}", dump.display());
            cluster.run("pg_dump", &["--no-owner", "--no-privileges", &to, url]);
            let text = std::fs::read_to_string(&dump).unwrap();
            // Older programs of Postgres don't know these.
            let newer = ["\\restrict ", "\\unrestrict ", "SET transaction_timeout "];
            let known = |line: &&str| !newer.iter().any(|newer| line.starts_with(newer));
            let text: Vec<_> = text.lines().filter(known).collect();
            packed(&file(folder, database, "sql"), text.join("\n").as_bytes());
        }
    }
}

/// Unpacks a record where a program can be started on it.
pub(super) fn unpacked(folder: &Path, start: Start) -> (Start, Folder) {
    let records = Folder::new();
    match start.database_in(&records) {
        Database::Sqlite(to) => {
            let database = Database::Sqlite(to.clone());
            std::fs::write(&to, bytes_of(&file(folder, &database, "db"))).unwrap();
        }
        database @ Database::Postgres(_) => {
            let cluster = Cluster::shared();
            let dump = cluster.folder().join(format!("{}.sql", command_id().0));
            std::fs::write(&dump, bytes_of(&file(folder, &database, "sql"))).unwrap();
            let dump = dump.display().to_string();
            let url = database.url();
            cluster.run("psql", &["-v", "ON_ERROR_STOP=1", "-f", &dump, &url]);
        }
    }
    (start, records)
}

/// How many rows each table has.
pub(super) async fn rows_of(database: &Database) -> Vec<(String, i64)> {
    let mut counted = Vec::new();
    match database {
        Database::Sqlite(_) => {
            let mut file = record::open(database).await;
            let tables =
                "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'";
            let tables = sqlx::query(tables).fetch_all(&mut file).await.unwrap();
            for table in tables {
                let table: String = table.get(0);
                let count = format!("select count(*) from \"{table}\"");
                let count = sqlx::query_scalar(AssertSqlSafe(count));
                counted.push((table, count.fetch_one(&mut file).await.unwrap()));
            }
        }
        Database::Postgres(_) => {
            let mut session = database.session().await;
            let tables = "select table_name::text from information_schema.tables where table_schema = 'public'";
            let tables = sqlx::query(tables).fetch_all(&mut session).await.unwrap();
            for table in tables {
                let table: String = table.get(0);
                let count = format!("select count(*) from \"{table}\"");
                let count = sqlx::query_scalar(AssertSqlSafe(count));
                counted.push((table, count.fetch_one(&mut session).await.unwrap()));
            }
        }
    }
    assert!(counted.len() > 15, "{counted:?}");
    counted
}
