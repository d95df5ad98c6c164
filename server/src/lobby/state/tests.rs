//! The lobby as tables and as random sequences of what people do.

mod pools;
mod random;

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
};

use qiguan_game::{event::Player, people::identity::Identity};
use qiguan_protocol::{
    ids::GameId,
    names::{Rating, Role, SeatChoice},
    time_control::{Clock, TimeControl},
};
use uuid::Uuid;

use super::{
    matching::{Accepting, Failure, Opening},
    seek::Range,
    *,
};
use crate::{
    admission::Terms,
    net::{address::Group, rate_limit::RetryIn},
};

const LIMITS: Limits = Limits {
    per_player: 5,
    per_address: 10,
};
const RULESET: &str = "xiangqi/standard";

fn player(number: u128) -> PlayerId {
    PlayerId(Uuid::from_u128(number))
}

fn seek_id(number: u128) -> SeekId {
    SeekId(Uuid::from_u128(number))
}

fn command(number: u128) -> CommandId {
    CommandId(Uuid::from_u128(number))
}

fn game(number: u128) -> GameId {
    GameId(Uuid::from_u128(number))
}

fn identity(number: u128) -> Identity {
    Identity::guest(Player::named(player(number), format!("Player {number}")))
}

fn rating(value: i32) -> Rating {
    Rating {
        value,
        provisional: false,
    }
}

/// Four players share an address.
fn seeker(number: u128) -> Seeker {
    let address = Ipv4Addr::from_bits((number / 4) as u32);
    Seeker {
        who: Arc::new(Identity {
            role: Role::Player,
            ..identity(number)
        }),
        rating: Some(rating(1_500)),
        address: Group::of(IpAddr::V4(address)),
        // After everything that has come before.
        asked_at: Millis(i64::MAX),
        avoids: Arc::default(),
        paused_until: None,
        shadowbanned: false,
    }
}

fn guest(number: u128) -> Seeker {
    Seeker {
        who: Arc::new(identity(number)),
        rating: None,
        ..seeker(number)
    }
}

fn bot(number: u128) -> Seeker {
    Seeker {
        who: Arc::new(Identity {
            role: Role::Bot,
            ..identity(number)
        }),
        ..seeker(number)
    }
}

fn terms(rated: bool) -> Terms {
    Terms {
        ruleset: RULESET.to_owned(),
        options: Vec::new(),
        time_control: TimeControl {
            clock: Clock::None,
            absence_ms: None,
            setup_ms: None,
        },
        rated,
        spectator_delay: None,
        start: None,
    }
}

fn board_between(rated: bool, range: Range) -> SeekRequest {
    let seat = SeatChoice::Random;
    SeekRequest {
        terms: terms(rated),
        place: SeekTarget::Board { seat, range },
    }
}

fn board() -> SeekRequest {
    board_between(false, Range::default())
}

fn pool(time: &str) -> SeekRequest {
    let key = PoolKey::named(RULESET, time, false).unwrap();
    SeekRequest {
        terms: terms(false),
        place: SeekTarget::Pool(key),
    }
}

/// A state in which these players have a connection each.
fn lobby_of(players: impl IntoIterator<Item = u128>) -> LobbyState {
    let mut state = LobbyState::new(LIMITS);
    for number in players {
        state.enters(player(number), number as u64, Millis(0));
    }
    state
}

fn opens(accepting: Result<Accepting, Refusal>) -> Opening {
    match accepting {
        Ok(Accepting::Opens(opening)) => *opening,
        other => panic!("no game is opened but {other:?}"),
    }
}

fn put(
    state: &mut LobbyState,
    owner: Seeker,
    request: SeekRequest,
    number: u128,
    now: Millis,
) -> SeekId {
    let placed = state.seek(
        seek_id(number),
        owner,
        request,
        command(number),
        SeekLifetime::Socket,
        now,
    );
    assert_eq!(placed, Ok((seek_id(number), SeekStatus::Open)));
    seek_id(number)
}

fn strangers(_: PlayerId, _: PlayerId) -> bool {
    false
}

