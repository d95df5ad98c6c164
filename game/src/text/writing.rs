//! A game's text, from what it says.

use super::{GameText, WrittenMove, spans};

/// The text, with an empty line after it.
pub fn write(game: &GameText) -> String {
    let mut text = String::new();
    for (name, value) in &game.tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    }
    text.push('\n');
    for (number, both) in (1..).zip(game.moves.chunks(2)) {
        text.push_str(&format!("{number}."));
        for played in both {
            text.push(' ');
            text.push_str(&played.text);
            text.push_str(&times(played));
        }
        text.push('\n');
    }
    text.push_str(game.result.as_str());
    text.push_str("\n\n");
    text
}

/// What is said of a move's times.
fn times(played: &WrittenMove) -> String {
    let said: String = [("emt", played.took), ("clk", played.left)]
        .into_iter()
        .filter_map(|(name, span)| Some(format!("[%{name} {}]", spans::clock(span?))))
        .collect();
    if said.is_empty() {
        said
    } else {
        format!(" {{{said}}}")
    }
}
