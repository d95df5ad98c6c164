//! The load: pairs of players, each of whom moves as soon as the opponent's move has come, or at a fixed rate.

use std::{cell::RefCell, io::Write, rc::Rc, time::Duration};

use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio::task::LocalSet;
use tokio_tungstenite::tungstenite::Message;

use crate::{
    stopwatch::{self, Stopwatch},
    wire::{self, Socket},
};

/// Plays.
#[derive(clap::Args, Clone)]
pub(crate) struct LoadArgs {
    /// Host and port.
    #[arg(long)]
    address: String,
    /// A relay, not a server.
    #[arg(long)]
    relay: bool,
    /// How many games at once.
    #[arg(long, default_value_t = 200)]
    games: u32,
    /// How long, in seconds.
    #[arg(long, default_value_t = 4.0)]
    seconds: f64,
    /// Moves a second in all games together; 0 for as fast as it goes.
    #[arg(long, default_value_t = 0.0)]
    rate: f64,
    /// Only so many connections, each of which watches one game, until standard input closes.
    #[arg(long, default_value_t = 0)]
    idle: u32,
}

/// What was measured: nanoseconds from each send to the opponent's receipt.
#[derive(Default)]
struct Measured {
    latencies: Vec<u64>,
}

/// Plays for the time given, and prints one line of JSON.
pub(crate) fn run(args: &LoadArgs) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    LocalSet::new().block_on(&runtime, async {
        if args.idle > 0 {
            idle(args).await
        } else {
            play(args).await
        }
    })
}

async fn play(args: &LoadArgs) -> anyhow::Result<()> {
    let measured = Rc::new(RefCell::new(Measured::default()));
    let mut tables = Vec::new();
    for number in 0..args.games {
        tables.push(if args.relay {
            relay_table(args, number).await?
        } else {
            server_table(args).await?
        });
    }
    writeln!(std::io::stdout(), "begin")?;
    let watch = Stopwatch::start();
    let end = Duration::from_secs_f64(args.seconds);
    let pause =
        (args.rate > 0.0).then(|| Duration::from_secs_f64(f64::from(args.games) / args.rate));
    let mut playing = Vec::new();
    for (table, number) in tables.into_iter().zip(0_u32..) {
        let measured = Rc::clone(&measured);
        // Fixed rates begin spread over the first interval.
        let offset = pause.map(|pause| pause * number / args.games);
        playing.push(tokio::task::spawn_local(
            table.play(watch, end, pause, offset, measured),
        ));
    }
    for table in playing {
        table.await??;
    }
    let seconds = watch.elapsed().as_secs_f64();
    let latencies = &mut measured.borrow_mut().latencies;
    latencies.sort_unstable();
    let at = |share: f64| {
        latencies
            .get((latencies.len() as f64 * share) as usize)
            .map_or(0.0, |nanos| *nanos as f64 / 1e6)
    };
    let line =
        json!({"moves": latencies.len(), "seconds": seconds, "p50": at(0.5), "p99": at(0.99)});
    writeln!(std::io::stdout(), "{line}")?;
    Ok(())
}

/// Two players and how they move.
struct Table {
    players: [Socket; 2],
    /// The game at a server; none at a relay.
    game: Option<String>,
}

impl Table {
    async fn play(
        mut self,
        watch: Stopwatch,
        end: Duration,
        pause: Option<Duration>,
        offset: Option<Duration>,
        measured: Rc<RefCell<Measured>>,
    ) -> anyhow::Result<()> {
        if let Some(offset) = offset {
            tokio::time::sleep(offset).await;
        }
        // Moves that take nothing, up and down again.
        let moves = ["a3a4", "g7g6", "a4a3", "g6g7"];
        let mut ply = 1_u32;
        while watch.elapsed() < end {
            let mover = (ply as usize - 1) % 2;
            let mv = moves[(ply as usize - 1) % 4];
            let text = self.text(ply, mv);
            let sent = watch.nanos();
            self.players[mover].send(Message::text(text)).await?;
            let wanted = self.wanted(ply);
            hears(&mut self.players[1 - mover], &wanted).await?;
            measured.borrow_mut().latencies.push(watch.nanos() - sent);
            hears(&mut self.players[mover], &wanted).await?;
            ply += 1;
            if let Some(pause) = pause {
                let due = offset.unwrap_or_default() + pause * (ply - 1);
                tokio::time::sleep(due.saturating_sub(watch.elapsed())).await;
            }
        }
        Ok(())
    }

