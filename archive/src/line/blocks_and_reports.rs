//! Blocks between players, and reports about players, as lines.

use qiguan_protocol::{
    ids::{GameId, Millis, PlayerId, Seq},
    report::{ReportId, ReportOutcome, ReportReason},
};
use qiguan_store::fair_play::{Block, Closed, KeptReport, Report};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(remote = "Block", deny_unknown_fields)]
pub(super) struct BlockLine {
    /// Who blocks.
    #[serde(rename = "block")]
    player: PlayerId,
    blocked: PlayerId,
    at: Millis,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReportLine {
    report: ReportId,
    at: Millis,
    by: PlayerId,
    of: PlayerId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    about: Option<GameId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seq: Option<Seq>,
    reason: ReportReason,
    text: String,
    /// When and by whom it was closed (null: by the operator).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    closed: Option<(Millis, Option<PlayerId>)>,
    /// What was made of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outcome: Option<ReportOutcome>,
}

impl From<&KeptReport> for ReportLine {
    fn from(KeptReport { report, closed }: &KeptReport) -> Self {
        Self {
            report: report.id,
            at: report.at,
            by: report.by,
            of: report.player,
            about: report.game,
            seq: report.seq,
            reason: report.reason,
            text: report.text.clone(),
            closed: closed.map(|closed| (closed.at, closed.by)),
            outcome: closed.and_then(|closed| closed.outcome),
        }
    }
}

pub(super) fn read_report(line: ReportLine) -> KeptReport {
    KeptReport {
        report: Report {
            id: line.report,
            at: line.at,
            by: line.by,
            player: line.of,
            game: line.about,
            seq: line.seq,
            reason: line.reason,
            text: line.text,
        },
        closed: line.closed.map(|(at, by)| Closed {
            at,
            by,
            outcome: line.outcome,
        }),
    }
}
