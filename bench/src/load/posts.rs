//! Games over plain HTTP, as bots play them: each move is a request of its own on a connection that stays open.

use std::{cell::Cell, rc::Rc, time::Duration};

use anyhow::{Context, Result, ensure};
use qiguan_protocol::{
    answer::{Answer, Guest},
    ids::GameId,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufStream},
    net::TcpStream,
    task::JoinSet,
};

use crate::{load::on_one_thread, machine, stopwatch::Stopwatch};

/// Moves of Dou Shou Qi that lead back to the start.
const ROUND: [&str; 4] = ["a3a4", "g7g6", "a4a3", "g6g7"];

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
        let game = Game::begin(&args.address, number).await?;
        games.spawn_local(game.play(Rc::clone(&moves)));
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

/// One game, and its two players.
struct Game {
    number: usize,
    commands: u64,
    path: String,
    players: [Player; 2],
}

impl Game {
    async fn begin(address: &str, number: usize) -> Result<Self> {
        let mut players = [Player::new(address).await?, Player::new(address).await?];
        let opened = json!({
            "command": command(number, 0),
            "ruleset": "doushouqi/ancientchess",
            "options": {"quiet_limit": 0, "repetition_limit": 1_000_000},
            "time_control": {"clock": {"type": "none"}},
            "seat": "first",
        });
        let opened = players[0].posts("/api/games", &opened).await?;
        let Answer::Created { game } = opened else {
            anyhow::bail!("the answer is not a new game");
        };
        let mut game = Self {
            number,
            commands: 0,
            path: commands_of(game),
            players,
        };
        game.does(1, "join", json!({})).await?;
        Ok(game)
    }

    async fn play(mut self, moves: Rc<Cell<u64>>) -> Result<()> {
        let mut ply = 0;
        loop {
            let mv = ROUND[ply % ROUND.len()];
            let data = json!({"ply": ply + 1, "move": mv});
            self.does(ply % 2, "move", data).await?;
            moves.set(moves.get() + 1);
            ply += 1;
        }
    }

    async fn does(&mut self, player: usize, kind: &str, mut data: Value) -> Result<Answer> {
        self.commands += 1;
        data["command"] = json!(command(self.number, self.commands));
        let body = json!({"type": kind, "data": data});
        self.players[player].posts(&self.path, &body).await
    }
}

fn commands_of(game: GameId) -> String {
    format!("/api/games/{game}/commands")
}

fn command(game: usize, number: u64) -> String {
    format!("{game:08x}-0000-4000-8000-{number:012x}")
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
