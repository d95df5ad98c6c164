//! Imports texts of games as games between strangers (`game/src/text/importing.rs`), and files of other programs with them.

use std::sync::Arc;

use qiguan_game::{
    record::Entry,
    text::{annotations, files::Content, foreign, importing, tree::TextTree},
};
use qiguan_protocol::ids::{AnalysisId, GameId, Millis, PlayerId};
use qiguan_rules::RuleSet;
use qiguan_store::{accounts::analyses::StoredAnalysis, store::Store};

use super::{
    Imported, ProgressSink,
    judging::Game,
    storing::{Kept, Storing},
};

/// How texts are imported.
#[derive(Clone, Copy, Debug)]
pub struct TextTaking {
    /// By what games are judged whose text names no rule set; one of Xiangqi.
    pub ruleset: RuleSet,
    /// Whose analyses the variations and comments of the games become, and when they count as shared; none to count them alone.
    pub annotations: Option<(PlayerId, Millis)>,
}

/// What stands beside the games of texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// Variations.
    pub variations: u64,
    /// Moves and beginnings with comments.
    pub comments: u64,
    /// Moves of variations that can't be played, or did not fit into an analysis.
    pub left_out: u64,
    /// Analyses that were shared, or had been before.
    pub analyses: u64,
}

/// A game of a text, judged.
struct Read {
    entry: Entry,
    /// The game with what stands beside it, as squares, and how many of its moves were left out.
    beside: Option<foreign::Foreign>,
}

/// Imports the games of a file of this program, or of others: PGN, DhtmlXQ or XQF. One whose `GameId` is that of a game in the record
/// is there already. Each game that is refused is reported with the file's name, its number and its line.
///
/// The analysis of a game has the game's own id.
///
/// # Errors
/// When the record can't be read or written for long. What was stored before stays.
pub async fn import_texts(
    store: Arc<Store>,
    (file, bytes): (&str, &[u8]),
    taking: &TextTaking,
    progress: &mut (impl ProgressSink + Send),
) -> anyhow::Result<Imported> {
    let storing = Storing::new(store);
    let mut imported = Imported {
        whole: true,
        ..Imported::default()
    };
    let content = Content::of(bytes);
    for (game, number) in content.games().zip(1_u64..) {
        let read = match game {
            Err(error) => Err(error.to_string()),
            Ok(tree) => match stored(&storing, &tree).await? {
                Some(known) => {
                    imported.known += 1;
                    let beside = foreign::own(&tree);
                    keep_beside(&storing, beside, known, taking, &mut imported).await?;
                    continue;
                }
                None => judged(&tree, &taking.ruleset),
            },
        };
        let mut refused = |why: String| {
            imported.refused += 1;
            progress.tells(&format!("{file}: game {number}, {why}"));
        };
        let Read { entry, beside } = match read {
            Err(why) => {
                refused(why);
                continue;
            }
            Ok(read) => read,
        };
        let id = entry.game;
        let game = Game {
            entry,
            drafts: Vec::new(),
        };
        let mut kept = storing.keep_games(vec![game], progress).await?;
        match kept.pop().unwrap_or(Kept::Known) {
            Kept::New => imported.games += 1,
            Kept::Known => imported.known += 1,
            Kept::Refused(why) => {
                imported.refused += 1;
                progress.tells(&format!("{file}: game {number}: {why}"));
                continue;
            }
        }
        keep_beside(&storing, beside, id, taking, &mut imported).await?;
    }
    progress.read(bytes.len() as u64);
    Ok(imported)
}

/// A game as it is to be stored, or what is wrong with it, with its line.
fn judged(tree: &TextTree, ruleset: &RuleSet) -> Result<Read, String> {
    let at = |why: String| format!("line {}: {why}", tree.line);
    if foreign::is_foreign(tree) {
        let taken = foreign::taken(tree, ruleset).map_err(|error| error.to_string())?;
        let entry = importing::entry(&taken.tree.game()).map_err(at)?;
        let beside = Some(taken);
        return Ok(Read { entry, beside });
    }
    if tree.result.is_none() {
        return Err(at("the game has no result; write * for none".to_owned()));
    }
    let entry = importing::entry(&tree.game()).map_err(at)?;
    let beside = foreign::own(tree);
    Ok(Read { entry, beside })
}

/// Counts what stands beside a game, and shares it if that was asked for.
async fn keep_beside(
    storing: &Storing,
    beside: Option<foreign::Foreign>,
    game: GameId,
    taking: &TextTaking,
    imported: &mut Imported,
) -> anyhow::Result<()> {
    let Some(foreign::Foreign { tree, left_out }) = beside else {
        return Ok(());
    };
    let counts = &mut imported.beside;
    counts.variations += tree.variations() as u64;
    counts.comments += tree.comments() as u64;
    counts.left_out += left_out as u64;
    let analysis = annotations::analysis(&tree, game);
    let (Some(content), Some((player, at))) = (analysis, taking.annotations) else {
        return Ok(());
    };
    let shared = StoredAnalysis {
        id: AnalysisId(game.0),
        player,
        at,
        content,
    };
    storing.store.add_analyses(vec![shared]).await?;
    counts.analyses += 1;
    Ok(())
}

/// The game in the record that a text was made of.
async fn stored(storing: &Storing, tree: &TextTree) -> anyhow::Result<Option<GameId>> {
    let Some(game) = tree.tag("GameId").and_then(|id| id.parse::<GameId>().ok()) else {
        return Ok(None);
    };
    let stored = storing.store.stored_games_of(&[game]).await?;
    Ok((!stored.is_empty()).then_some(game))
}
