//! One game between two players, judged by our referee alone.

use std::sync::atomic::AtomicBool;

use qiguan_environment::Clock;
use qiguan_protocol::ids::Millis;
use qiguan_rules::{EndReason, Game, Move, PlayError, RuleSet, Seat};

use super::{
    limit::{Limit, TimeLeft},
    openings::Opening,
    players::Competitor,
};
use crate::external::{Fault, Question};

/// What all games of a match have in common.
pub(crate) struct Terms {
    pub(crate) ruleset: RuleSet,
    /// How long each player may think, A's first.
    pub(crate) limits: [Limit; 2],
    /// How much later than its time a move may come: what the way to a program and back may take.
    pub(crate) grace: Millis,
    /// How long a program may take for a move whose time is not limited.
    pub(crate) answer_within: Millis,
    pub(crate) clock: Clock,
}

/// Why a game has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// By the rules.
    Rules(EndReason),
    /// The loser answered with a move that no piece can make, or with none.
    IllegalMove(String),
    /// The loser answered with a move that is banned.
    BannedMove(String),
    /// The loser's time was over.
    Timeout(String),
    /// The loser's program has ended.
    Crash(String),
    /// The loser gave up.
    Resignation,
}

/// A game that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FinishedGame {
    /// The winner: 0 for A, 1 for B; none for a draw.
    pub(crate) winner: Option<usize>,
    pub(crate) ending: Ending,
    /// All moves, with those of the opening.
    pub(crate) moves: Vec<Move>,
}

impl Ending {
    /// The reason's word: that of our records where there is one.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Rules(reason) => reason.as_str(),
            Self::IllegalMove(_) => "illegal_move",
            Self::BannedMove(_) => "banned_move",
            Self::Timeout(_) => EndReason::Timeout.as_str(),
            Self::Crash(_) => "crash",
            Self::Resignation => EndReason::Resignation.as_str(),
        }
    }

    /// What the loser did, where the rules do not say it.
    pub(crate) fn detail(&self) -> Option<&str> {
        match self {
            Self::Rules(_) | Self::Resignation => None,
            Self::IllegalMove(detail)
            | Self::BannedMove(detail)
            | Self::Timeout(detail)
            | Self::Crash(detail) => Some(detail),
        }
    }
}

impl From<Fault> for Ending {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Late(detail) => Self::Timeout(detail),
            Fault::Crash(detail) => Self::Crash(detail),
            Fault::NoMove(detail) => Self::IllegalMove(detail),
            Fault::Resigned => Self::Resignation,
            // A match waits for every move: nobody says this.
            Fault::Unwanted => Self::Timeout(fault.to_string()),
        }
    }
}

