//! A game with its variations as moves between squares, each line as the rules judge a game.

use std::{collections::HashMap, rc::Rc};

use qiguan_protocol::limits;
use qiguan_rules::{Game, Move, xiangqi::notation::Notation};

use super::move_of;
use crate::text::tree::TextTree;

/// The tree with its moves as squares, the main line first and then each variation as a whole; and how many moves of variations were
/// left out, because they can't be played or there are too many.
pub(super) fn tree(
    tree: &TextTree,
    begun: Game,
    main: (&[usize], &[Move]),
    notation: Notation,
) -> (TextTree, usize) {
    let known: HashMap<usize, Move> = main.0.iter().copied().zip(main.1.iter().copied()).collect();
    let following = tree.following();
    let mut own = TextTree::new(tree.line);
    let mut there = HashMap::new();
    let mut left_out = 0;
    own.say(0, &tree.nodes[0].comment);
    // What is still to be looked at, the next one last: a node, where the one that it follows stands, and the game there.
    let mut waiting = Vec::new();
    let wait = |waiting: &mut Vec<_>, place: usize, after: usize, game: Game| {
        let game = Rc::new(game);
        let next = following[place].iter().rev();
        waiting.extend(next.map(|place| (*place, after, Rc::clone(&game))));
    };
    wait(&mut waiting, 0, 0, begun);
    while let Some((place, after, game)) = waiting.pop() {
        let node = &tree.nodes[place];
        let mv = known.get(&place).copied();
        let has_room = mv.is_some() || own.nodes.len() < limits::ANALYSIS_NODES;
        let mv = mv.or_else(|| move_of(&game, notation, &node.text).ok());
        let played = mv.filter(|_| has_room).and_then(|mv| {
            let (next, _) = game.after_recorded(mv).ok()?;
            Some((mv, next))
        });
        let Some((mv, next)) = played else {
            left_out += size(&following, place);
            continue;
        };
        // Two variations may begin with the same move.
        let own_place = *there
            .entry((after, mv))
            .or_insert_with(|| own.add(after, node.line, mv.to_string()));
        own.say(own_place, &node.comment);
        if let Some(own_node) = own
            .nodes
            .get_mut(own_place)
            .filter(|_| known.contains_key(&place))
        {
            own_node.took = node.took;
            own_node.left = node.left;
        }
        wait(&mut waiting, place, own_place, next);
    }
    (own, left_out)
}

/// How many moves a node stands for, with all that follow it.
fn size(following: &[Vec<usize>], place: usize) -> usize {
    let mut size = 0;
    let mut waiting = vec![place];
    while let Some(place) = waiting.pop() {
        size += 1;
        waiting.extend(&following[place]);
    }
    size
}
