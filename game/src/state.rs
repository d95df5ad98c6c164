//! A game as the fold of its events. Pure: no time is read, nothing is written.
//!
//! **Invariant:** [`State::apply`] is the only way in which a state changes, live as in replay, so what a crash leaves in
//! the record is all there ever was.

mod setup;
mod takebacks;

use std::collections::{BTreeMap, HashMap};

use qiguan_protocol::{
    ids::{CommandId, GameId, Millis, PlayerId, Ply, Seq},
    names::Status,
};
use qiguan_rules::{BySeat, Game, Move, Outcome, PlayError, RuleSet, Seat};

pub use self::takebacks::TakenBack;
use crate::{
    chunks::Chunks,
    clock::ClockState,
    event::{Body, Created, Event, Player},
    given_start,
    record::GameSummary,
    rulesets,
    setups::SettingUp,
};

/// A game.
#[derive(Clone, Debug)]
pub struct State {
    /// The game's id.
    pub id: GameId,
    /// What it was opened with.
    pub created: Created,
    /// When it was opened.
    pub created_at: Millis,
    /// The command that opened it; none if a rematch did.
    pub created_by: Option<CommandId>,
    /// The rule set with this game's options.
    pub ruleset: RuleSet,
    /// The position and its history.
    pub game: Game,
    /// Who sits where.
    pub players: BySeat<Option<Player>>,
    /// Where the game is in its life.
    pub status: Status,
    /// The setups, in a game that has them.
    pub setup: Option<SettingUp>,
    /// The clocks.
    pub clock: ClockState,
    /// The moves so far.
    pub moves: Chunks<Played>,
    /// The open draw offer.
    pub draw_offer: Option<Offer>,
    /// How many draw offers each player has made.
    pub draw_offers_made: BySeat<u32>,
    /// How many chat lines each player has sent.
    pub chat_lines: BySeat<u32>,
    /// The open request to take moves back.
    pub takeback_request: Option<Offer>,
    /// How many such requests each player has made.
    pub takeback_requests_made: BySeat<u32>,
    /// What was taken back, in order.
    pub taken_back: Vec<TakenBack>,
    /// The open rematch offer.
    pub rematch_offer: Option<Offer>,
    /// The game that followed by a rematch.
    pub next: Option<GameId>,
    /// How the game ended, and when.
    pub ended: Option<(Outcome, Millis)>,
    /// Whose command ended it, if one did.
    pub ended_by: Option<Seat>,
    /// Every event so far: what resuming clients are served from.
    pub log: Chunks<Event>,
    /// The last event's number.
    seq: Seq,
    /// How many moves there are.
    ply: Ply,
    /// When events that set a clock running became visible, as far as that was seen here: the turn begins then.
    pub visible: BTreeMap<Seq, Millis>,
    /// The first and the last event that each command caused: they stand side by side in the log.
    commands: HashMap<CommandId, (Seq, Seq)>,
}

/// What a move leads to, worked out before it is played.
#[derive(Clone, Debug)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// The game after it.
    pub game: Game,
    /// What it did.
    pub played: qiguan_rules::Played,
}

impl PlayedMove {
    /// Works out a move.
    ///
    /// # Errors
    /// When the rules do not allow it.
    pub fn of(game: &Game, mv: Move) -> Result<Self, PlayError> {
        let (game, played) = game.after(mv)?;
        Ok(Self { mv, game, played })
    }

    /// The same for a move of a record, which may be longer than games may become now.
    fn recorded(game: &Game, mv: Move) -> Result<Self, PlayError> {
        let (game, played) = game.after_recorded(mv)?;
        Ok(Self { mv, game, played })
    }
}

/// A move of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The move.
    pub mv: Move,
    /// What it did.
    pub did: qiguan_rules::Played,
    /// What it cost.
    pub spent: Millis,
}

/// An open offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Who offers.
    pub seat: Seat,
    /// The event that made it.
    pub seq: Seq,
}

/// The record does not make sense at this event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {seq} does not follow from those before it: {why}")]
pub struct Damaged {
    /// The event.
    pub seq: Seq,
    /// What is wrong with it.
    pub why: &'static str,
}

impl State {
    /// The state after all events of a record.
    ///
    /// # Errors
    /// The first event that can't follow from those before it.
    pub fn fold(id: GameId, events: impl IntoIterator<Item = Event>) -> Result<Self, Damaged> {
        let mut events = events.into_iter();
        let none = Damaged {
            seq: Seq(1),
            why: "a record begins with created",
        };
        let mut state = Self::open(id, events.next().ok_or(none)?)?;
        for event in events {
            state.apply(event)?;
        }
        Ok(state)
    }

