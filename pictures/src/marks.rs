//! What is marked on a board, and what stands beside it: the last move, who plays, and where the picture comes from.

use qiguan_rules::{BySeat, Move, Seat, catalog::GameEntry};

use crate::{
    ground,
    layout::Layout,
    looks::{self, Board},
};

/// The height of the strips above and below the board for what stands beside it.
pub(crate) const STRIP: u32 = 60;
/// The size of what is written there.
const SIZE: u32 = 34;
/// The colours of words.
pub(crate) const INK: &str = "#2a241c";
pub(crate) const SOFT: &str = "#6b6153";
/// The colour of a General in check, as the web client has it on boards of either tone.
const CHECK: [(&str, &str); 2] = [("light", "#d3301f"), ("dark", "#ff5b45")];

/// Marks a move as the web client does: on a board of points the piece with brackets, where it came from with a ring, and the way
/// between; on a board of squares both squares.
pub(crate) fn last_move(game: &GameEntry, mv: Move, turned: bool) -> String {
    let Some(Board {
        look,
        casing,
        around,
        ..
    }) = Board::usual(game)
    else {
        return String::new();
    };
    let layout = Layout::of(game);
    let from = layout.at(mv.from.file(), mv.from.rank(), turned);
    let to = layout.at(mv.to.file(), mv.to.rank(), turned);
    let colour = &look.last;
    if !game.on_points {
        let (width, height) = (layout.step.0 - 6, layout.step.1 - 6);
        let square = |(x, y): (u32, u32), more: &str| {
            format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" rx=\"12\" fill=\"{colour}\" stroke=\"{colour}\" \
                 stroke-width=\"4\" {more}/>\n",
                x - width / 2,
                y - height / 2
            )
        };
        return square(from, "fill-opacity=\"0.25\" stroke-dasharray=\"12 8\"")
            + &square(to, "fill-opacity=\"0.5\"");
    }
    let (half, long) = (around.half, 20);
    let brackets = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        .iter()
        .map(|(across, down)| {
            let (x, y) = (across * half.0, down * half.1);
            format!(
                "M{x} {}V{y}H{}",
                down * (half.1 - long),
                across * (half.0 - long)
            )
        })
        .collect::<Vec<_>>()
        .concat();
    let origin = around.origin;
    let (dx, dy) = (
        f64::from(to.0) - f64::from(from.0),
        f64::from(to.1) - f64::from(from.1),
    );
    let part = f64::from(origin) / dx.hypot(dy).max(1.0);
    let start = (f64::from(from.0) + dx * part, f64::from(from.1) + dy * part);
    let drawn = |colour: &str, more: &str| {
        format!(
            "<g fill=\"none\" stroke=\"{colour}\" stroke-linejoin=\"round\" stroke-linecap=\"round\" {more}>\
             <circle cx=\"{}\" cy=\"{}\" r=\"{origin}\"/><path d=\"{brackets}\" transform=\"translate({} {})\"/></g>\n",
            from.0, from.1, to.0, to.1
        )
    };
    format!(
        "<path d=\"M{:.1} {:.1}L{} {}\" stroke=\"{colour}\" stroke-width=\"4\" stroke-opacity=\"0.4\"/>\n",
        start.0, start.1, to.0, to.1
    ) + &drawn(casing, "stroke-width=\"9\" stroke-opacity=\"0.8\"")
        + &drawn(colour, "stroke-width=\"5\"")
}

/// Marks a General in check.
pub(crate) fn check(game: &GameEntry, (file, rank): (u8, u8), turned: bool) -> String {
    let (x, y) = Layout::of(game).at(file, rank, turned);
    let tone = Board::usual(game).map_or("", |board| board.look.tone());
    let colour = CHECK.iter().find(|(of, _)| *of == tone);
    let colour = colour.map_or(CHECK[0].1, |(_, colour)| colour);
    format!(
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"51\" fill=\"{colour}\" fill-opacity=\"0.4\" stroke=\"{colour}\" stroke-width=\"6\"/>\n"
    )
}

/// What stands above and below the board: the names of who plays from there, each after a disc in the side's colour, and where the
/// picture comes from.
pub(crate) fn beside(
    game: &GameEntry,
    ruleset: &str,
    names: &BySeat<String>,
    turned: bool,
) -> String {
    let (width, height) = Layout::of(game).size();
    let strip = |top: i64, seat: Seat| {
        let (name, colour) = (names.get(seat), looks::side(game, ruleset, seat));
        let middle = top + i64::from(STRIP / 2);
        let (text, _) = word(name, INK);
        format!(
            "<circle cx=\"32\" cy=\"{middle}\" r=\"12\" fill=\"{colour}\"/>\
             <g transform=\"translate(58 {middle})\">{text}</g>\n"
        )
    };
    let (site, long) = word("Qiguan", SOFT);
    let (right, middle) = (f64::from(width) - 24.0 - long, height + STRIP / 2);
    let (above, below) = if turned {
        (Seat::First, Seat::Second)
    } else {
        (Seat::Second, Seat::First)
    };
    strip(-i64::from(STRIP), above)
        + &strip(i64::from(height), below)
        + &format!("<g transform=\"translate({right} {middle})\">{site}</g>\n")
}

/// A word that begins here, and how long it is: as outlines, or as text if a character has none.
fn word(text: &str, colour: &str) -> (String, f64) {
    if let Some(line) = ground::line(text, SIZE) {
        return (
            format!("<g fill=\"{colour}\">{}</g>", line.drawn),
            line.long,
        );
    }
    let text = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let drawn = format!(
        "<text y=\"12\" text-anchor=\"start\" font-family=\"serif\" font-weight=\"600\" font-size=\"{SIZE}\" fill=\"{colour}\">{text}</text>"
    );
    (drawn, 0.0)
}
