//! Games over plain HTTP, as bots play them: each move is a request of its own on a connection that stays open.

use std::{cell::Cell, rc::Rc, time::Duration};

use anyhow::{Context, Result, ensure};
use qiguan_protocol::{
    answer::{Answer, Guest},
    ids::GameId,
};
use serde::{
    Deserialize, Serialize,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufStream},
    net::TcpStream,
    task::JoinSet,
};

use crate::{load::on_one_thread, machine, stopwatch::Stopwatch};

/// Moves of Dou Shou Qi that lead back to the start.
const ROUND: [&str; 4] = ["a3a4", "g7g6", "a4a3", "g6g7"];
/// So often a position may come back at most; then the players begin another game.
const REPETITIONS: usize = 100;

/// How many games, and how long.
#[derive(clap::Args)]
pub(crate) struct PostsArgs {
    /// Host and port.
    #[arg(long)]
    address: String,
    /// The process id of the server.
    #[arg(long)]
    pid: u32,
    /// Games at once.
    #[arg(long, default_value_t = 50)]
    games: usize,
    /// How long to go on before anything is counted, in seconds.
    #[arg(long, default_value_t = 1.0)]
    warm_up: f64,
    /// How long to count, in seconds.
    #[arg(long, default_value_t = 4.0)]
    seconds: f64,
}

/// What came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Posts {
    /// Moves that were counted.
    pub(crate) moves: u64,
    /// For how long, in seconds.
    pub(crate) seconds: f64,
    /// What the server needed of a core, in seconds.
    pub(crate) server_cpu: f64,
}

/// Plays, and prints what came of it as one line of JSON.
///
/// # Errors
/// When anything is refused.
pub(crate) fn run(args: &PostsArgs) -> Result<()> {
    on_one_thread(measure(args))
}

async fn measure(args: &PostsArgs) -> Result<Posts> {
    let moves = Rc::new(Cell::new(0));
    let mut games = JoinSet::new();
    for number in 0..args.games {
        let pair = Pair::arrive(&args.address, number).await?;
        games.spawn_local(pair.play(Rc::clone(&moves)));
    }
    let alone = |seconds| async move { tokio::time::sleep(Duration::from_secs_f64(seconds)).await };
    let mut going = async |seconds| {
        tokio::select! {
            Some(ended) = games.join_next() => ended?,
            () = alone(seconds) => Ok(()),
        }
    };
    going(args.warm_up).await?;
    let (before, cpu) = (moves.get(), machine::cpu_seconds(args.pid)?);
    let clock = Stopwatch::start();
    going(args.seconds).await?;
    Ok(Posts {
        moves: moves.get() - before,
        seconds: clock.elapsed().as_secs_f64(),
        server_cpu: machine::cpu_seconds(args.pid)? - cpu,
    })
}

/// Two players, who play one game after the other.
struct Pair {
    number: usize,
    commands: u64,
    players: [Player; 2],
}

impl Pair {
    async fn arrive(address: &str, number: usize) -> Result<Self> {
        Ok(Self {
            number,
            commands: 0,
            players: [Player::new(address).await?, Player::new(address).await?],
        })
    }

    async fn play(mut self, moves: Rc<Cell<u64>>) -> Result<()> {
        loop {
            let game = self.begin().await?;
            let all = ROUND.iter().cycle().take(ROUND.len() * (REPETITIONS - 1));
            for (ply, mv) in all.enumerate() {
                let data = json!({"ply": ply + 1, "move": mv});
                self.does(game, ply % 2, "move", data).await?;
                moves.set(moves.get() + 1);
            }
        }
    }

    async fn begin(&mut self) -> Result<GameId> {
        let opened = json!({
            "command": self.command(),
            "ruleset": "doushouqi/ancientchess",
            "options": {"quiet_limit": 0, "repetition_limit": REPETITIONS},
            "time_control": {"clock": {"type": "none"}},
            "seat": "first",
        });
        let Answer::Created { game } = self.players[0].posts("/api/games", &opened).await? else {
            anyhow::bail!("the answer is not a new game");
        };
        self.does(game, 1, "join", json!({})).await?;
        Ok(game)
    }

    async fn does(
        &mut self,
        game: GameId,
        player: usize,
        kind: &str,
        mut data: Value,
    ) -> Result<()> {
        (data["game"], data["command"]) = (json!(game), json!(self.command()));
        let path = format!("/api/games/{game}/commands");
        let body = json!({"type": kind, "data": data});
        self.players[player]
            .posts::<IgnoredAny>(&path, &body)
            .await?;
        Ok(())
    }

    fn command(&mut self) -> String {
        self.commands += 1;
        format!("{:08x}-0000-4000-8000-{:012x}", self.number, self.commands)
    }
}

/// A connection of one player.
struct Player {
    stream: BufStream<TcpStream>,
    address: String,
    token: String,
}

impl Player {
    /// A new guest.
    async fn new(address: &str) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let mut player = Self {
            stream: BufStream::new(stream),
            address: address.to_owned(),
            token: String::new(),
        };
        let guest: Guest = player.posts("/api/guest", &json!({})).await?;
        player.token = format!("Authorization: Bearer {}\r\n", guest.token.reveal());
        Ok(player)
    }

    async fn posts<T: DeserializeOwned>(&mut self, path: &str, body: &Value) -> Result<T> {
        let (address, token, body) = (&self.address, &self.token, body.to_string());
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\n{token}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.write_all(request.as_bytes()).await?;
        self.stream.flush().await?;
        let mut length = None;
        let mut status = String::new();
        self.stream.read_line(&mut status).await?;
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).await?;
            let Some((name, value)) = line.trim_end().split_once(": ") else {
                break;
            };
            if name.eq_ignore_ascii_case("content-length") {
                length = Some(value.parse()?);
            }
        }
        let mut answer = vec![0; length.context("an answer without a length")?];
        self.stream.read_exact(&mut answer).await?;
        ensure!(
            status.starts_with("HTTP/1.1 2"),
            "{path}: {status} {}",
            String::from_utf8_lossy(&answer)
        );
        Ok(serde_json::from_slice(&answer)?)
    }
}