#[test]
fn an_accepted_seek_is_held_until_the_game_is_stored_and_then_all_seeks_of_both_are_gone() {
    let now = Millis(0);
    let mut state = lobby_of([1, 2, 3]);
    let wanted = put(&mut state, seeker(1), board(), 1, now);
    let other = put(&mut state, seeker(1), pool("5+3"), 2, now);
    let theirs = put(&mut state, seeker(2), board(), 3, now);
    let opening = opens(state.accept(wanted, seeker(2), command(9), now));
    assert_eq!(state.open(false).count(), 0);
    for seek in [wanted, theirs] {
        let late = state.accept(seek, seeker(3), command(10), now);
        assert_eq!(late.unwrap_err(), Refusal::Gone);
    }
    assert_eq!(
        state.cancel(player(1), wanted, now),
        Err(Refusal::BeingSeated)
    );
    let again = state.accept(wanted, seeker(2), command(9), now);
    assert!(matches!(again, Ok(Accepting::Waits(id)) if id == opening.id));
    state.opened(opening.id, Ok(game(7)), now);
    assert!(state.is_empty());
    assert_eq!(
        state.ask(player(1), wanted, now),
        Ok(SeekStatus::Paired(game(7)))
    );
    assert_eq!(state.ask(player(1), other, now), Ok(SeekStatus::Gone));
    assert_eq!(state.ask(player(2), theirs, now), Ok(SeekStatus::Gone));
    let again = state.accept(wanted, seeker(2), command(9), now);
    assert!(matches!(again, Ok(Accepting::Paired(id)) if id == game(7)));
    let late = state.accept(wanted, seeker(3), command(10), now);
    assert_eq!(late.unwrap_err(), Refusal::Gone);
}

#[test]
fn shadowbanned_players_meet_only_each_other() {
    let now = Millis(0);
    let mut state = lobby_of([1, 2, 3, 4]);
    let shadowbanned = |number| Seeker {
        shadowbanned: true,
        ..seeker(number)
    };
    let theirs = put(&mut state, shadowbanned(1), board(), 1, now);
    let open = put(&mut state, seeker(2), board(), 2, now);
    let seen = |state: &LobbyState, shadowbanned| {
        let mut seen: Vec<SeekId> = state.open(shadowbanned).map(|seek| seek.id).collect();
        seen.sort_unstable();
        seen
    };
    assert_eq!(seen(&state, false), [open]);
    assert_eq!(seen(&state, true), [theirs, open]);
    assert_eq!(state.board().take_changes().shown, [open]);
    assert_eq!(state.apart().take_changes().shown, [theirs]);
    for (seek, acceptor) in [(theirs, seeker(3)), (open, shadowbanned(3))] {
        let refused = state.accept(seek, acceptor, command(9), now);
        assert_eq!(refused.unwrap_err(), Refusal::Gone);
    }
    // In a pool they wait for each other, however long.
    put(&mut state, shadowbanned(1), pool("5+3"), 3, now);
    put(&mut state, seeker(2), pool("5+3"), 4, now);
    assert!(state.pair(true, Millis(50_000), strangers).is_empty());
    put(&mut state, shadowbanned(4), pool("5+3"), 5, now);
    let opening = state.pair(true, Millis(50_000), strangers).pop().unwrap();
    assert_eq!(opening.owner.seeker.player(), player(1));
    assert_eq!(opening.other.seeker.player(), player(4));
    assert_eq!(state.apart().take_changes().hidden, [theirs]);
    state.opened(opening.id, Err(Failure::NotStored), now);
    assert_eq!(state.apart().take_changes().shown, [theirs]);
    assert!(state.board().take_changes().hidden.is_empty());
}

#[test]
fn what_could_not_be_stored_is_put_back_and_can_be_accepted_again() {
    let now = Millis(0);
    let mut state = lobby_of([1, 2]);
    let wanted = put(&mut state, seeker(1), board(), 1, now);
    let opening = opens(state.accept(wanted, seeker(2), command(9), now));
    state.opened(opening.id, Err(Failure::NotStored), now);
    assert_eq!(state.open(false).count(), 1);
    opens(state.accept(wanted, seeker(2), command(9), now));
}

#[test]
fn seeks_that_may_not_be_accepted_say_why() {
    let now = Millis(0);
    let mut state = lobby_of([1, 2, 3]);
    let ranged = Range {
        min: Some(1_500),
        max: Some(1_600),
    };
    let narrow = put(&mut state, seeker(1), board_between(true, ranged), 1, now);
    let rated = put(
        &mut state,
        seeker(2),
        board_between(true, Range::default()),
        2,
        now,
    );
    let with_rating = |rating| Seeker {
        rating,
        ..seeker(3)
    };
    let blocking = Seeker {
        avoids: Arc::new(HashSet::from([player(1)])),
        ..seeker(3)
    };
    let paused = Seeker {
        paused_until: Some(Millis(5)),
        ..seeker(3)
    };
    let until = Millis(5);
    for (seek, acceptor, refusal) in [
        (narrow, seeker(1), Refusal::OwnSeek),
        (narrow, guest(3), Refusal::NeedsAccount),
        (rated, guest(3), Refusal::NeedsAccount),
        (
            narrow,
            with_rating(Some(rating(1_499))),
            Refusal::OutOfRange,
        ),
        (
            narrow,
            with_rating(Some(rating(1_601))),
            Refusal::OutOfRange,
        ),
        (narrow, with_rating(None), Refusal::OutOfRange),
        (narrow, blocking, Refusal::Blocked),
        (narrow, paused, Refusal::Paused { until }),
        (seek_id(99), seeker(3), Refusal::Gone),
    ] {
        let refused = state.accept(seek, acceptor, command(9), now);
        assert_eq!(refused.unwrap_err(), refusal, "{seek}");
    }
    for value in [1_500, 1_600] {
        let opening =
            opens(state.accept(narrow, with_rating(Some(rating(value))), command(9), now));
        state.opened(opening.id, Err(Failure::NotStored), now);
    }
    let mut seek = |owner, request| {
        state.seek(
            seek_id(9),
            owner,
            request,
            command(9),
            SeekLifetime::Socket,
            now,
        )
    };
    assert_eq!(
        seek(guest(3), board_between(true, Range::default())),
        Err(Refusal::NeedsAccount)
    );
    assert_eq!(
        seek(guest(3), board_between(false, ranged)),
        Err(Refusal::NeedsAccount)
    );
}

