//! Which questions about openings are refused.

use qiguan_protocol::error::ErrorCode;

use crate::server::{Http, TestServer};

const START: &str = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1";

/// `%20` for the blanks of a position.
fn encoded(fen: &str) -> String {
    fen.replace(' ', "%20")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_position_is_refused_by_name() {
    let server = TestServer::start().await;
    let http = Http::nobody(&server);
    let fen = encoded(START);
    let lone = encoded(START.split(' ').next().unwrap());
    for (path, code, field) in [
        (
            format!("/api/openings?ruleset=doushouqi/booklet&fen={lone}"),
            ErrorCode::BadValue,
            "fen",
        ),
        ("/api/openings".to_owned(), ErrorCode::BadRequest, "query"),
        (
            "/api/openings?ruleset=chess".to_owned(),
            ErrorCode::UnknownRuleset,
            "ruleset",
        ),
        (
            "/api/openings?ruleset=doushouqi/booklet&fen=7".to_owned(),
            ErrorCode::BadValue,
            "fen",
        ),
        (
            format!("/api/openings?ruleset=xiangqi/standard&fen={fen}"),
            ErrorCode::BadValue,
            "fen",
        ),
        (
            format!("/api/openings?ruleset=doushouqi/booklet&fen={fen}&moves=a3a4"),
            ErrorCode::BadValue,
            "moves",
        ),
        (
            "/api/openings?ruleset=doushouqi/booklet&moves=a3a5".to_owned(),
            ErrorCode::BadValue,
            "moves",
        ),
        (
            "/api/openings?ruleset=doushouqi/booklet&moves=a3a4,x".to_owned(),
            ErrorCode::BadValue,
            "moves",
        ),
        (
            format!("/api/games?position={fen}"),
            ErrorCode::BadValue,
            "position",
        ),
        (
            "/api/games?ruleset=xiangqi/standard&position=9".to_owned(),
            ErrorCode::BadValue,
            "position",
        ),
        (
            format!("/api/games?game=xiangqi&ruleset=doushouqi/booklet&position={fen}"),
            ErrorCode::BadValue,
            "position",
        ),
    ] {
        let refused = http.get(&path).await;
        assert_eq!(refused.refusal(), (400, code), "{path}");
        assert_eq!(refused.error().field.as_deref(), Some(field), "{path}");
    }
}