    /// The state after the first event.
    ///
    /// # Errors
    /// When it is not a well-formed `Created` with number 1.
    pub fn open(id: GameId, event: Event) -> Result<Self, Damaged> {
        let damaged = |why| Damaged {
            seq: event.seq,
            why,
        };
        let Body::Created(created) = &event.body else {
            return Err(damaged("a record begins with created"));
        };
        if event.seq != Seq(1) {
            return Err(damaged("a record begins with event 1"));
        }
        let created = Created::clone(created);
        let ruleset = rulesets::from_record(&created.ruleset, &created.options)
            .map_err(|_| damaged("unknown rule set or option"))?;
        let game = given_start::begin(&ruleset, created.start.as_deref())
            .map_err(|_| damaged("the position to begin with is impossible"))?;
        let mut players = BySeat::default();
        *players.get_mut(created.seat) = Some(created.player.clone());
        Ok(Self {
            id,
            created_at: event.at,
            created_by: event.command,
            game,
            ruleset,
            players,
            status: Status::Open,
            setup: None,
            clock: ClockState::new(created.time_control.clock),
            created,
            moves: Chunks::default(),
            draw_offer: None,
            draw_offers_made: BySeat::default(),
            chat_lines: BySeat::default(),
            takeback_request: None,
            takeback_requests_made: BySeat::default(),
            taken_back: Vec::new(),
            rematch_offer: None,
            next: None,
            ended: None,
            ended_by: None,
            visible: BTreeMap::new(),
            commands: event
                .command
                .map(|command| (command, (event.seq, event.seq)))
                .into_iter()
                .collect(),
            seq: event.seq,
            ply: Ply(0),
            log: [event].into_iter().collect(),
        })
    }

    /// The state after one more event.
    ///
    /// # Errors
    /// When the event can't follow; the state is then of no use any more.
    pub fn apply(&mut self, event: Event) -> Result<(), Damaged> {
        self.apply_precomputed(event, None)
    }

    /// The same, for a move whose consequences the referee has worked out already: they are not worked out twice.
    ///
    /// # Errors
    /// As [`Self::apply`].
    pub fn apply_precomputed(
        &mut self,
        event: Event,
        precomputed: Option<PlayedMove>,
    ) -> Result<(), Damaged> {
        let damaged = |why| Damaged {
            seq: event.seq,
            why,
        };
        if event.seq != self.seq().next() {
            return Err(damaged("a number is missing or doubled"));
        }
        let offer_of = |seat| Offer {
            seat,
            seq: event.seq,
        };
        match &event.body {
            Body::Created(_) => return Err(damaged("created stands only at the beginning")),
            Body::Joined { seat, player } => {
                let place = self.players.get_mut(*seat);
                if place.is_some() {
                    return Err(damaged("the seat is taken"));
                }
                *place = Some(player.clone());
            }
            Body::SetupBegan { .. }
            | Body::SetupExtended { .. }
            | Body::SetupReady { .. }
            | Body::Started { .. }
            | Body::Revealed => setup::apply(self, &event.body).map_err(damaged)?,
            Body::Moved {
                seat,
                ply,
                mv,
                spent,
                ..
            } => {
                if *ply != self.ply().next() || *seat != self.game.turn() {
                    return Err(damaged("the move is out of turn"));
                }
                let precomputed = match precomputed.filter(|precomputed| precomputed.mv == *mv) {
                    Some(precomputed) => precomputed,
                    None => PlayedMove::recorded(&self.game, *mv)
                        .map_err(|_| damaged("the move is illegal"))?,
                };
                self.game = precomputed.game;
                self.moves.push(Played {
                    mv: *mv,
                    did: precomputed.played,
                    spent: *spent,
                });
                self.ply = *ply;
                if self.draw_offer.is_some_and(|offer| offer.seat != *seat) {
                    self.draw_offer = None;
                }
                self.takeback_request = None;
            }
            Body::DrawOffered { seat } => {
                self.draw_offer = Some(offer_of(*seat));
                *self.draw_offers_made.get_mut(*seat) += 1;
            }
            Body::DrawDeclined { .. } => self.draw_offer = None,
            Body::TakebackRequested { seat } => {
                self.takeback_request = Some(offer_of(*seat));
                *self.takeback_requests_made.get_mut(*seat) += 1;
            }
            Body::TakebackDeclined { .. } => self.takeback_request = None,
            Body::TakenBack { by, plies, .. } => {
                self.take_back(*by, *plies, event.seq).map_err(damaged)?;
            }
            Body::ClocksHeld { .. } | Body::ClocksReleased => {}
            Body::Ended { outcome, by, .. } => {
                self.ended_by = *by;
                self.status = Status::Ended;
                self.draw_offer = None;
                self.takeback_request = None;
                self.ended = Some((*outcome, event.at));
            }
            Body::RematchOffered { seat } => self.rematch_offer = Some(offer_of(*seat)),
            Body::RematchAgreed { next } => {
                self.rematch_offer = None;
                self.next = Some(*next);
            }
            Body::Chat { seat, .. } => {
                let lines = self.chat_lines.get_mut(*seat);
                *lines = lines.saturating_add(1);
            }
        }
        self.clock.apply(&event.body, event.at);
        if let Some(command) = event.command {
            let (_, last) = self
                .commands
                .entry(command)
                .or_insert((event.seq, event.seq));
            *last = event.seq;
        }
        self.seq = event.seq;
        self.log.push(event);
        Ok(())
    }

