//! The computer players of the house: one for each game and level. Their ids are always the same, so that every record, server and
//! client knows them by their ids.

use qiguan_protocol::{ids::PlayerId, limits::COMPUTER_LEVELS, names::Status};
use qiguan_rules::{RuleSet, Seat, ruleset::Options};
use uuid::Uuid;

use crate::{event::Player, state::State};

/// What the ids of computer players begin with; the game and the level follow in the two lowest bytes.
const IDS: u128 = 0x0071_6967_7561_8e00_8000_0000_0000_0000;

/// A computer player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Computer {
    game: ComputerGame,
    level: u8,
}

/// A game that computers play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ComputerGame {
    DouShouQi = 1,
    Luzhanqi = 2,
    Xiangqi = 3,
}

impl ComputerGame {
    const ALL: [Self; 3] = [Self::DouShouQi, Self::Luzhanqi, Self::Xiangqi];

    const fn of(ruleset: &RuleSet) -> Self {
        match ruleset.options() {
            Options::DouShouQi(_) => Self::DouShouQi,
            Options::Luzhanqi(_) => Self::Luzhanqi,
            Options::Xiangqi(_) => Self::Xiangqi,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::DouShouQi => "DouShouQi",
            Self::Luzhanqi => "Luzhanqi",
            Self::Xiangqi => "Xiangqi",
        }
    }

    /// As rule sets begin.
    const fn word(self) -> &'static str {
        match self {
            Self::DouShouQi => "doushouqi",
            Self::Luzhanqi => "luzhanqi",
            Self::Xiangqi => "xiangqi",
        }
    }
}

impl Computer {
    /// The computer of a level that plays a rule set's game; none if there is no such level.
    pub fn for_game(ruleset: &RuleSet, level: u8) -> Option<Self> {
        Self::new(ComputerGame::of(ruleset), level)
    }

    /// The computer with this id, if it is one's.
    pub fn of(player: PlayerId) -> Option<Self> {
        let number = player.0.as_u128();
        if number & !0xffff != IDS {
            return None;
        }
        let [game, level] = (number as u16).to_be_bytes();
        let mut games = ComputerGame::ALL.into_iter();
        Self::new(games.find(|known| *known as u8 == game)?, level)
    }

    /// All computer players, by game and level.
    pub fn all() -> impl Iterator<Item = Self> {
        let levels = |game| (1..=COMPUTER_LEVELS).map(move |level| Self { game, level });
        ComputerGame::ALL.into_iter().flat_map(levels)
    }

    fn new(game: ComputerGame, level: u8) -> Option<Self> {
        let is_level = (1..=COMPUTER_LEVELS).contains(&level);
        is_level.then_some(Self { game, level })
    }

    /// How well it plays, from 1 to 8.
    pub const fn level(self) -> u8 {
        self.level
    }

    /// The game that it plays, as its rule sets' ids begin: `xiangqi`.
    pub const fn game(self) -> &'static str {
        self.game.word()
    }

    /// Its id.
    pub const fn id(self) -> PlayerId {
        let number = IDS | (self.game as u128) << 8 | self.level as u128;
        PlayerId(Uuid::from_u128(number))
    }

    /// It as a player.
    pub fn player(self) -> Player {
        let name = format!("Computer-{}-{}", self.game.name(), self.level);
        Player {
            bot: true,
            ..Player::named(self.id(), name)
        }
    }

    /// Whether it plays games of this rule set.
    pub fn plays(self, ruleset: &RuleSet) -> bool {
        ComputerGame::of(ruleset) == self.game
    }
}

/// The seat of a computer in a game.
pub fn seat_of(state: &State) -> Option<Seat> {
    let is_computer = |seat: &Seat| {
        let player = state.players.get(*seat).as_ref();
        player.is_some_and(|player| Computer::of(player.id).is_some())
    };
    Seat::ALL.into_iter().find(is_computer)
}

/// Whether a computer in this seat has something to do as the game stands: a move, a setup, an answer.
pub fn is_due(state: &State, seat: Seat) -> bool {
    let is_of_other = |offer: &crate::state::Offer| offer.seat != seat;
    match state.status {
        Status::Open => false,
        Status::Playing => match state.setting_up() {
            Some(setup) => !setup.ready.get(seat),
            None => state.game.turn() == seat || state.draw_offer.as_ref().is_some_and(is_of_other),
        },
        Status::Ended => state.rematch_offer.as_ref().is_some_and(is_of_other),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::people::name::Name;

    #[test]
    fn every_computer_is_known_by_its_id_and_nobody_else_is() {
        let all: Vec<Computer> = Computer::all().collect();
        let ids: HashSet<PlayerId> = all.iter().map(|computer| computer.id()).collect();
        assert_eq!((all.len(), ids.len()), (24, 24));
        for computer in all {
            assert_eq!(Computer::of(computer.id()), Some(computer));
            let number = computer.id().0.as_u128();
            for other in [
                number ^ 1 << 127,
                number | 0xff,
                number & !0xff,
                number ^ 0xf000,
            ] {
                assert_eq!(Computer::of(PlayerId(Uuid::from_u128(other))), None);
            }
        }
    }

    #[test]
    fn computers_have_names_that_nobody_else_can_have() {
        for computer in Computer::all() {
            let name = computer.player().name;
            assert!(name.chars().count() <= crate::people::name::MOST, "{name}");
            assert!(Name::read(&name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_computer_plays_the_game_of_its_rule_sets() {
        for ruleset in RuleSet::ALL {
            let computer = Computer::for_game(&ruleset, 3).unwrap();
            assert!(computer.plays(&ruleset));
            assert!(ruleset.id().starts_with(computer.game()));
            assert_eq!(computer.level(), 3);
        }
        assert_eq!(Computer::for_game(&RuleSet::ALL[0], 0), None);
        assert_eq!(Computer::for_game(&RuleSet::ALL[0], 9), None);
    }
}
