//! What tables choose.

use qiguan_rules::{Move, doushouqi::Play};

use super::{probe::Tables, value::Value};

/// What tables say of the moves of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TableChoice {
    /// This is the best move, and what it is worth.
    Move(Move, Value),
    /// These moves draw, and none wins. Which of them keeps the draw longest depends on what will be banned, which no table knows.
    Draws(Vec<Move>),
}

impl Tables {
    /// The best moves of both sides from a game's position to its end; none for a draw, and where a table is not there.
    pub fn line(&self, play: &Play) -> Option<Vec<Move>> {
        let mut play = play.clone();
        let mut line = Vec::new();
        while play.outcome().is_none() {
            let moves = self.moves(&play)?;
            let (mv, value) = moves.first()?;
            if *value == Value::Draw {
                return None;
            }
            play.play(*mv).ok()?;
            line.push(*mv);
        }
        Some(line)
    }

    /// The choice among some of a game's legal moves. None where tables do not settle it: one is not there, or a win would come after the
    /// quiet limit.
    ///
    /// A win is played by falling plies, and a loss by as many as there are.
    pub(crate) fn choose(&self, play: &Play, among: &[Move]) -> Option<TableChoice> {
        let mut moves = self.moves(play)?;
        moves.retain(|(mv, _)| among.contains(mv));
        let (mv, value) = *moves.first()?;
        match value {
            Value::Win(plies) => {
                let limit = play.options().quiet_limit;
                let is_in_time = play.history().quiet_plies() + u32::from(plies) <= limit;
                (limit == 0 || is_in_time).then_some(TableChoice::Move(mv, value))
            }
            Value::Draw => {
                moves.retain(|(_, value)| *value == Value::Draw);
                let draws = moves.into_iter().map(|(mv, _)| mv).collect();
                Some(TableChoice::Draws(draws))
            }
            Value::Loss(_) => Some(TableChoice::Move(mv, value)),
        }
    }
}
