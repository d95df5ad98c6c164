//! What a game adds to the count: the positions that it began with, and the move that was played in each. Pure.

use std::collections::BTreeSet;

use qiguan_protocol::{
    ids::{GameId, Millis},
    move_text::MoveText,
    names::Visibility,
    view::PositionAtPly,
};
use qiguan_rules::{PositionError, RuleSet, Seat};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{
    audience::{self, Audience, Perspective},
    state::State,
};

/// So many plies of a game are counted: the positions up to this one, and what was played in them.
pub const PLIES: usize = 30;
/// What is counted, and how. Where this is another than that of the record's count, all games are recounted.
pub const VERSION: u32 = 1;

/// A position of a rule set, independent of the counted plies and of the viewer: half of a hash. That two have the same is
/// as likely as a guessed id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey(pub Uuid);

impl PositionKey {
    /// The key of a position as text.
    ///
    /// # Errors
    /// When the text is no position of the rule set.
    pub fn of(ruleset: &RuleSet, fen: &str) -> Result<Self, PositionError> {
        let placement = ruleset.placement(fen)?;
        let mut hash = Sha256::new();
        // No rule set's name has a line end.
        hash.update(ruleset.id());
        hash.update(b"\n");
        hash.update(placement);
        let mut half = [0; 16];
        half.copy_from_slice(&hash.finalize()[..16]);
        Ok(Self(Uuid::from_bytes(half)))
    }
}

/// What a game adds to the count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningEntry {
    /// The game.
    pub game: GameId,
    /// When it was opened.
    pub opened_at: Millis,
    /// Who has won; none for a draw.
    pub winner: Option<Seat>,
    /// The sum of both players' ratings as they sat down; none if one had none.
    pub ratings: Option<i64>,
    /// Each position once, with what was played when it came about first; nothing where the game has ended.
    pub steps: Vec<(PositionKey, Option<MoveText>)>,
}

impl OpeningEntry {
    /// What a game adds; none if it does not count: it goes on, it is not for everybody, it was broken off or decided by a
    /// moderator, its rules are not those of its rule set, or it began with a given position.
    pub fn of(state: &State) -> Option<Self> {
        let (outcome, _) = state.ended?;
        let created = &state.created;
        let counts = created.visibility == Visibility::Public
            && created.options.is_empty()
            && created.start.is_none()
            && outcome.reason.counts();
        if !counts {
            return None;
        }
        // What is kept is what spectators have seen, and only once there is nothing to hide from them.
        let perspective = Perspective::Of(Audience::Spectators);
        let positions = audience::first_positions(state, perspective, PLIES + 2).ok()??;
        let rating = |seat: Seat| {
            let player = state.players.get(seat).as_ref()?;
            Some(i64::from(player.rating?.value))
        };
        Some(Self {
            game: state.id,
            opened_at: state.created_at,
            winner: outcome.winner,
            ratings: rating(Seat::First)
                .zip(rating(Seat::Second))
                .map(|(first, second)| first + second),
            steps: steps(&state.ruleset, &positions)?,
        })
    }
}

fn steps(
    ruleset: &RuleSet,
    positions: &[PositionAtPly],
) -> Option<Vec<(PositionKey, Option<MoveText>)>> {
    let mut seen = BTreeSet::new();
    let mut steps = Vec::new();
    for (ply, position) in positions.iter().enumerate().take(PLIES + 1) {
        let key = PositionKey::of(ruleset, &position.fen).ok()?;
        if seen.insert(key) {
            let next = positions.get(ply + 1).and_then(|next| next.text);
            steps.push((key, next));
        }
    }
    Some(steps)
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::time_control::Clock;

    use super::*;
    use crate::testing::{RULESETS, Table};

    const GAME: GameId = GameId(Uuid::from_u128(7));

    #[test]
    fn a_line_has_each_position_once_and_what_was_played_there_first() {
        for (seed, ruleset) in (0..).zip(RULESETS) {
            let mut table = Table::open(GAME, ruleset, Clock::None, seed);
            table.plays(PLIES + 20);
            if table.state.ended.is_none() {
                assert_eq!(OpeningEntry::of(&table.state), None, "it goes on");
                table.does(1, &crate::referee::Command::Resign);
            }
            let line = OpeningEntry::of(&table.state).unwrap();
            assert!(
                line.steps.len() <= PLIES + 1 && line.steps.len() > 10,
                "{ruleset}"
            );
            let keys: BTreeSet<_> = line.steps.iter().map(|(key, _)| key).collect();
            assert_eq!(keys.len(), line.steps.len());
            let first = line.steps[0];
            assert_eq!(first.1, Some(table.state.moves[0].mv.into()), "{ruleset}");
            // Every viewer of the position finds the same.
            let start = table.state.beginning();
            for viewer in [
                qiguan_rules::Viewer::Referee,
                qiguan_rules::Viewer::Spectator,
                qiguan_rules::Viewer::Seat(Seat::First),
            ] {
                let key = PositionKey::of(&table.state.ruleset, &start.view(viewer).fen);
                assert_eq!(key, Ok(first.0), "{ruleset}");
            }
        }
    }

    #[test]
    fn a_position_of_another_rule_set_is_another() {
        let fen = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1";
        let [one, other] = ["doushouqi/booklet", "doushouqi/tierschach"]
            .map(|id| PositionKey::of(&RuleSet::named(id).unwrap(), fen).unwrap());
        assert_ne!(one, other);
        let booklet = RuleSet::named("doushouqi/booklet").unwrap();
        let later = PositionKey::of(&booklet, &fen.replace("0 1", "7 12"));
        assert_eq!(later, Ok(one), "counted plies make no difference");
        let turned = PositionKey::of(&booklet, &fen.replace(" w ", " b "));
        assert_ne!(turned, Ok(one), "the side to move does");
        assert!(PositionKey::of(&booklet, "7/7 w - - 0 1").is_err());
    }
}
