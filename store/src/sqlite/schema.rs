//! What there may be in a file of records: the tables, indexes and triggers that the changes of the tables make, and nothing else.
//!
//! A trigger or view that somebody else has put there would run with whatever the server does.

use std::collections::BTreeMap;

use anyhow::Context;
use sqlx::{
    Connection, SqliteConnection,
    migrate::{Migration, Migrator},
};

use crate::{
    migrations::{self, Applied, Needed, State},
    sqlite::MIGRATIONS,
    versions,
};

/// What SQLite's own statistics are kept in, if an operator has asked for them.
const STATISTICS: [(&str, &str); 2] = [
    ("sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"),
    (
        "sqlite_stat4",
        "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
    ),
];
/// The table of the changes that a record has.
const CHANGES: &str = "_sqlx_migrations";
/// How many objects are read of a file: some more than there are in any record.
const MOST_OBJECTS: u32 = 1_000;
/// How much of what an object is made by is compared.
const MOST_TEXT: u32 = 100_000;
/// How many differences are named.
const NAMED: usize = 5;

/// An object's kind and name, and the table and text that make it.
type Objects = BTreeMap<(String, String), (String, Option<String>)>;

/// Reads which changes a record has, and compares all that is in it with what they make.
///
/// # Errors
/// When it is no record, one of a newer program, or has something in it that this program does not make.
pub(crate) async fn state(connection: &mut SqliteConnection) -> anyhow::Result<State> {
    let there = objects(connection).await?;
    if there.is_empty() {
        return Ok(State {
            change: migrations::lacking(&MIGRATIONS, &[], Needed::default(), "")?,
            unused: true,
        });
    }
    let applied = applied(connection, &there).await?;
    let needed = needed(connection, &there).await?;
    let back = "a copy of the file from before";
    let change = migrations::lacking(&MIGRATIONS, &applied, needed, back)?;
    let newest = migrations::newest(&MIGRATIONS);
    let (known, newer): (Vec<_>, Vec<_>) = applied.into_iter().partition(|it| it.version <= newest);
    let made = made_by(&known).await?;
    compare(&there, &made, !newer.is_empty())?;
    let unused = change.is_some() && is_unused(connection, &made).await?;
    Ok(State { change, unused })
}

async fn objects(connection: &mut SqliteConnection) -> anyhow::Result<Objects> {
    let query = "select type, name, tbl_name, substr(sql, 1, $2) from sqlite_schema limit $1";
    let rows: Vec<(String, String, String, Option<String>)> = sqlx::query_as(query)
        .bind(MOST_OBJECTS)
        .bind(MOST_TEXT)
        .fetch_all(connection)
        .await
        .context("reading what is in the file")?;
    let rows = rows.into_iter();
    Ok(rows
        .map(|(kind, name, table, text)| ((kind, name), (table, text)))
        .collect())
}

/// The changes that a record has, in the order in which it got them.
async fn applied(
    connection: &mut SqliteConnection,
    there: &Objects,
) -> anyhow::Result<Vec<Applied>> {
    let none = made_by(&[]).await?;
    let key = ("table".to_owned(), CHANGES.to_owned());
    anyhow::ensure!(
        there.get(&key).is_some() && there.get(&key) == none.get(&key),
        "this is no record of games"
    );
    let query = "select version, checksum, success from _sqlx_migrations order by rowid";
    Ok(sqlx::query_as(query).fetch_all(connection).await?)
}

/// What the tables say of programs that run on them.
async fn needed(connection: &mut SqliteConnection, there: &Objects) -> anyhow::Result<Needed> {
    if !there.contains_key(&("table".to_owned(), "meta".to_owned())) {
        return Ok(Needed::default());
    }
    let from = sqlx::query_scalar(versions::COMPATIBLE_FROM);
    let version = sqlx::query_scalar(versions::CLUSTER_VERSION);
    Ok(Needed {
        compatible_from: from.fetch_optional(&mut *connection).await?,
        cluster_version: version.fetch_optional(connection).await?,
    })
}

