//! The setup phase of Luzhanqi: in secret, until both are ready or the time is over.

use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    event::{GameEvent, GameNoticeKind},
    ids::GameId,
    names::{EndReason, Status},
};
use qiguan_rules::{Seat, luzhanqi};
use qiguan_tests::{
    Client, Program, Seats,
    client::command_id,
    game::{done, fischer},
    secrets::{FIRST, SECOND, a_game},
};
use serde_json::{Value, json};

const REFEREE: &str = "luzhanqi/referee";

/// Both setups in one text.
const BOTH: &str = "xfcxe/elxcl/j1e1n/db1lk/n1m1g/cjbkd/MKBJC/G1D1E/KL1BD/N1E1J/LCXLN/EXCFX";

/// Texts that are no setup of the first seat, and words of which each has to be named.
const WRONG: &[(&str, &[&str])] = &[
    // A piece is missing, or one too many.
    (
        "MKBJC/G1D1E/KL1BD/N1E1J/LCXLN/EXC1X",
        &["d1 must be filled", "expected 1 F, found 0"],
    ),
    (
        "MKBJC/G1D1E/KL1BD/N1E1J/LCXLN/EXCFC",
        &["expected 3 X, found 2", "expected 3 C, found 4"],
    ),
    // Foreign pieces.
    (
        "mKBJC/G1D1E/KL1BD/N1E1J/LCXLN/EXCFX",
        &["m on a6", "this side"],
    ),
    (SECOND, &["this side"]),
    // A piece in a camp.
    (
        "MKBJC/GGD1E/KL1BD/N1E1J/LCXLN/EXCFX",
        &["camp b5", "expected 1 G, found 2"],
    ),
    // A Landmine in front, the Flag outside, a Grenade on the front rank.
    ("XKBJC/G1D1E/KL1BD/N1E1J/LCMLN/EXCFX", &["Landmine", "a6"]),
    ("MKBJC/G1D1E/KL1BD/N1E1J/LCXLN/EXFCX", &["Flag", "c1"]),
    ("NKBJC/G1D1E/KL1BD/M1E1J/LCXLN/EXCFX", &["Grenade", "a6"]),
    (
        "NKBJX/G1D1E/KL1BD/M1E1J/LCCLN/EXFCX",
        &["Grenade", "a6", "Landmine", "e6", "Flag", "c1"],
    ),
    // Both in one text, and no setup at all.
    (BOTH, &["six ranks"]),
    ("MKBJC/G1D1E", &["six ranks"]),
    ("", &["six ranks"]),
    ("QKBJC/G1D1E/KL1BD/N1E1J/LCXLN/EXCFX", &["'Q' on a6"]),
];

