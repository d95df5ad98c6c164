//! Shared analyses as lines.

use qiguan_protocol::{
    analysis::Analysis,
    ids::{AnalysisId, Millis, PlayerId},
};
use qiguan_store::accounts::analyses::StoredAnalysis;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(remote = "StoredAnalysis", deny_unknown_fields)]
pub(super) struct AnalysisText {
    /// Its id.
    #[serde(rename = "analysis")]
    id: AnalysisId,
    #[serde(rename = "by")]
    player: PlayerId,
    at: Millis,
    content: Analysis,
}
