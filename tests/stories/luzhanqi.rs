//! Luzhanqi over the network: secret setups, the server as the referee, and the proof that it has refereed fairly.

use std::sync::Arc;

use qiguan_protocol::{
    error::ErrorCode,
    event::{GameEvent, GameNoticeKind},
    ids::GameId,
    names::Outcome,
    setup::{Removed, RevealedSetup},
    view::Positions,
};
use qiguan_rules::{BySeat, Game, Move, RuleSet, Seat, Viewer, luzhanqi};
use qiguan_tests::{
    Client, Program, Seats, Start,
    check::judge,
    game::done,
    http::Http,
    random::Random,
    record,
    secrets::{FIRST, RULESETS, SECOND, commitment, random_setup},
};
use serde_json::json;

const REFEREE: &str = "luzhanqi/referee";

fn setups(first: &str, second: &str) -> BySeat<luzhanqi::Setup> {
    let read = |seat, text| luzhanqi::Setup::read(seat, text).ok().unwrap();
    BySeat {
        first: read(Seat::First, first),
        second: read(Seat::Second, second),
    }
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
    let played = games.len() as u64;
    for game in games {
        game.await.unwrap();
    }
    assert_eq!(record::is_sound(&program.database()).await, played);
}

/// Everybody through whose eyes a game can be seen once it is over.
const EYES: [(&str, Viewer); 4] = [
    ("first", Viewer::Seat(Seat::First)),
    ("second", Viewer::Seat(Seat::Second)),
    ("spectators", Viewer::Spectator),
    ("referee", Viewer::Referee),
];

/// The positions of a game as somebody knew them.
async fn seen(
    program: &Program,
    game: GameId,
    eyes: &str,
) -> Result<Vec<String>, (u16, ErrorCode)> {
    let path = format!("/api/games/{game}/positions?as={eyes}");
    let answered = Http::nobody(program).get(&path).await;
    if answered.status != 200 {
        return Err(answered.refusal());
    }
    let positions: Positions = answered.parsed();
    let fens = positions.positions.into_iter().map(|position| position.fen);
    Ok(fens.collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_looks_through_other_eyes_while_a_game_goes_on() {
    let program = Program::start().await;
    let mut seats = Seats::begin_from(&program, REFEREE, FIRST, SECOND).await;
    let game = seats.game;
    for (eyes, _) in EYES {
        let refused = seen(&program, game, eyes).await;
        assert_eq!(refused, Err((409, ErrorCode::GameRunning)), "{eyes}");
    }
    let refused = seen(&program, game, "everybody").await;
    assert_eq!(refused, Err((400, ErrorCode::BadRequest)));
    done(seats.first.does(game, "resign", json!({})).await).unwrap();
    let told = [
        "uuuuu/uuuuu/u1u1u/uu1uu/u1u1u/uuuuu/",
        "/UUUUU/U1U1U/UU1UU/U1U1U/UUUUU/UUUUU w",
    ];
    let [first, second, spectators, referee] = EYES.map(|(eyes, _)| seen(&program, game, eyes));
    let first = first.await.ok().unwrap();
    assert!(first[0].starts_with(told[0]), "{first:?}");
    let second = second.await.ok().unwrap();
    assert!(second[0].contains(told[1]), "{second:?}");
    let spectators = spectators.await.ok().unwrap();
    assert!(spectators[0].starts_with(told[0]) && spectators[0].contains(told[1]));
    let referee = referee.await.ok().unwrap();
    assert!(
        !referee[0].to_ascii_lowercase().contains('u'),
        "{referee:?}"
    );
}

async fn whole_game(program: &Program, ruleset: &'static str, seed: u64) {
    let mut random = Random::new(seed);
    let [first, second] = Seat::ALL.map(|seat| random_setup(seat, &mut random));
    let mut seats = Seats::begin_from(program, ruleset, &first, &second).await;
    let game = seats.game;
    let mut spectator = Client::spectator(program.address()).await;
    spectator.watches(game).await;
    let laws = RuleSet::named(ruleset).unwrap();
    let mut referee = Game::set_up(&laws, &setups(&first, &second)).unwrap();
    let mut moves = Vec::new();
    let mut known = EYES.map(|(_, viewer)| vec![referee.view(viewer).fen]);
    while referee.outcome().is_none() {
        let mv = chosen(&referee, &mut random);
        let played = referee.play(mv).unwrap();
        for (fens, (_, viewer)) in known.iter_mut().zip(EYES) {
            fens.push(referee.view(viewer).fen);
        }
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
    for ((eyes, _), fens) in EYES.into_iter().zip(known) {
        assert_eq!(
            seen(program, game, eyes).await.ok().unwrap(),
            fens,
            "{eyes}"
        );
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
async fn notes_are_seen_by_nobody_else_and_last() {
    const NOTES: &str = "a7 is the Grenade, I bet";
    let program = Program::start().await;
    let mut seats = Seats::begin_from(&program, REFEREE, FIRST, SECOND).await;
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
