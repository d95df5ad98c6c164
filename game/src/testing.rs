//! Games for tests, every event of them decided by the referee.
#![expect(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "a test stops where a game can't go on"
)]

use qiguan_protocol::{
    delay::SpectatorDelay,
    ids::{CommandId, GameId, Millis, PlayerId, Seq},
    names::{Status, Visibility},
    time_control::{Clock, TimeControl},
};
use qiguan_rules::{BySeat, Game, RuleSet, Seat};
use uuid::Uuid;

use crate::{
    clock::Delay,
    commitments::Salt,
    event::{Body, Created, Event, Player},
    given_start,
    referee::{self, Caller, Command},
    setups::Draw,
    state::State,
};

/// A game.
pub const GAME: GameId = GameId(Uuid::from_u128(7));
/// Every rule set.
pub const RULESETS: [&str; 9] = [
    "doushouqi/ancientchess",
    "doushouqi/booklet",
    "doushouqi/tierschach",
    "xiangqi/standard",
    "xiangqi/grunfeld",
    "luzhanqi/referee",
    "luzhanqi/showdown",
    "luzhanqi/northern",
    "luzhanqi/modern",
];

/// What a player of this number opens: casual, seen at once, with time to set up where that is done.
fn created(one: u128, ruleset: &str, clock: Clock) -> Created {
    Created {
        ruleset: ruleset.to_owned(),
        options: Vec::new(),
        time_control: TimeControl {
            clock,
            absence_ms: (!matches!(clock, Clock::PerMove { .. })).then_some(Millis(30_000)),
            setup_ms: ruleset.starts_with("luzhanqi").then_some(Millis(60_000)),
        },
        visibility: Visibility::Public,
        seat: Seat::First,
        player: player(one),
        rated: false,
        invited: None,
        spectator_delay: None,
        start: None,
        practice: false,
        bounded: true,
    }
}

/// A player of this number.
pub fn player(number: u128) -> Player {
    Player::named(PlayerId(Uuid::from_u128(number)), format!("玩家 {number}"))
}

/// A game under way, every event of it decided by the referee.
pub struct Table {
    pub state: State,
    pub now: Millis,
    random: u64,
}

impl Table {
    /// Two players, 1 and 2, sit down to a game, and play begins.
    pub fn open(id: GameId, ruleset: &str, clock: Clock, seed: u64) -> Self {
        Self::begin(2, id, created(1, ruleset, clock), seed)
    }

    /// The same, seen later by spectators.
    pub fn open_later(
        id: GameId,
        ruleset: &str,
        clock: Clock,
        seed: u64,
        delay: SpectatorDelay,
    ) -> Self {
        let created = Created {
            spectator_delay: Some(delay),
            ..created(1, ruleset, clock)
        };
        Self::begin(2, id, created, seed)
    }

    /// The same from the position that these moves lead to, of which nothing is known but how it looks.
    pub fn from_position(id: GameId, ruleset: &str, moves: &[&str], seed: u64) -> Self {
        let named = RuleSet::named(ruleset).unwrap();
        let mut game = Game::start(&named);
        for mv in moves {
            game.play(mv.parse().unwrap()).unwrap();
        }
        let created = Created {
            start: given_start::recorded(&named, &game.fen()).unwrap(),
            ..created(1, ruleset, fischer())
        };
        Self::begin(2, id, created, seed)
    }

    /// Two registered players sit down to a rated game of Dou Shou Qi or Xiangqi.
    pub fn rated([one, two]: [u128; 2], id: GameId, ruleset: &str) -> Self {
        let created = Created {
            rated: true,
            ..created(one, ruleset, fischer())
        };
        Self::begin(two, id, created, 1)
    }

    /// Player 1 sits down to a game against the player of another number, a computer's.
    pub fn against(computer: u128, id: GameId, ruleset: &str, practice: bool) -> Self {
        let created = Created {
            practice,
            ..created(1, ruleset, Clock::None)
        };
        Self::begin(computer, id, created, 1)
    }

    /// A game of Dou Shou Qi in which neither bans nor quiet plies end anything for long; see [`Self::goes_round`].
    pub fn open_endless(id: GameId, bounded: bool) -> Self {
        let options = [("quiet_limit", "0"), ("repetition_limit", "100")];
        let created = Created {
            options: options
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            bounded,
            ..created(1, "doushouqi/booklet", Clock::None)
        };
        Self::begin(2, id, created, 1)
    }

