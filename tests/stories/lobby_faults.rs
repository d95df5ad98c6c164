//! The program that has the lobby is killed again and again while players look for each other through all of them: nobody gets two games, and no
//! command opens two.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use qiguan_protocol::{
    answer::Answer,
    error::{ApiError, ErrorCode},
    ids::{CommandId, GameId, SeekId},
    lobby::{LobbyNoticeKind, SeekState},
};
use qiguan_tests::{
    Client, Cluster, Nats,
    client::{Closed, Frame, command_id},
    game::command_data,
    lobby::pool_data,
    machines::{Addresses, Machines, PATIENCE},
    random::Random,
    record::{self, Database},
    slots::{LOBBY, have_their_shares, owner},
    waiting::{eventually, pause},
};
use serde_json::json;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::{cluster_faults::number, foreign_rooms::on};

/// Programs.
const NODES: usize = 3;
/// The games of each player.
const GAMES: &str = "select player, count(*) from (select first_id as player from games union all select second_id from games) as seats where player is not null group by player";

/// How far all have come.
#[derive(Default)]
struct Shared {
    is_over: AtomicBool,
    /// Players who were told of a game, in all.
    paired: AtomicU64,
}

/// A player who looks for one game after the other.
struct Player {
    client: Client,
    random: Random,
    addresses: Addresses,
    shared: Arc<Shared>,
    /// The games that the player was told of.
    games: Vec<GameId>,
}

/// What came of waiting.
enum Waited {
    Paired(GameId),
    /// It is to be asked again.
    Again,
}

impl Shared {
    /// Waits until so many more players were told of a game.
    async fn are_paired(&self, more: u64) {
        let paired = || self.paired.load(Ordering::Relaxed);
        let enough = paired() + more;
        eventually("players to be paired", async || {
            (paired() >= enough).then_some(())
        })
        .await;
    }
}

impl Player {
    async fn plays(mut self) -> Self {
        while !self.shared.is_over.load(Ordering::Relaxed) {
            let command = command_id();
            let Some(game) = self.is_paired(command).await else {
                continue;
            };
            self.games.push(game);
            self.shared.paired.fetch_add(1, Ordering::Relaxed);
            self.resigns(game).await;
        }
        self
    }

    /// Waits in a pool until a game has come of it; none if the seek has gone, or if it is over.
    async fn is_paired(&mut self, command: CommandId) -> Option<GameId> {
        loop {
            let data = pool_data(command, "5+3");
            let (seek, state) = match self.asks("quick_pair", data).await {
                Ok(Answer::Seek { seek, state }) => (seek, state),
                Ok(other) => panic!("no answer about a seek: {}", json!(other)),
                Err(error) => panic!("{error}"),
            };
            match state {
                SeekState::Paired { game } => return Some(game),
                SeekState::Gone {} => return None,
                SeekState::Open {} => {}
            }
            if let Waited::Paired(game) = self.waits(seek).await {
                return Some(game);
            }
            if self.shared.is_over.load(Ordering::Relaxed) {
                let data = json!({"seek": seek});
                match self.asks("cancel_seek", data).await {
                    Ok(Answer::Seek {
                        state: SeekState::Paired { game },
                        ..
                    }) => return Some(game),
                    Ok(_) => return None,
                    // The lobby has come to another program: it is asked by the command.
                    Err(error) => assert_eq!(error.code, ErrorCode::NotFound, "{error}"),
                }
            }
        }
    }

    async fn waits(&mut self, own: SeekId) -> Waited {
        loop {
            match tokio::time::timeout(PATIENCE, self.client.next()).await {
                Ok(Ok(Frame::Lobby(notice))) => match notice {
                    LobbyNoticeKind::Paired {
                        game,
                        seek: Some(seek),
                    } if seek == own => return Waited::Paired(game),
                    LobbyNoticeKind::Reset {} => return Waited::Again,
                    _ => {}
                },
                Ok(Ok(_)) => {}
                Ok(Err(Closed { .. })) => {
                    self.comes_again().await;
                    return Waited::Again;
                }
                Err(_) => return Waited::Again,
            }
        }
    }

