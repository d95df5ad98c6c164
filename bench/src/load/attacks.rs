//! How long moves take beside one address that does its worst, and what it makes the server hold and store.

mod attack;
mod guests;
mod longest;

use std::{
    fmt::Arguments,
    io::Write,
    net::Ipv4Addr,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result};
use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    task::LocalSet,
};

use self::attack::{ATTACKS, Attack, Attackers};
use crate::{
    games,
    load::{
        folders, millis,
        neighbours::{NeighbourArgs, Neighbours},
        socket::{self, Width},
    },
    machine,
    pinned::{self, Place, Server},
    stopwatch::Stopwatch,
};

/// 99 of 100 moves take no longer beside an attack, in milliseconds.
const GOAL_MS: f64 = 20.0;
/// Or only so much longer than in the quiet phase before.
const GOAL_MORE_MS: f64 = 5.0;
/// What readers who take nothing may hold together, in KiB.
const GOAL_READERS_KIB: u64 = 8 * 1024;
/// What is measured beside attacks, as `--only` names it.
const UNREAD: &str = "unread";
const GROWTH: &str = "growth";
/// How many such readers there are, and for how long they are watched.
const READERS: usize = 60;
const READ_FOR: Duration = Duration::from_secs(8);
/// How many connections attack.
const CONNECTIONS: usize = 16;
/// How many games of all kinds are in the record before.
const STORED: u32 = 2_000;
/// How long an attack goes on before anything is measured, and how long it is quiet after one.
const SETTLING: Duration = Duration::from_millis(500);
/// How long guests do all that they may while the record is measured.
const GROWS: Duration = Duration::from_secs(40);

/// What is measured.
#[derive(clap::Args)]
pub(crate) struct AttacksArgs {
    /// On how many cores the server runs. Players and attackers run on the last one.
    #[arg(long, default_value_t = 1)]
    cores: usize,
    /// Only attacks whose names begin so, `unread`, or `growth`; several with commas between them.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    #[command(flatten)]
    neighbours: NeighbourArgs,
    /// How long each phase takes, in seconds.
    #[arg(long, default_value_t = 8.5)]
    seconds: f64,
    /// Where the record lies; absent: beside the program.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

impl AttacksArgs {
    fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| name.starts_with(only))
    }
}

/// Measures and prints.
///
/// # Errors
/// When a program is missing, or a player's move was refused or lost.
pub(crate) fn run(args: &AttacksArgs) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let [beside, data] = folders(args.data.as_deref(), "attacks")?;
    let target = Target::start(args, &beside.join("qiguan"), &data);
    let measured = target.and_then(|target| {
        LocalSet::new().block_on(&runtime, async {
            // Before anybody else plays, whose games take memory and room in the record too.
            if args.wants(UNREAD) {
                target.unread().await?;
            }
            if args.wants(GROWTH) {
                target.grown().await?;
            }
            target.attacked(args).await
        })
    });
    std::fs::remove_dir_all(&data)?;
    measured
}

/// A server that is attacked.
struct Target {
    server: Server,
    record: PathBuf,
}

impl Target {
    /// A server with games of all kinds, and with one as long as a game can be.
    fn start(args: &AttacksArgs, qiguan: &Path, data: &Path) -> Result<Self> {
        let cores = machine::cores()?;
        let core = *cores.first().context("no core")?;
        let place = Place { core, files: 4_096 };
        let (archive, record) = (data.join("games.jsonl"), data.join("attacked.db"));
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        let on_it = |mut words: Vec<String>| {
            words.push(format!("--database=sqlite:{}", record.display()));
            words
        };
        let import = on_it(vec!["import".to_owned(), archive.display().to_string()]);
        games::write(&archive, STORED)?;
        pinned::output(place, qiguan, &import)?;
        std::fs::write(&archive, longest::archive())?;
        pinned::output(place, qiguan, &import)?;

        pinned::keep_on(std::process::id(), *cores.last().context("no core")?)?;
        let cores: Vec<_> = cores.iter().take(args.cores).map(u32::to_string).collect();
        let cores = ["--cpu-list".to_owned(), cores.join(",")];
        // Nobody is a proxy, the limits are the usual ones, and no core is busy with tables of endings.
        let flags = "serve --listen 127.0.0.1:0 --log error --make-tables false --trusted-proxy 192.0.2.1 --guests-per-hour 300 --connections-per-address 500";
        let serve = [&cores[..], &[qiguan.display().to_string()], &words(flags)].concat();
        let server = Server::start(place, Path::new("taskset"), &on_it(serve))?;
        Ok(Self { server, record })
    }

    /// Moves beside each attack.
    async fn attacked(&self, args: &AttacksArgs) -> Result<()> {
        let (address, pid) = (&self.server.address, self.server.pid());
        let neighbours = Neighbours::begin(&args.neighbours, address, pid).await?;
        let names = "              quiet: p50     p99  attacked: p50     p99           moves  opened      done  refused  record KiB";
        line(format_args!("{names}"))?;
        for (number, (name, attack)) in (1..).zip(ATTACKS) {
            if args.wants(name) {
                let attackers = self.attackers(attack, number);
                self.beside(name, attackers, &neighbours, args.seconds)
                    .await?;
            }
        }
        Ok(())
    }

