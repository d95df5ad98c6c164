//! A game's text with all that stands in it: the main line, variations, and comments. Flat, so that no depth of nesting costs a stack.

use qiguan_protocol::ids::Millis;

use super::{GameText, ResultMark, WrittenMove};

/// A game as a text says it, with what stands beside the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextTree {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// Names and values, each name once.
    pub tags: Vec<(String, String)>,
    /// The beginning, which no move leads to, then each move somewhere behind the one that it follows.
    pub nodes: Vec<TextNode>,
    /// What came of it; none if the text does not say.
    pub result: Option<ResultMark>,
}

/// A move with what is said of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextNode {
    /// The place of the node that it follows. Of several that follow the same one the first belongs to the main line.
    pub after: usize,
    /// The line on which it stands, from 1.
    pub line: usize,
    /// The move as it is written; empty at the beginning.
    pub text: String,
    /// What it took.
    pub took: Option<Millis>,
    /// What its player had left after it.
    pub left: Option<Millis>,
    /// What is said of it; empty for nothing.
    pub comment: String,
}

impl TextTree {
    /// A game without moves that begins on a line.
    pub fn new(line: usize) -> Self {
        let beginning = TextNode {
            line,
            ..TextNode::default()
        };
        Self {
            line,
            tags: Vec::new(),
            nodes: vec![beginning],
            result: None,
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(tag, _)| tag == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Adds a move behind a node and returns its place.
    pub fn add(&mut self, after: usize, line: usize, text: impl Into<String>) -> usize {
        self.nodes.push(TextNode {
            after,
            line,
            text: text.into(),
            ..TextNode::default()
        });
        self.nodes.len() - 1
    }

    /// Adds to what is said of a node.
    pub fn say(&mut self, place: usize, said: &str) {
        let said = said.trim();
        let Some(node) = self.nodes.get_mut(place).filter(|_| !said.is_empty()) else {
            return;
        };
        if !node.comment.is_empty() {
            node.comment.push('\n');
        }
        node.comment.push_str(said);
    }

    /// The places of the moves that follow each node, the main line's first.
    pub fn following(&self) -> Vec<Vec<usize>> {
        let mut following = vec![Vec::new(); self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate().skip(1) {
            if let Some(those) = following.get_mut(node.after) {
                those.push(place);
            }
        }
        following
    }

    /// The places of the main line's moves, in order.
    pub fn main_line(&self) -> Vec<usize> {
        let mut line = Vec::new();
        let mut last = 0;
        // A move stands behind the one that it follows, so one pass finds all.
        for (place, node) in self.nodes.iter().enumerate().skip(1) {
            if node.after == last {
                line.push(place);
                last = place;
            }
        }
        line
    }

    /// How many variations there are: moves beside another one that follows the same node.
    pub fn variations(&self) -> usize {
        let mut followed = vec![false; self.nodes.len()];
        let mut variations = 0;
        for node in self.nodes.iter().skip(1) {
            if let Some(followed) = followed.get_mut(node.after) {
                variations += usize::from(*followed);
                *followed = true;
            }
        }
        variations
    }

    /// How many nodes have comments.
    pub fn comments(&self) -> usize {
        let said = |node: &&TextNode| !node.comment.is_empty();
        self.nodes.iter().filter(said).count()
    }

    /// The game alone: tags, moves of the main line, and a result, none of it judged.
    pub fn game(&self) -> GameText {
        let moves = self.main_line().into_iter().map(|place| {
            let TextNode {
                text, took, left, ..
            } = &self.nodes[place];
            WrittenMove {
                text: text.clone(),
                took: *took,
                left: *left,
            }
        });
        GameText {
            tags: self.tags.clone(),
            moves: moves.collect(),
            result: self.result.unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_move_behind_each_other_is_the_main_line() {
        let mut tree = TextTree::new(1);
        let one = tree.add(0, 1, "one");
        let beside = tree.add(0, 1, "beside");
        tree.add(beside, 1, "behind it");
        let two = tree.add(one, 2, "two");
        tree.add(one, 2, "other");
        tree.say(two, " said ");
        tree.say(two, "");
        tree.say(two, "more");
        assert_eq!(tree.main_line(), [one, two]);
        assert_eq!((tree.variations(), tree.comments()), (2, 1));
        assert_eq!(tree.nodes[two].comment, "said\nmore");
        assert_eq!(tree.following()[0], [one, beside]);
    }
}
