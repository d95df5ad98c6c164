//! Announcements in every database: the statements, and what their rows mean.

use qiguan_protocol::ids::Millis;
use sqlx::{Database, Encode, Executor, IntoArguments, Type, database::HasStatementCache};

use crate::{
    announcements::{Announcement, Kind, Standing},
    store::StoreError,
};

/// What stands.
pub(super) const STANDING: &str = "select kind, body, at, until from announcements";
const PUT_UP: &str = "insert into announcements (kind, body, at, until) values ($1, $2, $3, $4) \
     on conflict (kind) do update set body = excluded.body, at = excluded.at, until = excluded.until";
const TAKE_DOWN: &str = "delete from announcements where kind = $1";

/// A row of `announcements`.
pub(super) type Row = (String, String, i64, Option<i64>);

/// Puts up an announcement, or takes one down, within a transaction.
pub(super) async fn write<DB>(
    connection: &mut DB::Connection,
    kind: Kind,
    announcement: Option<Announcement>,
) -> Result<(), sqlx::Error>
where
    DB: Database + HasStatementCache,
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    DB::Arguments: IntoArguments<DB>,
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Type<DB>,
    for<'q> &'static str: Encode<'q, DB> + Type<DB>,
    for<'q> Option<i64>: Encode<'q, DB>,
{
    let query = match announcement {
        None => sqlx::query(TAKE_DOWN).bind(kind.as_str()),
        Some(Announcement { text, at, until }) => sqlx::query(PUT_UP)
            .bind(kind.as_str())
            .bind(text)
            .bind(at.0)
            .bind(until.map(|until| until.0)),
    };
    query.execute(connection).await?;
    Ok(())
}

/// What rows tell.
pub(super) fn standing(rows: Vec<Row>) -> Result<Standing, StoreError> {
    let mut standing = Standing::default();
    for (kind, text, at, until) in rows {
        let announcement = Announcement {
            text,
            at: Millis(at),
            until: until.map(Millis),
        };
        match Kind::from_name(&kind) {
            Some(Kind::Maintenance) => standing.maintenance = Some(announcement),
            Some(Kind::Notice) => standing.notice = Some(announcement),
            None => {
                return Err(StoreError::Corrupt {
                    table: "announcements",
                    row: kind,
                    what: "no such kind".to_owned(),
                });
            }
        }
    }
    Ok(standing)
}
