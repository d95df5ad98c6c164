//! What a rated game changes: the ratings of both players, each change numbered on from the player's last.

use std::collections::HashMap;

use qiguan_protocol::{
    ids::{GameId, Millis, PlayerId},
    names,
};
use qiguan_rules::{BySeat, Outcome, Seat};

use crate::ratings::glicko::{Score, Strength, points};

/// A rated game that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedEnd {
    /// The game.
    pub game: GameId,
    /// The rule set's id.
    pub ruleset: String,
    /// When it ended.
    pub at: Millis,
    /// The players.
    pub players: BySeat<PlayerId>,
    /// Who won; none for a draw.
    pub winner: Option<Seat>,
    /// Whether the result counts; one that was withdrawn changes nothing.
    pub counts: bool,
}

/// Where a player stands in a rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatingState {
    /// How many changes there were.
    pub number: u32,
    /// How strong the player was after the last game that counts.
    pub strength: Strength,
    /// When that game ended; none before the first.
    pub played_at: Option<Millis>,
}

/// One change in a player's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The player.
    pub player: PlayerId,
    /// The rule set's id.
    pub ruleset: String,
    /// Its place in the player's history of this rule set: 1, 2, 3 … without gaps.
    pub number: u32,
    /// When it happened.
    pub at: Millis,
    /// The game it is about.
    pub game: GameId,
    /// What of the game.
    pub cause: Cause,
    /// The rating before, in thousandths of a point.
    pub before: i64,
    /// The strength after.
    pub after: Strength,
}

impl Change {
    /// What everybody sees of it.
    pub const fn shown(&self) -> names::RatingChange {
        names::RatingChange {
            before: points(self.before),
            after: points(self.after.rating),
            provisional: self.after.is_provisional(),
        }
    }
}

/// What brings a change about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The player has played the game to its end.
    Played {
        /// Against whom.
        opponent: PlayerId,
        /// With which seat.
        seat: Seat,
        /// The player's score.
        score: Score,
        /// Whether the result counts; one that was withdrawn changes nothing.
        counts: bool,
    },
    /// The game's result was withdrawn, or counts again, and the changes before this one were recomputed. It changes nothing
    /// by itself: it takes the number that anybody who knows the older ratings is about to write.
    Revised,
}

/// Where several players stand, while games are rated one after the other.
#[derive(Debug, Default)]
pub struct RatingStates(HashMap<PlayerId, HashMap<String, RatingState>>);

impl RatedEnd {
    /// The end of a rated game between two players; none for one that has no result.
    pub fn new(
        game: GameId,
        ruleset: &str,
        at: Millis,
        players: BySeat<PlayerId>,
        outcome: Outcome,
    ) -> Option<Self> {
        outcome.reason.counts().then(|| Self {
            game,
            ruleset: ruleset.to_owned(),
            at,
            players,
            winner: outcome.winner,
            counts: true,
        })
    }

    /// What a player got out of it.
    pub fn score(&self, seat: Seat) -> Score {
        match self.winner {
            None => Score::Drawn,
            Some(winner) if winner == seat => Score::Won,
            Some(_) => Score::Lost,
        }
    }
}

impl RatingState {
    /// Of whom nothing is known.
    pub const NEW: Self = Self {
        number: 0,
        strength: Strength::START,
        played_at: None,
    };

    /// How strong the player is believed to be at a time.
    pub fn at(&self, now: Millis) -> Strength {
        self.played_at
            .map_or(self.strength, |at| self.strength.away(now - at))
    }

    /// Where a player stands after a change.
    #[must_use]
    pub fn then(&self, change: &Change) -> Self {
        let counts = matches!(change.cause, Cause::Played { counts: true, .. });
        Self {
            number: change.number,
            strength: change.after,
            played_at: if counts {
                Some(change.at)
            } else {
                self.played_at
            },
        }
    }

    /// What a game changes for a player who stands here, against one who stands there.
    pub fn played(&self, opponent: &Self, at: Millis, score: Score) -> Strength {
        self.at(at).after(opponent.at(at), score)
    }
}

impl RatingStates {
    /// Notes where a player stands.
    pub fn note(&mut self, player: PlayerId, ruleset: String, rating_state: RatingState) {
        self.0
            .entry(player)
            .or_default()
            .insert(ruleset, rating_state);
    }

    /// Where a player stands; at the start if nothing was noted.
    pub fn of(&self, player: PlayerId, ruleset: &str) -> RatingState {
        let noted = self.0.get(&player).and_then(|sets| sets.get(ruleset));
        noted.copied().unwrap_or(RatingState::NEW)
    }

    /// What a game changes, and both stand there from now on.
    pub fn rate(&mut self, end: &RatedEnd) -> BySeat<Change> {
        let before = end.players.map(|player| self.of(player, &end.ruleset));
        let change = |seat: Seat| {
            let (own, opponent) = (before.get(seat), before.get(seat.other()));
            let score = end.score(seat);
            Change {
                player: *end.players.get(seat),
                ruleset: end.ruleset.clone(),
                number: own.number + 1,
                at: end.at,
                game: end.game,
                cause: Cause::Played {
                    opponent: *end.players.get(seat.other()),
                    seat,
                    score,
                    counts: end.counts,
                },
                before: own.strength.rating,
                after: if end.counts {
                    own.played(opponent, end.at, score)
                } else {
                    own.strength
                },
            }
        };
        let changes = BySeat {
            first: change(Seat::First),
            second: change(Seat::Second),
        };
        for seat in Seat::ALL {
            let change = changes.get(seat);
            let rating_state = before.get(seat).then(change);
            self.note(change.player, end.ruleset.clone(), rating_state);
        }
        changes
    }
}
