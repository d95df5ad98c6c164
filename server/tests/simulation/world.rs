//! A small world: machines with programs, the database and the network between them, and clients. It goes on in steps, and everything that happens
//! follows from its seed.

use std::{collections::BTreeMap, time::Duration};

use clap::{CommandFactory, FromArgMatches, Parser};
use qiguan_environment::Random as Chance;
use qiguan_protocol::ids::{Epoch, Millis};
use qiguan_server::config::{ServeArgs, with_file};
use qiguan_store::simulated::{Database, Link};
use qiguan_tests::{program, random::Random};

use crate::{
    history::History,
    node::{Node, Start},
    player::{Player, Role, Scene, Table, Terms},
    wire::{Network, Quality},
};

/// How long a step is, in milliseconds.
const STEP: u64 = 5;
/// For how long things go wrong.
const TROUBLED: u64 = 9_000;
/// So much time is left for everything to be well again.
const HEALING: u64 = 8_000;
/// What clocks show when the world begins.
const BEGIN: Millis = Millis(1_800_000_000_000);
/// By so much the clocks of machines may differ, in milliseconds.
const SKEW: u64 = 20_000;

/// What stands in nearly all that programs say to each other.
const JSON: &str = "\"game\":";

/// What is played.
const TERMS: [Terms; 3] = [
    Terms {
        ruleset: "doushouqi/ancientchess",
        initial_ms: 180_000,
        increment_ms: 0,
        plies: 30,
    },
    Terms {
        ruleset: "doushouqi/booklet",
        initial_ms: 900,
        increment_ms: 200,
        plies: 60,
    },
    Terms {
        ruleset: "luzhanqi/siwuyou",
        initial_ms: 180_000,
        increment_ms: 0,
        plies: 30,
    },
];

/// Something that goes wrong, or is well again.
#[derive(Clone, Copy, Debug)]
enum Trouble {
    Crash(usize),
    Start(usize),
    Ends(usize),
    Freeze(usize, u64),
    /// One way between two machines.
    Cut(usize, usize, bool),
    /// The way of a machine to the database.
    CutFromDatabase(usize, bool),
    DatabaseDown(bool),
    Network(Quality),
    /// The disk needs so long at most.
    SlowDisk(usize, u64),
}

/// A world.
pub(crate) struct World {
    now: u64,
    random: Random,
    settings: ServeArgs,
    database: Database,
    links: Vec<Link>,
    network: Network,
    nodes: Vec<Node>,
    tables: Vec<Table>,
    players: Vec<Player>,
    history: History,
    /// What happens when.
    plan: BTreeMap<(u64, u64), Trouble>,
    planned: u64,
    /// Until when what happens is not smooth.
    troubled_until: u64,
}

/// What a world came to.
pub(crate) struct Outcome {
    pub(crate) violation: Option<String>,
    pub(crate) lines: Vec<String>,
    /// One number for all that happened.
    pub(crate) number: u64,
    pub(crate) moves: usize,
}

/// What the command line of `qiguan serve` says.
#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    serve: ServeArgs,
}

/// The settings of every program.
pub(crate) fn settings() -> ServeArgs {
    let command = with_file(CommandLine::command(), &program::settings()).expect("settings");
    let words = [
        "serve",
        "--make-tables",
        "false",
        "--engine-threads",
        "0",
        "--push",
        "false",
        "--ping-ms",
        "1000",
        "--restart-grace-ms",
        "1000",
        "--seeks-per-address",
        "1000",
        "--messages-per-second",
        "100000",
        "--message-burst",
        "100000",
    ];
    let matches = command.get_matches_from(words);
    CommandLine::from_arg_matches(&matches)
        .expect("flags")
        .serve
}

/// Lets a world run, and tells what it came to.
pub(crate) fn run(seed: u64, settings: &ServeArgs) -> Outcome {
    let mut world = World::new(seed, settings.clone());
    world.runs();
    Outcome {
        violation: world.history.violation().map(ToOwned::to_owned),
        number: world.history.number(),
        moves: world.history.moves(),
        lines: world.history.lines().to_vec(),
    }
}

