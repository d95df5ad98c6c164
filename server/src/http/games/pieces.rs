//! Long answers about a game: made of a snapshot beside its room, and written piece by piece as they are taken.
//!
//! However long a game is, a reader who takes nothing leaves a piece of the answer in memory, and what all readers of the game share.

use std::{convert::Infallible, sync::Arc};

use axum::body::{Body, Bytes};
use futures_util::{StreamExt, stream};
use qiguan_protocol::error::{ApiError, ErrorCode};
use serde::Serialize;

use crate::{
    app::{self, App},
    aside,
};

/// How long a piece is, in bytes: a little more, since it ends with a whole event.
const PIECE: usize = 16 * 1024;

/// An answer that is being written.
pub(super) trait Writing: Send + 'static {
    /// Adds what comes next; false once all is there.
    ///
    /// # Errors
    /// When it can't be made.
    fn write(&mut self, out: &mut Vec<u8>) -> Result<bool, ApiError>;
}

/// Begins an answer, in turn where that takes as long as the game is long, and comes back with its body.
///
/// # Errors
/// What keeps it from beginning.
pub(super) async fn body<W: Writing>(
    app: &App,
    passed_over: usize,
    begin: impl FnOnce() -> Result<W, ApiError> + Send + 'static,
) -> Result<Body, ApiError> {
    let first = move || {
        let mut writing = begin()?;
        let piece = piece(&mut writing)?;
        Ok((writing, piece))
    };
    let first: Result<_, ApiError> = if passed_over <= aside::SHORT {
        first()
    } else {
        let done = app.reads.run(first).await;
        done.ok_or_else(ApiError::internal)?
    };
    let (writing, (bytes, more)) = first?;
    if !more {
        return Ok(Body::from(bytes));
    }
    // What is longer than a piece is made beside the threads that answer everybody, a piece for each reader in turn.
    let rest = stream::unfold(Some((writing, app.reads.clone())), |rest| async {
        let (mut writing, reads) = rest?;
        let made = reads.run(move || piece(&mut writing).map(|made| (made, writing)));
        Some(
            match made.await.unwrap_or_else(|| Err(ApiError::internal())) {
                Ok(((bytes, more), writing)) => (Ok(bytes), more.then_some((writing, reads))),
                Err(error) => (Err(std::io::Error::other(error.message)), None),
            },
        )
    });
    Ok(Body::from_stream(stream::iter([Ok(bytes)]).chain(rest)))
}

/// The next piece, and whether there are more.
fn piece(writing: &mut impl Writing) -> Result<(Bytes, bool), ApiError> {
    let mut out = Vec::with_capacity(PIECE + 1_024);
    while out.len() < PIECE {
        if !writing.write(&mut out)? {
            return Ok((out.into(), false));
        }
    }
    Ok((out.into(), true))
}

/// A body that is there as a whole. A long one takes a place among all that wait for their readers.
///
/// # Errors
/// `busy` if too much waits already.
pub(super) fn kept(app: &App, bytes: Bytes) -> Result<Body, ApiError> {
    if bytes.len() <= PIECE {
        return Ok(Body::from(bytes));
    }
    let kib = u32::try_from(bytes.len() / 1_024).unwrap_or(u32::MAX);
    let kib = kib.min(app::WAITING_KIB);
    let Ok(place) = Arc::clone(&app.waiting).try_acquire_many_owned(kib) else {
        let message = "too many long texts are being generated; try again in a moment";
        return Err(ApiError::new(ErrorCode::Busy, message));
    };
    let pieces = stream::unfold((bytes, place), |(mut bytes, place)| async {
        let piece = bytes.split_to(PIECE.min(bytes.len()));
        let piece = (!piece.is_empty()).then_some(Ok::<_, Infallible>(piece));
        piece.map(|piece| (piece, (bytes, place)))
    });
    Ok(Body::from_stream(pieces))
}

/// Adds a value as JSON.
pub(super) fn json(out: &mut Vec<u8>, value: &impl Serialize) -> Result<(), ApiError> {
    serde_json::to_writer(out, value).map_err(|_| ApiError::internal())
}
