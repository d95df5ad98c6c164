//! What a client hears: answers, events and notices, and what it holds against what it knows.

use qiguan_protocol::{
    answer::{Answer, AnswerFrame, Guest},
    error::{ApiError, ErrorCode},
    event::{EventFrame, GameEvent, GameNotice, GameNoticeKind, ServerNotice, ServerNoticeKind},
    ids::{CommandId, GameId, Seq},
    lobby::{LobbyNotice, LobbyNoticeKind, SeekState},
    names::Seat,
    view::{Clocks, GameView, Position},
};

use super::{MyTurn, PAUSE, Player, Request, Role, Scene};
use crate::{history::Turn, socket::Incoming};

/// A late move comes so long before the time is over at least, in milliseconds: what is judged is not measured more exactly.
const LATE: u64 = 90;
/// And earlier than that by less than this.
const LATE_WITHIN: u64 = 200;

impl Player {
    pub(super) fn hears(&mut self, scene: &mut Scene<'_>) {
        while let Some(end) = &mut self.end {
            match end.next(scene.now) {
                None => return,
                Some(Incoming::Closed) => return self.leaves(scene, "is disconnected"),
                Some(Incoming::Text(text, left)) => self.hears_text(scene, &text, left),
            }
        }
    }

    fn hears_text(&mut self, scene: &mut Scene<'_>, text: &str, left: u64) {
        scene.history.takes_in(scene.now, text.as_bytes());
        if let Ok(frame) = serde_json::from_str::<AnswerFrame>(text) {
            return self.is_answered(scene, frame, left);
        }
        if let Ok(frame) = serde_json::from_str::<EventFrame>(text) {
            return self.sees_live(scene, &frame, left);
        }
        if let Ok(notice) = serde_json::from_str::<GameNotice>(text) {
            if matches!(notice.notice, GameNoticeKind::Dropped {}) && Some(notice.game) == self.game
            {
                self.note(scene, "is dropped");
                self.is_watching = false;
                self.watches_at = scene.now;
            }
            return;
        }
        if let Ok(notice) = serde_json::from_str::<LobbyNotice>(text) {
            return self.hears_of_lobby(scene, &notice.lobby);
        }
        if let Ok(notice) = serde_json::from_str::<ServerNotice>(text) {
            if matches!(notice.notice, ServerNoticeKind::Restarting { .. }) {
                self.leaves(scene, "is told of a restart");
            }
            return;
        }
        let (now, number) = (scene.now, self.number);
        let what = format!("client {number} got what is no message: {text}");
        scene.history.violates(now, what);
    }

    fn hears_of_lobby(&mut self, scene: &mut Scene<'_>, notice: &LobbyNoticeKind) {
        match notice {
            LobbyNoticeKind::Paired { game, .. } => self.is_paired(scene, *game),
            LobbyNoticeKind::Reset {} | LobbyNoticeKind::SeekEnded { .. }
                if self.role == Role::Seeks
                    && self.game.is_none()
                    && self.command.take_if(|command| command.is_open).is_some() =>
            {
                self.note(scene, "has to seek again");
            }
            _ => {}
        }
    }

    fn is_paired(&mut self, scene: &mut Scene<'_>, game: GameId) {
        if self.role != Role::Seeks || self.game == Some(game) {
            return;
        }
        scene.history.game_is_paired(scene.now, game);
        self.note(scene, &format!("is paired in {game}"));
        self.begins(game);
    }

    /// From now on it is about this game.
    pub(super) fn begins(&mut self, game: GameId) {
        self.game = Some(game);
        self.begun += 1;
        self.has_joined = false;
        self.is_over = false;
        self.is_watching = false;
        self.watches_at = 0;
        self.cursor = None;
        self.seat = None;
        self.command = None;
        self.turn = None;
        self.is_ready = false;
    }

    fn is_answered(&mut self, scene: &mut Scene<'_>, frame: AnswerFrame, left: u64) {
        let Some((asked, _)) = frame.re.and_then(|re| self.asked.remove(&u64::from(re.0))) else {
            return;
        };
        let result = match (frame.ok, frame.error) {
            (Some(answer), _) => Ok(answer),
            (None, Some(error)) => Err(error),
            (None, None) => return,
        };
        match asked {
            Request::Hello => match result {
                Ok(answer) => {
                    if let Answer::Guest(Guest { token, player, .. }) = answer {
                        self.who = Some(player.id);
                        self.secrets.push(token.reveal().to_owned());
                        self.token = Some(token);
                    }
                    self.is_greeted = true;
                }
                Err(error) => self.leaves(scene, &format!("is not let in: {}", error.message)),
            },
            Request::Watch(newest, begun) if begun == self.begun => {
                self.watches(scene, newest, result, left);
            }
            Request::Watch(..) => {}
            Request::Command(command) => self.is_carried_out(scene, command, result),
        }
    }