impl World {
    fn new(seed: u64, settings: ServeArgs) -> Self {
        let mut random = Random::of(seed);
        // One world in eight has one program, which is alone.
        let machines = if random.below(8) == 0 {
            1
        } else {
            2 + random.below(2) as usize
        };
        let draws = |random: &mut Random| Random::of(random.next());
        let network = Network::new(draws(&mut random));
        network.is_secret(JSON);
        let link = |random: &mut Random| Link::new(Chance::seeded(random.next()));
        let links = (0..machines).map(|_| link(&mut random)).collect();
        let first = random.below(TERMS.len() as u64) as usize;
        let tables: Vec<Table> = (0..2)
            .map(|table| Table {
                terms: TERMS[(first + table) % TERMS.len()],
                game: None,
            })
            .collect();
        let mut roles = Vec::new();
        for table in 0..tables.len() {
            roles.extend([Role::Opens(table), Role::Joins(table), Role::Watches(table)]);
        }
        roles.extend([Role::Seeks; 3]);
        let players = roles.into_iter().enumerate();
        let players = players
            .map(|(number, role)| Player::new(number, role, draws(&mut random)))
            .collect();
        let mut world = Self {
            now: 0,
            settings,
            database: Database::new(Epoch(1)),
            links,
            network,
            nodes: (0..machines).map(Node::new).collect(),
            tables,
            players,
            history: History::default(),
            plan: BTreeMap::new(),
            planned: 0,
            troubled_until: 0,
            random,
        };
        world.plans();
        world
    }

    fn is_planned(&mut self, at: u64, what: Trouble) {
        self.planned += 1;
        self.plan.insert((at, self.planned), what);
    }

    /// Draws what goes wrong when.
    fn plans(&mut self) {
        for machine in 0..self.nodes.len() {
            let at = self.random.below(200);
            self.is_planned(at, Trouble::Start(machine));
            let slowest = [1, 3, 20, 100][self.random.below(4) as usize];
            self.is_planned(0, Trouble::SlowDisk(machine, slowest));
        }
        let quality = match self.random.below(4) {
            0 => Quality::GOOD,
            1 => Quality {
                delay: (150, 155),
                lost: 0,
                twice: 0,
            },
            2 => Quality {
                delay: (1, 40),
                lost: 0,
                twice: 100,
            },
            _ => Quality {
                delay: (0, 15),
                lost: 60,
                twice: 60,
            },
        };
        self.is_planned(0, Trouble::Network(quality));
        let troubles = 1 + self.random.below(5);
        for _ in 0..troubles {
            let at = 1_500 + self.random.below(TROUBLED - 3_000);
            self.plans_trouble(at);
        }
        // Then all is well again.
        self.is_planned(TROUBLED, Trouble::Network(Quality::GOOD));
        self.is_planned(TROUBLED, Trouble::DatabaseDown(false));
        for machine in 0..self.nodes.len() {
            self.is_planned(TROUBLED, Trouble::SlowDisk(machine, 2));
            self.is_planned(TROUBLED, Trouble::CutFromDatabase(machine, false));
            for other in 0..self.nodes.len() {
                self.is_planned(TROUBLED, Trouble::Cut(machine, other, false));
            }
        }
    }

    fn plans_trouble(&mut self, at: u64) {
        let machines = self.nodes.len() as u64;
        let machine = self.random.below(machines) as usize;
        let other = self.random.below(machines) as usize;
        let long = 100 + self.random.below(3_000);
        match self.random.below(12) {
            0..=2 => {
                self.is_planned(at, Trouble::Crash(machine));
                self.is_planned(at + long, Trouble::Start(machine));
            }
            3..=4 => self.is_planned(at, Trouble::Freeze(machine, at + long)),
            5..=6 => {
                self.is_planned(at, Trouble::Ends(machine));
                self.is_planned(at + 100 + long, Trouble::Start(machine));
            }
            7..=8 => {
                self.is_planned(at, Trouble::Cut(machine, other, true));
                self.is_planned(at + long, Trouble::Cut(machine, other, false));
            }
            9..=10 => {
                self.is_planned(at, Trouble::CutFromDatabase(machine, true));
                self.is_planned(at + long, Trouble::CutFromDatabase(machine, false));
            }
            _ => {
                self.is_planned(at, Trouble::DatabaseDown(true));
                self.is_planned(at + long, Trouble::DatabaseDown(false));
            }
        }
    }

    /// Runs to the end, and judges.
    fn runs(&mut self) {
        let end = TROUBLED + HEALING;
        while self.now < end && self.history.violation().is_none() {
            self.step();
        }
        if self.history.violation().is_none() {
            self.judges();
        }
    }

