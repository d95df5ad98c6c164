//! What the documents promise, held against a program that is killed: a command is answered as it was.

use qiguan_protocol::{
    error::ErrorCode,
    ids::{CommandId, GameId, SeekId},
    lobby::SeekState,
};
use qiguan_tests::{
    Client, Http, Program, Setup, Start,
    client::command_id,
    lobby::{paired, pool_data, seek_data, state},
    record,
};
use serde_json::json;

on_every_database! {
    m1_a_seek_that_was_accepted_before_a_crash_is_accepted_when_the_command_comes_again,
    m1_nobody_of_a_pool_is_queued_again_by_a_command_that_was_paired_before_a_crash,
}

/// Where the game is on the disk and nobody has been told.
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
            let mut wish = seek_data(command);
            wish["seat"] = json!("second");
            for (kind, data) in [
                ("seek", wish),
                ("create_game", Setup::default().create(command)),
            ] {
                let refused = client.request(kind, data).await;
                assert_eq!(refused.err().unwrap().code, ErrorCode::Conflict, "{kind}");
            }
        }
    }
}
