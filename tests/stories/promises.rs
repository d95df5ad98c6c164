//! What the documents promise, held against a program that is killed: a command is answered as it was.

use qiguan_protocol::{
    answer::Answer,
    error::ErrorCode,
    event::{GameEvent, GameNoticeKind, HoldReason},
    ids::{CommandId, GameId, Millis, SeekId},
    lobby::SeekState,
    names::{Seat, Status},
    view::Clocks,
};
use qiguan_tests::{
    Client, Cluster, Http, Program, Seats, Setup, Start, Stop,
    client::{Frame, command_id},
    game::{done, fischer},
    lobby::{paired, pool_data, seek_data, state},
    on_every_database,
    record::{self, Holder},
};
use serde_json::json;

on_every_database! {
    m1_a_seek_that_was_accepted_before_a_crash_is_accepted_when_the_command_comes_again,
    m1_nobody_of_a_pool_is_queued_again_by_a_command_that_was_paired_before_a_crash,
    m2_no_flag_falls_while_nothing_can_be_written_though_nobody_moves,
    m3_a_move_that_is_slow_to_be_stored_shows_the_next_player_all_their_time,
}

/// Where the game is on the disk and nobody has been notified.
const POINTS: [&str; 2] = ["after_commit", "before_answer"];

/// Two who have sought each other, each with the command that did so, and the seek.
struct Pair {
    anna: Client,
    bert: Client,
    seeking: CommandId,
    answering: CommandId,
    seek: SeekId,
    game: GameId,
}

async fn m1_a_seek_that_was_accepted_before_a_crash_is_accepted_when_the_command_comes_again(
    start: fn() -> Start,
) {
    for point in POINTS {
        let program = start()
            .faults(format!("{point}/accept_seek=abort@1"))
            .start()
            .await;
        let mut anna = Client::guest(program.address()).await;
        let mut bert = Client::guest(program.address()).await;
        let (seeking, answering) = (command_id(), command_id());
        let (seek, _) = state(anna.request("seek", seek_data(seeking)).await).unwrap();
        let accept = json!({"seek": seek, "command": answering});
        bert.sends("accept_seek", accept).await;
        let dead = program.dies().await;
        let games = record::games(&dead.database()).await;
        let program = dead.restart_as(start()).await;
        let mut pair = Pair {
            anna: anna.again(program.address()).await,
            bert: bert.again(program.address()).await,
            seeking,
            answering,
            seek,
            game: games[0],
        };
        pair.is_answered_as_before(&program).await;
        // Over HTTP it is the same command.
        let mut http = Http::nobody(&program);
        http.token = pair.bert.token.clone();
        let path = format!("/api/lobby/seeks/{seek}/accept");
        let again = http.post(&path, Some(&json!({"command": answering}))).await;
        assert_eq!(paired(Ok(again.parsed())), Ok(pair.game), "{point}");
        // With another seek, whether there is such a one or not, it is another command.
        let (open, _) = state(pair.anna.request("seek", seek_data(command_id())).await).unwrap();
        for other in [open, SeekId(answering.0)] {
            let refused = pair.bert.accepts(other, answering).await;
            assert_eq!(refused.err().unwrap().code, ErrorCode::Conflict, "{point}");
        }
        assert_eq!(record::games(&program.database()).await, [pair.game]);
    }
}

async fn m1_nobody_of_a_pool_is_queued_again_by_a_command_that_was_paired_before_a_crash(
    start: fn() -> Start,
) {
    for point in POINTS {
        let program = start()
            .faults(format!("{point}/quick_pair=abort@1"))
            .start()
            .await;
        let mut anna = Client::guest(program.address()).await;
        let mut bert = Client::guest(program.address()).await;
        let (seeking, second_window, answering) = (command_id(), command_id(), command_id());
        let pool = |command| pool_data(command, "5+3");
        let (seek, _) = state(anna.request("quick_pair", pool(seeking)).await).unwrap();
        let same = state(anna.request("quick_pair", pool(second_window)).await).unwrap();
        assert_eq!(same, (seek, SeekState::Open {}));
        bert.sends("quick_pair", pool(answering)).await;
        let dead = program.dies().await;
        let games = record::games(&dead.database()).await;
        let program = dead.restart_as(start()).await;
        let mut pair = Pair {
            anna: anna.again(program.address()).await,
            bert: bert.again(program.address()).await,
            seeking,
            answering,
            seek,
            game: games[0],
        };
        let is_paired = SeekState::Paired { game: pair.game };
        for command in [seeking, second_window] {
            let again = state(pair.anna.request("quick_pair", pool(command)).await);
            assert_eq!(again, Ok((seek, is_paired)), "{point}");
        }
        let (his, now) = state(pair.bert.request("quick_pair", pool(answering)).await).unwrap();
        assert_eq!(now, is_paired, "{point}");
        let mut http = Http::nobody(&program);
        http.token = pair.bert.token.clone();
        let again = http.post("/api/lobby/quick", Some(&pool(answering))).await;
        assert_eq!(state(Ok(again.parsed())), Ok((his, is_paired)), "{point}");
        let other = pool_data(answering, "3+2");
        let refused = pair.bert.request("quick_pair", other).await;
        assert_eq!(refused.err().unwrap().code, ErrorCode::Conflict, "{point}");
        let lobby = pair.bert.enters().await;
        assert!(lobby.own_pools.is_empty() && lobby.playing == [pair.game]);
        pair.is_no_other_command().await;
        assert_eq!(record::games(&program.database()).await, [pair.game]);
    }
}

