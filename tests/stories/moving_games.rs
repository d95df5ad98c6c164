//! Games that go on while they move to another program: one starts and gets its share, or ends and hands its games over.

use qiguan_protocol::{error::ErrorCode, ids::GameId};
use qiguan_tests::{
    Cluster, Nats, Program, Seats,
    client::command_id,
    game::done,
    record::{self, Database},
    waiting::{eventually, pause},
};
use serde_json::json;
use tokio::{sync::watch, task::JoinHandle};

use crate::foreign_rooms::{MOVES, on, setup};

/// With so many games it is as good as certain that some move to a program that gets half of them.
const TABLES: u32 = 12;
/// The games of a program, by the end of its name.
const OWNED: &str = "select count(*) from slots join nodes using (node, incarnation) where name like '%process ' || $1";

/// Games that are played on and on, wherever they are.
struct Played {
    games: Vec<GameId>,
    tables: Vec<JoinHandle<(Seats, u32)>>,
    plies: watch::Sender<Vec<u32>>,
    is_over: watch::Sender<bool>,
}

/// However a table ends, nobody waits for its moves any more.
struct TableIsOver(watch::Sender<Vec<u32>>, usize);

impl Drop for TableIsOver {
    fn drop(&mut self) {
        self.0.send_modify(|plies| plies[self.1] = u32::MAX);
    }
}

impl Played {
    /// Games of one program, whose players are connected to these.
    async fn at(owner: &Program, first: &Program, second: &Program) -> Self {
        let plies = watch::Sender::new(vec![0; TABLES as usize]);
        let is_over = watch::Sender::new(false);
        let (mut tables, mut games) = (Vec::new(), Vec::new());
        for table in 0..TABLES as usize {
            let mut seats = Seats::begin_with(owner, &setup()).await;
            let game = seats.game;
            for (client, at) in seats.both().into_iter().zip([first, second]) {
                if at.pid() != owner.pid() {
                    *client = client.again(at.address()).await;
                    client.watches_again(game).await;
                }
            }
            games.push(game);
            let (plies, is_over) = (plies.clone(), is_over.subscribe());
            tables.push(tokio::spawn(async move {
                let _over = TableIsOver(plies.clone(), table);
                let mut ply = 0;
                while !*is_over.borrow() && ply < 390 {
                    one_ply(&mut seats, ply).await;
                    ply += 1;
                    plies.send_modify(|plies| plies[table] += 1);
                    pause().await;
                }
                (seats, ply)
            }));
        }
        Self {
            games,
            tables,
            plies,
            is_over,
        }
    }

    /// Waits until some more moves have been played at each table.
    async fn go_on(&self) {
        let before = self.plies.borrow().clone();
        let mut plies = self.plies.subscribe();
        let goes_on = |(now, then): (&u32, &u32)| *now >= then.saturating_add(4);
        let all = plies.wait_for(|now| now.iter().zip(&before).all(goes_on));
        all.await.expect("the games are played");
    }

    /// Ends, and looks whether every move is in the record and no clock was held.
    async fn were_never_held(self, database: &Database) {
        self.is_over.send_replace(true);
        for table in self.tables {
            let (seats, plies) = table.await.expect("nothing disturbs a game");
            let events = record::events(database, seats.game).await;
            assert_eq!(record::moves(&events).len(), plies as usize);
            let held = events.iter().find(|it| it.body["t"] == "clocks_held");
            assert!(held.is_none(), "{:?}", held.map(|it| &it.body));
        }
        record::is_sound(database).await;
    }

    /// How many of the games are this program's.
    async fn owned_by(&self, program: &Program) -> usize {
        let mut session = program.database().session().await;
        let query = "select slot from slots join nodes using (node, incarnation) where name like '%process ' || $1";
        let slots: Vec<i16> = sqlx::query_scalar(query)
            .bind(program.pid().to_string())
            .fetch_all(&mut session)
            .await
            .expect("the slots");
        let is_owned = |game: &&GameId| {
            let slot = (game.0.as_u128() & 0xfff) as i16;
            slots.contains(&slot)
        };
        self.games.iter().filter(is_owned).count()
    }
}

/// A move, which may have to wait, and which the other player sees.
async fn one_ply(seats: &mut Seats, ply: u32) {
    let (game, command) = (seats.game, command_id());
    let mv = json!({"ply": ply + 1, "move": MOVES[ply as usize % 4]});
    let [first, second] = seats.both();
    let (mover, other) = if ply.is_multiple_of(2) {
        (first, second)
    } else {
        (second, first)
    };
    let seq = loop {
        match done(mover.does_as(game, "move", mv.clone(), command).await) {
            Ok(seq) => break seq,
            Err(error) => assert_eq!(error.code, ErrorCode::Busy, "{error}"),
        }
        pause().await;
    };
    for client in [mover, other] {
        client.follows(game, seq).await;
    }
}

/// Waits until a program has half of the slots, and has those games that fall to it.
async fn has_its_share(program: &Program) {
    let pid = program.pid().to_string();
    eventually("its share", async || {
        let mut session = program.database().session().await;
        let owned = sqlx::query_scalar::<_, i64>(OWNED).bind(&pid);
        let owned = owned.fetch_one(&mut session).await.expect("the slots");
        (owned > 1_800).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn p5_games_go_on_while_they_move_to_a_program_that_starts_and_back_when_it_ends() {
    let nats = Nats::start().await;
    let url = Cluster::shared().database();
    let one = on(&url, &nats).start().await;
    let played = Played::at(&one, &one, &one).await;
    played.go_on().await;
    let two = on(&url, &nats).start().await;
    has_its_share(&two).await;
    // Those that are played go last.
    eventually("games that have moved", async || {
        (played.owned_by(&two).await > 0).then_some(())
    })
    .await;
    played.go_on().await;
    two.terminate().await;
    two.ends().await;
    assert_eq!(played.owned_by(&one).await, TABLES as usize);
    played.go_on().await;
    played.were_never_held(&one.database()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn p6_a_program_that_ends_hands_its_games_over_and_others_play_them_on() {
    let nats = Nats::start().await;
    let url = Cluster::shared().database();
    let one = on(&url, &nats).start().await;
    let two = on(&url, &nats).start().await;
    has_its_share(&two).await;
    let played = Played::at(&one, &two, &two).await;
    played.go_on().await;
    assert_eq!(played.owned_by(&one).await, TABLES as usize);
    one.terminate().await;
    let log = one.ends().await.folder.log();
    // The many slots without games do not wait for each other.
    let (_, end) = log.split_once("restarting: no new games").unwrap();
    let steps = end.matches("hands games over").count();
    assert!((1..8).contains(&steps), "{end}");
    assert_eq!(played.owned_by(&two).await, TABLES as usize);
    played.go_on().await;
    played.were_never_held(&two.database()).await;
}
