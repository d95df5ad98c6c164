//! Lists that a player asks for: what can be played, what is banned, what was played.

use qiguan_protocol::{catalog::CatalogGame, move_text::MoveText, names::BanReason};

use super::Player;
use crate::{
    notation::Spelling,
    screen::{did, span},
    table::Table,
    text::printable,
};

impl Player {
    /// `legal`: the legal moves, or those of one piece.
    pub(super) fn legal(&self, table: &Table, square: &str) -> anyhow::Result<()> {
        let Some(legal) = &table.view.position.legal else {
            return Ok(self.screen.say("it is not your turn")?);
        };
        // a1 does not mean a10.
        let target = |mv: &MoveText| {
            let target = mv.as_str().strip_prefix(square)?;
            let whole = !target.starts_with(|sign: char| sign.is_ascii_digit());
            whole.then(|| target.to_owned())
        };
        if !square.is_empty() {
            let targets: Vec<_> = legal.iter().filter_map(target).collect();
            self.screen.draw(table, self.now(), &targets)?;
        }
        let fen = &table.view.position.fen;
        let shown: Vec<_> = legal
            .iter()
            .filter(|mv| target(mv).is_some())
            .map(|mv| self.screen.spelling().possible(fen, mv))
            .collect();
        Ok(self
            .screen
            .say(&format!("legal: {}", printable(&shown.join(" "))))?)
    }

    /// `banned`: what can't be played, and why.
    pub(super) fn banned(&self, table: &Table) -> anyhow::Result<()> {
        let banned = &table.view.position.banned;
        if banned.is_empty() {
            return Ok(self.screen.say("nothing is banned")?);
        }
        for ban in banned {
            let why = match ban.reason {
                BanReason::Repetition => "the position would be repeated too often",
                BanReason::PerpetualCheck => "perpetual check",
                BanReason::PerpetualChase => "perpetual chase",
            };
            let fen = &table.view.position.fen;
            let shown = self.screen.spelling().possible(fen, &ban.text);
            self.screen
                .say(&format!("banned: {} ({why})", printable(&shown)))?;
        }
        Ok(())
    }
}

/// What the letters on the board stand for.
pub(super) fn pieces(game: &CatalogGame) -> String {
    let pieces = game.pieces.iter();
    let pieces = pieces.map(|piece| format!("{} {}", piece.letter, piece.name));
    let pieces = pieces.collect::<Vec<_>>().join(", ");
    printable(&format!(
        "{pieces}; capitals belong to the player who moves first"
    ))
}

/// The moves so far, two to a line.
pub(super) fn moves(table: &Table, spelling: &Spelling) -> String {
    let mut text = String::new();
    let spelled = spelling.all(&table.view.moves);
    let played: Vec<_> = table.view.moves.iter().zip(spelled).collect();
    for pair in played.chunks(2) {
        let shown = pair.iter().map(|(played, spelled)| {
            let removed = played
                .removed
                .map_or(String::new(), |_| did(None, played.removed, played.met));
            let spelled = printable(spelled) + &removed;
            // A Chinese character is as wide as two letters.
            let wide = spelled.chars().filter(|sign| !sign.is_ascii()).count();
            let width = 8_usize.saturating_sub(wide);
            format!("{spelled:<width$}{:>8}", span(played.spent_ms))
        });
        let number = pair
            .first()
            .map_or(0, |(played, _)| played.ply.0.div_ceil(2));
        text.push_str(&format!(
            "{number:>3}. {}\n",
            shown.collect::<Vec<_>>().join("   ")
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::catalog::Catalog;

    use super::*;

    #[test]
    fn the_letters_of_every_board_have_names() {
        for game in &Catalog::of_rules().games {
            let shown = pieces(game);
            assert_eq!(
                shown.matches(", ").count() + 1,
                game.pieces.len(),
                "{shown}"
            );
        }
        let shown = pieces(&Catalog::of_rules().games[0]);
        assert!(
            shown.contains("R Rat") && shown.contains("E Elephant"),
            "{shown}"
        );
    }
}
