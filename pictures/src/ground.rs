//! The board itself, without what stands on it: the file of the web client, and what depends on who looks.

use qiguan_rules::{
    Seat,
    catalog::{GameEntry, MarkKind},
};

use crate::{
    layout::Layout,
    looks::{self, Board},
};

/// What lies below everything: a moving picture has no corners that shine through.
pub(crate) const PAPER: &str = "#f5f0e4";

/// A board that is drawn.
pub(crate) struct Picture<'a> {
    pub(crate) game: &'a GameEntry,
    pub(crate) turned: bool,
    /// How much room there is above and below it.
    pub(crate) strip: u32,
}

impl Picture<'_> {
    /// The beginning of the picture, and the board.
    pub(crate) fn ground(&self) -> String {
        let (width, height) = Layout::of(self.game).size();
        let board = Board::usual(self.game).map_or("", |board| board.picture);
        let (top, all) = (-i64::from(self.strip), height + 2 * self.strip);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 {top} {width} {all}\" width=\"{width}\" height=\"{all}\" \
             font-family=\"sans-serif\" text-anchor=\"middle\">\n\
             <title>{}</title>\n<rect y=\"{top}\" width=\"{width}\" height=\"{all}\" fill=\"{PAPER}\"/>\n{board}{}",
            self.game.name,
            self.banners()
        )
    }

    /// The banners at the dens, in their sides' colours.
    fn banners(&self) -> String {
        let layout = Layout::of(self.game);
        let dens = self.game.marks.iter();
        let dens = dens.filter(|mark| mark.kind == MarkKind::Den);
        dens.map(|den| {
            let (x, y) = layout.at(den.square.file(), den.square.rank(), self.turned);
            let colour = match den.owner {
                Some(Seat::First) | None => "#1d4f91",
                Some(Seat::Second) => "#b3231a",
            };
            format!(
                "<path d=\"{}\" transform=\"translate({x} {y})\" fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"3\" \
                 stroke-linejoin=\"round\"/>\n",
                looks::banner()
            )
        })
        .collect::<Vec<_>>()
        .concat()
    }

    /// Letters and numbers along the edges, as outlines.
    pub(crate) fn names(&self) -> String {
        let layout = Layout::of(self.game);
        let (width, height) = layout.size();
        let offset = layout.label.offset;
        let mut text = String::new();
        for file in 0..layout.files {
            let (x, _) = layout.at(file, 0, self.turned);
            let name = char::from(b'a' + file).to_string();
            for y in [offset, height - offset] {
                text.push_str(&written(&name, (x.into(), y.into()), layout.label.size));
            }
        }
        for rank in 0..layout.ranks {
            let (_, y) = layout.at(0, rank, self.turned);
            let name = (rank + 1).to_string();
            for x in [offset, width - offset] {
                text.push_str(&written(&name, (x.into(), y.into()), layout.label.size));
            }
        }
        let colour = Board::usual(self.game).map_or("", |board| &board.look.label);
        format!("<g fill=\"{colour}\">\n{text}</g>\n")
    }
}

/// A few characters around a point.
pub(crate) fn written(name: &str, (x, y): (f64, f64), size: u32) -> String {
    let letters: Vec<_> = name.chars().filter_map(looks::letter).collect();
    let (drawn, long) = outlines(&letters, size);
    let left = x - long / 2.0;
    format!("<g transform=\"translate({left} {y})\">{drawn}</g>\n")
}

/// A line of text as outlines.
pub(crate) struct Line {
    /// The outlines, from 0 on, their capitals around 0.
    pub(crate) drawn: String,
    /// How long it is.
    pub(crate) long: f64,
}

/// A line of text; none if a character has no outline.
pub(crate) fn line(text: &str, size: u32) -> Option<Line> {
    let letters: Option<Vec<_>> = text.chars().map(looks::letter).collect();
    let (drawn, long) = outlines(&letters?, size);
    Some(Line { drawn, long })
}

fn outlines(letters: &[&(f64, String)], size: u32) -> (String, f64) {
    let scale = f64::from(size) / 100.0;
    let mut left = 0.0;
    let mut text = format!("<g transform=\"scale({scale})\">");
    for (advance, outline) in letters {
        let middle = left + advance / 2.0;
        text.push_str(&format!(
            "<path d=\"{outline}\" transform=\"translate({middle} 0)\"/>"
        ));
        left += advance;
    }
    text.push_str("</g>");
    (text, left * scale)
}
