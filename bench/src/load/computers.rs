//! Visitors who play computers, all at once: how long answers take, and how long moves of other people do beside them.

use std::{
    cell::{Cell, RefCell},
    io::Write,
    path::PathBuf,
    rc::Rc,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use qiguan_protocol::SUBPROTOCOL;
use serde_json::{Value, json};
use tokio::task::{JoinSet, LocalSet};

use crate::{
    load::{
        folders, millis,
        neighbours::{NeighbourArgs, Neighbours},
        server_game::answered,
        socket::{self, Reader, Width, Writer},
    },
    machine,
    pinned::{self, Place, Server},
    stopwatch::Stopwatch,
};

/// What is played, in turn.
const RULESETS: [&str; 3] = ["doushouqi/booklet", "xiangqi/standard", "luzhanqi/referee"];
/// 99 of 100 answers take no longer, in milliseconds.
const GOAL_MS: f64 = 2_000.0;
/// 99 of 100 moves of other people take at most so many times as long as before.
const GOAL_TIMES: f64 = 1.1;
/// How long visitors play before anything is counted.
const SETTLING: Duration = Duration::from_secs(3);

/// How many play.
#[derive(clap::Args)]
pub(crate) struct ComputersArgs {
    /// On how many cores the server runs. Players run on the last one.
    #[arg(long, default_value_t = 1)]
    cores: usize,
    /// How many games against computers there are at once; several numbers with commas between them.
    #[arg(long, value_delimiter = ',', default_value = "20,60")]
    visitors: Vec<usize>,
    /// The computers' level.
    #[arg(long, default_value_t = 5)]
    level: u8,
    /// How long a visitor thinks about a move, in seconds.
    #[arg(long, default_value_t = 0.0)]
    thinks: f64,
    /// How long each phase takes, in seconds.
    #[arg(long, default_value_t = 30.0)]
    seconds: f64,
    /// Only these rule sets, with commas between them.
    #[arg(long, value_delimiter = ',')]
    rulesets: Vec<String>,
    #[command(flatten)]
    neighbours: NeighbourArgs,
    /// Where the record lies; absent: beside the program.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

/// Measures and prints.
///
/// # Errors
/// When a program is missing, or anything is refused.
pub(crate) fn run(args: &ComputersArgs) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let [beside, data] = folders(args.data.as_deref(), "computers")?;

    let cores = machine::cores()?;
    let core = *cores.first().context("no core")?;
    pinned::keep_on(std::process::id(), *cores.last().context("no core")?)?;
    let cores: Vec<_> = cores.iter().take(args.cores).map(u32::to_string).collect();
    let serve = format!(
        "--cpu-list {} {} serve --listen 127.0.0.1:0 --log error --make-tables false --computer-pause-ms 0 --trusted-proxy 192.0.2.1 --database=sqlite:{}",
        cores.join(","),
        beside.join("qiguan").display(),
        data.join("computers.db").display(),
    );
    let words: Vec<_> = serve.split(' ').map(str::to_owned).collect();
    let place = Place { core, files: 4_096 };
    let measured = Server::start(place, "taskset".as_ref(), &words)
        .and_then(|server| LocalSet::new().block_on(&runtime, measure(args, &server)));
    std::fs::remove_dir_all(&data)?;
    measured
}

async fn measure(args: &ComputersArgs, server: &Server) -> Result<()> {
    let address = server.address.as_str();
    let neighbours = Neighbours::begin(&args.neighbours, address, server.pid()).await?;
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "visitors  answers  p50 ms   p99 ms           others: moves  p50 ms  p99 ms   before: p50 ms  p99 ms"
    )?;
    for &visitors in &args.visitors {
        tokio::time::sleep(SETTLING).await;
        let quiet = neighbours.moves(args.seconds).await?;
        let visits = Visits::begin(args, address, visitors).await?;
        tokio::time::sleep(SETTLING).await;
        visits.answers.borrow_mut().clear();
        let beside = neighbours.moves(args.seconds).await?;
        let answers = visits.end()?;
        let (answer, before, others) = (
            millis(&answers, 99),
            millis(&quiet, 99),
            millis(&beside, 99),
        );
        writeln!(
            out,
            "{visitors:>8}  {:>7}  {:>6.0}   {answer:>6.0}  {:<6}          {:>7}  {:>6.2}  {others:>6.2}          {:>6.2}  {before:>6.2}  {}",
            answers.len(),
            millis(&answers, 50),
            verdict(answer <= GOAL_MS),
            beside.len(),
            millis(&beside, 50),
            millis(&quiet, 50),
            verdict(others <= before * GOAL_TIMES),
        )?;
    }
    Ok(())
}

const fn verdict(is_met: bool) -> &'static str {
    if is_met { "met" } else { "missed" }
}

/// Visitors at their games.
struct Visits {
    /// How long answers took, in nanoseconds.
    answers: Rc<RefCell<Vec<u32>>>,
    playing: JoinSet<Result<()>>,
}