    /// The Rats of an endless game go round and round until so many plies have been played, or the game has ended.
    pub fn goes_round(&mut self, plies: usize) {
        const FIRST: [&str; 4] = ["g3g4", "g4f4", "f4f3", "f3g3"];
        const SECOND: [&str; 6] = ["a7a6", "a6a5", "a5b5", "b5b6", "b6b7", "b7a7"];
        while self.state.status != Status::Ended && self.state.moves.len() < plies {
            let round = self.state.moves.len() / 2;
            let (who, text) = match self.state.game.turn() {
                Seat::First => (1, FIRST[round % FIRST.len()]),
                Seat::Second => (2, SECOND[round % SECOND.len()]),
            };
            let (ply, mv) = (self.state.ply().next(), Ok(text.parse().unwrap()));
            self.does(who, &Command::Move { ply, mv });
        }
    }

    /// The same in a record from before games had a greatest length: nothing but the moves happens.
    pub fn went_round(&mut self, plies: usize) {
        while self.state.moves.len() < plies {
            let before = self.state.clone();
            self.goes_round(before.moves.len() + 1);
            let moved = self.state.log[before.log.len()].body.clone();
            self.state = before;
            self.happen(vec![moved]);
        }
    }

    fn begin(two: u128, id: GameId, created: Created, seed: u64) -> Self {
        let sets_up = created.time_control.setup_ms.is_some();
        let one = created.player.id.0.as_u128();
        let command = Some(CommandId(id.0));
        let event = Event {
            seq: Seq(1),
            at: Millis(1_000_000),
            command,
            body: Body::Created(Box::new(created)),
        };
        let mut table = Self {
            state: State::open(id, event).unwrap(),
            now: Millis(1_000_000),
            random: seed,
        };
        table.does(two, &Command::Join);
        if sets_up {
            table.does(one, &Command::Ready);
            table.does(two, &Command::Ready);
        }
        table
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) as usize % bound
    }

    /// Draws setups.
    pub fn draw(&mut self) -> Draw {
        let salts = BySeat {
            first: Salt([1; 32]),
            second: Salt([2; 32]),
        };
        Draw::new(|bound| self.below(bound), salts)
    }

    /// A player does something, 0.7 s after what was before.
    pub fn does(&mut self, who: u128, command: &Command) {
        self.now = self.now + Millis(700);
        let draw = self.draw();
        let caller = Caller {
            player: player(who),
            received: self.now,
            delay: Delay {
                round_trip: Millis(50),
                ..Delay::default()
            },
            opponent_away_since: Some(Millis(0)),
            current_setups: Some(draw.setups.clone()),
            shadow_muted: false,
            draw: self
                .state
                .created
                .time_control
                .setup_ms
                .is_some()
                .then_some(draw),
        };
        let decision = referee::decide(&self.state, command, &caller, self.now).unwrap();
        self.happen(decision.bodies);
    }

    /// Something happens.
    pub fn happen(&mut self, bodies: Vec<Body>) {
        let command = Some(CommandId(Uuid::from_u128(
            self.state.id.0.as_u128() + (u128::from(self.state.seq().0) << 64),
        )));
        for event in referee::number(self.state.seq(), self.now, command, bodies) {
            self.state.apply(event).unwrap();
        }
    }

    /// Plays at random to the end or so many plies.
    pub fn plays(&mut self, most: usize) {
        while self.state.status != Status::Ended && self.state.moves.len() < most {
            let legal = self.state.game.legal_moves().to_vec();
            let mv = legal[self.below(legal.len())];
            let who = match self.state.game.turn() {
                Seat::First => 1,
                Seat::Second => 2,
            };
            let ply = self.state.ply().next();
            self.does(who, &Command::Move { ply, mv: Ok(mv) });
            let is_first = self.state.game.plies() == 1;
            if is_first && self.state.status != Status::Ended {
                self.happen(vec![Body::ClocksReleased]);
            }
        }
    }

    /// Everything so far.
    pub fn events(&self) -> Vec<Event> {
        self.state.log.iter().cloned().collect()
    }
}

/// A clock with time enough.
pub fn fischer() -> Clock {
    Clock::Fischer {
        initial_ms: Millis(10_000_000),
        increment_ms: Millis(1_000),
    }
}
