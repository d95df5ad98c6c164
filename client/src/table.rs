//! A game as the client knows it: the snapshot, carried on by events.

use qiguan_protocol::{
    answer::Answer,
    event::{EventFrame, GameEvent, GameNoticeKind},
    ids::{GameId, Millis, Ply, Seq},
    names::{BySeat, Seat, Status},
    setup::SetupView,
    view::{ChatLine, GameView, Offer, PlayedMove},
};

use super::commitment_check::CommitmentCheck;

/// A game as the client knows it.
pub struct Table {
    /// The game.
    pub view: GameView,
    /// Where a rematch has led.
    pub next: Option<GameId>,
    /// The server's record can't be written just now.
    pub storage_down: bool,
    /// What the server sent first: it is checked against that at the end.
    check: CommitmentCheck,
}

/// What can be accepted or declined, by the number of its event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offered {
    /// A draw.
    Draw(Seq),
    /// To take moves back.
    Takeback(Seq),
}

impl Table {
    /// From a snapshot.
    pub fn new(view: GameView) -> Self {
        let mut check = CommitmentCheck::default();
        check.sees(&view, true);
        Self {
            next: view.next,
            view,
            storage_down: false,
            check,
        }
    }

    /// Catches up with an answer to `watch`.
    pub fn catch_up(&mut self, answer: Answer) {
        match answer {
            Answer::Snapshot { view, .. } => {
                self.next = view.next;
                self.view = *view;
                self.storage_down = false;
                self.check.sees(&self.view, true);
            }
            Answer::Missed { events, live, .. } => {
                for event in events {
                    self.happened(event);
                }
                self.view.position = live.position;
                self.view.clocks = live.clocks;
                self.view.setup = live.setup;
                self.view.notes = live.notes;
                self.view.presence = live.presence;
                self.view.server_time = live.server_time;
                self.check.sees(&self.view, true);
            }
            Answer::Welcome(_)
            | Answer::Guest(_)
            | Answer::Pong { .. }
            | Answer::Created { .. }
            | Answer::Kept { .. }
            | Answer::Unwatched { .. }
            | Answer::Lobby { .. }
            | Answer::LeftLobby {}
            | Answer::Seek { .. }
            | Answer::Paired { .. }
            | Answer::LeftPools { .. }
            | Answer::OwnGames { .. }
            | Answer::Done { .. } => {}
        }
    }

    /// Carries the game on by an event.
    pub fn happened(&mut self, frame: EventFrame) {
        let view = &mut self.view;
        if frame.seq <= view.cursor.seq {
            return;
        }
        view.cursor.seq = frame.seq;
        view.server_time = view.server_time.max(frame.at);
        let moved = frame.position.is_some();
        let seq = frame.seq;
        let offer_of = |seat| Some(Offer { seat, seq });
        if let Some(position) = frame.position {
            view.position = position;
        }
        match frame.event {
            GameEvent::Created { seat, player } | GameEvent::Joined { seat, player } => {
                *of_seat(&mut view.players, seat) = Some(player);
            }
            GameEvent::SetupBegan { .. }
            | GameEvent::SetupExtended { .. }
            | GameEvent::SetupReady { .. }
            | GameEvent::Revealed { .. } => set_up(view, frame.event),
            GameEvent::Started {
                clocks,
                commitments,
            } => {
                view.status = Status::Playing;
                view.clocks = clocks;
                if let Some(setup) = &mut view.setup {
                    setup.until = None;
                    setup.commitments = commitments;
                }
            }
            GameEvent::Moved {
                seat,
                ply,
                text,
                captured,
                removed,
                met,
                spent_ms,
                clocks,
                ..
            } => {
                view.moves.push(PlayedMove {
                    ply,
                    text,
                    captured,
                    removed,
                    met,
                    spent_ms,
                });
                view.clocks = clocks;
                if view.draw_offer.is_some_and(|offer| offer.seat != seat) {
                    view.draw_offer = None;
                }
                view.takeback_request = None;
            }
            GameEvent::DrawOffered { seat } => view.draw_offer = offer_of(seat),
            GameEvent::DrawDeclined { .. } => view.draw_offer = None,
            GameEvent::TakebackRequested { seat } => view.takeback_request = offer_of(seat),
            GameEvent::TakebackDeclined { .. } => view.takeback_request = None,
            GameEvent::TakenBack { plies, clocks, .. } => {
                let kept = view.moves.len().saturating_sub(plies as usize);
                view.moves.truncate(kept);
                view.takebacks.count += 1;
                view.takebacks.plies += plies;
                view.clocks = clocks;
                (view.draw_offer, view.takeback_request) = (None, None);
            }
            GameEvent::ClocksHeld { clocks, .. } | GameEvent::ClocksReleased { clocks } => {
                view.clocks = clocks
            }
            GameEvent::Ended { outcome, clocks } => {
                view.status = Status::Ended;
                view.outcome = Some(outcome);
                view.clocks = clocks;
                (view.draw_offer, view.takeback_request) = (None, None);
            }
            GameEvent::RematchOffered { seat } => view.rematch_offer = offer_of(seat),
            GameEvent::RematchAgreed { next } => {
                view.rematch_offer = None;
                self.next = Some(next);
            }
            GameEvent::Chat { seat, text } => view.chat.push(ChatLine {
                seat,
                at: frame.at,
                text,
            }),
            GameEvent::Withheld {} => {}
        }
        self.check.sees(&self.view, moved);
    }

