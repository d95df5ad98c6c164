//! When the players of a game came and went: for moderators and admins, outside the game, and told apart from what the server did.

use qiguan_protocol::{
    ids::{GameId, Millis, Ply},
    names::Seat,
    overseeing::{ConnectionEvent, ConnectionEventKind, OverseenGame},
};
use qiguan_tests::{
    Client, Program, Seats, Setup, Start, command::run, http::Http, on_every_database,
    waiting::eventually,
};
use serde_json::json;

on_every_database! {
    admins_see_when_players_came_and_went_and_nobody_else_does,
    a_restart_is_told_apart_from_players_who_leave,
    a22_moves_go_on_while_it_can_not_be_noted_who_is_connected,
}

const CAME: [(ConnectionEventKind, Option<Seat>); 2] = [
    (ConnectionEventKind::Connected, Some(Seat::First)),
    (ConnectionEventKind::Connected, Some(Seat::Second)),
];
const SECOND_LEFT: (ConnectionEventKind, Option<Seat>) =
    (ConnectionEventKind::Disconnected, Some(Seat::Second));
const STOPPED: (ConnectionEventKind, Option<Seat>) = (ConnectionEventKind::ServerStopped, None);
const STARTED: (ConnectionEventKind, Option<Seat>) = (ConnectionEventKind::ServerStarted, None);

fn told(connections: &[ConnectionEvent]) -> Vec<(ConnectionEventKind, Option<Seat>)> {
    connections.iter().map(|it| (it.what, it.seat)).collect()
}

/// The game as an admin sees it when so many entries are on the disk.
async fn seen(admin: &Http, game: GameId, entries: usize) -> OverseenGame {
    let path = format!("/api/admin/games/{game}");
    eventually("what is noted to be on the disk", async || {
        let seen: OverseenGame = admin.get(&path).await.parsed();
        (seen.connections.len() >= entries).then_some(seen)
    })
    .await
}

/// The same admin at a program that was restarted.
fn at(program: &Program, admin: &Http) -> Http {
    let mut there = Http::nobody(program);
    there.token.clone_from(&admin.token);
    there
}

/// A player is gone, and the other has been notified.
async fn goes(leaving: Client, other: &mut Client, game: GameId) {
    leaving.leaves().await;
    let gone = |presence: &qiguan_protocol::view::Presence| !presence.players.second.connected;
    other.presence_where(game, gone).await;
}

async fn admins_see_when_players_came_and_went_and_nobody_else_does(start: fn() -> Start) {
    let program = start().start().await;
    let admin = Http::admin(&program, "Chief").await;
    let Seats {
        game,
        mut first,
        mut second,
    } = Seats::begin(&program).await;
    first.plays(game, 1, "a3a4").await.unwrap();
    // Another window is not another player, and neither is somebody who looks on.
    let mut tab = first.again(program.address()).await;
    tab.watches(game).await;
    tab.leaves().await;
    let mut spectator = Client::spectator(program.address()).await;
    spectator.watches(game).await;
    spectator.leaves().await;
    // The second player is away for a while, being on the move.
    let again = second.again(program.address()).await;
    second.server_time().await;
    goes(second, &mut first, game).await;
    let left_at = first.server_time().await;
    first.waits_until(left_at + Millis(300)).await;
    let running = seen(&admin, game, 3).await;
    let turn = running.turn.expect("a turn that goes on");
    assert_eq!(turn.seat, Seat::Second);
    assert!(turn.away_ms >= Some(Millis(300)), "{turn:?}");
    assert!(turn.away_ms <= Some(turn.after_ms), "{turn:?}");
    let mut second = again;
    second.watches(game).await;
    second.plays(game, 2, "g7g6").await.unwrap();
    first.does(game, "resign", json!({})).await.unwrap();
    // Who leaves after the end is nobody's concern.
    goes(second, &mut first, game).await;
    let over = seen(&admin, game, 4).await;
    let expected = [CAME[0], CAME[1], SECOND_LEFT, CAME[1]];
    assert_eq!(told(&over.connections), expected);
    let plies: Vec<_> = over.connections.iter().map(|it| it.ply).collect();
    assert_eq!(plies, [Ply(0), Ply(0), Ply(1), Ply(1)]);
    let [one, two] = &over.moves[..] else {
        panic!("{:?}", over.moves)
    };
    assert_eq!(one.away_ms, Some(Millis(0)));
    let away = over.connections[3].at - over.connections[2].at;
    assert_eq!(two.away_ms, Some(away), "{over:?}");
    assert!(away >= Millis(300) && away <= two.after_ms);
    let turn = over.turn.expect("a turn that no move ended");
    assert_eq!((turn.seat, turn.away_ms), (Seat::First, Some(Millis(0))));

    // Nobody else hears of it.
    for path in [String::new(), "/events".to_owned(), "/positions".to_owned()] {
        let mut player = Http::nobody(&program);
        player.token.clone_from(&first.token);
        let read = player.get(&format!("/api/games/{game}{path}")).await;
        assert_eq!(read.status, 200);
        let read = read.json().to_string();
        assert!(!read.contains("attendance") && !read.contains("away_ms"));
    }
    let received = first.received.concat();
    assert!(!received.contains("attendance") && !received.contains("away_ms"));
    // The operator sees the same.
    let url = program.database().url();
    let id = game.to_string();
    let ran = run(&[&"admin", &"game", &id, &"--database", &url])
        .await
        .well();
    assert_eq!(ran.out.matches(" disconnected").count(), 1, "{}", ran.out);
    let slow = format!("away {away} ms");
    assert!(ran.out.contains(&slow), "{}", ran.out);
}

