//! What a bot does in a position: its engine is asked, and what it answers is held against the moves that the server calls legal.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use qiguan_engine::{Level, Player, uci::Go};
use qiguan_environment::{Clock, Random};
use qiguan_protocol::{
    ids::{Millis, Ply},
    move_text::MoveText,
    view::GameView,
};
use qiguan_rules::{Game, Move, RuleSet};
use qiguan_server::computers::{
    position::{game_of, ruleset_of, setup_for},
    thinking::{self, Choice, Task},
};

use super::{Bot, engine::Engine, pace};
use crate::external::{Abilities, Fault, Program, Question};

/// The size of the table of a computer player of this program, in MiB.
const TABLE_MEBIBYTES: usize = 16;

/// What came of thinking.
pub(super) enum Thought {
    /// This is to be done.
    Choice(Choice),
    /// The engine gives up.
    Resigns,
    /// It plays what is not legal, also when asked again: what it said.
    Illegal(String),
    /// The program has ended, or does not answer: another try may go well.
    Failed(String),
    /// The position does not stand any more.
    Unwanted,
}

/// An engine in one game.
pub(super) enum Thinker {
    Builtin {
        level: Level,
        player: Player,
        random: Random,
    },
    Program(Box<ProgramThinker>),
}

/// Another program in one game: a process of its own, so that it remembers that game and no other.
pub(super) struct ProgramThinker {
    abilities: Abilities,
    movetime: Option<Millis>,
    clock: Clock,
    program: Option<Program>,
    /// What it has answered that was not legal and has been asked again for.
    forgiven: Vec<String>,
}

impl Thinker {
    /// The engine of a bot, for a game.
    pub(super) fn of(bot: &Bot) -> Self {
        match &bot.engine {
            Engine::Builtin(level) => Self::Builtin {
                level: *level,
                player: Player::new(TABLE_MEBIBYTES),
                random: bot.random,
            },
            Engine::Program(abilities) => Self::Program(Box::new(ProgramThinker {
                abilities: (**abilities).clone(),
                movetime: bot.movetime,
                clock: bot.clock,
                program: None,
                forgiven: Vec::new(),
            })),
        }
    }

    /// How long it may think before `stop` has to be set; none if it keeps the time itself.
    pub(super) fn time(&self, view: &GameView) -> Option<Millis> {
        match self {
            Self::Builtin { .. } => thinking::time_for_move(view),
            Self::Program(_) => None,
        }
    }

    /// The setup that it takes; none to keep the one that was drawn.
    pub(super) fn setup(&self, view: &GameView) -> Option<String> {
        match self {
            Self::Builtin { level, random, .. } => setup_for(view, *level, seed(*random)),
            Self::Program(_) => None,
        }
    }

    /// What it does. Takes as long as it takes: not to be called where others wait.
    pub(super) fn think(&mut self, view: &GameView, task: Task, stop: &Arc<AtomicBool>) -> Thought {
        match self {
            Self::Builtin {
                level,
                player,
                random,
            } => {
                let seed = seed(*random);
                let choice = thinking::think(view, task, *level, seed, player, stop);
                let none = || Thought::Failed("there is no move".to_owned());
                choice.map_or_else(none, Thought::Choice)
            }
            Self::Program(program) => match task {
                // A program can't be asked about an offer.
                Task::AnswerDraw(offer) => Thought::Choice(Choice::DeclineDraw(offer)),
                Task::Move(_) | Task::SetUp | Task::Rematch => program.think(view, stop),
            },
        }
    }

    /// What it has answered that was not legal, since this was last asked.
    pub(super) fn forgiven(&mut self) -> Vec<String> {
        match self {
            Self::Builtin { .. } => Vec::new(),
            Self::Program(program) => std::mem::take(&mut program.forgiven),
        }
    }
}

/// A position as a program is asked about it.
struct PositionQuestion {
    ruleset: RuleSet,
    game: Game,
    start: String,
    moves: Vec<Move>,
    legal: Vec<Move>,
    banned: Vec<Move>,
}

impl PositionQuestion {
    /// None if this program does not know the rule set as the server does.
    fn of(view: &GameView) -> Option<Self> {
        let ruleset = ruleset_of(view)?;
        let game = game_of(view)?;
        let start = view.start.clone();
        let moves = view.moves.iter().map(|played| played.text.as_str());
        let legal = view.position.legal.iter().flatten();
        let banned = view.position.banned.iter();
        Some(Self {
            start: start.unwrap_or_else(|| Game::start(&ruleset).fen()),
            ruleset,
            game,
            moves: read(moves)?,
            legal: read(legal.map(MoveText::as_str))?,
            banned: read(banned.map(|banned| banned.text.as_str()))?,
        })
    }
}

fn read<'a>(texts: impl Iterator<Item = &'a str>) -> Option<Vec<Move>> {
    texts.map(|text| text.parse().ok()).collect()
}

impl ProgramThinker {
    fn think(&mut self, view: &GameView, stop: &AtomicBool) -> Thought {
        let (Some(you), Some(mut asked)) = (view.you, PositionQuestion::of(view)) else {
            return Thought::Illegal("this program does not know the game as it stands".to_owned());
        };
        let ply = Ply(view.position.ply.0 + 1);
        let began = self.clock.micros();
        let mut is_second = false;
        loop {
            let since = Millis(((self.clock.micros() - began) / 1_000) as i64);
            let (go, within) = pace::of(view, since, you, self.movetime);
            let said = match self.answer(&asked, is_second, &go, within, stop) {
                Ok(mv) if asked.legal.contains(&mv) => {
                    return Thought::Choice(Choice::Move(ply, mv));
                }
                Ok(mv) => {
                    asked.banned.push(mv);
                    format!("{mv} is not legal")
                }
                Err(Fault::NoMove(said)) => said,
                Err(Fault::Resigned) => return Thought::Resigns,
                Err(Fault::Unwanted) => return Thought::Unwanted,
                Err(fault @ (Fault::Late(_) | Fault::Crash(_))) => {
                    return Thought::Failed(fault.to_string());
                }
            };
            if is_second {
                return Thought::Illegal(said);
            }
            self.forgiven.push(said);
            is_second = true;
        }
    }

    fn answer(
        &mut self,
        asked: &PositionQuestion,
        restricted: bool,
        go: &Go,
        within: Millis,
        stop: &AtomicBool,
    ) -> Result<Move, Fault> {
        let program = match &mut self.program {
            Some(program) => program,
            none => {
                let settings = self.abilities.settings.clone();
                let started = Program::start(settings, asked.ruleset, self.clock);
                let started = started.map_err(|error| Fault::Crash(error.to_string()))?;
                let program = none.insert(started);
                program.new_game()?;
                program
            }
        };
        let question = Question {
            start: &asked.start,
            moves: &asked.moves,
            ruleset: &asked.ruleset,
            game: &asked.game,
            legal: &asked.legal,
            banned: &asked.banned,
            restricted,
            go,
            stop,
        };
        let answer = program.choose(&question, within);
        if matches!(
            answer,
            Err(Fault::Late(_) | Fault::Crash(_) | Fault::Unwanted)
        ) {
            // The process is gone.
            self.program = None;
        }
        answer
    }
}

/// Sets the flag that ends the thinking when it goes out of scope.
pub(super) struct StopOnDrop(pub(super) Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn seed(random: Random) -> u64 {
    u64::from(random.below(u32::MAX)) << 32 | u64::from(random.below(u32::MAX))
}
