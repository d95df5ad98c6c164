//! Who waits in a pool, and who is paired there.

use std::collections::HashSet;

use super::*;

#[test]
fn a_pair_that_could_not_be_stored_is_tried_again_after_a_breath_and_an_unfit_player_is_not() {
    let now = Millis(0);
    let mut state = lobby_of([1, 2, 3]);
    put(&mut state, seeker(1), pool("5+3"), 1, now);
    put(&mut state, seeker(2), pool("5+3"), 2, now);
    let opening = state.pair(false, now, strangers).pop().unwrap();
    state.opened(opening.id, Err(Failure::NotStored), now);
    assert!(state.pair(true, Millis(999), strangers).is_empty());
    let opening = state.pair(true, Millis(1_000), strangers).pop().unwrap();
    state.opened(opening.id, Err(Failure::Unfit(player(1))), Millis(1_000));
    assert_eq!(state.ask(player(1), seek_id(1), now), Ok(SeekStatus::Gone));
    put(&mut state, seeker(3), pool("5+3"), 3, Millis(1_000));
    let opening = state.pair(false, Millis(1_000), strangers).pop().unwrap();
    assert_eq!(opening.owner.seeker.player(), player(2));
    assert_eq!(opening.other.seeker.player(), player(3));
}

#[test]
fn nobody_waits_twice_in_a_pool() {
    let now = Millis(0);
    let mut state = lobby_of([1]);
    let first = put(&mut state, seeker(1), pool("5+3"), 1, now);
    let again = state.seek(
        seek_id(2),
        seeker(1),
        pool("5+3"),
        command(2),
        SeekLifetime::Socket,
        now,
    );
    assert_eq!((again, state.len()), (Ok((first, SeekStatus::Open)), 1));
    assert_eq!(state.leave_pools(player(1), now), [first]);
    assert!(state.is_empty());
}

#[test]
fn a_second_command_for_a_place_of_which_a_game_is_being_opened_is_refused_and_leads_to_that_game_afterwards()
 {
    let now = Millis(0);
    let mut state = lobby_of([1, 2]);
    let first = put(&mut state, seeker(1), pool("5+3"), 1, now);
    put(&mut state, seeker(2), pool("5+3"), 2, now);
    let opening = state.pair(false, now, strangers).pop().unwrap();
    let seeks = |state: &mut LobbyState| {
        let (way, command) = (SeekLifetime::Socket, command(3));
        state.seek(seek_id(3), seeker(1), pool("5+3"), command, way, now)
    };
    for _ in 0..2 {
        assert_eq!(seeks(&mut state), Err(Refusal::BeingSeated));
    }
    state.opened(opening.id, Ok(game(7)), now);
    let paired = Ok((first, SeekStatus::Paired(game(7))));
    assert_eq!((seeks(&mut state), state.len()), (paired, 0));
}

#[test]
fn p19_who_is_paired_while_a_second_request_is_checked_gets_that_game_and_who_asks_later_gets_another()
 {
    let mut state = lobby_of([1, 2, 3]);
    put(&mut state, seeker(1), pool("5+3"), 1, Millis(0));
    put(&mut state, seeker(2), pool("5+3"), 2, Millis(0));
    let theirs = put(&mut state, seeker(3), board(), 3, Millis(0));
    let opening = state.pair(false, Millis(0), strangers).pop().unwrap();
    state.opened(opening.id, Ok(game(7)), Millis(40));
    let asked_at = |asked_at| Seeker {
        asked_at: Millis(asked_at),
        ..seeker(1)
    };
    let seeks = |state: &mut LobbyState, number, at| {
        let way = SeekLifetime::Socket;
        let (id, command) = (seek_id(number), command(number));
        state.seek(id, asked_at(at), pool("10+5"), command, way, Millis(50))
    };
    let paired = Ok((seek_id(11), SeekStatus::Paired(game(7))));
    assert_eq!(seeks(&mut state, 11, 30), paired);
    // Also when it comes again.
    assert_eq!(seeks(&mut state, 11, 45), paired);
    let accepts = |state: &mut LobbyState, number, at| {
        state.accept(theirs, asked_at(at), command(number), Millis(50))
    };
    for _ in 0..2 {
        let accepted = accepts(&mut state, 12, 30);
        assert!(matches!(accepted, Ok(Accepting::Paired(id)) if id == game(7)));
    }
    let open = Ok((seek_id(13), SeekStatus::Open));
    assert_eq!(seeks(&mut state, 13, 41), open);
    assert_eq!(opens(accepts(&mut state, 14, 41)).owner.seek, Some(theirs));
}

#[test]
fn a_player_who_is_loading_a_page_is_not_paired() {
    let mut state = lobby_of([1, 2]);
    put(&mut state, seeker(1), pool("5+3"), 1, Millis(0));
    put(&mut state, seeker(2), pool("5+3"), 2, Millis(0));
    state.leaves(player(1), 1, Millis(0));
    assert!(state.pair(false, Millis(0), strangers).is_empty());
    state.enters(player(1), 3, Millis(1_000));
    assert_eq!(state.pair(true, Millis(1_000), strangers).len(), 1);
}

#[test]
fn a_bot_plays_people_who_choose_it_and_bots_casual_games() {
    let now = Millis(0);
    for (is_rated, refused) in [(true, Some(Refusal::TwoBots)), (false, None)] {
        let board = || board_between(is_rated, Range::default());
        let mut state = lobby_of([1, 2, 3]);
        let of_bot = put(&mut state, bot(1), board(), 1, now);
        let by_bot = state.accept(of_bot, bot(2), command(9), now);
        assert_eq!(by_bot.err(), refused);

        let mut state = lobby_of([1, 2, 3]);
        let of_bot = put(&mut state, bot(1), board(), 1, now);
        let of_person = put(&mut state, seeker(2), board(), 2, now);
        let by_bot = state.accept(of_person, bot(1), command(8), now);
        assert_eq!(by_bot.err(), Some(Refusal::Uninvited));
        opens(state.accept(of_bot, seeker(3), command(9), now));
    }
}

#[test]
fn five_thousand_seekers_are_each_in_one_game() {
    let mut state = LobbyState::new(Limits {
        per_player: 5,
        per_address: 10_000,
    });
    for number in 0..5_000 {
        state.enters(player(number), number as u64, Millis(0));
        for (place, time) in ["5+3", "10+5"].into_iter().enumerate() {
            put(
                &mut state,
                seeker(number),
                pool(time),
                number * 2 + place as u128,
                Millis(0),
            );
        }
    }
    let openings = state.pair(false, Millis(0), strangers);
    assert_eq!(openings.len(), 2_500);
    let players: HashSet<PlayerId> = openings
        .iter()
        .flat_map(|opening| [opening.owner.seeker.player(), opening.other.seeker.player()])
        .collect();
    assert_eq!(players.len(), 5_000);
    for opening in openings {
        state.opened(opening.id, Ok(game(1)), Millis(0));
    }
    assert!(state.is_empty() && state.pools().next().is_none());
    for number in 0..5_000 {
        state.leaves(player(number), number as u64, Millis(0));
    }
    state.tick(Millis(60_000));
    assert!(state.people.is_empty() && state.commands.is_empty() && state.addresses.is_empty());
    assert!(state.recent_seeks.is_empty());
}