    /// Moves in a quiet phase, and beside an attack.
    async fn beside(
        &self,
        name: &str,
        attackers: Attackers,
        neighbours: &Neighbours,
        seconds: f64,
    ) -> Result<()> {
        tokio::time::sleep(SETTLING).await;
        let quiet = neighbours.moves(seconds).await?;
        let before = self.stored().await?;
        let time = Duration::from_secs_f64(seconds) + SETTLING * 2;
        let measuring = async {
            tokio::time::sleep(SETTLING).await;
            neighbours.moves(seconds).await
        };
        let (attacked, came) = tokio::try_join!(measuring, attackers.run(time))?;
        let (p99, beside) = (millis(&quiet, 99), millis(&attacked, 99));
        line(format_args!(
            "{name:<16} {:>7.2} {p99:>7.2}       {:>7.2} {beside:>7.2}  {:<6}  {:>6} {:>7} {:>9} {:>8} {:>11}",
            millis(&quiet, 50),
            millis(&attacked, 50),
            verdict(beside < GOAL_MS || beside <= p99 + GOAL_MORE_MS),
            attacked.len(),
            came.connections.get(),
            came.done.get(),
            came.refused.get(),
            (self.stored().await? - before) / 1_024,
        ))
    }

    fn attackers(&self, attack: Attack, number: u8) -> Attackers {
        Attackers {
            attack,
            from: attacker(number),
            address: self.server.address.clone(),
            game: longest::ID.to_owned(),
            connections: CONNECTIONS,
            patient: false,
        }
    }

    /// The memory that is held for readers of long answers who take nothing.
    async fn unread(&self) -> Result<()> {
        for path in ["", "/events", "/positions", "/fens", "/text"] {
            let resident = || machine::resident_kib(self.server.pid());
            let asks = async |width, end: &str| {
                let address = &self.server.address;
                let mut reader = socket::connect(attacker(0), address, width).await?;
                let path = format!("/api/games/{}{path}", longest::ID);
                let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n{end}\r\n");
                reader.write_all(request.as_bytes()).await?;
                anyhow::Ok(reader)
            };
            // As many who take everything come first: what the server keeps after those does not count.
            let mut readers = Vec::new();
            for _ in 0..READERS {
                readers.push(asks(Width::Usual, "Connection: close\r\n").await?);
            }
            for mut reader in readers.drain(..) {
                reader.read_to_end(&mut Vec::new()).await?;
            }
            tokio::time::sleep(SETTLING * 4).await;
            let before = resident()?;
            for _ in 0..READERS {
                readers.push(asks(Width::Narrow, "").await?);
            }
            let (watch, mut most) = (Stopwatch::start(), before);
            while watch.elapsed() < READ_FOR {
                most = most.max(resident()?);
                tokio::time::sleep(SETTLING / 10).await;
            }
            let held = most - before;
            let verdict = verdict(held < GOAL_READERS_KIB);
            line(format_args!(
                "{READERS} readers who take nothing of game{path} hold {held} KiB above {before}: {verdict}"
            ))?;
            drop(readers);
            tokio::time::sleep(SETTLING * 4).await;
        }
        Ok(())
    }

    /// By how much the record grows for guests who do all they may.
    async fn grown(&self) -> Result<()> {
        for (attack, commands) in [
            (Attack::CreateAndAbort, "games, opened or aborted"),
            (Attack::PlayAndChat, "moves, and lines of chat with some"),
        ] {
            let before = self.stored().await?;
            let guests = Attackers {
                connections: 1,
                patient: true,
                ..self.attackers(attack, 0)
            };
            let done = guests.run(GROWS).await?.done.get();
            let bytes = self.stored().await? - before;
            let each = bytes as f64 / done.max(1) as f64;
            line(format_args!(
                "the record grows by {bytes} bytes in {GROWS:?}, {each:.0} for each of {done} ({commands})"
            ))?;
        }
        Ok(())
    }

    /// How long the record is, its log included, in bytes.
    async fn stored(&self) -> Result<i64> {
        let options = SqliteConnectOptions::new().filename(&self.record);
        let mut record = SqliteConnection::connect_with(&options.read_only(true)).await?;
        let pages = "select page_count * page_size from pragma_page_count, pragma_page_size";
        Ok(sqlx::query_scalar(pages).fetch_one(&mut record).await?)
    }
}

/// An address that does nothing else.
const fn attacker(number: u8) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, 2, number)
}

const fn verdict(is_met: bool) -> &'static str {
    if is_met { "met" } else { "missed" }
}

fn line(text: Arguments<'_>) -> Result<()> {
    Ok(writeln!(std::io::stdout(), "{text}")?)
}