    fn text(&self, ply: u32, mv: &str) -> String {
        match &self.game {
            Some(game) => format!(
                r#"{{"id":{ply},"type":"move","data":{{"game":"{game}","command":"{}","ply":{ply},"move":"{mv}"}}}}"#,
                stopwatch::command_id()
            ),
            None => format!(r#"{{"t":"move","ply":{ply},"m":"{mv}","clock":300000,"lag":12}} "#),
        }
    }

    /// What the event of a move has and nothing else.
    fn wanted(&self, ply: u32) -> String {
        match &self.game {
            Some(_) => format!(
                r#""type":"moved","seat":"{}","ply":{ply},"#,
                if ply % 2 == 1 { "first" } else { "second" }
            ),
            None => format!(r#""ply":{ply},"#),
        }
    }
}

async fn hears(socket: &mut Socket, wanted: &str) -> anyhow::Result<()> {
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) if text.contains(wanted) => return Ok(()),
            Some(Ok(Message::Text(text))) if text.contains("\"error\"") => {
                anyhow::bail!("refused: {text}")
            }
            Some(Ok(_)) => {}
            Some(Err(error)) => return Err(error.into()),
            None => anyhow::bail!("the connection has ended"),
        }
    }
}

async fn asks(socket: &mut Socket, kind: &str, data: serde_json::Value) -> anyhow::Result<String> {
    socket
        .send(Message::text(
            json!({"id": 0, "type": kind, "data": data}).to_string(),
        ))
        .await?;
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) if text.starts_with(r#"{"re":0,"ok""#) => {
                return Ok(text.to_string());
            }
            Some(Ok(Message::Text(text))) if text.starts_with(r#"{"re":0,"#) => {
                anyhow::bail!("{kind}: {text}")
            }
            Some(Ok(_)) => {}
            Some(Err(error)) => return Err(error.into()),
            None => anyhow::bail!("the connection has ended"),
        }
    }
}

async fn server_table(args: &LoadArgs) -> anyhow::Result<Table> {
    let mut players = [
        wire::connect(&args.address).await?,
        wire::connect(&args.address).await?,
    ];
    for player in &mut players {
        asks(player, "guest", json!({})).await?;
    }
    let create = json!({
        "command": stopwatch::command_id(), "ruleset": "doushouqi/ancientchess", "seat": "first",
        "options": {"quiet_limit": 0, "repetition_limit": 100},
        "time_control": {"clock": {"type": "fischer", "initial_ms": 10_800_000, "increment_ms": 1_000}},
    });
    let created = asks(&mut players[0], "create_game", create).await?;
    let game = wire::between(&created, r#""game":""#, "\"").map(ToOwned::to_owned);
    let game = game.ok_or_else(|| anyhow::anyhow!("no game in {created}"))?;
    asks(&mut players[0], "watch", json!({"game": game})).await?;
    asks(&mut players[1], "watch", json!({"game": game})).await?;
    asks(
        &mut players[1],
        "join",
        json!({"game": game, "command": stopwatch::command_id()}),
    )
    .await?;
    Ok(Table {
        players,
        game: Some(game),
    })
}

async fn relay_table(args: &LoadArgs, number: u32) -> anyhow::Result<Table> {
    let mut players = [
        wire::connect(&args.address).await?,
        wire::connect(&args.address).await?,
    ];
    for (player, seat) in players.iter_mut().zip(0..) {
        player
            .send(Message::text(format!("{number} {seat}")))
            .await?;
    }
    // Both have to be in before the first frame: the relay answers nothing.
    tokio::time::sleep(Duration::from_millis(2)).await;
    Ok(Table {
        players,
        game: None,
    })
}

async fn idle(args: &LoadArgs) -> anyhow::Result<()> {
    let table = server_table(args).await?;
    let game = table.game.clone().unwrap_or_default();
    let mut idle = Vec::new();
    for _ in 0..args.idle {
        let mut socket = wire::connect(&args.address).await?;
        asks(&mut socket, "guest", json!({})).await?;
        asks(&mut socket, "watch", json!({"game": game})).await?;
        idle.push(socket);
    }
    writeln!(std::io::stdout(), "begin")?;
    // Held until the parent has measured.
    tokio::task::spawn_blocking(|| std::io::stdin().read_line(&mut String::new())).await??;
    Ok(())
}
