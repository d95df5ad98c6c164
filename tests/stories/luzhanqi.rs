//! Luzhanqi over the network: secret setups, the server as the referee, and the proof that it has refereed fairly.

use std::sync::Arc;

use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    event::{GameEvent, GameNoticeKind},
    ids::GameId,
    names::{EndReason, Outcome, Status},
    setup::{Removed, RevealedSetup},
    view::Positions,
};
use qiguan_rules::{BySeat, Game, Move, RuleSet, Seat, Viewer, luzhanqi};
use qiguan_tests::{
    Client, Program, Seats, Setup, Start,
    check::judge,
    client::command_id,
    game::{done, fischer},
    http::Http,
    random::Random,
    record,
    secrets::{FIRST, RULESETS, SECOND, commitment, random_setup},
};
use serde_json::{Value, json};

fn a_game(ruleset: &'static str) -> Setup {
    Setup::default()
        .ruleset(ruleset)
        .time_control(fischer(600_000, 1_000))
}

fn referee() -> Setup {
    a_game("luzhanqi/referee")
}

fn setups(first: &str, second: &str) -> BySeat<luzhanqi::Setup> {
    let read = |seat, text| luzhanqi::Setup::read(seat, text).ok().unwrap();
    BySeat {
        first: read(Seat::First, first),
        second: read(Seat::Second, second),
    }
}

/// Two players who have begun to play from these setups.
async fn playing(program: &Program, setup: &Setup, first: &str, second: &str) -> Seats {
    let mut seats = Seats::setting_up(program, setup).await;
    let game = seats.game;
    seats.first.sets_up(game, first).await.unwrap();
    seats.second.sets_up(game, second).await.unwrap();
    seats.are_ready().await;
    seats.start().await;
    seats
}

#[tokio::test(flavor = "multi_thread")]
async fn whole_games_of_all_rule_sets_are_refereed_and_proved() {
    let program = Arc::new(Start::default().for_machines().start().await);
    let mut games = Vec::new();
    for (ruleset, number) in RULESETS.into_iter().zip(0..) {
        for round in 0..3 {
            let program = Arc::clone(&program);
            games.push(tokio::spawn(async move {
                whole_game(&program, ruleset, 100 * number + round).await
            }));
        }
    }
    for game in games {
        game.await.unwrap();
    }
}

async fn whole_game(program: &Program, ruleset: &'static str, seed: u64) {
    let mut random = Random::new(seed);
    let [first, second] = Seat::ALL.map(|seat| random_setup(seat, &mut random));
    let mut seats = playing(program, &a_game(ruleset), &first, &second).await;
    let game = seats.game;
    let mut spectator = Client::spectator(program.address()).await;
    spectator.watches(game).await;
    let laws = RuleSet::named(ruleset).unwrap();
    let mut referee = Game::set_up(&laws, &setups(&first, &second)).unwrap();
    let mut moves = Vec::new();
    while referee.outcome().is_none() {
        let mv = chosen(&referee, &mut random);
        let played = referee.play(mv).unwrap();
        moves.push(mv.to_string());
        let ply = moves.len() as u32;
        let turn = referee.turn();
        seats.plays(ply, &mv.to_string()).await.unwrap();
        let shown = spectator
            .event_where(game, |event| matches!(event, GameEvent::Moved { .. }))
            .await;
        let GameEvent::Moved {
            removed,
            met,
            captured,
            ..
        } = shown.event
        else {
            unreachable!()
        };
        assert_eq!(
            removed,
            played.removed.map(Removed::from),
            "{ruleset}, ply {ply}"
        );
        assert_eq!(met.map(|met| [met.attacker, met.defender]), played.revealed);
        assert_eq!(
            (captured, met.is_some()),
            (None, removed.is_some() && ruleset == "luzhanqi/showdown")
        );
        let position = shown.position.unwrap();
        assert_eq!(position.fen, referee.view(Viewer::Spectator).fen);
        assert_eq!(position.legal, None);
        if random.below(10) == 0 && referee.outcome().is_none() {
            let [first, second] = seats.both();
            for (client, seat) in [first, second].into_iter().zip(Seat::ALL) {
                let view = client.looks(program, game).await;
                assert_eq!(view.position.fen, referee.view(Viewer::Seat(seat)).fen);
                let expected = (seat == turn).then(|| referee.legal_moves().len());
                assert_eq!(view.position.legal.map(|legal| legal.len()), expected);
            }
        }
    }
    let outcome = Outcome::from(referee.outcome().unwrap());
    let mut proofs = Vec::new();
    let [one, other] = seats.both();
    for client in [one, other, &mut spectator] {
        let ended = client
            .event_where(game, |event| matches!(event, GameEvent::Ended { .. }))
            .await;
        assert!(matches!(ended.event, GameEvent::Ended { outcome: told, .. } if told == outcome));
        let revealed = client.event(game).await;
        assert_eq!(revealed.position.unwrap().fen, referee.fen());
        let GameEvent::Revealed { setups } = revealed.event else {
            panic!("the setups are shown right after the end")
        };
        assert_eq!(setups.first.setup, first);
        assert_eq!(setups.second.setup, second);
        proofs.push(setups);
    }
    assert!(proofs.iter().all(|proof| *proof == proofs[0]));
    let view = spectator.looks(program, game).await;
    let setup = view.setup.unwrap();
    let [first, second] = [&proofs[0].first, &proofs[0].second];
    let commitments = setup.commitments.unwrap();
    assert_eq!(commitment(first), commitments.first);
    assert_eq!(commitment(second), commitments.second);
    assert_eq!(setup.revealed.as_ref(), Some(&proofs[0]));
    is_proved(program, ruleset, game, &moves, [first, second]).await;
}

