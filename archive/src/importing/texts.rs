//! Imports texts of games as games between strangers (`game/src/text/importing.rs`).

use std::sync::Arc;

use qiguan_game::text::{GameText, importing, reading::Reader};
use qiguan_protocol::ids::GameId;
use qiguan_store::store::Store;

use super::{
    Imported, ProgressSink,
    judging::Game,
    storing::{Kept, Storing},
};

/// Imports texts of games. One whose `GameId` is that of a game in the record is there already.
///
/// # Errors
/// When the record can't be read or written for long. What was stored before stays.
pub async fn import_texts(
    store: Arc<Store>,
    texts: &str,
    progress: &mut (impl ProgressSink + Send),
) -> anyhow::Result<Imported> {
    let storing = Storing::new(store);
    let mut imported = Imported {
        whole: true,
        ..Imported::default()
    };
    let mut reader = Reader::new(texts);
    let mut line = reader.line();
    while let Some(read) = reader.next() {
        let number = line as u64;
        line = reader.line();
        let entry = match &read {
            Err(error) => Err(error.to_string()),
            Ok(text) if is_there(&storing, text).await? => {
                imported.known += 1;
                continue;
            }
            Ok(text) => importing::entry(text),
        };
        let kept = match entry {
            Err(why) => Kept::Refused(why),
            Ok(entry) => {
                let game = Game {
                    entry,
                    drafts: Vec::new(),
                };
                let mut kept = storing.keep_games(vec![game], progress).await?;
                kept.pop().unwrap_or(Kept::Known)
            }
        };
        match kept {
            Kept::New => imported.games += 1,
            Kept::Known => imported.known += 1,
            Kept::Refused(why) => {
                imported.refused += 1;
                progress.refused(number, b"", &why)?;
            }
        }
    }
    progress.read(texts.len() as u64);
    Ok(imported)
}

/// Whether the record has the game that a text was made of.
async fn is_there(storing: &Storing, text: &GameText) -> anyhow::Result<bool> {
    let Some(game) = text.tag("GameId").and_then(|id| id.parse::<GameId>().ok()) else {
        return Ok(false);
    };
    Ok(!storing.store.stored_games_of(&[game]).await?.is_empty())
}
