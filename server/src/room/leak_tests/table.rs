//! A game at a table: commands through the referee, events through the fold, and everything that each audience is given.

use qiguan_game::{
    audience::{self, Audience, snapshot::Snapshot},
    clock::Delay,
    event::{Body, Created, Event, Player},
    referee::{self, Caller, Command},
    seat_drafts::Drafts,
    setups::Draw,
    state::State,
};
use qiguan_protocol::{
    answer::{Answer, AnswerFrame},
    ids::{Epoch, GameId, Millis, PlayerId, RequestId, Seq},
    names::Visibility,
    time_control::{Clock, TimeControl},
    view::{Presence, SeatPresence},
};
use qiguan_rules::{Seat, luzhanqi::Setup};
use uuid::Uuid;

use crate::{peer, room::publishing::texts_of};

/// Something that was sent.
pub(super) struct Sent {
    /// The last event at that time.
    pub(super) seq: Seq,
    /// What kind of message.
    pub(super) what: MessageKind,
    /// Every byte of it.
    pub(super) text: String,
}

/// The kinds of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MessageKind {
    Event,
    Refusal,
    Snapshot,
    Missed,
    Positions,
}

/// A game with everything that was sent of it.
pub(super) struct Table {
    pub(super) state: State,
    pub(super) drafts: Drafts,
    now: Millis,
    /// By the place of the audience.
    pub(super) sent: [Vec<Sent>; 3],
}

impl Table {
    /// Two players sit down to a game, and the setups are drawn.
    pub(super) fn open(ruleset: &str, draw: &Draw) -> Self {
        let now = Millis(1_000_000);
        let created = Created {
            ruleset: ruleset.to_owned(),
            options: Vec::new(),
            time_control: TimeControl {
                clock: Clock::None,
                absence_ms: Some(Millis(600_000)),
                setup_ms: Some(Millis(180_000)),
            },
            visibility: Visibility::Public,
            seat: Seat::First,
            player: player(Seat::First),
            rated: false,
            invited: None,
            spectator_delay: None,
            start: None,
            practice: false,
            bounded: true,
        };
        let mut opening =
            referee::number(Seq(0), now, None, vec![Body::Created(Box::new(created))]);
        let state = State::open(GameId(Uuid::from_u128(9)), opening.remove(0)).unwrap();
        let mut table = Self {
            state,
            drafts: Drafts::default(),
            now,
            sent: [Vec::new(), Vec::new(), Vec::new()],
        };
        table.publish();
        table.does_with(Seat::Second, &Command::Join, Some(draw));
        table
    }

    /// The game that a rematch of this one opens.
    pub(super) fn rematch(&self, draw: &Draw) -> Self {
        let bodies = referee::rematch_opening(
            &self.state,
            self.state.players.clone(),
            Some(draw.clone()),
            self.now,
        )
        .unwrap();
        let mut events = referee::number(Seq(0), self.now, None, bodies).into_iter();
        let state = State::open(GameId(Uuid::from_u128(10)), events.next().unwrap()).unwrap();
        let mut table = Self {
            state,
            drafts: Drafts::default(),
            now: self.now,
            sent: [Vec::new(), Vec::new(), Vec::new()],
        };
        table.publish();
        for event in events {
            table.state.apply(event).unwrap();
            table.publish();
        }
        table
    }

    /// A player changes the setup; nobody is notified.
    pub(super) fn sets_up(&mut self, seat: Seat, setup: &Setup) {
        self.drafts.get_mut(seat).setup = Some(*setup);
    }

    /// A player gives a command.
    pub(super) fn does(&mut self, seat: Seat, command: &Command) {
        self.does_with(seat, command, None);
    }

    /// A player sends the next move, or tries to.
    pub(super) fn plays(&mut self, seat: Seat, text: &str) {
        let ply = self.state.ply().next();
        let mv = Ok(text.parse().unwrap());
        self.does(seat, &Command::Move { ply, mv });
    }

    fn does_with(&mut self, seat: Seat, command: &Command, draw: Option<&Draw>) {
        self.now = self.now + Millis(1_000);
        let setup = self.state.setting_up();
        let current_setups = setup.map(|setup| setup.both_current(&self.drafts));
        let sits = self.state.players.get(seat).clone();
        let caller = Caller {
            player: sits.unwrap_or_else(|| player(seat)),
            received: self.now,
            delay: Delay::default(),
            opponent_away_since: None,
            draw: draw.cloned(),
            current_setups,
            shadow_muted: false,
        };
        match referee::decide(&self.state, command, &caller, self.now) {
            Ok(decision) => {
                let mut precomputed = decision.precomputed;
                for event in referee::number(self.state.seq(), self.now, None, decision.bodies) {
                    self.happens(event, precomputed.take());
                }
            }
            Err(refusal) => {
                let answer = AnswerFrame::new(Some(RequestId(7)), Err(refusal.into()));
                self.keep(
                    Audience::Seat(seat),
                    MessageKind::Refusal,
                    &peer::text(&answer),
                );
            }
        }
    }

    fn happens(&mut self, event: Event, precomputed: Option<qiguan_game::state::PlayedMove>) {
        self.state.apply_precomputed(event, precomputed).unwrap();
        self.publish();
    }

    fn publish(&mut self) {
        let texts = texts_of(&self.state, [true; 3]).each();
        for (audience, text) in Audience::ALL.into_iter().zip(texts) {
            self.keep(audience, MessageKind::Event, &text.unwrap());
        }
    }

    /// Everybody reads all that there is to read.
    pub(super) fn is_looked_at(&mut self, since: Seq) {
        for audience in Audience::ALL {
            let snapshot = Snapshot {
                audience,
                presence: presence(),
                ..Snapshot::of_record(
                    self.state.snapshot(),
                    self.drafts.clone(),
                    Epoch(1),
                    self.now,
                )
            };
            let missed = snapshot.missed(since);
            let positions = peer::text(&audience::positions(&self.state, audience).unwrap());
            let snapshot = Answer::Snapshot {
                reset: false,
                view: Box::new(snapshot.view()),
            };
            for (what, answer) in [
                (MessageKind::Snapshot, snapshot),
                (MessageKind::Missed, missed),
            ] {
                let text = peer::text(&AnswerFrame::new(Some(RequestId(7)), Ok(answer)));
                self.keep(audience, what, &text);
            }
            self.keep(audience, MessageKind::Positions, &positions);
        }
    }

    fn keep(&mut self, audience: Audience, what: MessageKind, text: &str) {
        self.sent[audience.index()].push(Sent {
            seq: self.state.seq(),
            what,
            text: text.to_owned(),
        });
    }
}

fn player(seat: Seat) -> Player {
    Player::named(
        PlayerId(Uuid::from_u128(1 + seat.index() as u128)),
        format!("Player {}", 1 + seat.index()),
    )
}

const fn presence() -> Presence {
    let here = SeatPresence {
        connected: true,
        claim_at: None,
    };
    Presence {
        players: qiguan_protocol::names::BySeat {
            first: here,
            second: here,
        },
        spectators: 1,
    }
}
