//! A card: what shows a game, rules or the house where its address is pasted into a conversation. A board, and beside it who
//! plays or what it is about. Pure.

use qiguan_rules::{
    BySeat, Seat,
    catalog::{self, GameEntry},
};
use resvg::usvg;

use crate::{
    diagram::{self, Shown},
    ground::{self, PAPER},
    layout::Layout,
    looks,
    marks::{INK, SOFT},
    palette::{self, Palette},
    pieces::Faces,
    raster,
};

/// The width of every card, in pixels.
pub const WIDTH: u32 = 1_200;
/// The height of every card, in pixels.
pub const HEIGHT: u32 = 630;
/// From the edges of the card to the board.
const MARGIN: u32 = 30;
/// From the board to the words, and from the words to the edge.
const SPACE: u32 = 48;
/// What marks the house.
const SEAL: &str = "<rect width=\"64\" height=\"64\" rx=\"14\" fill=\"#a3271d\"/><circle cx=\"32\" cy=\"32\" r=\"22\" fill=\"#f3e3c3\"/>\
    <circle cx=\"32\" cy=\"32\" r=\"18\" fill=\"none\" stroke=\"#a3271d\" stroke-width=\"2\"/>\
    <path d=\"M22 26h20M22 38h20M26 20v24M38 20v24\" stroke=\"#a3271d\" stroke-width=\"4\" stroke-linecap=\"round\"/>";

/// What a card shows. Two that are equal look the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Card {
    /// The rule set.
    pub ruleset: String,
    /// The position, as everybody may know it.
    pub fen: String,
    /// What is marked on the board.
    pub shown: Shown,
    /// What stands beside it.
    pub words: Words,
}

/// What stands beside the board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Words {
    /// Who plays, and how it stands.
    Players {
        /// The players; none for a free seat.
        players: BySeat<Option<Player>>,
        /// The result; none while the game goes on.
        result: Option<String>,
        /// What is played.
        about: String,
    },
    /// A heading, and lines below it.
    Heading {
        /// The heading.
        heading: String,
        /// The lines.
        lines: Vec<String>,
    },
}

/// A player on a card.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Player {
    /// The name.
    pub name: String,
    /// The rating, if there is one.
    pub rating: Option<i32>,
}

/// Why there is no card.
#[derive(Debug, thiserror::Error)]
pub enum CardError {
    /// The rule set is unknown, or the text is no position of its game.
    #[error("a position can't be drawn")]
    Position,
    /// The picture can't be made.
    #[error("could not make a picture: {0}")]
    Picture(#[from] usvg::Error),
    /// The file can't be written.
    #[error("could not write a picture: {0}")]
    Png(#[from] png::EncodingError),
}

/// The card as a PNG of few colours, which is small enough for every messenger.
///
/// # Errors
/// When it can't be drawn.
pub fn png(card: &Card) -> Result<Vec<u8>, CardError> {
    let svg = svg(card).ok_or(CardError::Position)?;
    let pixels = raster::drawn(&svg, 1.0)?.ok_or(CardError::Position)?;
    let mut palette = Palette::of(&[&pixels]);
    let indexed = pixels.pixels().iter();
    let indexed: Vec<_> = indexed
        .map(|pixel| palette.nearest(palette::colour(*pixel)))
        .collect();
    let mut written = Vec::new();
    let mut encoder = png::Encoder::new(&mut written, WIDTH, HEIGHT);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.bytes());
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&indexed)?;
    writer.finish()?;
    Ok(written)
}

/// The card as a drawing; none if the rule set is unknown, or no game of it has the position.
fn svg(card: &Card) -> Option<String> {
    let games = catalog::games();
    let kind = card.ruleset.split('/').next();
    let game = games.iter().find(|game| Some(game.id) == kind)?;
    let board = diagram::svg(game, &card.ruleset, &card.fen, Faces::Usual, &card.shown)?;
    let (wide, high) = Layout::of(game).size();
    let room = HEIGHT - 2 * MARGIN;
    let scale = f64::from(room) / f64::from(high);
    let words = MARGIN + (f64::from(wide) * scale) as u32 + SPACE;
    let words = match &card.words {
        Words::Players {
            players,
            result,
            about,
        } => at_table(
            game,
            &card.ruleset,
            words,
            players,
            result.as_deref(),
            about,
        ),
        Words::Heading { heading, lines } => headed(words, heading, lines),
    };
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"{PAPER}\"/>\n\
         <g transform=\"translate({MARGIN} {MARGIN}) scale({scale})\">{board}</g>\n{words}</svg>\n"
    ))
}

/// Who plays, from above and from below, and what in between.
fn at_table(
    game: &GameEntry,
    ruleset: &str,
    left: u32,
    players: &BySeat<Option<Player>>,
    result: Option<&str>,
    about: &str,
) -> String {
    let (above, middle, below) = (118, HEIGHT / 2, HEIGHT - 118);
    let mut text = seated(game, ruleset, left, above, Seat::Second, players);
    text.push_str(&match result {
        Some(result) => {
            line(result, left, middle - 24, 64, INK) + &line(about, left, middle + 40, 34, SOFT)
        }
        None => line(about, left, middle, 40, SOFT),
    });
    text.push_str(&seated(game, ruleset, left, below, Seat::First, players));
    let seal = WIDTH - MARGIN - 54;
    text + &format!("<g transform=\"translate({seal} {MARGIN}) scale(0.84375)\">{SEAL}</g>\n")
}

