//! `qiguan engine`: the computer player for other programs, over standard input and output. It asks no server.

use std::{
    io::{BufRead, Write},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread::JoinHandle,
    time::Duration,
};

use anyhow::Context;
use qiguan_engine::{
    Effort, Level, Pace, Player, SearchResult,
    tables::Endings,
    uci::{self, Command, Dialect, Go, Setting},
};
use qiguan_environment::{Clock, Random};
use qiguan_rules::{Game, Move, RuleSet};

use crate::cli::tables;

/// Plays Xiangqi and Dou Shou Qi for another program, which asks over standard input: UCI, and UCCI for Xiangqi.
///
/// The option UCI_Variant chooses the rule set: xiangqi (as xiangqi-standard), xiangqi-grunfeld, doushouqi-ancientchess, doushouqi-booklet
/// or doushouqi-tierschach. Hash is the size of the table in MiB, Level how well to play: 1 to 8, or 0 for as well as it can, Threads
/// how many threads search, and MultiPV for how many of the best moves a line is told. Moves that the rules ban are never played. docs/engine.md has an example.
#[derive(clap::Args, Debug)]
pub(crate) struct EngineArgs {
    /// The folder in which `qiguan tables` has made tables of endings with four animals. Those with three are made when they are needed.
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

/// Runs until standard input ends or the client quits.
///
/// # Errors
/// When standard output can't be written, or no thread can be started.
pub(crate) fn run(args: &EngineArgs) -> anyhow::Result<()> {
    let endings = tables::endings(args.tables.as_deref())?;
    let (send, lines) = mpsc::channel();
    // It ends with the process, or with the input.
    std::thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || {
            for line in std::io::stdin().lock().lines() {
                let Ok(line) = line else { return };
                if send.send(line).is_err() {
                    return;
                }
            }
        })
        .context("starting a thread for the input")?;
    let xiangqi = RuleSet::named("xiangqi/standard")?;
    let mut session = Session {
        dialect: Dialect::default(),
        ruleset: xiangqi,
        game: Game::start(&xiangqi),
        banned: Vec::new(),
        player: player(uci::TABLE_MEBIBYTES, &endings),
        endings,
        level: None,
        effort: Effort::default(),
        clock: Clock::system(),
        random: Random::system(),
        search: None,
    };
    session.serve(&lines)
}

fn player(table_mebibytes: usize, endings: &Arc<Endings>) -> Arc<Player> {
    Arc::new(Player::new(table_mebibytes).with_endings(Arc::clone(endings)))
}

/// For how long a search goes on to its number of positions or plies once nobody can stop it, in microseconds.
const ALONE_MICROS: u64 = 60_000_000;

/// A client, and what it has said.
struct Session {
    dialect: Dialect,
    ruleset: RuleSet,
    game: Game,
    banned: Vec<Move>,
    player: Arc<Player>,
    endings: Arc<Endings>,
    level: Option<Level>,
    effort: Effort,
    clock: Clock,
    random: Random,
    search: Option<Search>,
}

/// A search under way.
struct Search {
    stop: Arc<AtomicBool>,
    /// When it has to end, in microseconds of the clock.
    ends_at: Option<u64>,
    /// Whether it ends by itself before long, by its number of positions or plies.
    is_limited: bool,
    /// It is closed once the search has ended.
    running: Receiver<()>,
    thread: JoinHandle<std::io::Result<()>>,
}

impl Session {
    fn serve(&mut self, lines: &Receiver<String>) -> anyhow::Result<()> {
        loop {
            let ends_at = self.search.as_ref().and_then(|search| search.ends_at);
            let line = match ends_at {
                None => lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(at) => {
                    let left = at.saturating_sub(self.clock.micros());
                    lines.recv_timeout(Duration::from_micros(left))
                }
            };
            match line {
                Ok(line) => {
                    if !self.obey(uci::read(&line))? {
                        return Ok(());
                    }
                }
                Err(RecvTimeoutError::Timeout) => self.stop()?,
                Err(RecvTimeoutError::Disconnected) => return self.finish(),
            }
        }
    }

    /// Does what a line asks for; false if it was the last one.
    fn obey(&mut self, command: Command) -> anyhow::Result<bool> {
        match command {
            Command::Begin(dialect) => {
                self.dialect = dialect;
                for line in uci::introduction(dialect, env!("CARGO_PKG_VERSION")) {
                    say(&line)?;
                }
            }
            Command::IsReady => say("readyok")?,
            Command::NewGame => {
                self.stop()?;
                self.player.forget();
            }
            Command::SetOption(setting) => self.set(setting)?,
            Command::Position { start, moves } => {
                self.stop()?;
                self.banned.clear();
                match uci::game(self.dialect, &self.ruleset, start.as_deref(), &moves) {
                    Ok(game) => self.game = game,
                    Err(error) => say(&format!("info string {error}"))?,
                }
            }
            Command::BanMoves(moves) => self.banned = self.moves(&moves),
            Command::Go(go) => {
                self.stop()?;
                self.think(&go)?;
            }
            Command::Stop => self.stop()?,
            Command::Quit => {
                self.stop()?;
                return Ok(false);
            }
            Command::Other => {}
        }
        Ok(true)
    }

