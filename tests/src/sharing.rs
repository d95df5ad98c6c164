//! Analyses that are shared.

use qiguan_protocol::{analysis::AnalysisLink, ids::AnalysisId};
use serde_json::{Value, json};

use crate::http::{Http, Response, Transport};

/// An analysis of Xiangqi with a variation, comments and shapes.
pub fn analysis(title: &str) -> Value {
    json!({
        "ruleset": "xiangqi/standard",
        "start": "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        "title": title,
        "at": 2,
        "nodes": [
            {"comment": "<img src=x onerror=alert(1)>"},
            {"move": "h3e3", "shapes": [{"from": "h3", "to": "e3", "colour": "green"}, {"from": "e7", "colour": "red"}]},
            {"move": "h10g8", "comment": "</script>"},
            {"after": 0, "move": "b3e3"},
        ],
    })
}

/// Shares an analysis.
pub async fn shares<T: Transport>(http: &Http<T>, analysis: &Value) -> Response {
    http.post("/api/analyses", Some(analysis)).await
}

/// Shares an analysis that is one.
pub async fn has_shared<T: Transport>(http: &Http<T>, title: &str) -> AnalysisId {
    let link: AnalysisLink = shares(http, &analysis(title)).await.parsed();
    link.analysis
}
