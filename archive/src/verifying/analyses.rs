//! Checks shared analyses: each could have been stored.

use qiguan_game::{analyses, validate};
use qiguan_store::{
    accounts::analyses::StoredAnalysis,
    store::{Store, StoreError},
};

use super::{Finding, Subject, check_rows};
use crate::pages;

/// Checks every analysis; reports each that is wrong. Comes back with how many there are.
///
/// # Errors
/// When the record can't be read.
pub async fn verify(store: &Store, told: impl FnMut(Finding)) -> Result<u64, StoreError> {
    let check = |shared: &StoredAnalysis| {
        let analysis = shared.id;
        let what = check_analysis(shared).err()?;
        Some(Subject::Analysis { analysis }.has(what))
    };
    check_rows(pages::analyses(store), check, told).await
}

/// Checks an analysis.
///
/// # Errors
/// The first thing that makes no sense.
pub fn check_analysis(shared: &StoredAnalysis) -> Result<(), String> {
    if !validate::is_time(shared.at) {
        return Err("at: invalid time".to_owned());
    }
    analyses::check(&shared.content).map_err(|error| {
        let field = error.field.unwrap_or_default();
        format!("content.{field}: {}", error.message)
    })
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::ids::{AnalysisId, Millis};
    use qiguan_store::{store::TokenHash, testing::Place};
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    #[tokio::test]
    async fn analyses_that_nobody_could_have_shared_are_found() {
        let place = Place::new("verify_analyses");
        let store = place.open().await;
        let player = qiguan_game::event::Player::named(
            qiguan_protocol::ids::PlayerId(Uuid::from_u128(1)),
            "Anna".to_owned(),
        );
        let token = TokenHash([1; 32]);
        store.create_guest(&player, token, Millis(1)).await.unwrap();
        let shared = |number: u128, at: i64, mv: &str| StoredAnalysis {
            id: AnalysisId(Uuid::from_u128(number)),
            player: player.id,
            at: Millis(at),
            content: serde_json::from_value(json!({
                "ruleset": "xiangqi/standard",
                "start": "4k4/9/9/9/9/9/9/9/4A4/R3K4 w - - 0 1",
                "nodes": [{}, {"move": mv, "comment": number.to_string()}],
            }))
            .unwrap(),
        };
        let all = vec![
            shared(1, 1_000, "a1a2"),
            shared(2, 1_000, "a1b2"),
            shared(3, -1, "a1a2"),
        ];
        store.add_analyses(all).await.unwrap();
        let mut findings = Vec::new();
        let count = verify(&store, |it| findings.push((it.subject, it.what))).await;
        assert_eq!(count, Ok(3));
        for ((subject, what), (number, field)) in findings
            .iter()
            .zip([(2, "content.nodes[1].move: a1b2"), (3, "at: ")])
        {
            let analysis = AnalysisId(Uuid::from_u128(number));
            assert_eq!(*subject, Subject::Analysis { analysis });
            assert!(what.starts_with(field), "{what}");
        }
        assert_eq!(findings.len(), 2);
    }
}