    /// Takes note of what goes on around the game.
    pub fn noticed(&mut self, notice: &GameNoticeKind) {
        match notice {
            GameNoticeKind::Presence { presence } => self.view.presence = *presence,
            GameNoticeKind::Rated { ratings } => self.view.ratings = Some(*ratings),
            GameNoticeKind::StorageDown {} => self.storage_down = true,
            GameNoticeKind::StorageBack {} => self.storage_down = false,
            GameNoticeKind::SetUp { setup } => {
                if let Some(shown) = &mut self.view.setup {
                    shown.yours = Some(setup.clone());
                }
            }
            GameNoticeKind::Notes { notes } => self.view.notes = Some(notes.clone()),
            GameNoticeKind::SpectatorChat { lines } => {
                self.view.spectator_chat.extend(lines.iter().cloned());
            }
            GameNoticeKind::Dropped {} => {}
        }
    }

    /// Whether both set up just now.
    pub fn is_setting_up(&self) -> bool {
        let setup = self.view.setup.as_ref();
        self.view.status == Status::Playing && setup.is_some_and(|setup| setup.until.is_some())
    }

    /// How long both may set up at a server time.
    pub fn left_to_set_up(&self, now: Millis) -> Option<Millis> {
        let until = self.view.setup.as_ref()?.until?;
        self.is_setting_up()
            .then_some(Millis((until - now).0.max(0)))
    }

    /// Whether the game has ended and everything about it has arrived.
    pub fn is_over(&self) -> bool {
        let setup = self.view.setup.as_ref();
        let to_be_revealed =
            setup.is_some_and(|setup| setup.commitments.is_some() && setup.revealed.is_none());
        self.view.status == Status::Ended && !to_be_revealed
    }

    /// Whether the game was refereed fairly, in words; none as long as the setups are not revealed.
    pub fn verdict(&self) -> Option<String> {
        self.check.verdict(&self.view)
    }

    /// What the opponent has offered or asked for last, if that is open.
    pub fn offered(&self) -> Option<Offered> {
        let of_opponent = |offer: &Offer| Some(offer.seat) != self.view.you;
        let draw = self.view.draw_offer.filter(of_opponent);
        let takeback = self.view.takeback_request.filter(of_opponent);
        match (draw, takeback) {
            (Some(draw), Some(takeback)) if draw.seq > takeback.seq => {
                Some(Offered::Draw(draw.seq))
            }
            (_, Some(takeback)) => Some(Offered::Takeback(takeback.seq)),
            (Some(draw), None) => Some(Offered::Draw(draw.seq)),
            (None, None) => None,
        }
    }

    /// The number that the next move has.
    pub fn next_ply(&self) -> Ply {
        Ply(self.view.moves.len() as u32 + 1)
    }

    /// What a seat has left on its clock at a server time.
    pub fn left(&self, seat: Seat, now: Millis) -> Option<(Millis, Option<u32>)> {
        let clocks = &self.view.clocks;
        let left = clocks.left.as_ref()?.get(seat);
        let passed = if clocks.running == Some(seat) {
            (now - clocks.at).0.max(0)
        } else {
            0
        };
        Some((Millis((left.ms.0 - passed).max(0)), left.periods))
    }
}

/// Carries the setups on by an event.
fn set_up(view: &mut GameView, event: GameEvent) {
    match (event, &mut view.setup) {
        (GameEvent::SetupBegan { until, setup }, _) => {
            view.status = Status::Playing;
            view.setup = Some(SetupView {
                until: Some(until),
                ready: BySeat::default(),
                yours: setup,
                commitments: None,
                revealed: None,
            });
        }
        (GameEvent::SetupExtended { until }, Some(setup)) => setup.until = Some(until),
        (GameEvent::SetupReady { seat }, Some(setup)) => *of_seat(&mut setup.ready, seat) = true,
        (GameEvent::Revealed { setups }, Some(setup)) => setup.revealed = Some(setups),
        _ => {}
    }
}

const fn of_seat<T>(both: &mut BySeat<T>, seat: Seat) -> &mut T {
    match seat {
        Seat::First => &mut both.first,
        Seat::Second => &mut both.second,
    }
}
