//! Exports games that have ended as texts, page by page.

use std::{io::Write, pin::pin};

use futures_util::TryStreamExt;
use qiguan_game::{
    audience::whole,
    state::State,
    text::{telling, writing},
};
use qiguan_protocol::names::Status;
use qiguan_rules::xiangqi::notation::Notation;
use qiguan_store::{
    store::Store,
    stored::{Selection, StoredGame},
};

use super::{
    exporting::{ExportError, ProgressSink},
    line::{Counts, Kind},
    pages,
};

/// Writes the selected games that have ended. Comes back with how many there are.
///
/// # Errors
/// When the record can't be read, or the texts can't be written.
pub async fn export(
    store: &Store,
    selection: &Selection,
    notation: Notation,
    out: &mut (impl Write + Send),
    progress: &mut (impl ProgressSink + Send),
) -> Result<Counts, ExportError> {
    let selection = Selection {
        status: Some(Status::Ended),
        ..selection.clone()
    };
    let mut pages = pin!(pages::games(store, &selection, None));
    let mut written = Counts::default();
    while let Some(page) = pages.try_next().await? {
        for stored in page {
            let game = stored.game;
            match text(stored, notation) {
                Ok(text) => {
                    out.write_all(text.as_bytes())?;
                    written.add(Kind::Games);
                    progress.wrote(1);
                }
                Err(why) => progress.left_out(game, &why),
            }
        }
        out.flush()?;
    }
    Ok(written)
}

fn text(stored: StoredGame, notation: Notation) -> Result<String, String> {
    let events = stored.events.map_err(|error| error.to_string())?;
    let events: Vec<_> = events
        .iter()
        .map(qiguan_store::stored::StoredEvent::decode)
        .collect::<Result<_, _>>()?;
    let state = State::fold(stored.game, events).map_err(|damaged| damaged.to_string())?;
    let whole = whole::whole(&state).ok_or("its end is missing")?;
    let text = telling::tell(&whole.view, &whole.events, notation, None);
    Ok(writing::write(&text))
}