async fn a_restart_is_told_apart_from_players_who_leave(start: fn() -> Start) {
    let program = start().start().await;
    let admin = Http::admin(&program, "Chief").await;
    let Seats {
        game,
        mut first,
        second,
    } = Seats::begin(&program).await;
    first.plays(game, 1, "a3a4").await.unwrap();
    seen(&admin, game, 2).await;
    let program = program.kill().await.restart().await;
    let admin = at(&program, &admin);
    let mut expected = vec![CAME[0], CAME[1], STOPPED, STARTED];
    let noted = seen(&admin, game, 4).await;
    assert_eq!(told(&noted.connections), expected);
    // The clocks wait for both, and so does the referee.
    let mut second = second.try_resume(program.address(), game).await.unwrap();
    let mut first = first.try_resume(program.address(), game).await.unwrap();
    second.plays(game, 2, "g7g6").await.unwrap();
    expected.extend([CAME[1], CAME[0]]);
    let noted = seen(&admin, game, 6).await;
    assert_eq!(told(&noted.connections), expected);
    assert_eq!(noted.moves[1].away_ms, Some(Millis(0)), "{noted:?}");

    // The same when it was asked to end: the sockets that it closes are nobody's fault.
    program.terminate().await;
    for client in [&mut first, &mut second] {
        client.end().await;
    }
    let stopped = program.ends().await;
    let program = stopped.restart().await;
    let admin = at(&program, &admin);
    expected.extend([STOPPED, STARTED]);
    let noted = seen(&admin, game, 8).await;
    assert_eq!(told(&noted.connections), expected);
    // Once more, and nobody has come back: that changes nothing.
    let program = program.kill().await.restart().await;
    let noted = seen(&at(&program, &admin), game, 8).await;
    assert_eq!(told(&noted.connections), expected);
    let url = program.database().url();
    run(&[&"verify", &"--database", &url]).await.well();
}

async fn a22_moves_go_on_while_it_can_not_be_noted_who_is_connected(start: fn() -> Start) {
    let faults = "before_commit/attendance=error";
    let program = start().faults(faults).start().await;
    let admin = Http::admin(&program, "Chief").await;
    let Seats {
        game,
        mut first,
        mut second,
    } = Seats::begin(&program).await;
    first.plays(game, 1, "a3a4").await.unwrap();
    eventually("it to be tried", async || {
        let failed = "could not write the connection log";
        program.log().contains(failed).then_some(())
    })
    .await;
    second.plays(game, 2, "g7g6").await.unwrap();
    goes(second, &mut first, game).await;
    first.plays(game, 3, "a4a5").await.unwrap();
    let noted = seen(&admin, game, 0).await;
    assert_eq!((noted.moves.len(), noted.connections.len()), (3, 0));
    assert_eq!(noted.moves[0].away_ms, None, "nothing is known");
    // The end does not wait for it either.
    program.terminate().await;
    let stopped = program.ends().await;
    let program = stopped.restart_as(start()).await;
    let mut first = first.try_resume(program.address(), game).await.unwrap();
    assert_eq!(first.snapshot(game).await.moves.len(), 3);
    let noted = seen(&at(&program, &admin), game, 1).await;
    assert_eq!(told(&noted.connections), [CAME[0]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_and_goes_without_end_fills_nothing() {
    const TIMES: u32 = 600;
    let program = Start::default().for_machines().start().await;
    let admin = Http::admin(&program, "Chief").await;
    let mut seats = Seats::begin_with(&program, &Setup::default()).await;
    let game = seats.game;
    for _ in 0..TIMES {
        seats.second.asks("unwatch", json!({"game": game})).await;
        seats.second.asks("watch", json!({"game": game})).await;
        // A player who reads what they are sent.
        seats.first.asks("ping", json!({})).await;
    }
    let noted = seen(&admin, game, 1_001).await;
    assert_eq!(noted.connections.len(), 1_001);
    let last = noted.connections.last().unwrap();
    assert_eq!((last.what, last.seat), (ConnectionEventKind::Cut, None));
    seats.first.waits_until(last.at + Millis(1)).await;
    seats.play(1, &["a3a4", "g7g6"]).await;
    // What came after is not known, and said to be so.
    let noted = seen(&admin, game, 1_001).await;
    let [_, moved] = &noted.moves[..] else {
        panic!("{:?}", noted.moves)
    };
    assert_eq!(moved.away_ms, None, "{moved:?}");
    let dropped = program.metric("qiguan_connection_log_dropped_total").await;
    assert!(dropped.iter().all(|dropped| *dropped == 0), "{dropped:?}");
}