    fn watches(
        &mut self,
        scene: &mut Scene<'_>,
        newest: Seq,
        result: Result<Answer, ApiError>,
        left: u64,
    ) {
        let (now, number) = (scene.now, self.number);
        let seq = match result {
            Ok(Answer::Snapshot { view, .. }) if Some(view.game) == self.game => {
                self.cursor = Some(view.cursor);
                self.is_watching = true;
                let seq = view.cursor.seq;
                self.sees_view(scene, &view, left);
                seq
            }
            Ok(Answer::Missed {
                game,
                cursor,
                events,
                live,
            }) if Some(game) == self.game => {
                self.is_watching = true;
                for frame in &events {
                    self.sees(scene, frame);
                }
                if self.cursor != Some(cursor) {
                    let what = format!(
                        "client {number} resumed to {cursor} and has events up to {:?}",
                        self.cursor
                    );
                    scene.history.violates(now, what);
                }
                self.cursor = Some(cursor);
                self.sees_position(scene, &live.position, &live.clocks, left, false);
                cursor.seq
            }
            Ok(_) => return,
            Err(error) => {
                self.watches_at = now + PAUSE;
                self.note(scene, &format!("can't watch: {:?}", error.code));
                return;
            }
        };
        if seq < newest {
            let what = format!(
                "client {number} was shown up to {seq} though {newest} was acknowledged before"
            );
            scene.history.violates(now, what);
        }
    }

    fn sees_view(&mut self, scene: &mut Scene<'_>, view: &GameView, left: u64) {
        self.seat = view.you;
        if view.outcome.is_some() {
            return self.sees_end(scene);
        }
        self.has_joined |= view.you.is_some();
        self.sees_position(scene, &view.position, &view.clocks, left, false);
    }

    fn sees_live(&mut self, scene: &mut Scene<'_>, frame: &EventFrame, left: u64) {
        if Some(frame.game) != self.game || !self.is_watching {
            return;
        }
        self.sees(scene, frame);
        if let GameEvent::SetupBegan {
            setup: Some(setup), ..
        } = &frame.event
        {
            self.secrets.push(setup.clone());
        }
        let clocks = match &frame.event {
            GameEvent::Started { clocks, .. }
            | GameEvent::Moved { clocks, .. }
            | GameEvent::ClocksHeld { clocks, .. }
            | GameEvent::ClocksReleased { clocks } => Some(clocks),
            _ => None,
        };
        if let Some(clocks) = clocks {
            match &frame.position {
                Some(position) => self.sees_position(scene, position, clocks, left, true),
                None => self.sees_clocks(),
            }
        }
        if matches!(frame.event, GameEvent::Ended { .. }) {
            self.sees_end(scene);
        }
    }

    /// An event comes after the one before it.
    fn sees(&mut self, scene: &mut Scene<'_>, frame: &EventFrame) {
        let (now, number) = (scene.now, self.number);
        scene.history.saw(now, frame);
        let Some(cursor) = &mut self.cursor else {
            return;
        };
        if frame.seq != cursor.seq.next() {
            let (game, seq, before) = (frame.game, frame.seq, cursor.seq);
            let what = format!("client {number} was shown event {seq} of {game} after {before}");
            scene.history.violates(now, what);
        }
        cursor.seq = frame.seq;
        match &frame.event {
            // It had begun to watch before it had the seat.
            GameEvent::Joined { seat, .. } if matches!(self.role, Role::Joins(_)) => {
                self.seat = Some(*seat);
            }
            GameEvent::Ended { .. } => self.sees_end(scene),
            _ => {}
        }
    }

