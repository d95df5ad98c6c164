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
    let fen = game.tag("FEN").unwrap_or_default();
    let second_begins = fen.split(' ').nth(1) == Some("b");
    let (alone, rest) = game
        .moves
        .split_at(usize::from(second_begins).min(game.moves.len()));
    if !alone.is_empty() {
        write_moves(&mut text, "1...", alone);
    }
    let next = 1 + alone.len();
    for (number, both) in (next..).zip(rest.chunks(2)) {
        write_moves(&mut text, &format!("{number}."), both);
    }
    text.push_str(game.result.as_str());
    text.push_str("\n\n");
    text
}

/// A line of moves behind their number.
fn write_moves(text: &mut String, number: &str, moves: &[WrittenMove]) {
    text.push_str(number);
    for played in moves {
        text.push(' ');
        text.push_str(&played.text);
        text.push_str(&times(played));
    }
    text.push('\n');
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
