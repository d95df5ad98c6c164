//! A game as the client knows it: the snapshot, carried on by events.

use qiguan_protocol::{
    answer::Answer,
    event::{EventFrame, GameEvent, GameNoticeKind},
    ids::{GameId, Millis, Ply},
    names::{BySeat, Seat, Status},
    view::{ChatLine, GameView, Offer, PlayedMove},
};

/// A game as the client knows it.
pub struct Table {
    /// The game.
    pub view: GameView,
    /// Where a rematch has led.
    pub next: Option<GameId>,
    /// The server's record can't be written just now.
    pub storage_down: bool,
}

impl Table {
    /// From a snapshot.
    pub fn new(view: GameView) -> Self {
        Self {
            next: view.next,
            view,
            storage_down: false,
        }
    }

    /// Catches up with an answer to `watch`.
    pub fn catch_up(&mut self, answer: Answer) {
        match answer {
            Answer::Snapshot { view, .. } => *self = Self::new(*view),
            Answer::Missed { events, live, .. } => {
                for event in events {
                    self.happened(event);
                }
                self.view.position = live.position;
                self.view.clocks = live.clocks;
                self.view.presence = live.presence;
                self.view.server_time = live.server_time;
            }
            Answer::Welcome(_)
            | Answer::Guest(_)
            | Answer::Pong { .. }
            | Answer::Created { .. }
            | Answer::Unwatched { .. }
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
        if let Some(position) = frame.position {
            view.position = position;
        }
        match frame.event {
            GameEvent::Created { seat, player } | GameEvent::Joined { seat, player } => {
                *of_seat(&mut view.players, seat) = Some(player);
            }
            GameEvent::Started { clocks } => {
                view.status = Status::Playing;
                view.clocks = clocks;
            }
            GameEvent::Moved {
                seat,
                ply,
                text,
                captured,
                spent_ms,
                clocks,
                ..
            } => {
                view.moves.push(PlayedMove {
                    ply,
                    text,
                    captured,
                    spent_ms,
                });
                view.clocks = clocks;
                if view.draw_offer.is_some_and(|offer| offer.seat != seat) {
                    view.draw_offer = None;
                }
            }
            GameEvent::DrawOffered { seat } => {
                view.draw_offer = Some(Offer {
                    seat,
                    seq: frame.seq,
                })
            }
            GameEvent::DrawDeclined { .. } => view.draw_offer = None,
            GameEvent::ClocksHeld { clocks, .. } | GameEvent::ClocksReleased { clocks } => {
                view.clocks = clocks
            }
            GameEvent::Ended { outcome, clocks } => {
                view.status = Status::Ended;
                view.outcome = Some(outcome);
                view.clocks = clocks;
                view.draw_offer = None;
            }
            GameEvent::RematchOffered { seat } => {
                view.rematch_offer = Some(Offer {
                    seat,
                    seq: frame.seq,
                })
            }
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
    }

    /// Takes note of what goes on around the game.
    pub fn noticed(&mut self, notice: &GameNoticeKind) {
        match notice {
            GameNoticeKind::Presence { presence } => self.view.presence = *presence,
            GameNoticeKind::StorageDown {} => self.storage_down = true,
            GameNoticeKind::StorageBack {} => self.storage_down = false,
            GameNoticeKind::Dropped {} => {}
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

const fn of_seat<T>(both: &mut BySeat<T>, seat: Seat) -> &mut T {
    match seat {
        Seat::First => &mut both.first,
        Seat::Second => &mut both.second,
    }
}
