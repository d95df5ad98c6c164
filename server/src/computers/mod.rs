//! The computer players: they sit in games as people do, see what their seat may know, and send commands to its room.

mod accounts;
pub mod advice;
pub mod hints;
pub mod playing;
pub mod pool;
pub mod position;
pub mod reviews;
pub mod tables;
pub mod thinking;

use qiguan_engine::Level;
use qiguan_game::people::computer::Computer;
use qiguan_rules::RuleSet;

pub use self::accounts::add_missing;

/// How strong a computer is beside the others of its game, in Elo points; none for one that the engine does not know.
pub fn rating(computer: Computer) -> Option<u16> {
    let level = Level::try_from(computer.level()).ok()?;
    let mut rulesets = RuleSet::ALL.iter();
    let is_its =
        |ruleset: &&RuleSet| Computer::for_game(ruleset, computer.level()) == Some(computer);
    rulesets.find(is_its).map(|ruleset| level.rating(ruleset))
}