/// A player's name behind a disc in the side's colour, and the rating below it.
fn seated(
    game: &GameEntry,
    ruleset: &str,
    left: u32,
    middle: u32,
    seat: Seat,
    players: &BySeat<Option<Player>>,
) -> String {
    let colour = looks::side(game, ruleset, seat);
    let disc = format!(
        "<circle cx=\"{}\" cy=\"{middle}\" r=\"20\" fill=\"{colour}\"/>\n",
        left + 20
    );
    let words = left + 60;
    let Some(player) = players.get(seat) else {
        return disc + &line("?", words, middle, 56, SOFT);
    };
    let named = line(&player.name, words, middle, 56, INK);
    let name = if named.is_empty() {
        // No outline is there for every script: the colour says who it is, the text beside the card the name.
        line(
            looks::seat_name(game, ruleset, seat),
            words,
            middle,
            56,
            INK,
        )
    } else {
        named
    };
    let rating = player.rating.map_or_else(String::new, |rating| {
        line(&rating.to_string(), words, middle + 62, 36, SOFT)
    });
    disc + &name + &rating
}

/// A heading beside the house's mark, and lines below it.
fn headed(left: u32, heading: &str, lines: &[String]) -> String {
    let top = HEIGHT / 2 - 28 * lines.len() as u32;
    let seal = format!(
        "<g transform=\"translate({left} {}) scale(1.5)\">{SEAL}</g>\n",
        top - 150
    );
    let heading = line(heading, left, top, 76, INK);
    let lines = (1..).zip(lines);
    let lines = lines.map(|(number, text)| line(text, left, top + 28 + 58 * number, 40, SOFT));
    seal + &heading + &lines.collect::<Vec<_>>().concat()
}

/// A line of text from a point on, smaller if there is no room for it; empty if a character has no outline.
fn line(text: &str, left: u32, middle: u32, size: u32, colour: &str) -> String {
    let Some(whole) = ground::line(text, size) else {
        return String::new();
    };
    let room = f64::from(WIDTH.saturating_sub(left + SPACE));
    let scale = (room / whole.long.max(1.0)).min(1.0);
    format!(
        "<g fill=\"{colour}\" transform=\"translate({left} {middle}) scale({scale})\">{}</g>\n",
        whole.drawn
    )
}

#[cfg(test)]
mod tests {
    use qiguan_rules::{Game, RuleSet};

    use super::*;

    fn player(name: &str, rating: Option<i32>) -> Player {
        let name = name.to_owned();
        Player { name, rating }
    }

    fn card(id: &str, words: Words) -> Card {
        Card {
            ruleset: id.to_owned(),
            fen: Game::start(&RuleSet::named(id).unwrap()).fen(),
            shown: Shown::default(),
            words,
        }
    }

    fn between(name: &str) -> Words {
        Words::Players {
            players: BySeat {
                first: Some(player("Fearless Rat 1334", Some(1_540))),
                second: Some(player(name, None)),
            },
            result: Some("1–0".to_owned()),
            about: "Xiangqi · Standard · 5+3".to_owned(),
        }
    }

    #[test]
    fn every_rule_set_has_a_card_of_one_size_that_messengers_take() {
        for ruleset in RuleSet::ALL {
            let drawn = png(&card(ruleset.id(), between("Nguyễn"))).unwrap();
            let decoder = png::Decoder::new(std::io::Cursor::new(&drawn));
            let reader = decoder.read_info().unwrap();
            let (width, height) = (reader.info().width, reader.info().height);
            assert_eq!((width, height), (WIDTH, HEIGHT), "{}", ruleset.id());
            assert!(
                drawn.len() < 300 * 1024,
                "{}: {}",
                ruleset.id(),
                drawn.len()
            );
        }
    }

    #[test]
    fn names_are_outlines_and_never_markup() {
        let plain = svg(&card("xiangqi/standard", between("anna"))).unwrap();
        let hostile = svg(&card(
            "xiangqi/standard",
            between("<image href=\"x\"/>&\"'"),
        ))
        .unwrap();
        for text in [&plain, &hostile] {
            assert!(
                !text.contains("<image") && !text.contains("<text"),
                "{text}"
            );
            usvg::Tree::from_str(text, &usvg::Options::default()).unwrap();
        }
        assert_ne!(plain, hostile);
        // A script without outlines: the side's name stands there.
        let named = svg(&card("xiangqi/standard", between("棋"))).unwrap();
        let side = svg(&card("xiangqi/standard", between("Black"))).unwrap();
        assert_eq!(named, side);
    }

    #[test]
    fn what_is_no_position_has_no_card() {
        let words = || Words::Heading {
            heading: "Qiguan".to_owned(),
            lines: vec!["Xiangqi".to_owned()],
        };
        let mut wrong = card("xiangqi/standard", words());
        wrong.fen = "9/9".to_owned();
        assert!(matches!(png(&wrong), Err(CardError::Position)));
        let mut unknown = card("xiangqi/standard", words());
        unknown.ruleset = "chess/standard".to_owned();
        assert!(matches!(png(&unknown), Err(CardError::Position)));
    }
}