impl Terms {
    /// Plays a game from an opening to its end. `first` is the player who moves first, 0 for A and 1 for B.
    ///
    /// # Errors
    /// When the opening can't be played by the rule set.
    pub(crate) fn play_out(
        &self,
        players: &mut [Competitor; 2],
        first: usize,
        opening: &Opening,
        seed: u64,
    ) -> anyhow::Result<FinishedGame> {
        let mut game = opening.game(&self.ruleset)?;
        let start = match &opening.start {
            Some(fen) => fen.clone(),
            None => Game::start(&self.ruleset).fen(),
        };
        let mut moves = opening.moves.clone();
        let mut times = self.limits.map(TimeLeft::at_start);
        let player_of = |seat: Seat| match seat {
            Seat::First => first,
            Seat::Second => 1 - first,
        };
        for seat in Seat::ALL {
            let player = player_of(seat);
            if let Err(fault) = players[player].new_game() {
                return Ok(lost(player, fault.into(), moves));
            }
        }
        loop {
            if let Some(outcome) = game.outcome() {
                return Ok(FinishedGame {
                    winner: outcome.winner.map(player_of),
                    ending: Ending::Rules(outcome.reason),
                    moves,
                });
            }
            let player = player_of(game.turn());
            let seed = seed ^ u64::from(game.plies()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let answer = self.ask(
                &mut players[player],
                player,
                &times,
                &start,
                &moves,
                &game,
                seed,
            );
            let (mv, took) = match answer {
                Ok(answer) => answer,
                Err(ending) => return Ok(lost(player, ending, moves)),
            };
            match game.play(mv) {
                Ok(_) => moves.push(mv),
                Err(error @ PlayError::Banned(_)) => {
                    let ending = Ending::BannedMove(format!("{mv}: {error}"));
                    return Ok(lost(player, ending, moves));
                }
                Err(error @ (PlayError::Illegal | PlayError::GameOver)) => {
                    let ending = Ending::IllegalMove(format!("{mv}: {error}"));
                    return Ok(lost(player, ending, moves));
                }
            }
            times[player].spend(took);
        }
    }

    /// A player's move, and how long it took.
    #[expect(
        clippy::too_many_arguments,
        reason = "a game under way, piece by piece"
    )]
    fn ask(
        &self,
        competitor: &mut Competitor,
        player: usize,
        times: &[TimeLeft; 2],
        start: &str,
        moves: &[Move],
        game: &Game,
        seed: u64,
    ) -> Result<(Move, Millis), Ending> {
        let time = times[player];
        let go = time.question(&times[1 - player], game.turn());
        let banned: Vec<Move> = game.banned_moves().iter().map(|banned| banned.mv).collect();
        let question = Question {
            start,
            moves,
            ruleset: &self.ruleset,
            game,
            legal: game.legal_moves(),
            banned: &banned,
            restricted: false,
            go: &go,
            stop: &AtomicBool::new(false),
        };
        let allowed = time.for_move().map(|time| Millis(time.0 + self.grace.0));
        let began = self.clock.micros();
        let within = allowed.unwrap_or(self.answer_within);
        let answer = competitor.choose(&question, seed, within, self.clock);
        let took = Millis(((self.clock.micros() - began) / 1_000) as i64);
        let mv = answer?;
        if allowed.is_some_and(|allowed| took > allowed) {
            let detail = format!("{} ms for {mv}", took.0);
            return Err(Ending::Timeout(detail));
        }
        Ok((mv, took))
    }
}

fn lost(player: usize, ending: Ending, moves: Vec<Move>) -> FinishedGame {
    FinishedGame {
        winner: Some(1 - player),
        ending,
        moves,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::opponents::Opponent, *};

    fn terms(id: &str) -> Terms {
        Terms {
            ruleset: RuleSet::named(id).unwrap(),
            limits: [Limit::Nodes(500); 2],
            grace: Millis(100),
            answer_within: Millis(60_000),
            clock: Clock::system(),
        }
    }

    fn engine() -> Competitor {
        Competitor::Engine(qiguan_engine::Player::new(1))
    }

    #[test]
    fn our_engine_beats_a_random_player_in_either_seat_and_plays_the_same_again() {
        let beginning = Opening {
            start: None,
            moves: Vec::new(),
        };
        for id in [
            "xiangqi/standard",
            "xiangqi/grunfeld",
            "doushouqi/ancientchess",
            "doushouqi/booklet",
            "doushouqi/tierschach",
        ] {
            let terms = terms(id);
            let mut players = [engine(), Competitor::Opponent(Opponent::Random)];
            let mut play = |first| terms.play_out(&mut players, first, &beginning, 3).unwrap();
            let games = [play(0), play(1)];
            for game in &games {
                assert_eq!(game.winner, Some(0), "{id}: {game:?}");
                assert!(matches!(game.ending, Ending::Rules(_)), "{id}: {game:?}");
            }
            assert_eq!(play(1), games[1], "{id}");
        }
    }

    #[test]
    fn a_player_without_an_answer_loses() {
        let terms = terms("xiangqi/standard");
        // It knows nothing of Xiangqi.
        let mut players = [Competitor::Opponent(Opponent::Plain), engine()];
        let opening = Opening {
            start: None,
            moves: Vec::new(),
        };
        let game = terms.play_out(&mut players, 0, &opening, 1).unwrap();
        assert_eq!((game.winner, game.ending.word()), (Some(1), "illegal_move"));
    }
}
