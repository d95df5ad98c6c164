//! A game as one reader may know it, at one moment: what a room hands out, so that reading takes none of its time.

use qiguan_protocol::{
    answer::Answer,
    event::EventFrame,
    ids::{Cursor, Epoch, GameId, Millis, Ply, Seq},
    names::{BySeat, RatingChange},
    own_game::OwnGame,
    view::{Clocks, GameView, LiveState, PlayedMove, PositionAtPly, Presence, SpectatorLine},
};
use qiguan_rules::Seat;

use super::{
    Audience, Perspective, Telling, Walk, chat, missed, moves_of, offer,
    own_game::own_game,
    played_move, player, position,
    setups::{notes, setup},
    takebacks,
};
use crate::{
    rulesets,
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
    /// Since when the clocks have been stopped because nothing can be written.
    pub stopped_since: Option<Millis>,
    pub ratings: Option<BySeat<RatingChange>>,
    pub damaged: bool,
    pub said: Vec<SpectatorLine>,
}

impl Snapshot {
    /// A game as its record alone tells it to spectators: who is there, a server alone knows.
    pub fn of_record(state: State, drafts: Drafts, epoch: Epoch, now: Millis) -> Self {
        Self {
            state,
            audience: Audience::Spectators,
            drafts,
            presence: Presence::default(),
            epoch,
            now,
            stopped_since: None,
            ratings: None,
            damaged: false,
            said: Vec::new(),
        }
    }

    /// The game's id.
    pub const fn game(&self) -> GameId {
        self.state.id
    }

    /// Its rule set.
    pub fn ruleset(&self) -> &str {
        &self.state.created.ruleset
    }

    /// Whether it has ended.
    pub const fn is_over(&self) -> bool {
        self.state.ended.is_some()
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

    /// The same with no moves: those are [`Self::played`] one by one. Of a damaged game nobody is to play on, and no clock runs.
    pub fn view_without_moves(&self) -> GameView {
        let (state, audience) = (&self.state, self.audience);
        let shown = |seat: Seat| state.players.get(seat).as_ref().map(player);
        let mut view = GameView {
            game: state.id,
            cursor: self.cursor(),
            ruleset: state.created.ruleset.clone(),
            options: rulesets::options(&state.ruleset),
            time_control: state.created.time_control,
            visibility: state.created.visibility,
            rated: state.created.rated,
            practice: state.created.practice,
            start: state.created.start.clone(),
            ratings: self.ratings,
            invited: state.created.invited.as_ref().map(player),
            spectator_delay: state.created.spectator_delay,
            status: state.status,
            players: BySeat {
                first: shown(Seat::First),
                second: shown(Seat::Second),
            },
            you: audience.seat().map(Into::into),
            position: position(state, audience),
            moves: Vec::new(),
            clocks: self.clocks(),
            draw_offer: state.draw_offer.map(offer),
            takeback_request: state.takeback_request.map(offer),
            takebacks: takebacks(state),
            rematch_offer: state.rematch_offer.map(offer),
            next: state.next,
            outcome: state.ended.map(|(outcome, _)| outcome.into()),
            setup: setup(state, audience, &self.drafts),
            notes: notes(audience, &self.drafts),
            chat: chat(state, audience),
            spectator_chat: self.said.clone(),
            presence: self.presence,
            created_at: state.created_at,
            server_time: self.now,
            analysis: None,
            damaged: self.damaged,
        };
        if self.damaged {
            view.clocks.running = None;
            view.position.legal = None;
            view.position.banned = Vec::new();
        }
        view
    }

    /// The game in short, for its player; none for others, and while a seat is free.
    pub fn own_game(&self) -> Option<OwnGame> {
        let game = own_game(&self.state, self.audience.seat()?, self.now)?;
        Some(OwnGame {
            clocks: self.clocks(),
            ..game
        })
    }

    /// What has happened since an event, and where the game stands, for a client that watches on.
    pub fn missed(&self, since: Seq) -> Answer {
        let (state, audience) = (&self.state, self.audience);
        Answer::Missed {
            game: state.id,
            cursor: self.cursor(),
            events: missed(state, since, audience),
            live: Box::new(LiveState {
                ratings: self.ratings,
                position: position(state, audience),
                clocks: self.clocks(),
                setup: setup(state, audience, &self.drafts),
                notes: notes(audience, &self.drafts),
                spectator_chat: self.said.clone(),
                presence: self.presence,
                server_time: self.now,
            }),
        }
    }

    const fn cursor(&self) -> Cursor {
        Cursor {
            epoch: self.epoch,
            seq: self.state.seq(),
        }
    }

    /// Both clocks; they are stopped while nothing can be written.
    fn clocks(&self) -> Clocks {
        let state = &self.state;
        let view = |at| state.clock.view(state.game.turn(), at);
        let now = view(self.now);
        match self.stopped_since {
            Some(since) if now.running.is_some() => Clocks {
                running: None,
                ..view(since)
            },
            Some(_) | None => now,
        }
    }

    /// A move, the first at 0; none after the last.
    pub fn played(&self, at: usize) -> Option<PlayedMove> {
        let played = self.state.moves.get(at)?;
        Some(played_move(played, Ply(at as u32 + 1)))
    }

    /// Tells the game once more, after an event.
    pub fn tell(&self, since: Seq) -> Telling {
        Telling::after(&self.state, since)
    }

    /// The next event as the reader saw it happen; none after the last.
    pub fn event(&self, telling: &mut Telling) -> Option<EventFrame> {
        telling.next(&self.state, self.audience)
    }

    /// Goes through the positions from a ply on; none as long as what is asked for is to be hidden.
    ///
    /// # Errors
    /// When a move can't be made.
    pub fn walk(
        &self,
        from: Ply,
        perspective: Option<Perspective>,
    ) -> Result<Option<Walk>, Damaged> {
        Walk::begin(&self.state, from, self.audience, perspective)
    }

    /// The next position; none after the last.
    ///
    /// # Errors
    /// When a move can't be made.
    pub fn position(&self, walk: &mut Walk) -> Result<Option<PositionAtPly>, Damaged> {
        walk.next(&self.state)
    }
}
