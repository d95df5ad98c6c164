//! The board of the lobby: seeks come and go for everybody, and one of them becomes one game.

use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    ids::CommandId,
    lobby::{LobbyNoticeKind, SeekState},
    names::Seat,
};
use qiguan_tests::{
    Client, Program, Start,
    client::{Frame, command_id},
    game::fischer,
    lobby::{paired, pool_data, seek_data, state},
    on_every_database, record,
    waiting::eventually,
};
use serde_json::json;

on_every_database! {
    two_strangers_meet_by_a_seek_and_play,
    what_can_not_be_stored_is_put_back_and_one_game_comes_of_it,
    what_may_be_stored_is_looked_up_before_anybody_is_told,
}

async fn two_strangers_meet_by_a_seek_and_play(start: fn() -> Start) {
    let program = start().start().await;
    let mut anna = Client::guest(program.address()).await;
    let mut bert = Client::guest(program.address()).await;
    let mut carl = Client::spectator(program.address()).await;
    carl.enters().await;
    let first = bert.seeks().await;
    let seek = anna.seeks().await;
    carl.sees_seek(seek).await;
    let shown = bert.enters().await;
    let of_anna = shown.seeks.iter().find(|shown| shown.id == seek).unwrap();
    assert_eq!(Some(&of_anna.player), anna.player.as_ref());
    assert_eq!(shown.own_seeks[0].id, first);
    assert_eq!((shown.counts.players, shown.counts.games), (2, 0));

    let game = bert.accepts(seek, command_id()).await.unwrap();
    assert_eq!(anna.is_paired().await, (game, Some(seek)));
    assert_eq!(bert.is_paired().await, (game, None));
    carl.sees_gone(seek).await;
    // A player in a game has no seeks.
    let left = anna.enters().await;
    assert!(
        left.seeks.is_empty() && left.own_seeks.is_empty(),
        "{left:?}"
    );
    assert_eq!((left.playing, left.counts.games), (vec![game], 1));
    let view = anna.snapshot(game).await;
    assert_eq!(view.you, Some(Seat::First));
    bert.watches(game).await;
    anna.plays(game, 1, "a3a4").await.unwrap();
    bert.plays(game, 2, "g7g6").await.unwrap();
    assert_eq!(record::games(&program.database()).await, [game]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seek_vanishes_for_everybody_when_it_is_cancelled_or_its_owner_is_gone() {
    let program = Program::start().await;
    let mut anna = Client::guest(program.address()).await;
    let mut carl = Client::spectator(program.address()).await;
    carl.enters().await;
    let cancelled = anna.seeks().await;
    carl.sees_seek(cancelled).await;
    for _ in 0..2 {
        let gone = anna
            .request("cancel_seek", json!({"seek": cancelled}))
            .await;
        assert_eq!(state(gone), Ok((cancelled, SeekState::Gone {})));
    }
    carl.sees_gone(cancelled).await;
    let kept = anna.seeks().await;
    carl.sees_seek(kept).await;
    // A page that is reloaded keeps its seeks.
    let mut again = anna.again(program.address()).await;
    anna.leaves().await;
    assert_eq!(again.enters().await.own_seeks[0].id, kept);
    again.leaves().await;
    carl.sees_gone(kept).await;
    assert!(carl.enters().await.seeks.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn two_who_accept_one_seek_at_once_get_one_game_and_one_refusal() {
    let program = Program::start().await;
    for _ in 0..10 {
        let mut owner = Client::guest(program.address()).await;
        let mut one = Client::guest(program.address()).await;
        let mut two = Client::guest(program.address()).await;
        let seek = owner.seeks().await;
        let (first, second) = tokio::join!(
            one.accepts(seek, command_id()),
            two.accepts(seek, command_id())
        );
        let (game, late) = match (first, second) {
            (Ok(game), Err(late)) | (Err(late), Ok(game)) => (game, late),
            both => panic!("not one of two: {both:?}"),
        };
        assert_eq!(late.code, ErrorCode::Gone);
        assert_eq!(owner.is_paired().await, (game, Some(seek)));
    }
    assert_eq!(record::games(&program.database()).await.len(), 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn d1_d2_nobody_does_in_the_lobby_what_is_not_theirs_to_do() {
    let program = Program::start().await;
    let mut anna = Client::guest(program.address()).await;
    let mut bert = Client::guest(program.address()).await;
    let mut nobody = Client::spectator(program.address()).await;
    let seek = anna.seeks().await;
    let pool = anna.waits_in("5+3").await;
    let accept = json!({"seek": seek, "command": command_id()});
    let unknown = json!({"seek": "01890000-0000-7000-8000-000000000009"});
    let with = |field: &str, value: serde_json::Value| {
        let mut data = seek_data(command_id());
        data[field] = value;
        data
    };
    for (kind, data) in [
        ("seek", seek_data(command_id())),
        ("quick_pair", pool_data(command_id(), "5+3")),
        ("accept_seek", accept.clone()),
        ("cancel_seek", json!({"seek": seek})),
        ("leave_pools", json!({})),
    ] {
        let refused = nobody.request(kind, data).await.err().unwrap();
        assert_eq!(refused.code, ErrorCode::Unauthenticated, "{kind}");
    }
    for (kind, data, code) in [
        // What is another's looks like what is not there.
        ("cancel_seek", json!({"seek": seek}), ErrorCode::Gone),
        ("cancel_seek", json!({"seek": pool}), ErrorCode::Gone),
        ("cancel_seek", unknown.clone(), ErrorCode::Gone),
        (
            "accept_seek",
            json!({"seek": pool, "command": command_id()}),
            ErrorCode::Gone,
        ),
        ("seek", with("rated", json!(true)), ErrorCode::NeedsAccount),
        (
            "seek",
            with("rating", json!({"min": 1})),
            ErrorCode::NeedsAccount,
        ),
        (
            "seek",
            with("rating", json!({"min": 2, "max": 1})),
            ErrorCode::BadValue,
        ),
        (
            "seek",
            with("ruleset", json!("chess")),
            ErrorCode::UnknownRuleset,
        ),
        (
            "seek",
            with("player", json!(anna.player)),
            ErrorCode::BadRequest,
        ),
        (
            "quick_pair",
            pool_data(command_id(), "5+4"),
            ErrorCode::BadValue,
        ),
        (
            "enter_lobby",
            json!({"as": anna.player}),
            ErrorCode::BadRequest,
        ),
    ] {
        let refused = bert.request(kind, data.clone()).await.err().unwrap();
        assert_eq!(refused.code, code, "{kind} {data}");
    }
    let own = anna.request("accept_seek", accept).await.err().unwrap();
    assert_eq!(own.code, ErrorCode::Forbidden);
    let mine = anna.enters().await;
    assert_eq!((mine.own_seeks.len(), mine.own_pools.len()), (1, 1));
    assert!(record::games(&program.database()).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_comes_again_seeks_and_accepts_once() {
    let program = Program::start().await;
    let mut anna = Client::guest(program.address()).await;
    let mut bert = Client::guest(program.address()).await;
    let (seeking, accepting) = (command_id(), command_id());
    let (seek, _) = state(anna.request("seek", seek_data(seeking)).await).unwrap();
    let again = state(anna.request("seek", seek_data(seeking)).await);
    assert_eq!(again, Ok((seek, SeekState::Open {})));
    let other = anna.request("quick_pair", pool_data(seeking, "5+3")).await;
    assert_eq!(other.err().unwrap().code, ErrorCode::Conflict);
    let game = bert.accepts(seek, accepting).await.unwrap();
    let mut bert = bert.again(program.address()).await;
    assert_eq!(bert.accepts(seek, accepting).await, Ok(game));
    let again = state(anna.request("seek", seek_data(seeking)).await);
    assert_eq!(again, Ok((seek, SeekState::Paired { game })));
    assert_eq!(record::games(&program.database()).await, [game]);
}

#[tokio::test(flavor = "multi_thread")]
async fn f4_ten_thousand_seeks_of_one_client_are_five_and_disturb_nobody() {
    let program = Start::default().for_machines().start().await;
    let mut listener = Client::spectator(program.address()).await;
    listener.enters().await;
    let began = listener.server_time().await;
    let mut flood = Client::guest(program.address()).await;
    let mut accepted = 0;
    for _ in 0..100 {
        let mut asked = Vec::new();
        for _ in 0..100 {
            asked.push(flood.sends("seek", seek_data(command_id())).await);
        }
        for id in asked {
            match flood.answer(id).await {
                Ok(_) => accepted += 1,
                Err(refused) => assert_eq!(refused.code, ErrorCode::LimitReached),
            }
        }
        // A client that does not read does not answer pings.
        listener.server_time().await;
    }
    assert_eq!(accepted, 5);
    // Who comes from the same address has room too, and who has not seen the flood sees five of it.
    let mut anna = Client::guest(program.address()).await;
    let seek = anna.seeks().await;
    assert_eq!(flood.enters().await.own_seeks.len(), 5);
    listener.sees_seek(seek).await;
    let told = listener
        .received
        .iter()
        .filter(|text| text.starts_with(r#"{"lobby""#))
        .count();
    let most = (listener.server_time().await - began).0 / 250 + 2;
    assert!(told as i64 <= most, "{told} notices, at most {most}");
    // Cancelling makes room, but no faster than a person would.
    let mine: Vec<_> = flood.enters().await.own_seeks;
    let mut refused = 0;
    for _ in 0..100 {
        flood
            .request("cancel_seek", json!({"seek": mine[0].id}))
            .await
            .ok();
        match flood.request("seek", seek_data(command_id())).await {
            Ok(Answer::Seek { seek, .. }) => {
                flood
                    .request("cancel_seek", json!({"seek": seek}))
                    .await
                    .ok();
            }
            Ok(_) => panic!("no seek"),
            Err(error) => {
                assert_eq!(error.code, ErrorCode::RateLimited);
                refused += 1;
            }
        }
    }
    assert!(refused > 80, "{refused} of 100 in a row");
}

/// At which point the program dies, and whether the game is in the record then.
const PLUGS: [(&str, bool); 4] = [
    ("after_check", false),
    ("before_commit", false),
    ("after_commit", true),
    ("before_answer", true),
];

#[tokio::test(flavor = "multi_thread")]
async fn a1_a2_killed_while_two_are_seated_there_is_one_game_or_none() {
    for cause in ["accept_seek", "quick_pair"] {
        for (point, stored) in PLUGS {
            killed_at(cause, point, stored).await;
        }
    }
}

async fn killed_at(cause: &str, point: &str, stored: bool) {
    let faults = format!("{point}/{cause}=abort@1");
    let program = Start::default().faults(faults).start().await;
    let mut anna = Client::guest(program.address()).await;
    let mut bert = Client::guest(program.address()).await;
    let (first, second) = (command_id(), command_id());
    let seek_request = |command: CommandId| {
        if cause == "accept_seek" {
            ("seek", seek_data(command))
        } else {
            ("quick_pair", pool_data(command, "5+3"))
        }
    };
    let (kind, data) = seek_request(first);
    let (seek, _) = state(anna.request(kind, data).await).unwrap();
    if cause == "accept_seek" {
        let accept = json!({"seek": seek, "command": second});
        bert.sends("accept_seek", accept).await;
    } else {
        let (kind, data) = seek_request(second);
        bert.sends(kind, data).await;
    }
    let dead = program.dies().await;
    let games = record::games(&dead.database()).await;
    assert_eq!(games.len(), usize::from(stored), "{cause} at {point}");

    let program = dead.restart_as(Start::default()).await;
    let mut anna = anna.again(program.address()).await;
    let mut bert = bert.again(program.address()).await;
    let (kind, data) = seek_request(first);
    let (seek, now) = state(anna.request(kind, data).await).unwrap();
    if stored {
        let game = games[0];
        assert_eq!(now, SeekState::Paired { game }, "{cause} at {point}");
        assert_eq!(bert.enters().await.playing, [game]);
    } else {
        assert_eq!(now, SeekState::Open {}, "{cause} at {point}");
        if cause == "accept_seek" {
            bert.accepts(seek, second).await.unwrap();
        } else {
            let (kind, data) = seek_request(second);
            state(bert.request(kind, data).await).unwrap();
        }
        anna.is_paired().await;
    }
    assert_eq!(record::games(&program.database()).await.len(), 1);
    record::is_sound(&program.database()).await;
}

async fn what_can_not_be_stored_is_put_back_and_one_game_comes_of_it(start: fn() -> Start) {
    let faults = "append/accept_seek=error@1;append/quick_pair=error@1";
    let program = start().faults(faults).start().await;
    let mut anna = Client::guest(program.address()).await;
    let mut bert = Client::guest(program.address()).await;
    let mut carl = Client::guest(program.address()).await;
    let seek = anna.seeks().await;
    let accepting = command_id();
    let refused = bert.accepts(seek, accepting).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::NotStored);
    assert_eq!(anna.enters().await.own_seeks[0].id, seek);
    carl.enters_and_sees(seek).await;
    let game = bert.accepts(seek, accepting).await.unwrap();
    assert_eq!(anna.is_paired().await, (game, Some(seek)));

    let mut dora = Client::guest(program.address()).await;
    let one = carl.waits_in("5+3").await;
    let two = dora.waits_in("5+3").await;
    let (game, of_carl) = carl.is_paired().await;
    assert_eq!(of_carl, Some(one));
    assert_eq!(dora.is_paired().await, (game, Some(two)));
    assert_eq!(record::games(&program.database()).await.len(), 2);
}

async fn what_may_be_stored_is_looked_up_before_anybody_is_told(start: fn() -> Start) {
    for (point, stored) in [("before_commit", false), ("after_commit", true)] {
        let faults = format!("{point}/accept_seek=error@1");
        let program = start().faults(faults).start().await;
        let mut anna = Client::guest(program.address()).await;
        let mut bert = Client::guest(program.address()).await;
        let seek = anna.seeks().await;
        let accepting = command_id();
        let first = bert.accepts(seek, accepting).await;
        let game = match first {
            Ok(game) => game,
            Err(refused) => {
                assert_eq!((refused.code, stored), (ErrorCode::NotStored, false));
                bert.accepts(seek, accepting).await.unwrap()
            }
        };
        assert_eq!(anna.is_paired().await, (game, Some(seek)));
        assert_eq!(record::games(&program.database()).await, [game], "{point}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lobby_that_panics_begins_anew_and_says_so() {
    let faults = "after_check/seek=panic@2;after_check/quick_pair=panic@1";
    let program = Start::default().faults(faults).start().await;
    let mut anna = Client::guest(program.address()).await;
    let mut bert = Client::guest(program.address()).await;
    let mut carl = Client::spectator(program.address()).await;
    carl.enters().await;
    anna.seeks().await;
    let command = command_id();
    let refused = bert.request("seek", seek_data(command)).await;
    assert_eq!(refused.err().unwrap().code, ErrorCode::Internal);
    let reset = |notice: &LobbyNoticeKind| matches!(notice, LobbyNoticeKind::Reset {});
    carl.lobby_where(reset).await;
    anna.lobby_where(reset).await;
    assert!(carl.enters().await.seeks.is_empty());
    let (seek, _) = state(bert.request("seek", seek_data(command)).await).unwrap();
    carl.sees_seek(seek).await;
    let game = anna.accepts(seek, command_id()).await.unwrap();
    assert_eq!(bert.is_paired().await.0, game);
    // A panic while a game is being opened lets both go.
    let mut dora = Client::guest(program.address()).await;
    let mut emil = Client::guest(program.address()).await;
    dora.waits_in("3+2").await;
    emil.waits_in("3+2").await;
    let (game, _) = dora.is_paired().await;
    assert_eq!(emil.is_paired().await.0, game);
    assert_eq!(record::games(&program.database()).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_are_gathered_and_told_at_most_four_times_a_second() {
    let program = Start::default()
        .with("--seeks-per-address", 1_000)
        .start()
        .await;
    let mut listener = Client::spectator(program.address()).await;
    listener.enters().await;
    let began = listener.server_time().await;
    let mut owners = Vec::new();
    for _ in 0..20 {
        let mut owner = Client::guest(program.address()).await;
        for _ in 0..5 {
            owner.seeks().await;
        }
        owners.push(owner);
    }
    let mut known = 0;
    let mut notices = 0_i64;
    while known < 100 {
        if let Frame::Lobby(LobbyNoticeKind::Changed { added, .. }) = listener.next().await.unwrap()
        {
            known += added.len();
            notices += 1;
        }
    }
    let most = (listener.server_time().await - began).0 / 250 + 2;
    assert!(notices <= most, "{notices} notices, at most {most}");
    let mut late = Client::spectator(program.address()).await;
    let shown = late.enters().await;
    assert_eq!((shown.seeks.len(), shown.more), (100, 0));
    drop(owners);
    eventually("an empty lobby", async || {
        let mut visitor = Client::spectator(program.address()).await;
        let lobby = visitor.enters().await;
        lobby.seeks.is_empty().then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_ends_every_seek_and_none_is_accepted_after_it() {
    let program = Program::start().await;
    let mut anna = Client::guest(program.address()).await;
    let bert = Client::guest(program.address()).await;
    let command = command_id();
    let (seek, _) = state(anna.request("seek", seek_data(command)).await).unwrap();
    let program = program.kill().await.restart().await;
    let mut anna = anna.again(program.address()).await;
    let mut bert = bert.again(program.address()).await;
    let gone = bert.accepts(seek, command_id()).await.unwrap_err();
    assert_eq!(gone.code, ErrorCode::Gone);
    let (again, now) = state(anna.request("seek", seek_data(command)).await).unwrap();
    assert_eq!(now, SeekState::Open {});
    let game = bert.accepts(again, command_id()).await.unwrap();
    assert_eq!(anna.is_paired().await, (game, Some(again)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_at_the_limit_of_games_neither_seeks_nor_is_seated() {
    let program = Start::default().with("--games-per-player", 1).start().await;
    let mut anna = Client::guest(program.address()).await;
    let mut bert = Client::guest(program.address()).await;
    let seek = anna.seeks().await;
    let create = json!({"command": command_id(), "ruleset": "doushouqi/booklet", "time_control": fischer(60_000, 0)});
    anna.asks("create_game", create).await;
    let refused = anna.request("seek", seek_data(command_id())).await;
    assert_eq!(refused.err().unwrap().code, ErrorCode::LimitReached);
    // The seek is open since before; now its owner may not play, and learns so.
    let gone = paired(
        bert.request(
            "accept_seek",
            json!({"seek": seek, "command": command_id()}),
        )
        .await,
    );
    assert_eq!(gone.unwrap_err().code, ErrorCode::Gone);
    let ended = |notice: &LobbyNoticeKind| matches!(notice, LobbyNoticeKind::SeekEnded { seek: which, error } if *which == seek && error.code == ErrorCode::LimitReached);
    anna.lobby_where(ended).await;
}