    fn sees_position(
        &mut self,
        scene: &mut Scene<'_>,
        position: &Position,
        clocks: &Clocks,
        left: u64,
        is_live: bool,
    ) {
        let ply = position.ply.0 + 1;
        let Some((seat, legal)) = self.seat.zip(position.legal.as_ref()) else {
            self.ends_turn(scene);
            return;
        };
        if self
            .turn
            .as_ref()
            .is_some_and(|turn| turn.measured.ply == ply)
        {
            return self.sees_clocks();
        }
        self.ends_turn(scene);
        let is_running = clocks.running == Some(seat);
        let time_left = clocks.left.as_ref().map(|left| match seat {
            Seat::First => left.first.ms.0,
            Seat::Second => left.second.ms.0,
        });
        let moves_at = match time_left {
            Some(left) if is_running && scene.habits.is_late && self.random.below(2) == 0 => {
                let early = LATE + self.random.below(LATE_WITHIN);
                scene.now + (left.max(0) as u64).saturating_sub(early)
            }
            _ => scene.now + 20 + self.random.below(500),
        };
        self.turn = Some(MyTurn {
            measured: Turn {
                seat,
                ply,
                shown: left,
                left: time_left.filter(|_| is_running),
                arrived: None,
                // One that watches only now may have been on the move for a while.
                is_smooth: is_live && is_running && !scene.is_troubled,
            },
            legal: legal.iter().map(ToString::to_string).collect(),
            moves_at,
            message: None,
        });
    }

    /// The clocks stand or run again: what is measured is not one stretch.
    fn sees_clocks(&mut self) {
        if let Some(turn) = &mut self.turn {
            turn.measured.is_smooth = false;
        }
    }

    pub(super) fn ends_turn(&mut self, scene: &mut Scene<'_>) {
        // Of two windows either can make the move.
        if let (Some(turn), Some(game)) = (self.turn.take(), self.game)
            && !self.has_two_windows
        {
            scene.history.had_turn(game, turn.measured);
        }
    }

    fn sees_end(&mut self, scene: &mut Scene<'_>) {
        if !self.is_over {
            self.note(scene, "sees the end");
        }
        self.ends_turn(scene);
        self.is_over = true;
        self.left_at = scene.now + 50 + self.random.below(200);
    }

    fn is_carried_out(
        &mut self,
        scene: &mut Scene<'_>,
        id: CommandId,
        result: Result<Answer, ApiError>,
    ) {
        let now = scene.now;
        let Some(command) = self.command.as_mut().filter(|command| command.id == id) else {
            return;
        };
        let (kind, game) = (command.kind, command.game);
        match result {
            Ok(Answer::Created { game }) => {
                self.command = None;
                if let Role::Opens(table) = self.role {
                    self.note(scene, &format!("has opened {game}"));
                    scene.tables[table].game = Some(game);
                    scene.tables[table].is_joined = false;
                    self.begins(game);
                    self.has_joined = true;
                }
            }
            Ok(Answer::Done { game, seq }) => {
                self.command = None;
                scene.history.is_acknowledged(now, game, id, seq);
                self.note(scene, &format!("has {kind} acknowledged as {seq}"));
                self.has_joined |= kind == "join";
            }
            Ok(Answer::Seek {
                state: SeekState::Paired { game },
                ..
            }) => {
                self.command = None;
                self.is_paired(scene, game);
            }
            Ok(Answer::Seek {
                state: SeekState::Gone {},
                ..
            }) => self.command = None,
            Ok(_) => {
                command.is_open = true;
                self.note(scene, &format!("has {kind} open"));
            }
            Err(error) if passes(&error) => {
                command.is_sent = false;
                command.send_at = now + PAUSE;
                self.note(scene, &format!("is to send {kind} again: {:?}", error.code));
            }
            Err(error) => {
                self.command = None;
                self.note(scene, &format!("has {kind} refused: {:?}", error.code));
                // What clients ask for is meant to be allowed; otherwise whole worlds would play nothing.
                if kind == "create_game" || error.code == ErrorCode::BadValue {
                    let what = format!(
                        "client {} has {kind} refused: {}",
                        self.number, error.message
                    );
                    scene.history.violates(now, what);
                }
                if let Some(game) = game {
                    scene.history.is_refused(game, id);
                    // Whatever it is, it looks again.
                    self.is_watching = false;
                    self.watches_at = now + PAUSE;
                    if error.code == ErrorCode::AlreadySeated {
                        self.has_joined = true;
                    }
                }
            }
        }
    }
}

/// Whether the same can be asked again a little later.
const fn passes(error: &ApiError) -> bool {
    matches!(
        error.code,
        ErrorCode::NotStored
            | ErrorCode::Busy
            | ErrorCode::Internal
            | ErrorCode::Restarting
            | ErrorCode::Elsewhere
            | ErrorCode::RateLimited
    )
}
