//! The board itself, without what stands on it.

use qiguan_rules::{
    Seat,
    catalog::{GameEntry, MarkKind},
};

use crate::layout::Layout;

const WOOD: &str = "#f0d9a8";
const INK: &str = "#4a3520";
const WATER: &str = "#9cc4dc";
const RAILWAY: &str = "#8a5a2b";
const TRAP: &str = "#d9a066";

/// A board that is drawn.
pub(crate) struct Picture<'a> {
    pub(crate) game: &'a GameEntry,
    pub(crate) turned: bool,
}

impl Picture<'_> {
    /// The beginning of the picture, and the board.
    pub(crate) fn ground(&self) -> String {
        let (width, height) = self.layout().size();
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             font-family=\"sans-serif\" text-anchor=\"middle\">\n<title>{}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{WOOD}\"/>\n",
            self.game.name
        );
        text.push_str(&self.board());
        text
    }

    fn layout(&self) -> &'static Layout {
        Layout::of(self.game)
    }

    fn at(&self, file: u8, rank: u8) -> (u32, u32) {
        self.layout().at(file, rank, self.turned)
    }

    fn line(&self, from: (u8, u8), to: (u8, u8), color: &str, width: u32) -> String {
        let (x1, y1) = self.at(from.0, from.1);
        let (x2, y2) = self.at(to.0, to.1);
        format!(
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{color}\" stroke-width=\"{width}\"/>\n"
        )
    }

    fn square(&self, file: u8, rank: u8, side: u32, fill: &str) -> String {
        let (x, y) = self.at(file, rank);
        let (x, y) = (x - side / 2, y - side / 2);
        format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"{fill}\" stroke=\"{INK}\"/>\n"
        )
    }

    fn board(&self) -> String {
        if !self.game.on_points {
            return self.squares();
        }
        if self.game.ways.is_empty() {
            return self.lines();
        }
        self.ways()
    }

    /// Squares, and what is special of them.
    fn squares(&self) -> String {
        let mut text = String::new();
        for rank in 0..self.game.ranks {
            for file in 0..self.game.files {
                let here = |mark: &&qiguan_rules::catalog::Mark| {
                    (mark.square.file(), mark.square.rank()) == (file, rank)
                };
                let fill = match self.game.marks.iter().find(here).map(|mark| mark.kind) {
                    Some(MarkKind::River) => WATER,
                    Some(MarkKind::Trap) => TRAP,
                    Some(MarkKind::Den) => INK,
                    Some(MarkKind::Palace | MarkKind::Camp | MarkKind::Headquarters) | None => WOOD,
                };
                text.push_str(&self.square(file, rank, self.layout().step.0, fill));
            }
        }
        text
    }

    /// Lines between points; those between the banks of a river only at the edges.
    fn lines(&self) -> String {
        let (files, ranks) = (self.game.files, self.game.ranks);
        let on_bank = |rank: u8| {
            let mut banks = self.game.marks.iter();
            banks.any(|mark| mark.kind == MarkKind::River && mark.square.rank() == rank)
        };
        let mut text = String::new();
        for rank in 0..ranks {
            text.push_str(&self.line((0, rank), (files - 1, rank), INK, 2));
        }
        for rank in 1..ranks {
            for file in 0..files {
                let at_edge = file == 0 || file == files - 1;
                if at_edge || !(on_bank(rank - 1) && on_bank(rank)) {
                    text.push_str(&self.line((file, rank - 1), (file, rank), INK, 2));
                }
            }
        }
        for owner in Seat::ALL {
            let palace = self.game.marks.iter();
            let palace =
                palace.filter(|mark| mark.kind == MarkKind::Palace && mark.owner == Some(owner));
            let corners = palace.fold(None, |corners: Option<[u8; 4]>, mark| {
                let (file, rank) = (mark.square.file(), mark.square.rank());
                let [left, low, right, high] = corners.unwrap_or([file, rank, file, rank]);
                Some([
                    left.min(file),
                    low.min(rank),
                    right.max(file),
                    high.max(rank),
                ])
            });
            if let Some([left, low, right, high]) = corners {
                text.push_str(&self.line((left, low), (right, high), INK, 2));
                text.push_str(&self.line((left, high), (right, low), INK, 2));
            }
        }
        text
    }

    /// Roads and railways, and what is special of the points.
    fn ways(&self) -> String {
        let mut text = String::new();
        for way in &self.game.ways {
            let (from, to) = (way.from, way.to);
            let (color, width) = if way.railway { (RAILWAY, 7) } else { (INK, 2) };
            text.push_str(&self.line(
                (from.file(), from.rank()),
                (to.file(), to.rank()),
                color,
                width,
            ));
        }
        for mark in &self.game.marks {
            let (x, y) = self.at(mark.square.file(), mark.square.rank());
            match mark.kind {
                MarkKind::Camp => text.push_str(&format!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"40\" fill=\"{WOOD}\" stroke=\"{INK}\"/>\n"
                )),
                MarkKind::Headquarters => {
                    text.push_str(&self.square(mark.square.file(), mark.square.rank(), 80, TRAP));
                }
                MarkKind::Den | MarkKind::Trap | MarkKind::River | MarkKind::Palace => {}
            }
        }
        text
    }

    /// Letters and numbers along the edges.
    pub(crate) fn names(&self) -> String {
        let (_, height) = self.layout().size();
        let mut text = String::new();
        let mut name = |x: u32, y: u32, name: &str| {
            text.push_str(&format!(
                "<text x=\"{x}\" y=\"{y}\" font-size=\"20\" fill=\"{INK}\">{name}</text>\n"
            ));
        };
        for file in 0..self.game.files {
            let (x, _) = self.at(file, 0);
            name(x, height - 10, &char::from(b'a' + file).to_string());
        }
        for rank in 0..self.game.ranks {
            let (_, y) = self.at(0, rank);
            name(18, y + 7, &(rank + 1).to_string());
        }
        text
    }
}
