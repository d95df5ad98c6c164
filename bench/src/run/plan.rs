//! How much is measured, and on which cores.

use anyhow::{Context, Result};
use serde::de::DeserializeOwned;

use crate::{
    journal::Journaled,
    load::{LoadArgs, Sample, many::Many, pairs::Pairs, posts::Posts},
    machine, pinned,
    pinned::{Place, Server},
    raw::Raw,
    run::{
        RunArgs,
        subject::{Database, Programs, Subject},
    },
};

/// Files that a process has open beside its connections.
const OTHER_FILES: usize = 200;

/// The plan of one run.
pub(super) struct Plan {
    /// The programs.
    pub(super) programs: Programs,
    /// Where the server runs.
    pub(super) server: Place,
    /// Where the load generator runs.
    pub(super) load: Place,
    /// How often each is measured.
    pub(super) rounds: usize,
    /// How long each time, in seconds.
    pub(super) seconds: f64,
    /// The same where games are played as fast as they go: how fast that is differs from one start of a program to the next by more
    /// than what is looked for, so it is measured often and for a short time.
    pub(super) saturated_rounds: usize,
    pub(super) saturated_seconds: f64,
    /// Games at once.
    pub(super) games: usize,
    /// Moves a second together, for the latency.
    pub(super) rate: f64,
    /// Seeks a second together.
    pub(super) seek_rate: f64,
    /// Idle connections.
    pub(super) idle: usize,
    /// Spectators of one game.
    pub(super) spectators: usize,
    /// Moves of a game that many watch are few: how much longer each measurement of them takes.
    pub(super) crowd_times: f64,
    /// Moves a second together where programs share one core and one Postgres.
    pub(super) cluster_rate: f64,
    /// How many turns such a game has of each kind where one who reads nothing comes and goes, and how long they are, in seconds.
    pub(super) stalled_turns: (usize, f64),
    /// How many games are played at once on each database.
    pub(super) many_games: [usize; 2],
    /// How many games are open at once where their memory is measured.
    pub(super) rooms: [usize; 2],
    /// Plies of Dou Shou Qi's perft, counted in bulk; one less for every move made.
    pub(super) doushouqi_plies: u32,
    /// Plies of Xiangqi's perft.
    pub(super) xiangqi_plies: u32,
    /// Games of a whole record.
    pub(super) archived: u32,
    /// Running games that a server starts with.
    pub(super) running: u32,
    /// Stored games that are searched.
    pub(super) stored: u32,
    warm_up: f64,
}

impl Plan {
    /// Makes a plan for this machine.
    ///
    /// # Errors
    /// When a program is missing or `/proc` does not tell what the machine is like.
    pub(super) fn new(args: &RunArgs) -> Result<Self> {
        let cores = machine::cores()?;
        let server = *cores.first().context("no core")?;
        let load = *cores.get(1).unwrap_or(&server);
        // A limit of a million is as good as none, and cheaper for the kernel.
        let (_, hard) = machine::descriptors()?;
        let files = hard.min(1 << 20);
        let possible = (files as usize).saturating_sub(OTHER_FILES);
        let idle = if args.quick { 1_000 } else { args.idle };
        let spectators = if args.quick { 200 } else { args.spectators };
        Ok(Self {
            programs: Programs::find(args.data.as_deref(), load)?,
            server: Place {
                core: server,
                files,
            },
            load: Place { core: load, files },
            rounds: if args.quick { 1 } else { args.rounds.max(1) },
            seconds: if args.quick { 0.7 } else { args.seconds },
            saturated_rounds: if args.quick {
                1
            } else {
                args.rounds.max(1) * 5
            },
            saturated_seconds: if args.quick { 0.7 } else { args.seconds / 3.0 },
            games: args.games,
            rate: args.rate,
            seek_rate: if args.quick { 100.0 } else { 500.0 },
            idle: idle.min(possible).max(2),
            spectators: spectators.min(possible),
            crowd_times: if args.quick { 1.0 } else { 2.0 },
            cluster_rate: if args.quick { 100.0 } else { args.rate * 0.3 },
            stalled_turns: if args.quick {
                (2, 0.5)
            } else {
                (args.turns, 16.0)
            },
            many_games: if args.quick { [20, 200] } else { [200, 2_000] },
            rooms: if args.quick {
                [100, 1_000]
            } else {
                [1_000, 100_000]
            },
            doushouqi_plies: if args.quick { 5 } else { 6 },
            xiangqi_plies: if args.quick { 4 } else { 5 },
            archived: if args.quick { 300 } else { 3_000 },
            running: if args.quick { 1_000 } else { args.running },
            stored: if args.quick { 10_000 } else { args.stored },
            warm_up: if args.quick { 0.2 } else { 1.0 },
        })
    }

    /// As many games as fast as they go.
    pub(super) fn saturated(&self, subject: Subject) -> Result<Sample> {
        self.sample(subject, |load| {
            load.games = self.games;
            load.seconds = self.saturated_seconds;
        })
    }

    /// So many games as fast as they go, on this database.
    pub(super) fn playing(
        &self,
        subject: Subject,
        database: Database,
        games: usize,
    ) -> Result<Sample> {
        self.sample_on(subject, database, |load| load.games = games)
    }

