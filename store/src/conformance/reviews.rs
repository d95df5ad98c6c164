//! Reviews of games that are over.

use std::sync::Arc;

use qiguan_protocol::ids::Millis;

use super::game;
use crate::{store::Store, testing::Place};

pub(super) async fn reviews_are_kept_for_their_version_and_the_oldest_go(
    store: Arc<Store>,
    _: &Place,
) {
    let keep = |number, version, at, byte, most| {
        store.keep_review(game(number), version, Millis(at), vec![byte; 3], most)
    };
    keep(1, 1, 10, 1, 3).await.unwrap();
    assert_eq!(store.review(game(1), 1).await, Ok(Some(vec![1; 3])));
    assert_eq!(store.review(game(1), 2).await, Ok(None));
    assert_eq!(store.review(game(2), 1).await, Ok(None));
    // A newer one takes its place.
    keep(1, 2, 11, 2, 3).await.unwrap();
    assert_eq!(store.review(game(1), 1).await, Ok(None));
    assert_eq!(store.review(game(1), 2).await, Ok(Some(vec![2; 3])));
    // The fourth displaces the oldest, which is the one that was not made again.
    keep(2, 2, 12, 3, 3).await.unwrap();
    keep(3, 2, 13, 4, 3).await.unwrap();
    keep(1, 2, 14, 5, 3).await.unwrap();
    keep(4, 2, 15, 6, 3).await.unwrap();
    let mut kept = Vec::new();
    for number in 1..=4 {
        let found = store.review(game(number), 2).await.unwrap();
        kept.push(found.map(|body| body[0]));
    }
    assert_eq!(kept, [Some(5), None, Some(4), Some(6)]);
}