    fn step(&mut self) {
        self.happens();
        self.restarts();
        self.database.set_time(BEGIN + Millis(self.now as i64));
        self.network.deliver(self.now);
        let is_troubled = self.now < self.troubled_until;
        let mut scene = Scene {
            now: self.now,
            nodes: &mut self.nodes,
            tables: &mut self.tables,
            history: &mut self.history,
            goes_on: self.now < TROUBLED + HEALING / 2,
            is_troubled,
        };
        for player in &mut self.players {
            player.arrive(&mut scene);
        }
        for node in &mut *scene.nodes {
            node.step(scene.now, Duration::from_millis(STEP));
        }
        self.now += STEP;
        scene.now = self.now;
        for player in &mut self.players {
            player.collect(scene.now);
            player.act(&mut scene);
        }
        for secret in self.players.iter_mut().flat_map(Player::take_secrets) {
            self.network.is_secret(&secret);
        }
        if let Some(leak) = self.network.leak() {
            let what = format!("{leak} could be read on the way between two programs");
            self.history.violates(self.now, what);
        }
    }

    /// What was planned for this time.
    fn happens(&mut self) {
        let later = self.plan.split_off(&(self.now + 1, 0));
        let due = std::mem::replace(&mut self.plan, later);
        for trouble in due.into_values() {
            self.suffers(trouble);
        }
    }

    fn suffers(&mut self, trouble: Trouble) {
        self.history.note(self.now, &format!("{trouble:?}"));
        let mut lasts = 0;
        match trouble {
            Trouble::Crash(machine) => {
                self.nodes[machine].crash();
                lasts = 4_000;
            }
            Trouble::Start(machine) => {
                if !self.nodes[machine].is_running() {
                    self.starts(machine);
                }
                lasts = 1_000;
            }
            Trouble::Ends(machine) => {
                self.nodes[machine].ends();
            }
            Trouble::Freeze(machine, until) => {
                self.nodes[machine].freeze(until);
                lasts = until - self.now + 4_000;
            }
            Trouble::Cut(from, to, is_cut) => {
                self.network.cut(from, to, is_cut);
                lasts = 4_000;
            }
            Trouble::CutFromDatabase(machine, is_cut) => {
                self.links[machine].cut(is_cut);
                lasts = 6_000;
            }
            Trouble::DatabaseDown(is_down) => {
                self.database.is_down(is_down);
                lasts = 6_000;
            }
            Trouble::Network(quality) => self.network.is(quality),
            Trouble::SlowDisk(machine, most) => {
                let most = Duration::from_millis(most);
                self.links[machine].set_delay(Duration::ZERO..=most);
            }
        }
        self.troubled_until = self.troubled_until.max(self.now + lasts);
    }

    /// Programs that have ended start again after a while, as a supervisor would have it.
    fn restarts(&mut self) {
        for machine in 0..self.nodes.len() {
            let Some(why) = self.nodes[machine].has_ended() else {
                continue;
            };
            self.history
                .note(self.now, &format!("program {machine} has ended: {why}"));
            self.nodes[machine].crash();
            let at = self.now + 300;
            self.is_planned(at, Trouble::Start(machine));
        }
    }

    fn starts(&mut self, machine: usize) {
        let is_alone = self.nodes.len() == 1;
        let skew = self.random.below(2 * SKEW + 1) as i64 - SKEW as i64;
        let start = Start {
            settings: self.settings.clone(),
            database: self.database.clone(),
            link: self.links[machine].clone(),
            wire: (!is_alone).then(|| self.network.at(machine)),
            at: BEGIN + Millis(self.now as i64 + skew),
            random: Chance::seeded(self.random.next()),
        };
        self.nodes[machine].start(start);
    }

    /// Everything has had time to be well again.
    fn judges(&mut self) {
        let Some(app) = self.nodes.iter().find_map(Node::app) else {
            let what = "no program is ready in the end".to_owned();
            return self.history.violates(self.now, what);
        };
        let store = &app.services.store;
        let mut records = BTreeMap::new();
        for game in self.history.games() {
            let read = self.nodes.iter().find(|node| node.app().is_some());
            let read = read.and_then(|node| node.does(store.game(game)));
            match read {
                Some(Ok(Some(record))) => {
                    records.insert(game, record.events);
                }
                Some(Ok(None)) => {
                    records.insert(game, Vec::new());
                }
                other => {
                    let why = other.map(|read| read.map(drop));
                    let what = format!("game {game} can't be read in the end: {why:?}");
                    self.history.violates(self.now, what);
                }
            }
        }
        for player in &self.players {
            if let Some(why) = player.is_stuck(self.now) {
                self.history.violates(self.now, why);
            }
        }
        for (game, events) in &records {
            self.history.judge(self.now, *game, events);
        }
        self.history.judge_pairs(self.now, &records);
    }
}