#[tokio::test(flavor = "multi_thread")]
async fn setups_are_made_in_secret_and_in_step_in_both_tabs() {
    let program = Program::start().await;
    let mut seats = Seats::setting_up(&program, &a_game(REFEREE)).await;
    let game = seats.game;
    let mut spectator = Client::spectator(program.address()).await;
    let view = spectator.snapshot(game).await;
    let setup = view.setup.unwrap();
    assert_eq!(
        (view.status, setup.yours, setup.commitments),
        (Status::Playing, None, None)
    );
    assert!(setup.until.is_some());

    let began = seats
        .first
        .event_where(game, |event| matches!(event, GameEvent::SetupBegan { .. }))
        .await;
    let GameEvent::SetupBegan {
        setup: Some(drawn), ..
    } = began.event
    else {
        panic!("a player is shown their own setup")
    };
    assert!(
        luzhanqi::Setup::read(Seat::First, &drawn).is_ok(),
        "{drawn}"
    );
    assert_eq!(seats.first.own_setup(&program, game).await, drawn);

    let mut tab = seats.first.again(program.address()).await;
    tab.watches(game).await;
    let (first, other) = (seats.first.received.len(), seats.second.received.len());
    assert!(matches!(
        seats.first.sets_up(game, FIRST).await,
        Ok(Answer::Kept { .. })
    ));
    let notice = |kind: &GameNoticeKind| matches!(kind, GameNoticeKind::SetUp { .. });
    let told = tab.notice_where(game, notice).await;
    assert_eq!(
        told,
        GameNoticeKind::SetUp {
            setup: FIRST.to_owned()
        }
    );
    tab.sets_up(game, &drawn).await.unwrap();
    let told = seats.first.notice_where(game, notice).await;
    assert_eq!(
        told,
        GameNoticeKind::SetUp {
            setup: drawn.clone()
        }
    );
    tab.sets_up(game, FIRST).await.unwrap();
    let own: Vec<_> = seats.first.received[first..].to_vec();
    assert!(
        !own.iter()
            .any(|text| text.contains("set_up") && text.contains(FIRST)),
        "the sender is not notified"
    );

    // Resuming in the setup phase brings the setup as it stands.
    let since = tab.cursors[&game];
    let Answer::Missed { live, .. } = tab
        .asks("watch", json!({"game": game, "since": since}))
        .await
    else {
        panic!("not resumed")
    };
    assert_eq!(live.setup.unwrap().yours.as_deref(), Some(FIRST));

    done(tab.does(game, "ready", json!({})).await).unwrap();
    let again = seats.first.is_refused(game, "ready", json!({})).await;
    assert_eq!(again, ErrorCode::AlreadyReady);
    let late = seats.first.may_not_set_up(game, &drawn).await.code;
    assert_eq!(late, ErrorCode::AlreadyReady);
    for client in [&mut seats.second, &mut spectator] {
        let told = client
            .event_where(game, |event| matches!(event, GameEvent::SetupReady { .. }))
            .await;
        assert_eq!(told.position, None);
    }
    seats.second.server_time().await;
    let seen: Vec<Value> = seats.second.received[other..]
        .iter()
        .map(|text| serde_json::from_str(text).unwrap())
        .filter(|value: &Value| value["notice"]["type"] != "presence" && value["re"].is_null())
        .collect();
    let kinds: Vec<_> = seen
        .iter()
        .map(|value| value["event"]["type"].as_str())
        .collect();
    assert_eq!(kinds.last(), Some(&Some("setup_ready")), "{kinds:?}");
    assert!(kinds.len() <= 3, "of changes nobody else learns: {kinds:?}");

    done(seats.second.does(game, "ready", json!({})).await).unwrap();
    seats.start().await;
    let view = seats.first.looks(&program, game).await;
    assert!(view.position.fen.ends_with(&format!("/{FIRST} w - - 0 1")));
    assert_eq!(view.setup.unwrap().yours.as_deref(), Some(FIRST));
    let late = seats.second.may_not_set_up(game, SECOND).await;
    assert_eq!(late.code, ErrorCode::NotSettingUp);
    assert_eq!(
        seats.second.is_refused(game, "ready", json!({})).await,
        ErrorCode::NotSettingUp
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn b16_the_end_of_the_time_takes_the_setups_as_they_stand() {
    let program = Program::start().await;
    let mut time = fischer(600_000, 0);
    time["setup_ms"] = json!(10_000);
    let setup = a_game(REFEREE).time_control(time);
    let mut seats = Seats::setting_up(&program, &setup).await;
    let game = seats.game;
    let second = seats.second.own_setup(&program, game).await;
    // Sent again and again: the last one counts.
    for _ in 0..3 {
        seats.first.may_not_set_up(game, SECOND).await;
        seats.first.sets_up(game, FIRST).await.unwrap();
    }
    let gone = seats.second;
    let (player, token) = (gone.player.clone(), gone.token.clone());
    gone.leaves().await;
    let started = seats
        .first
        .event_where(game, |event| matches!(event, GameEvent::Started { .. }))
        .await;
    let until = seats.first.looks(&program, game).await.setup.unwrap().until;
    assert_eq!(until, None);
    assert!(started.position.unwrap().fen.contains(FIRST));
    let mut back = Client::connect(program.address()).await;
    back.asks("hello", json!({"token": token})).await;
    (back.player, back.token) = (player, token);
    let view = back.snapshot(game).await;
    assert!(
        view.position.fen.starts_with(&second),
        "{}",
        view.position.fen
    );
    assert_eq!(view.setup.unwrap().yours, Some(second));
}

#[tokio::test(flavor = "multi_thread")]
async fn b16_a_game_broken_off_while_setting_up_shows_nothing_and_has_no_result() {
    let program = Program::start().await;
    for by in [0, 1] {
        let mut seats = Seats::setting_up(&program, &a_game(REFEREE)).await;
        let game = seats.game;
        seats.first.sets_up(game, FIRST).await.unwrap();
        done(seats.both()[by].does(game, "abort", json!({})).await).unwrap();
        let ended = seats
            .second
            .event_where(game, |event| matches!(event, GameEvent::Ended { .. }))
            .await;
        let seq = ended.seq;
        let GameEvent::Ended { outcome, .. } = ended.event else {
            unreachable!()
        };
        assert_eq!((outcome.winner, outcome.reason), (None, EndReason::Aborted));
        let view = seats.second.snapshot(game).await;
        assert_eq!(view.cursor.seq, seq, "nothing follows");
        let setup = view.setup.unwrap();
        assert_eq!((setup.commitments, setup.revealed), (None, None));
        assert_eq!(
            seats.first.may_not_set_up(game, FIRST).await.code,
            ErrorCode::NotSettingUp
        );
        for client in seats.both() {
            assert!(!client.received.iter().any(|text| text.contains("salt")));
        }
        assert!(
            !seats
                .second
                .received
                .iter()
                .any(|text| text.contains(FIRST))
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_draws_setups_anew_for_changed_seats() {
    let program = Program::start().await;
    let mut seats = Seats::begin_from(&program, REFEREE, FIRST, SECOND).await;
    let game = seats.game;
    done(seats.first.does(game, "resign", json!({})).await).unwrap();
    let next = seats.rematch().await;
    let view = seats.second.snapshot(next).await;
    assert_eq!(view.you, Some(qiguan_protocol::names::Seat::First));
    let setup = view.setup.unwrap();
    assert!(setup.until.is_some() && setup.commitments.is_none());
    let drawn = setup.yours.unwrap();
    assert!(luzhanqi::Setup::read(Seat::First, &drawn).is_ok());
    let turned = luzhanqi::Setup::read(Seat::Second, SECOND)
        .ok()
        .unwrap()
        .for_seat(Seat::First);
    assert_ne!(drawn, turned.text(), "nothing is remembered");
    seats.first.watches(next).await;
    let mut seats = Seats {
        game: next,
        first: seats.second,
        second: seats.first,
    };
    seats.are_ready().await;
    seats.start().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn b7_a_server_killed_while_both_set_up_has_the_setups_afterwards_and_gives_more_time() {
    let program = Program::start().await;
    let mut seats = Seats::setting_up(&program, &a_game(REFEREE)).await;
    let game = seats.game;
    seats.first.sets_up(game, FIRST).await.unwrap();
    seats.second.sets_up(game, SECOND).await.unwrap();
    done(seats.second.does(game, "ready", json!({})).await).unwrap();
    let until = seats
        .first
        .looks(&program, game)
        .await
        .setup
        .unwrap()
        .until
        .unwrap();
    let program = program.kill().await.restart().await;
    let mut first = seats
        .first
        .try_resume(program.address(), game)
        .await
        .unwrap();
    let mut second = seats
        .second
        .try_resume(program.address(), game)
        .await
        .unwrap();
    let setup = first.looks(&program, game).await.setup.unwrap();
    assert_eq!(setup.yours.as_deref(), Some(FIRST));
    assert!(
        setup.until.unwrap() >= until,
        "the time away is not charged"
    );
    assert!(setup.ready.second && !setup.ready.first);
    assert_eq!(second.own_setup(&program, game).await, SECOND);
    assert_eq!(
        second.may_not_set_up(game, SECOND).await.code,
        ErrorCode::AlreadyReady
    );
    done(first.does(game, "ready", json!({})).await).unwrap();
    let mut seats = Seats {
        game,
        first,
        second,
    };
    seats.start().await;
    // And once more, in the middle of play.
    seats.play(1, &["a6a7", "a8a7"]).await;
    let Seats {
        mut first, second, ..
    } = seats;
    let before = first.snapshot(game).await.position;
    let program = program.kill().await.restart().await;
    assert_eq!(first.looks(&program, game).await.position, before);
    drop(second);
}

#[tokio::test(flavor = "multi_thread")]
async fn while_both_set_up_only_setting_up_talking_and_breaking_off_is_possible() {
    let program = Program::start().await;
    let mut seats = Seats::setting_up(&program, &a_game(REFEREE)).await;
    let game = seats.game;
    for (kind, extra) in [
        ("move", json!({"ply": 1, "move": "a6a7"})),
        ("resign", json!({})),
        ("offer_draw", json!({})),
        ("accept_draw", json!({"offer": 3})),
        ("decline_draw", json!({"offer": 3})),
        ("claim_victory", json!({})),
    ] {
        for client in seats.both() {
            let refused = client.is_refused(game, kind, extra.clone()).await;
            assert_eq!(refused, ErrorCode::NotStarted, "{kind}");
        }
    }
    assert_eq!(
        seats.first.is_refused(game, "rematch", json!({})).await,
        ErrorCode::GameRunning
    );
    assert_eq!(
        seats.first.is_refused(game, "join", json!({})).await,
        ErrorCode::AlreadySeated
    );
    done(
        seats
            .first
            .does(game, "chat", json!({"text": "good luck"}))
            .await,
    )
    .unwrap();
    let mut stranger = Client::guest(program.address()).await;
    for kind in ["ready", "abort"] {
        assert_eq!(
            stranger.is_refused(game, kind, json!({})).await,
            ErrorCode::NotAPlayer
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_setup_is_refused_with_every_rule_and_square() {
    let program = Program::start().await;
    let mut seats = Seats::setting_up(&program, &a_game(REFEREE)).await;
    let game = seats.game;
    seats.first.sets_up(game, FIRST).await.unwrap();
    for (setup, named) in WRONG {
        let refused = seats.first.may_not_set_up(game, setup).await;
        assert_eq!(
            (refused.code, refused.field.as_deref()),
            (ErrorCode::BadSetup, Some("setup")),
            "{setup}"
        );
        for word in *named {
            assert!(
                refused.message.contains(word),
                "{setup}: {word:?} is not in {refused}"
            );
        }
    }
    assert_eq!(
        seats.first.own_setup(&program, game).await,
        FIRST,
        "nothing has changed"
    );
    let both = json!({"game": game, "setup": FIRST, "second": SECOND});
    let refused = seats.first.request("set_up", both).await.err().unwrap();
    assert_eq!(refused.code, ErrorCode::BadRequest);
    let both = json!({"game": game, "setup": {"first": FIRST, "second": SECOND}});
    assert_eq!(
        seats
            .first
            .request("set_up", both)
            .await
            .err()
            .unwrap()
            .code,
        ErrorCode::BadRequest
    );

    // By others, at the wrong time, in the wrong game.
    let mut spectator = Client::spectator(program.address()).await;
    assert_eq!(
        spectator.may_not_set_up(game, FIRST).await.code,
        ErrorCode::Unauthenticated
    );
    let mut stranger = Client::guest(program.address()).await;
    for setup in [FIRST, SECOND, "rubbish"] {
        assert_eq!(
            stranger.may_not_set_up(game, setup).await.code,
            ErrorCode::NotAPlayer
        );
    }
    let alone = stranger
        .asks("create_game", a_game(REFEREE).create(command_id()))
        .await;
    let Answer::Created { game: alone } = alone else {
        panic!("not created")
    };
    assert_eq!(
        stranger.may_not_set_up(alone, FIRST).await.code,
        ErrorCode::NotStarted
    );
    assert_eq!(
        stranger.is_refused(alone, "ready", json!({})).await,
        ErrorCode::NotStarted
    );
    let mut open = Seats::begin(&program).await;
    assert_eq!(
        open.first.may_not_set_up(open.game, FIRST).await.code,
        ErrorCode::NotSettingUp
    );
    assert_eq!(
        open.first.notes(open.game, "hm").await.err().unwrap().code,
        ErrorCode::BadRequest
    );
    let unknown: GameId = "01890000-0000-7000-8000-000000000001".parse().unwrap();
    assert_eq!(
        stranger.may_not_set_up(unknown, FIRST).await.code,
        ErrorCode::NotFound
    );
}