impl Pair {
    async fn is_answered_as_before(&mut self, program: &Program) {
        for _ in 0..2 {
            assert_eq!(
                self.bert.accepts(self.seek, self.answering).await,
                Ok(self.game)
            );
            let again = self.anna.request("seek", seek_data(self.seeking)).await;
            let is_paired = SeekState::Paired { game: self.game };
            assert_eq!(state(again), Ok((self.seek, is_paired)));
        }
        self.is_no_other_command().await;
        assert_eq!(record::games(&program.database()).await, [self.game]);
    }

    /// The ids of commands that were carried out stand for nothing else.
    async fn is_no_other_command(&mut self) {
        for (client, command) in [
            (&mut self.anna, self.seeking),
            (&mut self.bert, self.answering),
        ] {
            let mut seek_request = seek_data(command);
            seek_request["seat"] = json!("second");
            for (kind, data) in [
                ("seek", seek_request),
                ("create_game", Setup::default().create(command)),
            ] {
                let refused = client.request(kind, data).await;
                assert_eq!(refused.err().unwrap().code, ErrorCode::Conflict, "{kind}");
            }
        }
    }
}

/// Nobody moves, and the record can't be written until after the flag was due; then it can again.
async fn m2_no_flag_falls_while_nothing_can_be_written_though_nobody_moves(start: fn() -> Start) {
    let program = start().start().await;
    let setup = Setup::default().time_control(fischer(8_000, 0));
    let mut seats = Seats::begin_with(&program, &setup).await;
    let clocks = seats.first.looks(&program, seats.game).await.clocks;
    let due = clocks.at + clocks.left.unwrap().first.ms;
    let holder = Holder::holds(&program.database()).await;
    outlasts_its_flag(&mut seats, due, async || holder.lets_go().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn m2_no_flag_falls_while_postgres_is_stopped_though_nobody_moves() {
    let cluster = Cluster::start();
    let program = Start::default()
        .at_database(cluster.database())
        .start()
        .await;
    let setup = Setup::default().time_control(fischer(8_000, 0));
    let mut seats = Seats::begin_with(&program, &setup).await;
    let clocks = seats.first.looks(&program, seats.game).await.clocks;
    let due = clocks.at + clocks.left.unwrap().first.ms;
    cluster.stop(Stop::Immediate);
    outlasts_its_flag(&mut seats, due, async || cluster.start_again()).await;
}

/// Both learn before anything else that their clocks are stopped, and the player on the move goes on with the time that was left.
async fn outlasts_its_flag(seats: &mut Seats, due: Millis, comes_back: impl AsyncFnOnce()) {
    let game = seats.game;
    for client in seats.both() {
        loop {
            match client.next().await.unwrap() {
                Frame::Notice(notice) if notice.notice == (GameNoticeKind::StorageDown {}) => break,
                Frame::Event(event) => panic!("{event:?} comes before storage_down"),
                Frame::Notice(_) | Frame::Lobby(_) | Frame::Server(_) => {}
            }
        }
    }
    seats.first.waits_until(due + Millis(500)).await;
    let shown = seats.second.snapshot(game).await;
    assert_eq!(
        (shown.status, shown.clocks.running),
        (Status::Playing, None)
    );
    comes_back().await;
    for client in seats.both() {
        let next = client.event(game).await;
        let GameEvent::ClocksHeld { reason, clocks } = next.event else {
            panic!("{next:?} comes before the clocks are held")
        };
        assert_eq!(reason, HoldReason::Storage);
        assert!(clocks.left.unwrap().first.ms.0 > 0, "{clocks:?}");
    }
    let left = |clocks: Clocks| clocks.left.unwrap().first.ms;
    let released = seats.first.event(game).await;
    let GameEvent::ClocksReleased { clocks } = released.event else {
        panic!("{released:?} comes before the clocks are released")
    };
    assert_eq!(
        (clocks.running, left(clocks) == left(shown.clocks)),
        (Some(Seat::First), true)
    );
}

/// Somebody else holds the record while a move is stored.
async fn m3_a_move_that_is_slow_to_be_stored_shows_the_next_player_all_their_time(
    start: fn() -> Start,
) {
    let program = start().start().await;
    let mut seats =
        Seats::begin_with(&program, &Setup::default().time_control(fischer(60_000, 0))).await;
    let game = seats.game;
    let holder = Holder::holds(&program.database()).await;
    let command = json!({"game": game, "command": command_id(), "ply": 1, "move": "a3a4"});
    let sent = seats.first.sends("move", command).await;
    // Shorter than either database waits for the holder.
    seats.second.lets_pass(Millis(500)).await;
    let let_go = seats.second.server_time().await;
    holder.lets_go().await;
    let answered = seats.first.answer(sent).await;
    done(answered).unwrap();
    let moved = |event: &GameEvent| matches!(event, GameEvent::Moved { .. });
    for client in seats.both() {
        let event = client.event_where(game, moved).await;
        let GameEvent::Moved { clocks, .. } = event.event else {
            unreachable!()
        };
        let left = clocks.left.unwrap().second.ms;
        assert_eq!(left.0, 60_000);
        assert!(
            clocks.at >= let_go,
            "the turn began at {}, and could not be stored before {let_go}",
            clocks.at
        );
        // What the event says for a later time is what the view says then.
        let view = client.looks(&program, game).await.clocks;
        assert_eq!(view.left.unwrap().second.ms, left - (view.at - clocks.at));
    }
    // A client that resumes receives the same.
    let mut again = seats.second.again(program.address()).await;
    let Answer::Missed { events, .. } = again.watches(game).await else {
        panic!("no events")
    };
    assert!(events.is_empty(), "{events:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn m3_a_line_of_chat_buys_no_time() {
    const THINKS: Millis = Millis(400);
    let program = Program::start().await;
    let setup = Setup::default().time_control(fischer(60_000, 0));
    let mut seats = Seats::begin_with(&program, &setup).await;
    let game = seats.game;
    for text in ["one", "two", "three"] {
        seats.second.lets_pass(THINKS).await;
        let said = seats.first.does(game, "chat", json!({"text": text})).await;
        done(said).unwrap();
    }
    seats.plays(1, "a3a4").await.unwrap();
    let left = seats.first.looks(&program, game).await.clocks.left.unwrap();
    let charged = 60_000 - left.first.ms.0;
    assert!(charged > 600, "charged are only {charged} ms of 1200");
}

#[tokio::test(flavor = "multi_thread")]
async fn m4_refusals_and_seeks_look_as_the_page_says() {
    let program = Program::start().await;
    let http = Http::guest(&program).await;
    let game = http.opens(&Setup::default()).await;
    let commands = format!("/api/games/{game}/commands");
    let watch = json!({"type": "watch", "data": {"game": game}});
    let error = http.post(&commands, Some(&watch)).await.error();
    assert_eq!(error.code, ErrorCode::UnknownType);
    let (_, known) = error.message.split_once("known: ").unwrap();
    assert!(known.split(", ").all(|known| known != "watch"), "{known}");
    let nowhere = json!({"type": "resign", "data": {"command": command_id()}});
    let refused = http.post(&commands, Some(&nowhere)).await;
    assert_eq!(refused.refusal(), (400, ErrorCode::BadRequest));
    let refused = http.get(&commands).await;
    assert_eq!(refused.refusal(), (405, ErrorCode::BadRequest));
    let long = json!({"type": "chat", "data": {"text": "x".repeat(1 << 20)}});
    let refused = http.post(&commands, Some(&long)).await;
    assert_eq!(refused.refusal(), (413, ErrorCode::BadRequest));
    let placed = http
        .post("/api/lobby/seeks", Some(&seek_data(command_id())))
        .await;
    assert_eq!(placed.json()["state"], json!({"type": "open"}));
}