/// The moves played from what was revealed lead through the stored positions, and `qiguan check` agrees.
async fn is_proved(
    program: &Program,
    ruleset: &str,
    game: GameId,
    moves: &[String],
    [first, second]: [&RevealedSetup; 2],
) {
    let stored = record::events(&program.database(), game).await;
    assert_eq!(record::moves(&stored), moves);
    let laws = RuleSet::named(ruleset).unwrap();
    let mut replayed = Game::set_up(&laws, &setups(&first.setup, &second.setup)).unwrap();
    let (status, positions) = program.get(&format!("/api/games/{game}/positions")).await;
    assert_eq!(status, 200);
    let positions: Positions = serde_json::from_str(&positions).unwrap();
    assert_eq!(positions.positions.len(), moves.len() + 1);
    assert_eq!(positions.positions[0].fen, replayed.fen());
    for (position, mv) in positions.positions[1..].iter().zip(moves) {
        replayed.play(mv.parse().unwrap()).unwrap();
        assert_eq!(position.fen, replayed.fen());
    }
    let line = json!({
        "ruleset": ruleset, "moves": moves,
        "setups": {"first": first.setup, "second": second.setup},
    });
    let judged = judge(line).await;
    assert_eq!(judged["fen"], replayed.fen());
    assert_eq!(
        judged["outcome"]["reason"],
        replayed.outcome().unwrap().reason.as_str()
    );
}

