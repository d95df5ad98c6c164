//! The length limit in records: what was opened since there is one ends by it, what is older is taken as it is.

use qiguan_protocol::ids::Seq;
use qiguan_rules::{EndReason, Outcome, outcome::LENGTH_LIMIT};

use super::{GAME, validate};
use crate::{
    event::{Body, Event},
    state::State,
    testing::Table,
};

const LIMIT: usize = LENGTH_LIMIT as usize;

fn ended(events: &mut [Event]) -> &mut EndReason {
    match &mut events.last_mut().unwrap().body {
        Body::Ended { outcome, .. } => &mut outcome.reason,
        _ => panic!("a record ends with its end"),
    }
}

#[test]
fn a_game_of_two_thousand_plies_is_drawn_and_its_record_says_so() {
    let mut table = Table::open_endless(GAME, true);
    table.goes_round(LIMIT - 1);
    assert_eq!(table.state.ended, None);
    let mut early = table.events();
    table.goes_round(usize::MAX);
    assert_eq!(table.state.moves.len(), LIMIT);
    assert_eq!(table.state.ended.unwrap().0, Outcome::LENGTH);
    let whole = table.events();
    assert_eq!(
        validate(GAME, whole.clone()).unwrap().log.len(),
        whole.len()
    );
    // What is folded from the record is over too.
    let folded = State::fold(GAME, whole.clone()).unwrap();
    assert_eq!(folded.ended, table.state.ended);
    // Neither without its end, nor with another one, nor too early.
    let wrong = validate(GAME, whole[..whole.len() - 1].to_vec()).unwrap_err();
    assert!(wrong.what.contains("the record does not"), "{wrong}");
    let mut other = whole.clone();
    *ended(&mut other) = EndReason::QuietLimit;
    assert_eq!(
        validate(GAME, other).unwrap_err().what,
        "the game can't end this way"
    );
    let mut end = whole.last().unwrap().clone();
    end.seq = Seq(early.len() as u32 + 1);
    early.push(end);
    assert_eq!(
        validate(GAME, early).unwrap_err().what,
        "the game can't end this way"
    );
}

#[test]
fn a_longer_game_from_before_the_limit_is_taken_as_it_is_and_ends_with_its_next_move() {
    let mut table = Table::open_endless(GAME, false);
    table.went_round(LIMIT + 50);
    let events = table.events();
    let state = validate(GAME, events.clone()).unwrap();
    assert_eq!((state.moves.len(), state.ended), (LIMIT + 50, None));
    // Its players may move, and then it is over.
    assert!(!state.game.legal_moves().is_empty());
    table.goes_round(usize::MAX);
    assert_eq!(table.state.moves.len(), LIMIT + 51);
    assert_eq!(table.state.ended.unwrap().0, Outcome::LENGTH);
    validate(GAME, table.events()).unwrap();
    // One that was opened since would have had to end.
    let mut since = events;
    match &mut since[0].body {
        Body::Created(created) => created.bounded = true,
        _ => panic!("a record begins with created"),
    }
    let wrong = validate(GAME, since).unwrap_err();
    assert!(wrong.what.contains("the record goes on"), "{wrong}");
}
