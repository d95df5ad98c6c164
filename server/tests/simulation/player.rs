//! A client: comes to a program, begins games or watches, plays, and goes on elsewhere when a connection breaks.

use std::collections::BTreeMap;

use qiguan_protocol::{
    answer::{Answer, AnswerFrame, Guest},
    error::{ApiError, ErrorCode},
    event::{EventFrame, GameEvent, GameNotice, GameNoticeKind, ServerNotice, ServerNoticeKind},
    ids::{CommandId, Cursor, GameId, Seq, Token},
    lobby::{LobbyNotice, LobbyNoticeKind, SeekState},
    names::Seat,
    view::{Clocks, GameView, Position},
};
use qiguan_tests::random::Random;
use serde_json::{Value, json};

use crate::{
    history::{History, Turn},
    node::Node,
    socket::{ClientEnd, Incoming},
};

/// How long a client waits for an answer before it goes elsewhere, in milliseconds.
const PATIENCE: u64 = 4_000;
/// With everything well again, nothing takes so long.
const STUCK: u64 = 6_000;
/// How long it waits before it asks again what was refused for a reason that passes.
const PAUSE: u64 = 120;

/// What a client is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Opens a game at a table and moves first.
    Opens(usize),
    /// Joins it.
    Joins(usize),
    /// Watches it.
    Watches(usize),
    /// Has the lobby find somebody, again and again.
    Seeks,
}

/// What is played at a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    pub(crate) ruleset: &'static str,
    pub(crate) initial_ms: i64,
    pub(crate) increment_ms: i64,
    /// After so many plies somebody resigns.
    pub(crate) plies: u32,
}

/// What the clients of a table share.
pub(crate) struct Table {
    pub(crate) terms: Terms,
    pub(crate) game: Option<GameId>,
}

/// What clients see and change of the world.
pub(crate) struct Scene<'a> {
    pub(crate) now: u64,
    pub(crate) nodes: &'a mut [Node],
    pub(crate) tables: &'a mut [Table],
    pub(crate) history: &'a mut History,
    /// Whether new games are begun.
    pub(crate) goes_on: bool,
    /// Whether anything is frozen or cut just now.
    pub(crate) is_troubled: bool,
}

/// A client.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a question of its own"
)]
pub(crate) struct Player {
    number: usize,
    role: Role,
    random: Random,
    token: Option<Token>,
    end: Option<ClientEnd>,
    is_greeted: bool,
    /// When it comes again, if it has no connection.
    comes_at: u64,
    /// What was asked over this connection and is not answered, by number, and since when.
    asked: BTreeMap<u64, (Request, u64)>,
    game: Option<GameId>,
    /// How many games were begun.
    begun: u64,
    has_joined: bool,
    is_over: bool,
    /// Whether events of the game come.
    is_watching: bool,
    watches_at: u64,
    cursor: Option<Cursor>,
    seat: Option<Seat>,
    /// The command that is to be carried out whatever it takes, and when it is sent next.
    command: Option<Command>,
    turn: Option<MyTurn>,
    is_ready: bool,
    left_at: u64,
    secrets: Vec<String>,
}

/// What was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Request {
    Hello,
    /// With the newest event that was known to be stored, and how many games had begun.
    Watch(Seq, u64),
    Command(CommandId),
}

struct Command {
    id: CommandId,
    kind: &'static str,
    data: Value,
    game: Option<GameId>,
    /// When it was decided on.
    since: u64,
    send_at: u64,
    is_sent: bool,
    /// Whether a seek is open. One that was not answered comes again under its id.
    is_open: bool,
}

struct MyTurn {
    measured: Turn,
    legal: Vec<String>,
    moves_at: u64,
    /// The number of the message with the move, over the connection on which the turn was shown.
    message: Option<u64>,
}

impl Player {
    pub(crate) fn new(number: usize, role: Role, mut random: Random) -> Self {
        let comes_at = random.below(400);
        Self {
            number,
            role,
            random,
            token: None,
            end: None,
            is_greeted: false,
            comes_at,
            asked: BTreeMap::new(),
            game: None,
            begun: 0,
            has_joined: false,
            is_over: false,
            is_watching: false,
            watches_at: 0,
            cursor: None,
            seat: None,
            command: None,
            turn: None,
            is_ready: false,
            left_at: 0,
            secrets: Vec::new(),
        }
    }

    /// What the client has learned that nobody may read on the way: its token, and its setups.
    pub(crate) fn take_secrets(&mut self) -> Vec<String> {
        std::mem::take(&mut self.secrets)
    }

    /// What arrives at the program before the step.
    pub(crate) fn arrive(&mut self, scene: &mut Scene<'_>) {
        let Some(end) = &mut self.end else {
            return;
        };
        // A program that stands still reads nothing.
        if !scene.nodes[end.machine].is_moving() {
            return;
        }
        for number in end.arrive(scene.now) {
            if let Some(turn) = &mut self.turn
                && turn.message == Some(number)
            {
                turn.measured.arrived = Some(scene.now);
            }
        }
    }