    /// Runs this program on a core with these words, and reads the JSON that it prints.
    pub(super) fn own<T: DeserializeOwned>(
        &self,
        place: Place,
        words: &[&dyn ToString],
    ) -> Result<T> {
        let words: Vec<_> = words.iter().map(|word| word.to_string()).collect();
        let printed = pinned::output(place, &self.programs.bench, &words)?;
        serde_json::from_str(&printed).with_context(|| printed.clone())
    }

    /// What a database commits when nothing else is asked of it, so many rows at a time.
    pub(super) fn raw(&self, database: Database, rows: usize) -> Result<Raw> {
        let url = self.programs.new_database(database)?;
        let words: [&dyn ToString; 7] = [
            &"raw",
            &"--database",
            &url,
            &"--rows",
            &rows,
            &"--seconds",
            &self.seconds,
        ];
        self.own(self.server, &words)
    }

    /// The journal alone, among so many running games.
    pub(super) fn journal(&self, database: Database, games: usize) -> Result<Journaled> {
        let url = self.programs.new_database(database)?;
        let words: [&dyn ToString; 7] = [
            &"journal",
            &"--database",
            &url,
            &"--games",
            &games,
            &"--seconds",
            &self.seconds,
        ];
        self.own(self.server, &words)
    }

    /// So many games that go on by themselves, first watched and then left.
    pub(super) fn many(&self, games: usize) -> Result<Many> {
        self.with_server("many", &[&"--games", &games])
    }

    /// Players who look for each other in a pool.
    pub(super) fn pairs(&self) -> Result<Pairs> {
        let words: [&dyn ToString; 6] = [
            &"--rate",
            &self.seek_rate,
            &"--warm-up",
            &self.warm_up,
            &"--seconds",
            &self.seconds,
        ];
        self.with_server("pairs", &words)
    }

    /// Games over plain HTTP.
    pub(super) fn posts(&self, subject: Subject) -> Result<Posts> {
        let words: [&dyn ToString; 4] = [
            &"--warm-up",
            &self.warm_up,
            &"--seconds",
            &self.saturated_seconds,
        ];
        self.beside(subject, Database::SqliteInMemory, "posts", &words)
    }

    /// Runs this program beside the server with a new record.
    fn with_server<T: DeserializeOwned>(
        &self,
        command: &str,
        words: &[&dyn ToString],
    ) -> Result<T> {
        self.beside(Subject::Server, Database::Sqlite, command, words)
    }

    fn beside<T: DeserializeOwned>(
        &self,
        subject: Subject,
        database: Database,
        command: &str,
        words: &[&dyn ToString],
    ) -> Result<T> {
        let server = self.programs.start(subject, database, self.server)?;
        let (address, pid) = (&server.address, server.pid());
        let all: [&dyn ToString; 5] = [&command, &"--address", address, &"--pid", &pid];
        self.own(self.load, &[&all[..], words].concat())
    }

    /// The same games at a fixed rate.
    pub(super) fn at_rate(&self, subject: Subject) -> Result<Sample> {
        self.sample(subject, |load| {
            load.games = self.games;
            load.rate = self.rate;
        })
    }

    /// One game that many watch.
    pub(super) fn fan_out(&self, subject: Subject) -> Result<Sample> {
        self.sample(subject, |load| {
            load.spectators = self.spectators;
            load.seconds = self.seconds * self.crowd_times;
        })
    }

    /// The same away from the disk, and by turns with one more who reads nothing.
    pub(super) fn stalled(&self, subject: Subject) -> Result<Sample> {
        self.sample_on(subject, Database::SqliteInMemory, |load| {
            load.spectators = self.spectators;
            (load.stalled_turns, load.seconds) = self.stalled_turns;
        })
    }

    /// One game that many watch, in which nothing happens.
    pub(super) fn idle_spectators(&self, subject: Subject) -> Result<Sample> {
        self.sample(subject, |load| {
            load.games = 1;
            load.spectators = self.idle.saturating_sub(2);
            load.idle = true;
        })
    }

    /// Many games in which nothing happens.
    pub(super) fn idle_players(&self, subject: Subject) -> Result<Sample> {
        self.sample(subject, |load| {
            load.games = self.idle / 2;
            load.idle = true;
        })
    }

    fn sample(&self, subject: Subject, scenario: impl FnOnce(&mut LoadArgs)) -> Result<Sample> {
        self.sample_on(subject, Database::Sqlite, scenario)
    }

    fn sample_on(
        &self,
        subject: Subject,
        database: Database,
        scenario: impl FnOnce(&mut LoadArgs),
    ) -> Result<Sample> {
        let server = self.programs.start(subject, database, self.server)?;
        let mut load = self.load_on(subject, &server);
        scenario(&mut load);
        self.own(self.load, &load.words())
            .with_context(|| subject.name())
    }

    /// One game between two players who sit at this server.
    pub(super) fn load_on(&self, subject: Subject, server: &Server) -> LoadArgs {
        LoadArgs {
            partner: subject.partner(),
            address: server.address.clone(),
            pid: server.pid(),
            others: Vec::new(),
            other_pids: Vec::new(),
            games: 1,
            spectators: 0,
            stalled_turns: 0,
            rate: 0.0,
            idle: false,
            warm_up: self.warm_up,
            seconds: self.seconds,
        }
    }
}
