//! What the preview of a shared analysis shows.

use qiguan_game::analyses;
use qiguan_pictures::{
    card::{Card, Words},
    diagram::Shown,
};
use qiguan_protocol::analysis::SharedAnalysis;

use super::texts::{Locale, filled};

/// The picture of an analysis: the position that is looked at first.
pub fn card(shared: &SharedAnalysis) -> Option<Card> {
    let (game, last_move) = analyses::looked_at(&shared.content)?;
    let ruleset = &shared.content.ruleset;
    let (english, says) = (Locale::En, Locale::En.sentences());
    let heading = filled(
        says.analysis,
        &[("game", &english.game(ruleset)), ("name", &shared.by.name)],
    );
    Some(Card {
        ruleset: ruleset.clone(),
        fen: game.fen(),
        shown: Shown {
            last_move,
            check: game.checked(),
            ..Shown::default()
        },
        words: Words::Heading {
            heading,
            lines: vec![english.ruleset_title(ruleset), "Qiguan".to_owned()],
        },
    })
}