    /// What the program has sent in the step.
    pub(crate) fn collect(&mut self, now: u64) {
        if let Some(end) = &mut self.end {
            end.collect(now);
        }
    }

    /// Why the client can't go on, though all has been well for long enough.
    pub(crate) fn is_stuck(&self, now: u64) -> Option<String> {
        let number = self.number;
        if !self.is_greeted {
            let since = self.comes_at;
            return (since + STUCK < now)
                .then(|| format!("client {number} can't come back since {since}"));
        }
        if self.game.is_some() && !self.is_watching && self.watches_at + STUCK < now {
            return Some(format!("client {number} can't watch"));
        }
        let command = self.command.as_ref()?;
        (command.kind != "quick_pair" && command.since + STUCK < now).then(|| {
            let (kind, since) = (command.kind, command.since);
            format!("client {number} can't have {kind} carried out since {since}")
        })
    }

    /// What the client does after the step.
    pub(crate) fn act(&mut self, scene: &mut Scene<'_>) {
        if scene.is_troubled
            && let Some(turn) = &mut self.turn
        {
            turn.measured.is_smooth = false;
        }
        self.hears(scene);
        let now = scene.now;
        if self.end.is_none() {
            if now >= self.comes_at {
                self.comes(scene);
            }
            return;
        }
        let longest = self.asked.values().map(|(_, since)| now - since).max();
        if longest.is_some_and(|longest| longest > PATIENCE) {
            return self.leaves(scene, "gets no answer");
        }
        if self.is_greeted {
            self.goes_on(scene);
        }
    }

    fn note(&self, scene: &mut Scene<'_>, what: &str) {
        let (now, number) = (scene.now, self.number);
        scene.history.note(now, &format!("client {number} {what}"));
    }

    fn comes(&mut self, scene: &mut Scene<'_>) {
        let start = self.random.below(scene.nodes.len() as u64) as usize;
        let all = (0..scene.nodes.len()).map(|step| (start + step) % scene.nodes.len());
        let mut ready = all.filter(|node| scene.nodes[*node].is_ready());
        let Some(node) = ready.next() else {
            self.comes_at = scene.now + 100;
            return;
        };
        let delay = self.random.below(4) * 5;
        let Some(end) = scene.nodes[node].is_connected(delay, self.number) else {
            return;
        };
        self.note(scene, &format!("comes to program {node}"));
        self.end = Some(end);
        match self.token.clone() {
            Some(token) => self.asks(scene, Request::Hello, "hello", &json!({"token": token})),
            None => self.asks(scene, Request::Hello, "guest", &json!({})),
        };
    }

    fn leaves(&mut self, scene: &mut Scene<'_>, why: &str) {
        self.note(scene, why);
        self.end = None;
        self.is_greeted = false;
        self.asked.clear();
        self.is_watching = false;
        if let Some(turn) = &mut self.turn {
            turn.measured.is_smooth = false;
            turn.message = None;
        }
        if let Some(command) = &mut self.command {
            command.is_sent = false;
        }
        self.comes_at = scene.now + 20 + self.random.below(200);
    }

    fn asks(&mut self, scene: &Scene<'_>, asked: Request, kind: &str, data: &Value) -> Option<u64> {
        let end = self.end.as_mut()?;
        let id = end.next_number();
        let text = if *data == json!({}) {
            json!({"id": id, "type": kind})
        } else {
            json!({"id": id, "type": kind, "data": data})
        };
        let number = end.send(text.to_string(), scene.now);
        self.asked.insert(number, (asked, scene.now));
        Some(number)
    }

    fn hears(&mut self, scene: &mut Scene<'_>) {
        while let Some(end) = &mut self.end {
            match end.next(scene.now) {
                None => return,
                Some(Incoming::Closed) => return self.leaves(scene, "is disconnected"),
                Some(Incoming::Text(text, left)) => self.hears_text(scene, &text, left),
            }
        }
    }

    fn hears_text(&mut self, scene: &mut Scene<'_>, text: &str, left: u64) {
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
        scene.history.game_is_paired(game);
        self.note(scene, &format!("is paired in {game}"));
        self.begins(game);
    }

    /// From now on it is about this game.
    fn begins(&mut self, game: GameId) {
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
                    if let Answer::Guest(Guest { token, .. }) = answer {
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
        if matches!(frame.event, GameEvent::Ended { .. }) {
            self.sees_end(scene);
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
            moves_at: scene.now + 20 + self.random.below(500),
            message: None,
        });
    }

    /// The clocks stand or run again: what is measured is not one stretch.
    fn sees_clocks(&mut self) {
        if let Some(turn) = &mut self.turn {
            turn.measured.is_smooth = false;
        }
    }

