//! A game as one reader may know it, at one moment: what a room hands out, so that reading takes none of its time.

use qiguan_protocol::{
    answer::Answer,
    event::EventFrame,
    ids::{Cursor, Epoch, GameId, Millis, Ply, Seq},
    names::{BySeat, RatingChange},
    view::{Clocks, GameView, LiveState, PlayedMove, PositionAtPly, Presence, SpectatorLine},
};

use super::{
    Audience, Eyes, Telling, Walk, live, missed, moves_of, played_move, view_without_moves,
};
use crate::{
    seat_drafts::Drafts,
    state::{Damaged, State},
};

/// A game at one moment, for one reader. Nothing comes out of it but what the reader's audience may know.
pub struct Snapshot {
    pub state: State,
    pub audience: Audience,
    pub drafts: Drafts,
    pub presence: Presence,
    pub epoch: Epoch,
    pub now: Millis,
    /// Since when clocks stand because nothing can be written.
    pub standing: Option<Millis>,
    pub ratings: Option<BySeat<RatingChange>>,
    pub damaged: bool,
    pub said: Vec<SpectatorLine>,
}

impl Snapshot {
    /// The game's id.
    pub const fn game(&self) -> GameId {
        self.state.id
    }

    /// Its rule set.
    pub fn ruleset(&self) -> &str {
        &self.state.created.ruleset
    }

    /// How many moves there are.
    pub const fn ply(&self) -> Ply {
        self.state.ply()
    }

    /// The last event's number.
    pub const fn seq(&self) -> Seq {
        self.state.seq()
    }

    /// The game as it stands.
    pub fn view(&self) -> GameView {
        GameView {
            moves: moves_of(&self.state),
            ..self.view_without_moves()
        }
    }

    /// The same with no moves: those are [`Self::played`] one by one.
    pub fn view_without_moves(&self) -> GameView {
        let mut view = view_without_moves(
            &self.state,
            self.audience,
            &self.drafts,
            self.presence,
            self.epoch,
            self.now,
        );
        view.clocks = standing(&self.state, view.clocks, self.standing);
        GameView {
            spectator_chat: self.said.clone(),
            ..marked(view, self.ratings, self.damaged)
        }
    }

    /// What has happened since an event, and where the game stands, for a client that watches on.
    ///
    /// # Errors
    /// When the record can't be folded.
    pub fn missed(&self, since: Seq) -> Result<Answer, Damaged> {
        let live = live(
            &self.state,
            self.audience,
            &self.drafts,
            self.presence,
            self.now,
        );
        Ok(Answer::Missed {
            game: self.state.id,
            cursor: Cursor {
                epoch: self.epoch,
                seq: self.state.seq(),
            },
            events: missed(&self.state, since, self.audience)?,
            live: Box::new(LiveState {
                ratings: self.ratings,
                spectator_chat: self.said.clone(),
                clocks: standing(&self.state, live.clocks, self.standing),
                ..live
            }),
        })
    }

    /// A move, the first at 0; none after the last.
    pub fn played(&self, at: usize) -> Option<PlayedMove> {
        let played = self.state.moves.get(at)?;
        Some(played_move(played, Ply(at as u32 + 1)))
    }

    /// Tells the game once more, after an event.
    ///
    /// # Errors
    /// When the record can't be folded.
    pub fn tell(&self, since: Seq) -> Result<Telling, Damaged> {
        Telling::after(&self.state, since)
    }

    /// The next event as the reader saw it happen; none after the last.
    ///
    /// # Errors
    /// When it does not follow.
    pub fn event(&self, telling: &mut Telling) -> Result<Option<EventFrame>, Damaged> {
        telling.next(&self.state, self.audience)
    }

    /// Goes through the positions from a ply on; none as long as what is asked for is to be hidden.
    ///
    /// # Errors
    /// When a move can't be made.
    pub fn walk(&self, from: Ply, eyes: Option<Eyes>) -> Result<Option<Walk>, Damaged> {
        Walk::begin(&self.state, from, self.audience, eyes)
    }

    /// The next position; none after the last.
    ///
    /// # Errors
    /// When a move can't be made.
    pub fn position(&self, walk: &mut Walk) -> Result<Option<PositionAtPly>, Damaged> {
        walk.next(&self.state)
    }
}

/// Clocks as they are to be shown: while nothing can be written they stand, `since` then.
pub fn standing(state: &State, clocks: Clocks, since: Option<Millis>) -> Clocks {
    match since {
        Some(since) if clocks.running.is_some() => Clocks {
            running: None,
            ..state.clock.view(state.game.turn(), since)
        },
        Some(_) | None => clocks,
    }
}

/// Says of a view what the game has changed, and that it is damaged, if it is.
pub fn marked(
    mut view: GameView,
    ratings: Option<BySeat<RatingChange>>,
    damaged: bool,
) -> GameView {
    view.ratings = ratings;
    if damaged {
        view.damaged = true;
        view.clocks.running = None;
        view.position.legal = None;
        view.position.banned = Vec::new();
    }
    view
}
