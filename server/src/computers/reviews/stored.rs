//! How reviews are stored: as they are told, compressed.

use std::io::{Read, Write};

use flate2::{Compression, read::ZlibDecoder, write::ZlibEncoder};
use qiguan_engine::review::VERSION;
use qiguan_game::state::State;
use qiguan_protocol::{error::ApiError, ids::Millis, move_text::MoveText, review::Review};
use qiguan_store::store::Store;

use crate::store_errors::FromRecords;

/// No review is longer, in bytes: 2,000 moves take less than half.
const LONGEST: u64 = 4 * 1024 * 1024;

/// Keeps a review. One that can't be kept will be made again.
pub(super) async fn keep(store: &Store, review: &Review, now: Millis, most: u32) {
    let body = match write(review) {
        Ok(body) => body,
        Err(error) => {
            tracing::error!(%error, game = %review.game, "a review can't be written");
            return;
        }
    };
    let kept = store.keep_review(review.game, VERSION, now, body, most);
    if let Err(error) = kept.await {
        tracing::warn!(%error, game = %review.game, "could not store a review");
    }
}

/// The review of a game. One that does not fit the game any more does not count: it will be made again.
///
/// # Errors
/// `busy` when the record can't be read.
pub(super) async fn read(store: &Store, state: &State) -> Result<Option<Review>, ApiError> {
    let body = store.review(state.id, VERSION).await;
    let body = body.or_unreadable("a review")?;
    let Some(review) = body.and_then(|body| parse(&body)) else {
        return Ok(None);
    };
    let fits = review.game == state.id
        && review.plies == state.ply()
        && review.moves.len() == state.moves.len()
        && state
            .moves
            .iter()
            .zip(&review.moves)
            .all(|(played, reviewed)| reviewed.text == MoveText::from(played.mv));
    Ok(fits.then_some(review))
}

fn write(review: &Review) -> std::io::Result<Vec<u8>> {
    let json = serde_json::to_vec(review)?;
    if json.len() as u64 > LONGEST {
        return Err(std::io::Error::other("it is too long"));
    }
    let mut writer = ZlibEncoder::new(Vec::new(), Compression::default());
    writer.write_all(&json)?;
    writer.finish()
}

fn parse(body: &[u8]) -> Option<Review> {
    let mut json = Vec::new();
    ZlibDecoder::new(body)
        .take(LONGEST)
        .read_to_end(&mut json)
        .ok()?;
    serde_json::from_slice(&json).ok()
}
