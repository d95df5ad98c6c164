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
    kind::Kind,
    node::{Node, Start},
    player::{Player, Role, Scene, Table},
    wire::{Network, Quality},
};

/// How long a step can be, in milliseconds.
const STEPS: [u64; 8] = [1, 5, 5, 5, 5, 10, 10, 20];
/// So much time is left for everything to be well again, and for so much of it new games are begun. A world ends once everything is well.
const HEALING: u64 = 8_000;
const BEGINS_GAMES: u64 = 1_500;
/// A world goes on for so long at least once nothing goes wrong any more.
const STAYS_WELL: u64 = 2_500;
/// What clocks show when the world begins.
const BEGIN: Millis = Millis(1_800_000_000_000);
/// By so much a machine's clock may be off when a program starts that shares its record, in milliseconds.
const SKEW: u64 = 20_000;

/// How often the owner of a waiting game is looked for, each 50 ms.
const OWNER_TRIES: u32 = 40;

/// What stands in nearly all that programs say to each other.
const JSON: &str = "\"game\":";

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
    /// The way to the database of the owner of a game that waits for its second player. It is looked for so often.
    CutOwner(u32),
    /// The owner of a game stands still that has a spectator of it. It is looked for so often.
    FreezeOwner(u32),
    DatabaseDown(bool),
    Network(Quality),
    /// The disk needs so long at most.
    SlowDisk(usize, u64),
}