/// A random move, a win or another attack preferred: so games end in good time.
fn chosen(game: &Game, random: &mut Random) -> Move {
    let legal = game.legal_moves();
    let attacks: Vec<_> = legal
        .iter()
        .filter(|mv| {
            let mut after = game.clone();
            after
                .play(**mv)
                .is_ok_and(|played| played.removed.is_some())
        })
        .collect();
    if attacks.is_empty() || random.below(4) == 0 {
        *random.pick(legal)
    } else {
        **random.pick(&attacks)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn setups_are_made_in_secret_and_in_step_in_both_tabs() {
    let program = Program::start().await;
    let mut seats = Seats::setting_up(&program, &referee()).await;
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
        panic!("a player is shown the own setup")
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
        "whoever has said it is not told"
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
    for kind in ["ready", "set_up"] {
        let refused = match kind {
            "ready" => seats.first.is_refused(game, "ready", json!({})).await,
            _ => seats.first.may_not_set_up(game, &drawn).await.code,
        };
        assert_eq!(refused, ErrorCode::AlreadyReady, "{kind}");
    }
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
    let setup = referee().time_control(time);
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
        let mut seats = Seats::setting_up(&program, &referee()).await;
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
    let mut seats = playing(&program, &referee(), FIRST, SECOND).await;
    let game = seats.game;
    done(seats.first.does(game, "resign", json!({})).await).unwrap();
    done(seats.first.does(game, "rematch", json!({})).await).unwrap();
    done(seats.second.does(game, "rematch", json!({})).await).unwrap();
    let agreed = seats
        .first
        .event_where(game, |event| {
            matches!(event, GameEvent::RematchAgreed { .. })
        })
        .await;
    let GameEvent::RematchAgreed { next } = agreed.event else {
        unreachable!()
    };
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
    let mut seats = Seats::setting_up(&program, &referee()).await;
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
    let mut seats = Seats::setting_up(&program, &referee()).await;
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
    let mut seats = Seats::setting_up(&program, &referee()).await;
    let game = seats.game;
    seats.first.sets_up(game, FIRST).await.unwrap();
    let both = format!("{SECOND}/{FIRST}");
    for (setup, named) in [
        // A piece is missing, or one too many.
        (
            "MKBJC/G1D1E/KL1BD/N1E1J/LCXLN/EXC1X",
            &["d1 has to be filled", "0 F and not 1"][..],
        ),
        (
            "MKBJC/G1D1E/KL1BD/N1E1J/LCXLN/EXCFC",
            &["2 X and not 3", "4 C and not 3"],
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
            &["camp b5", "2 G and not 1"],
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
        (both.as_str(), &["six ranks"]),
        ("MKBJC/G1D1E", &["six ranks"]),
        ("", &["six ranks"]),
        ("QKBJC/G1D1E/KL1BD/N1E1J/LCXLN/EXCFX", &["Q"]),
    ] {
        let refused = seats.first.may_not_set_up(game, setup).await;
        assert_eq!(
            (refused.code, refused.field.as_deref()),
            (ErrorCode::BadSetup, Some("setup")),
            "{setup}"
        );
        for word in named {
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
        .asks("create_game", referee().create(command_id()))
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

#[tokio::test(flavor = "multi_thread")]
async fn notes_are_seen_by_nobody_else_and_last() {
    const NOTES: &str = "a7 is the Grenade, I bet";
    let program = Program::start().await;
    let mut seats = playing(&program, &referee(), FIRST, SECOND).await;
    let game = seats.game;
    let mut spectator = Client::spectator(program.address()).await;
    spectator.watches(game).await;
    let mut tab = seats.first.again(program.address()).await;
    tab.watches(game).await;
    seats.first.notes(game, NOTES).await.unwrap();
    let told = tab
        .notice_where(game, |kind| matches!(kind, GameNoticeKind::Notes { .. }))
        .await;
    assert_eq!(
        told,
        GameNoticeKind::Notes {
            notes: NOTES.to_owned()
        }
    );
    let long = seats
        .first
        .notes(game, &"x".repeat(4_001))
        .await
        .err()
        .unwrap();
    assert_eq!(
        (long.code, long.field.as_deref()),
        (ErrorCode::BadValue, Some("notes"))
    );
    assert_eq!(
        spectator.notes(game, "x").await.err().unwrap().code,
        ErrorCode::Unauthenticated
    );
    let mut stranger = Client::guest(program.address()).await;
    assert_eq!(
        stranger.notes(game, "x").await.err().unwrap().code,
        ErrorCode::NotAPlayer
    );
    seats.play(1, &["a6a7"]).await;

    let program = program.kill().await.restart().await;
    let view = seats.first.looks(&program, game).await;
    assert_eq!(view.notes.as_deref(), Some(NOTES));
    let mut first = seats
        .first
        .try_resume(program.address(), game)
        .await
        .unwrap();
    assert_eq!(first.snapshot(game).await.notes.as_deref(), Some(NOTES));
    let mut second = seats
        .second
        .try_resume(program.address(), game)
        .await
        .unwrap();
    assert_eq!(second.snapshot(game).await.notes, None);
    done(first.does(game, "resign", json!({})).await).unwrap();
    second
        .event_where(game, |event| matches!(event, GameEvent::Revealed { .. }))
        .await;
    for http in [Some(&second), Some(&stranger), None] {
        let mut reader = Http::nobody(&program);
        reader.token = http.and_then(|client| client.token.clone());
        for path in ["", "/events", "/positions"] {
            let read = reader.get(&format!("/api/games/{game}{path}")).await;
            assert!(read.status == 200 && !read.text.contains(NOTES), "{read:?}");
        }
    }
    for client in [&second, &spectator, &stranger] {
        assert!(!client.received.iter().any(|text| text.contains(NOTES)));
    }
    assert_eq!(
        first.looks(&program, game).await.notes.as_deref(),
        Some(NOTES)
    );
}
