//! Two programs on one database, with the same games open in both.

use std::collections::BTreeSet;

use qiguan_protocol::error::ErrorCode;
use qiguan_tests::{
    Cluster, Program, Seats, Setup, Start,
    client::command_id,
    game::{command_data, done},
    record,
};
use serde_json::json;

/// Moves that take nothing, up and down again.
const MOVES: [&str; 4] = ["a3a4", "g7g6", "a4a3", "g6g7"];

#[tokio::test(flavor = "multi_thread")]
async fn two_programs_on_one_database_never_both_acknowledge_the_same_event() {
    const TABLES: usize = 6;
    const PLIES: u32 = 40;
    let url = Cluster::shared().database();
    let on = || Start::default().at_database(url.clone()).for_machines();
    let programs = [on().start().await, on().start().await];
    let mut playing = Vec::new();
    for _ in 0..TABLES {
        let setup = Setup {
            options: json!({"quiet_limit": 0, "repetition_limit": 100}),
            ..Setup::default()
        };
        let Seats {
            game,
            mut first,
            mut second,
        } = Seats::begin_with(&programs[0], &setup).await;
        let there = [
            first.again(programs[1].address()).await,
            second.again(programs[1].address()).await,
        ];
        let [mut first_there, mut second_there] = there;
        playing.push(tokio::spawn(async move {
            let mut acknowledged = Vec::new();
            let mut won = [0; 2];
            for ply in 0..PLIES {
                let (here, there) = if ply % 2 == 0 {
                    (&mut first, &mut first_there)
                } else {
                    (&mut second, &mut second_there)
                };
                // The same move as two commands, to both programs at once.
                let commands = [command_id(), command_id()];
                let data = commands.map(|command| {
                    command_data(
                        game,
                        command,
                        json!({"ply": ply + 1, "move": MOVES[ply as usize % 4]}),
                    )
                });
                let [one, two] = data;
                let (one, two) =
                    tokio::join!(here.request("move", one), there.request("move", two));
                let answers = [done(one), done(two)];
                for (place, answer) in answers.into_iter().enumerate() {
                    match answer {
                        Ok(seq) => {
                            acknowledged.push((seq.0, commands[place].0));
                            won[place] += 1;
                        }
                        Err(error) => assert!(
                            matches!(error.code, ErrorCode::Stale | ErrorCode::NotStored),
                            "{error}"
                        ),
                    }
                }
            }
            (game, acknowledged, won)
        }));
    }
    let mut won = [0; 2];
    for table in playing {
        let (game, acknowledged, of_table) = table.await.unwrap();
        let events = record::events(&programs[0].database(), game).await;
        let numbers: BTreeSet<_> = acknowledged.iter().map(|(seq, _)| *seq).collect();
        assert_eq!(numbers.len(), acknowledged.len(), "acknowledged twice");
        assert_eq!(acknowledged.len(), PLIES as usize, "one of two is played");
        for (seq, command) in acknowledged {
            assert_eq!(events[seq as usize - 1].command, Some(command));
        }
        assert_eq!(record::moves(&events).len(), PLIES as usize);
        won = [won[0] + of_table[0], won[1] + of_table[1]];
    }
    // They did meet: the loser says so in the log.
    assert!(won[0] > 0 && won[1] > 0, "{won:?}");
    let conflicts = |program: &Program| program.log().matches("exists already").count();
    assert!(conflicts(&programs[0]) + conflicts(&programs[1]) > 10);
}
