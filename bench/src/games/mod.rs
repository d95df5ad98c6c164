//! Random games in an archive, every event decided by the server's own referee; and their moves replayed by the rules alone.

use std::{fs::File, io::Write, path::Path};

use anyhow::{Context, Result};
use qiguan_archive::line::{self, End, Header, Wanted};
use qiguan_game::{
    commitments::Salt,
    event::{Body, Created, Event, Player},
    opening,
    referee::{self, Caller, Command},
    setups::Draw,
    state::State,
};
use qiguan_protocol::{
    ids::{CommandId, Epoch, GameId, Millis, PlayerId},
    names::{Status, Visibility},
    time_control::{Clock, TimeControl},
};
use qiguan_rules::{BySeat, Seat};
use qiguan_store::stored::{Selection, StoredEvent, StoredGame};
use uuid::Uuid;

pub(crate) mod replay;

/// The rule sets, in turn.
const RULESETS: [&str; 3] = [
    "doushouqi/ancientchess",
    "xiangqi/standard",
    "luzhanqi/referee",
];
/// A game that goes on for longer is given up.
const PLIES: u32 = 100;

/// Writes so many games.
///
/// # Errors
/// When the file can't be written.
pub(crate) fn write(file: &Path, games: u32) -> Result<()> {
    let mut out = std::io::BufWriter::new(File::create(file)?);
    let wanted = Wanted {
        selection: Selection::default(),
        everything: false,
    };
    out.write_all(&line::header(&Header::new(Epoch(0), None, &wanted))?)?;
    for number in 0..games {
        let state = Table::open(number)?.plays()?;
        let events = state.log.iter().map(StoredEvent::encode);
        let stored = StoredGame {
            game: state.id,
            line: None,
            events: Ok(events.collect::<Result<_, _>>()?),
        };
        out.write_all(&line::game(stored, Vec::new())?)?;
    }
    out.write_all(&line::end(End {
        players: 0,
        games: games.into(),
        ..End::default()
    })?)?;
    Ok(out.flush()?)
}

/// A game under way.
struct Table {
    state: State,
    now: Millis,
    random: u64,
    commands: u128,
}

impl Table {
    fn open(number: u32) -> Result<Self> {
        let ruleset = RULESETS[number as usize % RULESETS.len()];
        let setup_ms = ruleset.starts_with("luzhanqi").then_some(Millis(60_000));
        let clock = Clock::Fischer {
            initial_ms: Millis(600_000),
            increment_ms: Millis(5_000),
        };
        let time_control = TimeControl {
            clock,
            absence_ms: None,
            setup_ms,
        };
        let created = Created {
            ruleset: ruleset.to_owned(),
            options: Vec::new(),
            time_control: time_control
                .checked()
                .map_err(|error| anyhow::anyhow!("{error}"))?,
            visibility: Visibility::Public,
            seat: Seat::First,
            player: player(1),
            rated: false,
            invited: None,
            spectator_delay: None,
            bounded: true,
        };
        let commands = u128::from(number) << 64;
        let game = GameId(Uuid::from_u128(commands | 1 << 127));
        let command = CommandId(Uuid::from_u128(commands));
        let now = Millis(1_700_000_000_000);
        let opened = opening::new_game(game, created, command, now)?;
        let mut events = opened.into_iter().flat_map(|entry| entry.events);
        let mut table = Self {
            state: State::open(game, events.next().context("a game is opened by an event")?)?,
            now,
            random: 0x9e37_79b9_7f4a_7c15 ^ ((u64::from(number) + 1) << 20),
            commands,
        };
        table.does(2, &Command::Join)?;
        if setup_ms.is_some() {
            table.does(1, &Command::Ready)?;
            table.does(2, &Command::Ready)?;
        }
        table.happen(vec![Body::ClocksReleased], false)?;
        Ok(table)
    }

    fn plays(mut self) -> Result<State> {
        while self.state.status != Status::Ended {
            let who = match self.state.game.turn() {
                Seat::First => 1,
                Seat::Second => 2,
            };
            if self.state.ply().0 >= PLIES {
                self.does(who, &Command::Resign)?;
                break;
            }
            let count = self.state.game.legal_moves().len();
            let place = self.below(count);
            let mv = self.state.game.legal_moves().get(place);
            let mv = *mv.context("a game that goes on has a move")?;
            let ply = self.state.ply().next();
            self.does(who, &Command::Move { ply, mv: Ok(mv) })?;
        }
        Ok(self.state)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 33) as usize % bound.max(1)
    }

    fn does(&mut self, who: u128, command: &Command) -> Result<()> {
        self.now = self.now + Millis(1_000 + self.below(9_000) as i64);
        let salts = BySeat {
            first: Salt([1; 32]),
            second: Salt([2; 32]),
        };
        let draw = self.state.created.time_control.setup_ms.is_some();
        let draw = draw.then(|| Draw::new(|bound| self.below(bound), salts));
        let asker = Caller {
            player: player(who),
            received: self.now,
            round_trip: Millis(40),
            opponent_away_since: None,
            standing: draw.as_ref().map(|draw| draw.setups.clone()),
            unheard: false,
            draw,
        };
        let decided = referee::decide(&self.state, command, &asker, self.now);
        let decided = decided.map_err(|refusal| anyhow::anyhow!("{command:?}: {refusal:?}"))?;
        self.happen(decided.bodies, true)
    }

    fn happen(&mut self, bodies: Vec<Body>, by_command: bool) -> Result<()> {
        self.commands += 1;
        let command = by_command.then_some(CommandId(Uuid::from_u128(self.commands)));
        let events: Vec<Event> = referee::number(self.state.seq(), self.now, command, bodies);
        for event in events {
            self.state.apply(event)?;
        }
        Ok(())
    }
}

fn player(number: u128) -> Player {
    Player::named(
        PlayerId(Uuid::from_u128(number)),
        format!("Player {number}"),
    )
}
