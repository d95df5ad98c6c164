//! What a client remembers of a game with secret setups as first sent, to check the server at the end.

use qiguan_game::commitments::{self, Received, Shown};
use qiguan_protocol::{
    names::BySeat,
    view::{GameView, PlayedMove},
};
use qiguan_rules::Viewer;

use super::notation;

/// Received of a game that was refereed fairly.
pub const FAIR: &str =
    "fair: both setups match their commitments, and every move and attack follows from them";

/// What the server sent first.
#[derive(Default)]
pub struct CommitmentCheck {
    commitments: Option<BySeat<String>>,
    moves: Vec<PlayedMove>,
    /// How often moves had been taken back.
    takebacks: u32,
    /// Whether an attack was taken back, which the rules don't allow.
    attack_taken_back: bool,
    shown: Vec<Shown>,
}

impl CommitmentCheck {
    /// Takes in what a view tells now; `position` if its position is of now too.
    pub fn sees(&mut self, view: &GameView, position: bool) {
        let Some(setup) = &view.setup else { return };
        if self.commitments.is_none() {
            self.commitments.clone_from(&setup.commitments);
        }
        if view.takebacks.count != self.takebacks {
            self.takebacks = view.takebacks.count;
            self.takes_back(&view.moves);
        }
        let fresh = view.moves.get(self.moves.len()..).unwrap_or_default();
        self.moves.extend_from_slice(fresh);
        if self.commitments.is_none() || !position {
            return;
        }
        let shown = Shown {
            ply: view.position.ply,
            fen: view.position.fen.clone(),
            viewer: match (&setup.revealed, view.you) {
                (Some(_), _) => Viewer::Referee,
                (None, Some(seat)) => Viewer::Seat(seat.into()),
                (None, None) => Viewer::Spectator,
            },
        };
        if self.shown.last() != Some(&shown) {
            self.shown.push(shown);
        }
    }

    /// Forgets what does not stand any more.
    fn takes_back(&mut self, standing: &[PlayedMove]) {
        let both = self.moves.iter().zip(standing);
        let kept = both.take_while(|(before, now)| before == now).count();
        let mut dropped = self.moves.drain(kept..);
        self.attack_taken_back |= dropped.any(|played| played.removed.is_some());
        drop(dropped);
        self.shown.retain(|shown| shown.ply.0 as usize <= kept);
    }

    /// Takes in a position of a stored game.
    pub fn sees_position(&mut self, shown: Shown) {
        self.shown.push(shown);
    }

    /// Whether the game was refereed fairly, in words; none as long as the setups are not revealed.
    pub fn verdict(&self, view: &GameView) -> Option<String> {
        let setup = view.setup.as_ref()?;
        let (revealed, outcome) = (setup.revealed.as_ref()?, view.outcome?);
        let Some(commitments) = &self.commitments else {
            return Some("NOT FAIR: there were no commitments".to_owned());
        };
        let Some(ruleset) = notation::ruleset_of(view) else {
            return Some(
                "this program does not know the rule set, so it can't check the game".to_owned(),
            );
        };
        let told = Received {
            ruleset: &ruleset,
            commitments,
            revealed,
            moves: &self.moves,
            shown: &self.shown,
            plies_taken_back: view.takebacks.plies,
            outcome,
        };
        let mut faults = match commitments::check(&told) {
            Ok(()) => Vec::new(),
            Err(unfair) => unfair.iter().map(ToString::to_string).collect(),
        };
        if setup.commitments.as_ref() != Some(commitments) {
            faults.push("the commitments differ from those shown before".to_owned());
        }
        if self.attack_taken_back {
            faults.push("an attack was taken back".to_owned());
        }
        if self.moves != view.moves {
            faults.push("the moves differ from those shown before".to_owned());
        }
        Some(if faults.is_empty() {
            FAIR.to_owned()
        } else {
            format!("NOT FAIR: {}", faults.join("; "))
        })
    }
}
