//! What is refused of a query: the word is named, and what may stand there.

use qiguan_protocol::error::ErrorCode;

use crate::server::{Http, TestServer};

#[tokio::test(flavor = "multi_thread")]
async fn a_word_of_a_query_that_is_not_as_it_should_be_is_named() {
    let server = TestServer::start().await;
    let http = Http::nobody(&server);
    for (path, field, told) in [
        ("games?limit=ten", "limit", "a non-negative integer"),
        (
            "games?status=lost",
            "status",
            "unknown variant `lost`, expected one of",
        ),
        (
            "games?ruleset=xiangqi/standard&plies_from=-1",
            "plies_from",
            "a non-negative integer",
        ),
        ("games?rated=perhaps", "rated", "`true` or `false`"),
        ("games?player=anna", "player", "UUID"),
        (
            "games?colour=blue",
            "colour",
            "unknown field `colour`, expected one of",
        ),
        ("games?limit=5&limit=6", "limit", "duplicate field"),
        ("live?limit=", "limit", "a non-negative integer"),
        ("games?limit=99999999999999999999", "limit", "too large"),
        ("openings?fen=x", "query", "missing field `ruleset`"),
        (
            "leaderboards/xiangqi/standard?limit=%F0%9F%90%98",
            "limit",
            "a non-negative integer",
        ),
    ] {
        let refused = http.get(&format!("/api/{path}")).await;
        assert_eq!(refused.refusal(), (400, ErrorCode::BadRequest), "{path}");
        let error = refused.error();
        assert_eq!(error.field.as_deref(), Some(field), "{path}: {error:?}");
        assert!(error.message.contains(told), "{path}: {error:?}");
    }
}
