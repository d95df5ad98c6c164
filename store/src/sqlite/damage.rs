//! What SQLite finds wrong with a file.

use std::collections::HashMap;

use futures_util::StreamExt;
use sqlx::SqliteConnection;

/// How many findings are reported.
const MOST: u32 = 20;

/// Checks the pages of a file and the order of what is in them, each with the table that it belongs to. Nothing is found in a file that
/// is whole. Reads all of it; one of more than `most_bytes` is not checked.
pub(crate) async fn found(
    connection: &mut SqliteConnection,
    most_bytes: Option<u64>,
) -> Result<Vec<String>, sqlx::Error> {
    if let Some(most) = most_bytes {
        let pages: i64 = sqlx::query_scalar("pragma page_count")
            .fetch_one(&mut *connection)
            .await?;
        let bytes: i64 = sqlx::query_scalar("pragma page_size")
            .fetch_one(&mut *connection)
            .await?;
        if pages.saturating_mul(bytes).unsigned_abs() > most {
            return Ok(Vec::new());
        }
    }
    let query = sqlx::AssertSqlSafe(format!("pragma quick_check({MOST})"));
    let mut found = Vec::new();
    {
        let mut rows = sqlx::query_scalar::<_, String>(query).fetch(&mut *connection);
        while let Some(row) = rows.next().await {
            match row {
                Ok(line) if line == "ok" => {}
                Ok(line) => found.push(line),
                // The check itself can break off at what it has just named.
                Err(sqlx::Error::Database(error)) => {
                    found.push(error.to_string());
                    break;
                }
                Err(error) => return Err(error),
            }
        }
    }
    if found.is_empty() {
        return Ok(found);
    }
    let roots: Vec<(i64, String)> =
        sqlx::query_as("select rootpage, tbl_name from sqlite_schema where rootpage > 0")
            .fetch_all(connection)
            .await
            // Without the names of the tables there are still the numbers of their pages.
            .unwrap_or_default();
    let roots: HashMap<i64, String> = roots.into_iter().collect();
    let lines = found.iter().flat_map(|text| text.lines());
    let lines = lines.filter(|line| !line.starts_with("***"));
    Ok(lines.map(|line| named(line, &roots)).collect())
}

/// A finding (`Tree 12 page 34 cell 5: …`) with the name of the table.
fn named(line: &str, roots: &HashMap<i64, String>) -> String {
    let tree = line.strip_prefix("Tree ");
    let root = tree.and_then(|rest| rest.split(' ').next()?.parse().ok());
    match root.and_then(|root: i64| roots.get(&root)) {
        Some(table) => format!("table {table}: {line}"),
        None => line.to_owned(),
    }
}