    fn ends_turn(&mut self, scene: &mut Scene<'_>) {
        if let (Some(turn), Some(game)) = (self.turn.take(), self.game) {
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

    fn goes_on(&mut self, scene: &mut Scene<'_>) {
        let now = scene.now;
        if self.is_over && now >= self.left_at && scene.goes_on {
            self.leaves_game(scene);
        }
        if self.command.is_none() {
            self.decides(scene);
        }
        let due = self
            .command
            .as_mut()
            .filter(|command| !command.is_sent && now >= command.send_at);
        if let Some(command) = due {
            command.is_sent = true;
            let (id, kind, data) = (command.id, command.kind, command.data.clone());
            if let Some(game) = command.game {
                scene.history.sends(game, id, &format!("{kind} {data}"));
            }
            self.note(scene, &format!("sends {kind} {id}"));
            let number = self.asks(scene, Request::Command(id), kind, &data);
            if kind == "move"
                && let Some(turn) = &mut self.turn
            {
                turn.message = number;
            }
        }
        let is_asking = self
            .asked
            .values()
            .any(|(asked, _)| matches!(asked, Request::Watch(..)));
        if let Some(game) = self.game
            && !self.is_watching
            && !is_asking
            && now >= self.watches_at
        {
            let newest = scene.history.newest(game);
            let data = match self.cursor {
                Some(cursor) => json!({"game": game, "since": cursor}),
                None => json!({"game": game}),
            };
            self.asks(scene, Request::Watch(newest, self.begun), "watch", &data);
        }
        // Now and then somebody goes without a reason.
        let is_seeking = self.role == Role::Seeks && self.game.is_none();
        let rarely = if is_seeking { 100 } else { 4_000 };
        if self.random.below(rarely) == 0 {
            self.leaves(scene, "goes");
        }
    }

    fn leaves_game(&mut self, scene: &mut Scene<'_>) {
        let before = self.game.take();
        self.is_over = false;
        self.is_watching = false;
        self.command = None;
        if let Role::Opens(table) = self.role
            && scene.tables[table].game == before
        {
            scene.tables[table].game = None;
        }
    }

    /// What is to be done next, if there is anything.
    fn decides(&mut self, scene: &mut Scene<'_>) {
        if self.is_over {
            return;
        }
        match (self.role, self.game) {
            (Role::Opens(table), None) if scene.goes_on => {
                let terms = scene.tables[table].terms;
                let id = self.command_id();
                let data = json!({
                    "command": id, "ruleset": terms.ruleset, "seat": "first",
                    "time_control": {"clock": {"type": "fischer", "initial_ms": terms.initial_ms, "increment_ms": terms.increment_ms}},
                });
                self.wants(scene, id, "create_game", data, None);
            }
            (Role::Joins(table) | Role::Watches(table), None) => {
                if let Some(game) = scene.tables[table].game {
                    self.begins(game);
                }
            }
            (Role::Joins(_), Some(game)) if !self.has_joined => {
                let id = self.command_id();
                self.wants(
                    scene,
                    id,
                    "join",
                    json!({"game": game, "command": id}),
                    Some(game),
                );
            }
            (Role::Seeks, None) if scene.goes_on => {
                let id = self.command_id();
                let data = json!({"command": id, "ruleset": "doushouqi/booklet", "time": "3+2"});
                self.wants(scene, id, "quick_pair", data, None);
            }
            (_, Some(game)) => self.plays(scene, game),
            _ => {}
        }
    }

    fn plays(&mut self, scene: &mut Scene<'_>, game: GameId) {
        let terms = match self.role {
            Role::Opens(table) | Role::Joins(table) => scene.tables[table].terms,
            Role::Seeks => Terms {
                ruleset: "doushouqi/booklet",
                initial_ms: 0,
                increment_ms: 0,
                plies: 6,
            },
            Role::Watches(_) => return,
        };
        if terms.ruleset.starts_with("luzhanqi") && !self.is_ready && self.is_watching {
            self.is_ready = true;
            if self.turn.is_none() && self.cursor.is_some_and(|cursor| cursor.seq.0 < 6) {
                let id = self.command_id();
                self.wants(
                    scene,
                    id,
                    "ready",
                    json!({"game": game, "command": id}),
                    Some(game),
                );
                return;
            }
        }
        let Some(turn) = self
            .turn
            .as_ref()
            .filter(|turn| scene.now >= turn.moves_at && turn.measured.arrived.is_none())
        else {
            return;
        };
        let ply = turn.measured.ply;
        if ply > terms.plies || turn.legal.is_empty() {
            let id = self.command_id();
            self.ends_turn(scene);
            self.wants(
                scene,
                id,
                "resign",
                json!({"game": game, "command": id}),
                Some(game),
            );
            return;
        }
        let mv = self.random.pick(&turn.legal).clone();
        let id = self.command_id();
        let data = json!({"game": game, "command": id, "ply": ply, "move": mv});
        self.wants(scene, id, "move", data, Some(game));
    }

    fn wants(
        &mut self,
        scene: &Scene<'_>,
        id: CommandId,
        kind: &'static str,
        data: Value,
        game: Option<GameId>,
    ) {
        self.command = Some(Command {
            id,
            kind,
            data,
            game,
            since: scene.now,
            send_at: scene.now,
            is_sent: false,
            is_open: false,
        });
    }

    fn command_id(&mut self) -> CommandId {
        let (high, low) = (self.random.next(), self.random.next());
        CommandId(uuid::Builder::from_u128(u128::from(high) << 64 | u128::from(low)).into_uuid())
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