/// What these changes make, one after the other.
async fn made_by(applied: &[Applied]) -> anyhow::Result<Objects> {
    let mut empty = SqliteConnection::connect("sqlite::memory:").await?;
    let no_changes: Vec<Migration> = Vec::new();
    Migrator::with_migrations(no_changes)
        .run(&mut empty)
        .await?;
    for applied in applied {
        let change = MIGRATIONS
            .iter()
            .find(|change| change.version == applied.version);
        let change = change.context("a change of the tables that this program does not know")?;
        sqlx::raw_sql(change.sql.clone())
            .execute(&mut empty)
            .await?;
    }
    let made = objects(&mut empty).await?;
    empty.close().await?;
    Ok(made)
}

/// A newer program may have added tables, indexes and columns (`is_newer`), but nothing that runs by itself.
fn compare(there: &Objects, made: &Objects, is_newer: bool) -> anyhow::Result<()> {
    let mut wrong = Vec::new();
    for (key @ (kind, name), what) in there {
        let (table, text) = what;
        // Names may be anything, and are shown on a terminal.
        match made.get(key) {
            None if is_statistics(kind, name, text.as_deref()) => {}
            None if is_newer && is_addition(kind, text.as_deref()) => {}
            None => wrong.push(format!(
                "{kind:?} {name:?} of table {table:?} is not of this program"
            )),
            Some(ours) if is_newer && kind == "table" && has_more_columns(ours, what) => {}
            Some(ours) if ours != what => {
                wrong.push(format!(
                    "{kind} {name} differs from what this program makes"
                ));
            }
            Some(_) => {}
        }
    }
    for (kind, name) in made.keys() {
        if !there.contains_key(&(kind.clone(), name.clone())) {
            wrong.push(format!("{kind} {name} is missing"));
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let more = match wrong.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    wrong.truncate(NAMED);
    anyhow::bail!(
        "somebody else has changed what is in the file, and it is not opened: {}{more}",
        wrong.join("; ")
    )
}

fn is_statistics(kind: &str, name: &str, text: Option<&str>) -> bool {
    kind == "table"
        && STATISTICS
            .iter()
            .any(|(its_name, its_text)| *its_name == name && text == Some(its_text))
}

/// Whether an object is one of those that a newer program may add: a table with rows of its own, or an index.
fn is_addition(kind: &str, text: Option<&str>) -> bool {
    match kind {
        "table" => text.is_some_and(|text| text.starts_with("CREATE TABLE ")),
        "index" => true,
        _ => false,
    }
}

/// Whether a table is ours with columns after those that it has: SQLite writes them into the text that made it, before the table's constraints.
fn has_more_columns(
    (table, ours): &(String, Option<String>),
    (there, text): &(String, Option<String>),
) -> bool {
    let (Some(ours), Some(text)) = (ours, text) else {
        return false;
    };
    let alike = ours.bytes().zip(text.bytes());
    let alike = alike.take_while(|(one, other)| one == other).count();
    let is_inserted_at = |place: usize| {
        let (Some(rest), Some(inserted)) = (ours.get(place..), text.get(place..)) else {
            return false;
        };
        inserted.starts_with(", ") && inserted.len() > rest.len() && inserted.ends_with(rest)
    };
    table == there && (0..=alike).any(is_inserted_at)
}

/// Whether nobody has used the tables yet: no server was alive on them, and nobody is in them.
async fn is_unused(connection: &mut SqliteConnection, made: &Objects) -> anyhow::Result<bool> {
    for (table, query) in [
        (
            "meta",
            "select exists (select 1 from meta where key = 'heartbeat')",
        ),
        ("players", "select exists (select 1 from players)"),
        ("games", "select exists (select 1 from games)"),
    ] {
        if made.contains_key(&("table".to_owned(), table.to_owned()))
            && sqlx::query_scalar::<_, bool>(query)
                .fetch_one(&mut *connection)
                .await?
        {
            return Ok(false);
        }
    }
    Ok(true)
}