impl Visits {
    /// So many visitors sit down; each takes another game when one is over.
    async fn begin(args: &ComputersArgs, address: &str, visitors: usize) -> Result<Self> {
        let answers = Rc::default();
        let mut playing = JoinSet::new();
        let clock = Rc::new(Stopwatch::start());
        for number in 0..visitors {
            let (reader, writer) =
                socket::open(address, "/api/ws", SUBPROTOCOL, Width::Usual).await?;
            let ruleset = match args.rulesets.as_slice() {
                [] => RULESETS[number % RULESETS.len()].to_owned(),
                chosen => chosen[number % chosen.len()].clone(),
            };
            let visitor = Visitor {
                number,
                ruleset,
                level: args.level,
                thinks: Duration::from_secs_f64(args.thinks),
                writer,
                clock: Rc::clone(&clock),
                commands: Cell::new(0),
                random: Cell::new(0x9e37_79b9_7f4a_7c15 ^ ((number as u64 + 1) << 20)),
                asked: Cell::new(None),
                answers: Rc::clone(&answers),
            };
            playing.spawn_local(visitor.play(reader));
        }
        Ok(Self { answers, playing })
    }

    /// They go; how long answers took, sorted.
    fn end(mut self) -> Result<Vec<u32>> {
        if let Some(ended) = self.playing.try_join_next() {
            ended??;
            bail!("a visitor has left");
        }
        let mut answers = self.answers.take();
        ensure!(!answers.is_empty(), "no computer has answered");
        answers.sort_unstable();
        Ok(answers)
    }
}

/// A visitor without an account, who plays any legal move.
struct Visitor {
    number: usize,
    ruleset: String,
    level: u8,
    thinks: Duration,
    writer: Writer,
    clock: Rc<Stopwatch>,
    /// How many commands have been sent: their ids are counted.
    commands: Cell<u64>,
    random: Cell<u64>,
    /// When the computer was given something to answer, in nanoseconds; none while it has nothing to do.
    asked: Cell<Option<u64>>,
    answers: Rc<RefCell<Vec<u32>>>,
}

/// The numbers of the requests, by which answers are known.
mod request {
    pub(super) const GREET: u32 = 1;
    pub(super) const CREATE: u32 = 2;
    pub(super) const WATCH: u32 = 3;
    pub(super) const OTHER: u32 = 4;
}

impl Visitor {
    async fn play(self, mut reader: Reader) -> Result<()> {
        self.writer
            .text(format!(r#"{{"id":{},"type":"guest"}}"#, request::GREET).as_bytes())?;
        loop {
            let mut due = Vec::new();
            let hear = |text: &[u8]| -> Result<()> {
                due.extend(self.hear(text)?);
                Ok(())
            };
            reader.listen(&self.writer, hear).await?;
            for mv in due {
                if !self.thinks.is_zero() {
                    tokio::time::sleep(self.thinks).await;
                }
                self.asked.set(Some(self.clock.nanos()));
                self.command("move", mv)?;
            }
        }
    }

    /// Understands a message, asks for what comes next, and says what is to be played.
    fn hear(&self, text: &[u8]) -> Result<Option<Value>> {
        let re = answered(text)?;
        let said: Value = serde_json::from_slice(text)?;
        match re {
            Some(request::GREET) => self.create()?,
            Some(request::CREATE) => {
                let game = &said["ok"]["game"];
                self.ask(request::WATCH, "watch", json!({ "game": game }))?;
            }
            Some(request::WATCH) => {
                let view = &said["ok"]["view"];
                if view["setup"].is_object() {
                    self.command("ready", json!({ "game": view["game"] }))?;
                }
                return Ok(self.chooses(&view["game"], &view["position"]));
            }
            Some(_) => {}
            None => return self.event(&said),
        }
        Ok(None)
    }

    fn event(&self, said: &Value) -> Result<Option<Value>> {
        match said["event"]["type"].as_str() {
            Some("ended") => {
                self.asked.set(None);
                self.ask(request::OTHER, "unwatch", json!({ "game": said["game"] }))?;
                self.create()?;
            }
            Some("moved") if said["event"]["seat"] == "second" => {
                if let Some(asked) = self.asked.take() {
                    let took = self.clock.nanos() - asked;
                    let took = u32::try_from(took).unwrap_or(u32::MAX);
                    self.answers.borrow_mut().push(took);
                }
                return Ok(self.chooses(&said["game"], &said["position"]));
            }
            Some("started") => return Ok(self.chooses(&said["game"], &said["position"])),
            _ => {}
        }
        Ok(None)
    }

    /// Any move of the first seat in this position.
    fn chooses(&self, game: &Value, position: &Value) -> Option<Value> {
        if position["turn"] != "first" {
            return None;
        }
        let legal = position["legal"].as_array()?;
        let mut random = self.random.get();
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        self.random.set(random);
        let mv = legal.get((random >> 33) as usize % legal.len().max(1))?;
        let ply = position["ply"].as_u64()? + 1;
        Some(json!({ "game": game, "ply": ply, "move": mv }))
    }

    fn create(&self) -> Result<()> {
        let game = json!({
            "ruleset": self.ruleset,
            "time_control": { "clock": { "type": "none" } },
            "seat": "first",
            "computer": self.level,
        });
        self.say(request::CREATE, "create_game", game, true)
    }

    fn command(&self, kind: &str, data: Value) -> Result<()> {
        self.say(request::OTHER, kind, data, true)
    }

    fn ask(&self, id: u32, kind: &str, data: Value) -> Result<()> {
        self.say(id, kind, data, false)
    }

    /// Sends a request; commands get an id that no other visitor uses.
    fn say(&self, id: u32, kind: &str, mut data: Value, is_command: bool) -> Result<()> {
        if is_command {
            self.commands.set(self.commands.get() + 1);
            let (number, command) = (self.number, self.commands.get());
            data["command"] = format!("{number:08x}-0000-4000-8001-{command:012x}").into();
        }
        let message = json!({ "id": id, "type": kind, "data": data });
        self.writer.text(message.to_string().as_bytes())
    }
}