    /// The game as it is now, to be read while it goes on: it shares the events, and knows no commands.
    #[must_use]
    pub fn snapshot(&self) -> Self {
        Self {
            id: self.id,
            created: self.created.clone(),
            created_at: self.created_at,
            created_by: self.created_by,
            ruleset: self.ruleset,
            game: self.game.clone(),
            players: self.players.clone(),
            status: self.status,
            setup: self.setup.clone(),
            clock: self.clock.clone(),
            moves: self.moves.clone(),
            draw_offer: self.draw_offer,
            draw_offers_made: self.draw_offers_made,
            chat_lines: self.chat_lines,
            takeback_request: self.takeback_request,
            takeback_requests_made: self.takeback_requests_made,
            taken_back: self.taken_back.clone(),
            rematch_offer: self.rematch_offer,
            next: self.next,
            ended: self.ended,
            ended_by: self.ended_by,
            log: self.log.clone(),
            seq: self.seq,
            ply: self.ply,
            visible: self.visible.clone(),
            commands: HashMap::new(),
        }
    }

    /// When an event that set a clock running became visible, if that was seen here.
    pub fn visible_at(&self, seq: Seq) -> Option<Millis> {
        self.visible.get(&seq).copied()
    }

    /// The event of this number became visible only at `at`: if it is the last and has set a clock running, the clock runs from then on.
    pub fn became_visible(&mut self, seq: Seq, at: Millis) {
        let Some(last) = self.log.last().filter(|last| last.seq == seq) else {
            return;
        };
        let begins_turn = matches!(
            last.body,
            Body::Moved { .. } | Body::TakenBack { .. } | Body::ClocksReleased
        );
        if begins_turn && self.clock.counts() && self.clock.is_running() {
            self.clock.became_visible(at);
            self.visible.insert(seq, at);
        }
    }

    /// Since when time is counted, of a clock or for setting up; none while nothing is counted.
    pub fn counting_since(&self) -> Option<Millis> {
        if self.status != Status::Playing {
            return None;
        }
        if self.setting_up().is_some() {
            let begins = |event: &&Event| {
                matches!(
                    event.body,
                    Body::SetupBegan { .. } | Body::SetupExtended { .. }
                )
            };
            return self.log.iter().rev().find(begins).map(|event| event.at);
        }
        let since = self.clock.running_since();
        since.filter(|_| self.clock.counts())
    }

    /// How long after the opponent's move became visible a message came; none if something else began the turn or came in between.
    pub fn answered_within(&self, received: Millis) -> Option<Millis> {
        let Body::Moved { .. } = self.log.last()?.body else {
            return None;
        };
        let since = self.clock.running_since()?;
        // What was sent before the move was visible answers nothing.
        Some(received - since).filter(|time| time.0 >= 0)
    }

    /// While both set up: how far they are.
    pub fn setting_up(&self) -> Option<&SettingUp> {
        self.setup
            .as_ref()
            .filter(|setup| self.status == Status::Playing && setup.taken.is_none())
    }

    /// The game before the first move.
    pub fn beginning(&self) -> Game {
        let taken = self.setup.as_ref().and_then(|setup| setup.taken.as_ref());
        taken
            .and_then(|setups| Game::set_up(&self.ruleset, &setups.0))
            .or_else(|| given_start::begin(&self.ruleset, self.created.start.as_deref()).ok())
            .unwrap_or_else(|| Game::start(&self.ruleset))
    }

    /// The last event's number.
    pub const fn seq(&self) -> Seq {
        self.seq
    }

    /// The number of moves played and not taken back.
    pub const fn ply(&self) -> Ply {
        self.ply
    }

    /// Where a player sits.
    pub fn seat_of(&self, player: PlayerId) -> Option<Seat> {
        Seat::ALL.into_iter().find(|seat| {
            self.players
                .get(*seat)
                .as_ref()
                .is_some_and(|sits| sits.id == player)
        })
    }

    /// The first event that a command caused, and the last one's number; none if it was never carried out.
    pub fn caused_by(&self, command: CommandId) -> Option<(&Event, Seq)> {
        let (first, last) = self.commands.get(&command)?;
        Some((self.log.get(first.0 as usize - 1)?, *last))
    }

    /// The game's line in lists.
    pub fn summary(&self) -> GameSummary {
        GameSummary {
            game: self.id,
            ruleset: self.created.ruleset.clone(),
            options: self.created.options.clone(),
            start: self.created.start.clone(),
            time_control: self.created.time_control,
            visibility: self.created.visibility,
            rated: self.created.rated,
            invited: self.created.invited.clone(),
            status: self.status,
            players: self.players.clone(),
            created_by: self
                .created_by
                .map(|command| (self.created.player.id, command)),
            outcome: self.ended.map(|(outcome, _)| outcome),
            ended_by: self.ended_by,
            plies: self.ended.map(|_| self.ply()),
            created_at: self.created_at,
            ended_at: self.ended.map(|(_, at)| at),
        }
    }
}