#[test]
fn a_repeated_command_opens_no_second_seek_and_another_wish_is_a_conflict() {
    let now = Millis(0);
    let mut state = lobby_of([1]);
    let first = put(&mut state, seeker(1), board(), 1, now);
    let again = state.seek(
        seek_id(2),
        seeker(1),
        board(),
        command(1),
        SeekLifetime::Socket,
        now,
    );
    assert_eq!(again, Ok((first, SeekStatus::Open)));
    let other = state.seek(
        seek_id(2),
        seeker(1),
        pool("5+3"),
        command(1),
        SeekLifetime::Socket,
        now,
    );
    assert_eq!(other, Err(Refusal::Conflict));
    state.cancel(player(1), first, now).unwrap();
    let again = state.seek(
        seek_id(2),
        seeker(1),
        board(),
        command(1),
        SeekLifetime::Socket,
        now,
    );
    assert_eq!(again, Ok((first, SeekStatus::Gone)));
    state.tick(Millis(60_000));
    put(&mut state, seeker(1), board(), 1, Millis(60_000));
}

#[test]
fn a_reload_keeps_seeks_and_an_absence_ends_them() {
    let mut state = lobby_of([1]);
    let seek = put(&mut state, seeker(1), board(), 1, Millis(0));
    state.leaves(player(1), 1, Millis(100));
    state.tick(Millis(5_099));
    assert_eq!(state.len(), 1);
    state.enters(player(1), 2, Millis(5_099));
    state.tick(Millis(50_000));
    assert_eq!(state.len(), 1);
    state.leaves(player(1), 2, Millis(50_000));
    state.tick(Millis(55_000));
    assert_eq!(
        state.ask(player(1), seek, Millis(55_000)),
        Ok(SeekStatus::Gone)
    );
}

#[test]
fn a_seek_over_http_lives_as_long_as_it_is_asked_after() {
    let mut state = lobby_of([]);
    let way = SeekLifetime::Http {
        until: Millis(60_000),
    };
    let (seek, _) = state
        .seek(seek_id(1), seeker(1), board(), command(1), way, Millis(0))
        .unwrap();
    assert_eq!(
        state.ask(player(1), seek, Millis(59_000)),
        Ok(SeekStatus::Open)
    );
    assert_eq!(
        state.ask(player(2), seek, Millis(59_000)),
        Err(Refusal::Gone)
    );
    state.tick(Millis(118_999));
    assert_eq!(state.len(), 1);
    state.tick(Millis(119_000));
    assert_eq!(
        state.ask(player(1), seek, Millis(119_000)),
        Ok(SeekStatus::Gone)
    );
}

#[test]
fn f4_a_player_an_address_and_a_second_have_their_limits() {
    let now = Millis(0);
    let mut state = lobby_of(0..8);
    let mut ask = |owner: u128, number: u128, now| {
        state.seek(
            seek_id(number),
            seeker(owner),
            board(),
            command(number),
            SeekLifetime::Socket,
            now,
        )
    };
    let refused: Vec<Refusal> = (0..10_000).filter_map(|at| ask(0, at, now).err()).collect();
    assert_eq!(refused.len(), 9_995);
    assert!(
        refused
            .iter()
            .all(|refusal| *refusal == Refusal::TooManyOfPlayer)
    );
    for number in 10_000..10_005 {
        assert!(ask(1, number, now).is_ok());
    }
    assert_eq!(ask(2, 10_005, now), Err(Refusal::TooManyOfAddress));
    assert!(ask(4, 10_006, now).is_ok());
    for number in 20_000..20_009 {
        state
            .seek(
                seek_id(number),
                seeker(4),
                board(),
                command(number),
                SeekLifetime::Socket,
                now,
            )
            .unwrap();
        state.cancel(player(4), seek_id(number), now).unwrap();
    }
    let fast = state.seek(
        seek_id(3),
        seeker(4),
        board(),
        command(30_000),
        SeekLifetime::Socket,
        now,
    );
    assert_eq!(fast, Err(Refusal::TooFast(RetryIn(Millis(1_000)))));
    put(&mut state, seeker(4), board(), 30_001, Millis(1_000));
}