    /// Ends a game, or finds it ended.
    async fn resigns(&mut self, game: GameId) {
        let data = command_data(game, command_id(), json!({}));
        match self.asks("resign", data).await {
            Ok(_) => {}
            Err(error) => assert_eq!(error.code, ErrorCode::GameOver, "{error}"),
        }
    }

    /// Asks until there is an answer that stands, over one connection after the other.
    async fn asks(&mut self, kind: &str, data: serde_json::Value) -> Result<Answer, ApiError> {
        loop {
            let asked = self.client.try_request(kind, data.clone());
            match tokio::time::timeout(PATIENCE, asked).await {
                Ok(Ok(Err(error))) => match error.code {
                    ErrorCode::Restarting => self.comes_again().await,
                    ErrorCode::Busy
                    | ErrorCode::Internal
                    | ErrorCode::NotStored
                    | ErrorCode::RateLimited => pause().await,
                    _ => return Err(error),
                },
                Ok(Ok(answered)) => return answered,
                Ok(Err(Closed { .. })) | Err(_) => self.comes_again().await,
            }
        }
    }

    async fn comes_again(&mut self) {
        let client = &mut self.client;
        self.addresses.connect_again(client, &mut self.random).await;
    }
}

async fn kill_the_lobby(machines: &mut Machines) {
    let database = machines.programs[0].database();
    let at = eventually("an owner of the lobby", async || {
        let name = owner(&database, LOBBY).await?;
        let mut programs = machines.programs.iter();
        programs.position(|it| name.ends_with(&format!("process {}", it.pid())))
    })
    .await;
    machines.take(at).kill().await;
    machines.add().await;
}

/// How many games each player has in the record.
async fn games_of_each(database: &Database) -> Vec<(Uuid, i64)> {
    let mut session = database.session().await;
    let games = sqlx::query_as(GAMES).fetch_all(&mut session);
    games.await.expect("the games")
}

#[tokio::test(flavor = "multi_thread")]
async fn p19_the_lobby_is_killed_again_and_again_and_nobody_gets_two_games() {
    let pairings = number("QIGUAN_PAIRINGS", 120);
    let between = number("QIGUAN_PAIRINGS_BETWEEN", 30);
    let people = number("QIGUAN_PAIRING_PLAYERS", 16);
    let mut random = Random::new(19);
    let shared = Arc::<Shared>::default();
    let (url, nats) = (Cluster::shared().database(), Nats::start().await);
    let start = on(&url, &nats).with("--seeks-per-address", 1_000_000);
    let mut machines = Machines::start(NODES, nats, start).await;
    let database = machines.programs[0].database();
    have_their_shares(&database).await;
    let mut playing = JoinSet::new();
    for _ in 0..people {
        let address = random.pick(&machines.programs).address().to_owned();
        let player = Player {
            client: Client::guest(&address).await,
            random: Random::new(random.next()),
            addresses: machines.addresses.clone(),
            shared: Arc::clone(&shared),
            games: Vec::new(),
        };
        playing.spawn(player.plays());
    }
    let mut kills = 0;
    while shared.paired.load(Ordering::Relaxed) < 2 * pairings {
        shared.are_paired(2 * between).await;
        kill_the_lobby(&mut machines).await;
        kills += 1;
    }
    shared.are_paired(2 * between).await;
    shared.is_over.store(true, Ordering::Relaxed);
    let mut told = 0;
    let players = playing.join_all().await;
    let recorded = games_of_each(&database).await;
    for player in &players {
        let id = player.client.player.as_ref().expect("a guest").id;
        let games: BTreeSet<_> = player.games.iter().collect();
        assert_eq!(games.len(), player.games.len(), "a command for each game");
        let stored = recorded.iter().find(|(player, _)| *player == id.0);
        let stored = stored.map_or(0, |(_, count)| *count as usize);
        // A player who looks for the next game has ended the one before: one more would be a second one at the same time.
        assert_eq!(stored, games.len(), "{id} was told of {games:?}");
        told += games.len();
    }
    record::is_sound(&database).await;
    println!(
        "{kills} kills of the program with the lobby, {} pairings, nobody in two games",
        told / 2
    );
    assert!(told as u64 >= 2 * pairings);
}
