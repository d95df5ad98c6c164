//! The words behind the `?` of an address are refused with their reason, or each of them counts.

use axum::{
    extract::FromRequestParts,
    http::{Request, request::Parts},
};
use futures_util::FutureExt;
use qiguan_protocol::query::{
    AnimationQuery, AuditQuery, EventsQuery, GamesQuery, LeaderboardQuery, LiveQuery, OpeningQuery,
    PictureQuery, PlayerQuery, PositionsQuery, RatingsQuery, ReportsQuery, StreamQuery, TextQuery,
};
use qiguan_server::http::{error::HttpError, extract::Checked};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::Target;

/// See the module.
pub const TARGET: Target = Target {
    name: "queries",
    check: |input| {
        let Some((which, query)) = input.split_first() else {
            return;
        };
        let which = usize::from(*which) % READ.len();
        holds(READ[which], query);
    },
    words: &[
        "&",
        "=",
        "%",
        "%00",
        "+",
        "limit=",
        "before=",
        "since=",
        "player=",
        "game=xiangqi",
        "ruleset=xiangqi/standard",
        "status=ended",
        "result=first",
        "clock=fischer",
        "position=",
        "moves=",
        "through=referee",
        "notation=wxf",
        "true",
        "-1",
        "18446744073709551616",
    ],
};

/// Reads a query, and tells what was read as JSON.
type Read = fn(Parts) -> Result<Value, HttpError>;

const READ: &[Read] = &[
    read::<GamesQuery>,
    read::<OpeningQuery>,
    read::<LiveQuery>,
    read::<EventsQuery>,
    read::<StreamQuery>,
    read::<TextQuery>,
    read::<AnimationQuery>,
    read::<PositionsQuery>,
    read::<PictureQuery>,
    read::<PlayerQuery>,
    read::<RatingsQuery>,
    read::<LeaderboardQuery>,
    read::<ReportsQuery>,
    read::<AuditQuery>,
];

fn read<T: Serialize + DeserializeOwned>(mut parts: Parts) -> Result<Value, HttpError> {
    let reading = Checked::<T>::from_request_parts(&mut parts, &());
    let Some(query) = reading.now_or_never() else {
        panic!("reading a query waits for something");
    };
    let Checked(query) = query?;
    match serde_json::to_value(&query) {
        Ok(value) => Ok(value),
        Err(error) => panic!("a query that was read can't be written: {error}"),
    }
}

fn holds(read: Read, query: &[u8]) {
    let Ok(query) = std::str::from_utf8(query) else {
        return;
    };
    // What is no address never comes as far as the query.
    let Ok(request) = Request::get(format!("/?{query}")).body(()) else {
        return;
    };
    let (parts, ()) = request.into_parts();
    let query = parts.uri.query().unwrap_or_default().to_owned();
    match read(parts) {
        Err(HttpError(error)) => {
            assert!(!error.message.is_empty(), "refused without a reason");
            assert!(error.field.is_some(), "refused without the field");
        }
        Ok(read) => {
            for word in query.split('&').filter(|word| !word.is_empty()) {
                let (name, value) = word.split_once('=').unwrap_or((word, ""));
                if name.contains(['%', '+']) {
                    continue;
                }
                let heeded = read.get(name).is_some_and(|read| !read.is_null());
                assert!(heeded, "{name}={value} was passed over");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::tests::is_broken_by;

    #[test]
    fn a_word_that_is_passed_over_is_found() {
        is_broken_by(&TARGET, |input| {
            let Some((_, query)) = input.split_first() else {
                return;
            };
            holds(
                |parts| {
                    let mut read = read::<GamesQuery>(parts)?;
                    read["player"] = Value::Null;
                    Ok(read)
                },
                query,
            );
        });
    }
}