    fn set(&mut self, setting: Setting) -> anyhow::Result<()> {
        self.stop()?;
        match setting {
            Setting::RuleSet(ruleset) => {
                self.ruleset = ruleset;
                self.game = Game::start(&ruleset);
            }
            Setting::Table(mebibytes) => self.player = player(mebibytes, &self.endings),
            Setting::Level(level) => self.level = level,
            Setting::Threads(threads) => self.effort.threads = threads,
            Setting::Lines(lines) => self.effort.lines = lines,
            Setting::Invalid(why) => say(&format!("info string {why}"))?,
        }
        Ok(())
    }

    /// Thinks on a thread of its own, so that the client can stop it.
    fn think(&mut self, go: &Go) -> anyhow::Result<()> {
        let mut among = self.moves(&go.among);
        if !self.banned.is_empty() {
            let legal = self.game.legal_moves().iter().copied();
            among = legal
                .filter(|mv| !self.banned.contains(mv))
                .filter(|mv| among.is_empty() || among.contains(mv))
                .collect();
            if among.is_empty() {
                return Ok(say(&uci::best_move(self.dialect, None))?);
            }
        }
        let (player, game) = (Arc::clone(&self.player), self.game.clone());
        let (dialect, level, limits, effort) = (self.dialect, self.level, go.limits(), self.effort);
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let (open, running) = mpsc::channel::<()>();
        let (clock, seed) = (self.clock, u64::from(self.random.below(u32::MAX)));
        let began = clock.micros();
        let mut pace = Pace::of(go, game.turn());
        let most = pace.as_ref().map(Pace::most_ms);
        let thread = std::thread::Builder::new()
            .name("search".to_owned())
            .spawn(move || {
                let _open_until_the_end = open;
                let took = || (clock.micros() - began) / 1_000;
                let mut told = Ok(());
                let mut each = |number: usize, found: &SearchResult| {
                    let millis = took();
                    let line = (effort.lines > 1).then_some(number + 1);
                    let line = uci::info(dialect, found, line, millis);
                    if told.is_ok() {
                        told = say(&line);
                    }
                    if number == 0
                        && let Some(pace) = &mut pace
                        && pace.is_enough(found, millis as i64)
                    {
                        stopped.store(true, Ordering::Relaxed);
                    }
                };
                let found = match level {
                    Some(level) if among.is_empty() => player.play(&game, level, seed, &stopped),
                    Some(_) | None => player
                        .best_lines(&game, &among, limits, effort, &stopped, &mut each)
                        .into_iter()
                        .next(),
                };
                told?;
                say(&uci::best_move(
                    dialect,
                    found.and_then(|found| found.moves.first().copied()),
                ))
            })
            .context("starting a thread for the search")?;
        self.search = Some(Search {
            stop,
            ends_at: most.map(|millis| began + millis as u64 * 1_000),
            running,
            is_limited: level.is_some() || go.nodes.is_some() || go.depth.is_some(),
            thread,
        });
        Ok(())
    }

    /// No more lines come: a search that has a limit goes on to it, though not for ever, and any other ends now.
    fn finish(&mut self) -> anyhow::Result<()> {
        if let Some(search) = &self.search {
            let now = self.clock.micros();
            let patience = if search.is_limited { ALONE_MICROS } else { 0 };
            let ends_at = search.ends_at.unwrap_or(now + patience);
            let left = Duration::from_micros(ends_at.saturating_sub(now));
            // Nothing is ever sent: either the search ends, or its time does.
            let _ = search.running.recv_timeout(left);
        }
        self.stop()
    }

    /// Ends a search with the best move known so far, and waits until it has been said.
    fn stop(&mut self) -> anyhow::Result<()> {
        if let Some(search) = &self.search {
            search.stop.store(true, Ordering::Relaxed);
        }
        self.end()
    }

    /// Waits until a search has said its move.
    fn end(&mut self) -> anyhow::Result<()> {
        let Some(search) = self.search.take() else {
            return Ok(());
        };
        match search.thread.join() {
            Ok(said) => Ok(said?),
            Err(_) => anyhow::bail!("the search has ended by a fault of this program"),
        }
    }

    fn moves(&self, texts: &[String]) -> Vec<Move> {
        let moves = texts.iter();
        moves
            .filter_map(|text| uci::move_of(self.dialect, text))
            .collect()
    }
}

/// Says a line at once.
fn say(line: &str) -> std::io::Result<()> {
    let mut output = std::io::stdout().lock();
    writeln!(output, "{line}")?;
    output.flush()
}
