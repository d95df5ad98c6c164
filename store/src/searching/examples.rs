//! What may be asked for, for the tests of what the databases make of it.

use qiguan_game::position_key::PositionKey;
use qiguan_protocol::{ids::PlayerId, names::Status};
use qiguan_rules::EndReason;
use uuid::Uuid;

use super::Span;
use crate::store::{ClockKind, GameFilter, ResultFilter};

/// Somebody. (The plans of Postgres are made for games of players with such ids.)
const fn someone(number: u128) -> PlayerId {
    PlayerId(Uuid::from_u128(number))
}

/// Parts of the order, and how a plan of SQLite tells them.
pub(crate) fn spans() -> [(Span, &'static str); 4] {
    let place = |at| Some((at, Uuid::from_u128(9)));
    let span = |from, until| Span { from, until };
    [
        (span(None, None), ""),
        (span(None, place(5_000)), " AND (created_at,id)<(?,?)"),
        (span(place(3_000), None), " AND (created_at,id)>(?,?)"),
        (
            span(place(3_000), place(5_000)),
            " AND (created_at,id)>(?,?) AND (created_at,id)<(?,?)",
        ),
    ]
}

fn rulesets() -> Vec<String> {
    vec![
        "doushouqi/booklet".to_owned(),
        "xiangqi/standard".to_owned(),
    ]
}

/// What is asked for often, with the beginnings of the indexes that it is found in.
pub(crate) fn examples() -> Vec<(GameFilter, &'static [&'static str])> {
    let everything = GameFilter::default();
    vec![
        (everything.clone(), &["games_by_visibility (visibility=?"]),
        (
            GameFilter {
                plies_from: Some(100),
                ..everything.clone()
            },
            &["games_by_visibility (visibility=?"],
        ),
        (
            GameFilter {
                status: Some(Status::Playing),
                rulesets: Some(rulesets()),
                ..everything.clone()
            },
            &["games_by_status (visibility=? AND status=?"],
        ),
        (
            GameFilter {
                status: Some(Status::Ended),
                rulesets: Some(rulesets()),
                ..everything.clone()
            },
            &["rulesets"],
        ),
        (
            GameFilter {
                status: Some(Status::Open),
                viewer: Some(someone(1)),
                ..everything.clone()
            },
            &[
                "games_by_status (visibility=? AND status=?",
                "games_unfinished_by_first (first_id=? AND status=? AND visibility=?",
                "games_unfinished_by_second (second_id=? AND status=? AND visibility=?",
            ],
        ),
        (
            GameFilter {
                result: Some(ResultFilter::Draw),
                rated: Some(true),
                ..everything.clone()
            },
            &["games_drawn (visibility=?"],
        ),
        (
            GameFilter {
                reason: Some(EndReason::Checkmate),
                rulesets: Some(rulesets()),
                ..everything.clone()
            },
            &["games_by_reason (visibility=? AND reason=?"],
        ),
        (
            GameFilter {
                player: Some(someone(1)),
                rulesets: Some(rulesets()),
                ..everything.clone()
            },
            &["seats"],
        ),
        (
            GameFilter {
                player: Some(someone(1)),
                viewer: Some(someone(1)),
                status: Some(Status::Ended),
                ..everything.clone()
            },
            &["seats", "seats"],
        ),
        (
            GameFilter {
                player: Some(someone(1)),
                viewer: Some(someone(2)),
                ..everything.clone()
            },
            &["seats", "pairs"],
        ),
        (
            GameFilter {
                player: Some(someone(1)),
                against: Some(someone(2)),
                viewer: Some(someone(2)),
                ..everything
            },
            &["pairs", "pairs"],
        ),
    ]
}

/// Each of what decides on the index with each other, with and without something that no index answers.
pub(crate) fn combinations() -> Vec<GameFilter> {
    let mut filters = vec![GameFilter::default()];
    let mut with = |choices: &[&dyn Fn(&mut GameFilter)]| {
        let plain = filters.clone();
        for choice in choices {
            filters.extend(plain.iter().cloned().map(|mut filter| {
                choice(&mut filter);
                filter
            }));
        }
    };
    with(
        &[&|filter| filter.status = Some(Status::Playing), &|filter| {
            filter.status = Some(Status::Ended);
        }],
    );
    with(&[&|filter| filter.player = Some(someone(1)), &|filter| {
        filter.player = Some(someone(1));
        filter.against = Some(someone(2));
    }]);
    with(&[&|filter| filter.viewer = Some(someone(1)), &|filter| {
        filter.oversees = true;
    }]);
    with(&[&|filter| filter.rulesets = Some(rulesets())]);
    with(&[&|filter| filter.position = Some(PositionKey(Uuid::from_u128(3)))]);
    with(&[
        &|filter| filter.result = Some(ResultFilter::First),
        &|filter| filter.result = Some(ResultFilter::Draw),
        &|filter| filter.reason = Some(EndReason::Repetition),
    ]);
    with(&[&|filter| {
        filter.plies_from = Some(300);
        filter.rating_from = Some(2_000);
        filter.rated = Some(true);
        filter.clock = Some(ClockKind::Byoyomi);
    }]);
    filters
}