/// A world.
pub(crate) struct World {
    kind: Kind,
    now: u64,
    /// How long a step is, in milliseconds.
    step: u64,
    /// For how long things go wrong.
    troubled: u64,
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
        let kind = Kind::of(&mut random);
        let step = *random.pick(&STEPS);
        let machines = kind.machines(&mut random);
        let draws = |random: &mut Random| Random::of(random.next());
        // What follows from these leaves everything else as it is.
        let mut beside = Random::of(!seed);
        let has_rubbish = beside.below(2) == 0;
        let rubbish = has_rubbish.then(|| draws(&mut beside));
        let network = Network::new(draws(&mut random), rubbish);
        network.is_secret(JSON);
        let link = |random: &mut Random| Link::new(Chance::seeded(random.next()));
        let links = (0..machines).map(|_| link(&mut random)).collect();
        let tables = kind.terms(&mut random).map(|terms| Table {
            terms,
            game: None,
            is_joined: false,
        });
        let players = kind.roles().into_iter().enumerate();
        let players =
            players.map(|(number, role)| Player::new(number, role, draws(&mut random), None));
        let mut players: Vec<Player> = players.collect();
        for of in 0..kind.second_windows(&mut beside) {
            let number = players.len();
            players.push(Player::new(
                number,
                Role::Seeks,
                draws(&mut beside),
                Some(of),
            ));
        }
        let mut world = Self {
            kind,
            now: 0,
            step,
            troubled: kind.troubled(&mut random),
            settings,
            database: Database::new(Epoch(1)),
            links,
            network,
            nodes: (0..machines).map(Node::new).collect(),
            tables: tables.into(),
            players,
            history: History::of_steps(step),
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
            let slowest = self.kind.slowest(&mut self.random);
            // Programs that are slow from the start have no games yet when they are to stand still.
            let slow_from = if self.kind == Kind::StandsStill {
                1_500
            } else {
                0
            };
            self.is_planned(slow_from, Trouble::SlowDisk(machine, slowest));
        }
        let quality = self.kind.quality(&mut self.random);
        self.is_planned(0, Trouble::Network(quality));
        self.plans_for_kind();
        for _ in 0..self.kind.troubles(&mut self.random) {
            let at = 1_500 + self.random.below(self.troubled - 3_000);
            self.plans_trouble(at);
        }
        // Then all is well again.
        self.is_planned(self.troubled, Trouble::Network(Quality::GOOD));
        self.is_planned(self.troubled, Trouble::DatabaseDown(false));
        for machine in 0..self.nodes.len() {
            self.is_planned(self.troubled, Trouble::SlowDisk(machine, 2));
            self.is_planned(self.troubled, Trouble::CutFromDatabase(machine, false));
            for other in 0..self.nodes.len() {
                self.is_planned(self.troubled, Trouble::Cut(machine, other, false));
            }
        }
    }

    /// What the kind of the world is about.
    fn plans_for_kind(&mut self) {
        match self.kind {
            Kind::Mixed | Kind::Flags => {}
            Kind::TakenOver => {
                for at in [1_500, 4_500] {
                    let at = at + self.random.below(1_000);
                    self.plans_absence(at);
                }
            }
            Kind::Lobby if self.random.below(2) == 0 => {}
            Kind::Lobby => {
                for at in (1_200..7_000).step_by(900) {
                    let at = at + self.random.below(500);
                    let machine = self.random.below(self.nodes.len() as u64) as usize;
                    // It starts again by itself.
                    self.is_planned(at, Trouble::Ends(machine));
                }
            }
            Kind::StandsStill => {
                let at = 2_500 + self.random.below(1_000);
                self.is_planned(at, Trouble::FreezeOwner(OWNER_TRIES));
            }
            Kind::CutOff => {
                let at = 2_000 + self.random.below(500);
                self.is_planned(at, Trouble::CutOwner(OWNER_TRIES));
            }
        }
    }

    /// A program is not heard of for longer than it takes others to take over.
    fn plans_absence(&mut self, at: u64) {
        let machine = self.random.below(self.nodes.len() as u64) as usize;
        let long = 1_900 + self.random.below(1_400);
        if self.random.below(2) == 0 {
            self.is_planned(at, Trouble::Freeze(machine, at + long));
        } else {
            self.is_planned(at, Trouble::CutFromDatabase(machine, true));
            self.is_planned(at + long, Trouble::CutFromDatabase(machine, false));
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
        while !self.is_over() && self.history.violation().is_none() {
            self.step();
        }
        self.history
            .takes_in(self.now, &self.network.number().to_le_bytes());
        if self.history.violation().is_none() {
            self.judges();
        }
    }

    /// Whether everything is well again, or should be.
    fn is_over(&self) -> bool {
        let well_for = self.now.saturating_sub(self.troubled);
        let is_well =
            || self.nodes.iter().all(Node::is_ready) && self.players.iter().all(Player::is_at_rest);
        well_for >= HEALING || well_for >= STAYS_WELL && is_well()
    }

    fn step(&mut self) {
        self.happens();
        self.restarts();
        self.database.set_time(BEGIN + Millis(self.now as i64));
        self.network.deliver(self.now);
        let is_troubled = self.now < self.troubled_until;
        let mut scene = Scene {
            now: self.now,
            step: self.step,
            habits: self.kind.habits(),
            nodes: &mut self.nodes,
            tables: &mut self.tables,
            history: &mut self.history,
            goes_on: self.now < self.troubled + BEGINS_GAMES,
            is_troubled,
        };
        for player in &mut self.players {
            player.arrive(&mut scene);
        }
        for node in &mut *scene.nodes {
            node.step(scene.now, Duration::from_millis(self.step));
        }
        self.now += self.step;
        scene.now = self.now;
        for player in &mut self.players {
            player.collect(scene.now);
            player.act(&mut scene);
        }
        self.compares_windows();
        for secret in self.players.iter_mut().flat_map(Player::take_secrets) {
            self.network.is_secret(&secret);
        }
        if let Some(leak) = self.network.leak() {
            let what = format!("{leak} could be read on the way between two programs");
            self.history.violates(self.now, what);
        }
    }

    /// Who has two windows knows in both what is in the other.
    fn compares_windows(&mut self) {
        for number in 0..self.players.len() {
            let Some(of) = self.players[number].second_window_of() else {
                continue;
            };
            let (firsts, seconds) = self.players.split_at_mut(number);
            firsts[of].sees_other_window(&mut seconds[0]);
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
            Trouble::CutOwner(tries) => self.cuts_owner(tries),
            Trouble::FreezeOwner(tries) => self.freezes_owner(tries),
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

    /// Cuts the owner of a game that waits for its second player from the database for long enough to be taken over from, and for less than
    /// it takes it to answer without the database.
    fn cuts_owner(&mut self, tries: u32) {
        let waiting = self.tables.iter().filter(|table| !table.is_joined);
        let owner = waiting.filter_map(|table| table.game).find_map(|game| {
            let mut apps = self.nodes.iter().map(Node::app);
            apps.position(|app| app.is_some_and(|app| app.services.place.owns(game)))
        });
        match owner {
            Some(machine) => {
                let long = 1_900 + self.random.below(400);
                self.is_planned(self.now + 1, Trouble::CutFromDatabase(machine, true));
                self.is_planned(self.now + long, Trouble::CutFromDatabase(machine, false));
            }
            None if tries > 1 => self.is_planned(self.now + 50, Trouble::CutOwner(tries - 1)),
            None => {}
        }
    }

    /// The owner of a game that has a spectator of it stands still for long enough that others have taken over, and show more.
    fn freezes_owner(&mut self, tries: u32) {
        let mut looks = self.players.iter().filter_map(Player::looks_at);
        let owner = looks.find_map(|(game, machine)| {
            let app = self.nodes[machine].app()?;
            app.services.place.owns(game).then_some(machine)
        });
        match owner {
            Some(machine) => {
                let until = self.now + 2_600 + self.random.below(700);
                self.is_planned(self.now + 1, Trouble::Freeze(machine, until));
            }
            None if tries > 1 => self.is_planned(self.now + 50, Trouble::FreezeOwner(tries - 1)),
            None => {}
        }
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
        // Nothing puts the clock of a program right that is alone: the times in its record are those of its machine.
        let skew = if is_alone {
            0
        } else {
            self.random.below(2 * SKEW + 1) as i64 - SKEW as i64
        };
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
