//! Two players at a game, and the words in which a test tells what they do.

use qiguan_protocol::{
    answer::Answer,
    error::{ApiError, ErrorCode},
    event::GameEvent,
    ids::{CommandId, GameId, Ply, Seq},
    view::{GameView, Position},
};
use serde_json::{Value, json};

use crate::{
    client::{Answered, Client, command_id},
    program::Program,
    waiting::pause,
};

/// How a game is set up.
#[derive(Clone)]
pub struct Setup {
    /// The rule set.
    pub ruleset: &'static str,
    /// Options that differ.
    pub options: Value,
    /// The time control.
    pub time_control: Value,
    /// Who finds it.
    pub visibility: &'static str,
    /// Whether the result counts for ratings.
    pub rated: bool,
    /// By how much spectators see it later.
    pub spectator_delay: Value,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            ruleset: "doushouqi/ancientchess",
            options: json!({}),
            time_control: fischer(300_000, 0),
            visibility: "public",
            rated: false,
            spectator_delay: json!({"plies": 0}),
        }
    }
}

/// A Fischer clock, in milliseconds.
pub fn fischer(initial_ms: i64, increment_ms: i64) -> Value {
    json!({"clock": {"type": "fischer", "initial_ms": initial_ms, "increment_ms": increment_ms}})
}

impl Setup {
    /// With another rule set.
    #[must_use]
    pub const fn ruleset(mut self, ruleset: &'static str) -> Self {
        self.ruleset = ruleset;
        self
    }

    /// With another time control.
    #[must_use]
    pub fn time_control(mut self, time_control: Value) -> Self {
        self.time_control = time_control;
        self
    }

    /// A rated game of Dou Shou Qi.
    pub fn rated() -> Self {
        Self {
            rated: true,
            ..Self::default()
        }
    }

    /// The data of `create_game`, the creator moving first.
    pub fn create(&self, command: CommandId) -> Value {
        json!({
            "command": command, "ruleset": self.ruleset, "options": self.options,
            "time_control": self.time_control, "seat": "first", "visibility": self.visibility, "rated": self.rated,
            "spectator_delay": self.spectator_delay,
        })
    }
}

/// Two players who sit at a game and watch it, clocks running.
pub struct Seats {
    /// The game.
    pub game: GameId,
    /// Moves first.
    pub first: Client,
    /// Moves second.
    pub second: Client,
}

impl Seats {
    /// Two new guests begin a game.
    pub async fn begin(program: &Program) -> Self {
        Self::begin_with(program, &Setup::default()).await
    }

    /// Two new guests begin a game of a certain setup.
    pub async fn begin_with(program: &Program, setup: &Setup) -> Self {
        let first = Client::guest(program.address()).await;
        let second = Client::guest(program.address()).await;
        Self::sit(first, second, setup).await
    }

    /// Two players begin a game. In a game with setups both take what was drawn for them.
    pub async fn sit(first: Client, second: Client, setup: &Setup) -> Self {
        let mut seats = Self::meet(first, second, setup).await;
        if setup.ruleset.starts_with("luzhanqi") {
            seats.are_ready().await;
        }
        seats.start().await;
        seats
    }

    /// Two new guests meet at a game with setups, and set up.
    pub async fn setting_up(program: &Program, setup: &Setup) -> Self {
        let first = Client::guest(program.address()).await;
        let second = Client::guest(program.address()).await;
        Self::meet(first, second, setup).await
    }

    /// Two players sit down at a game.
    async fn meet(mut first: Client, mut second: Client, setup: &Setup) -> Self {
        let Answer::Created { game } = first.asks("create_game", setup.create(command_id())).await
        else {
            panic!("not created")
        };
        first.watches(game).await;
        second.watches(game).await;
        second
            .does(game, "join", json!({}))
            .await
            .expect("the seat is free");
        Self {
            game,
            first,
            second,
        }
    }

    /// Both say that they have set up.
    pub async fn are_ready(&mut self) {
        let game = self.game;
        for client in self.both() {
            done(client.does(game, "ready", json!({})).await).expect("a setup stands");
        }
    }

    /// Reads on until play has begun and the clocks run.
    pub async fn start(&mut self) {
        let game = self.game;
        for client in self.both() {
            let started = client
                .event_where(game, |event| matches!(event, GameEvent::Started { .. }))
                .await;
            let GameEvent::Started { clocks, .. } = started.event else {
                unreachable!()
            };
            if clocks.held.is_some() {
                client
                    .event_where(game, |event| {
                        matches!(event, GameEvent::ClocksReleased { .. })
                    })
                    .await;
            }
        }
    }

    /// Both in the order of moving.
    pub fn both(&mut self) -> [&mut Client; 2] {
        [&mut self.first, &mut self.second]
    }

    /// Both ask for a rematch: the game that they get.
    pub async fn rematch(&mut self) -> GameId {
        let game = self.game;
        for client in self.both() {
            done(client.does(game, "rematch", json!({})).await).expect("a rematch");
        }
        self.agreed().await
    }

    /// Waits until a rematch is agreed on: the game that it is.
    pub async fn agreed(&mut self) -> GameId {
        let agreed = |event: &GameEvent| matches!(event, GameEvent::RematchAgreed { .. });
        let agreed = self.first.event_where(self.game, agreed).await;
        let GameEvent::RematchAgreed { next } = agreed.event else {
            unreachable!()
        };
        next
    }

    /// Who moves at this ply.
    pub const fn mover(&mut self, ply: u32) -> &mut Client {
        if ply % 2 == 1 {
            &mut self.first
        } else {
            &mut self.second
        }
    }

    /// The moves in turn, the first seat's first, from this ply on.
    ///
    /// # Panics
    /// When one is refused.
    pub async fn play(&mut self, from: u32, moves: &[&str]) {
        for (text, ply) in moves.iter().zip(from..) {
            self.plays(ply, text)
                .await
                .unwrap_or_else(|error| panic!("ply {ply}, {text}: {error}"));
        }
    }

    /// One move by the player to move; both see it.
    pub async fn plays(&mut self, ply: u32, text: &str) -> Result<Position, ApiError> {
        let game = self.game;
        let [first, second] = self.both();
        let (mover, other) = if ply % 2 == 1 {
            (first, second)
        } else {
            (second, first)
        };
        mover.plays(game, ply, text).await?;
        let wanted = |event: &GameEvent| matches!(event, GameEvent::Moved { ply: moved, .. } if moved.0 == ply);
        let shown = mover.event_where(game, wanted).await;
        let theirs = other.event_where(game, wanted).await;
        assert_eq!(
            (shown.seq, &shown.event),
            (theirs.seq, &theirs.event),
            "both see the same move"
        );
        if let Some(position) = theirs.position {
            return Ok(position);
        }
        // Whose game has moved meanwhile catches up with the move, and gets no position with it.
        let dropped = |text: &String| text.contains(r#""type":"dropped""#);
        assert!(
            other.received.iter().any(dropped),
            "a live move comes with its position"
        );
        Ok(other.snapshot(game).await.position)
    }
}

impl Client {
    /// Sends a command with a new id and waits for the answer.
    pub async fn does(&mut self, game: GameId, kind: &str, extra: Value) -> Answered {
        self.does_as(game, kind, extra, command_id()).await
    }

    /// Sends a command with a certain id and waits for the answer.
    pub async fn does_as(
        &mut self,
        game: GameId,
        kind: &str,
        extra: Value,
        command: CommandId,
    ) -> Answered {
        self.request(kind, command_data(game, command, extra)).await
    }

    /// Plays a move.
    ///
    /// # Errors
    /// When it is refused.
    pub async fn plays(&mut self, game: GameId, ply: u32, text: &str) -> Result<Seq, ApiError> {
        self.plays_as(game, ply, text, command_id()).await
    }

    /// Plays a move under a certain command id.
    ///
    /// # Errors
    /// When it is refused.
    pub async fn plays_as(
        &mut self,
        game: GameId,
        ply: u32,
        text: &str,
        command: CommandId,
    ) -> Result<Seq, ApiError> {
        done(
            self.does_as(
                game,
                "move",
                json!({"ply": Ply(ply), "move": text}),
                command,
            )
            .await,
        )
    }

    /// The same, and again while it is refused as not stored, or nobody could know in time whether it is stored: until the record can be
    /// written again. The command id is the same each time, so that the move is played once.
    pub async fn plays_until_stored(
        &mut self,
        game: GameId,
        ply: u32,
        text: &str,
        command: CommandId,
    ) -> Result<Seq, ApiError> {
        loop {
            match self.plays_as(game, ply, text, command).await {
                Err(error) if matches!(error.code, ErrorCode::NotStored | ErrorCode::Internal) => {
                    pause().await
                }
                answered => return answered,
            }
        }
    }

    /// The refusal of a command that has to be refused.
    pub async fn is_refused(&mut self, game: GameId, kind: &str, extra: Value) -> ErrorCode {
        self.does(game, kind, extra)
            .await
            .err()
            .expect("a refusal")
            .code
    }

    /// The game as this client sees it, over HTTP.
    pub async fn looks(&self, program: &Program, game: GameId) -> GameView {
        let mut request = reqwest::Client::new().get(program.url(&format!("/api/games/{game}")));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token.reveal());
        }
        let response = request.send().await.expect("the server answers");
        response.json().await.expect("a game")
    }
}

/// The data of a command.
pub fn command_data(game: GameId, command: CommandId, extra: Value) -> Value {
    let mut data = json!({"game": game, "command": command});
    let (Value::Object(all), Value::Object(extra)) = (&mut data, extra) else {
        panic!("extra is an object")
    };
    all.extend(extra);
    data
}

/// The event number of a command that was carried out.
///
/// # Errors
/// When it was refused.
pub fn done(answered: Answered) -> Result<Seq, ApiError> {
    answered.map(|answer| match answer {
        Answer::Done { seq, .. } => seq,
        Answer::Welcome(_)
        | Answer::Guest(_)
        | Answer::Pong { .. }
        | Answer::Created { .. }
        | Answer::Snapshot { .. }
        | Answer::Missed { .. }
        | Answer::Kept { .. }
        | Answer::Unwatched { .. }
        | Answer::Lobby { .. }
        | Answer::LeftLobby {}
        | Answer::Seek { .. }
        | Answer::Paired { .. }
        | Answer::LeftPools { .. }
        | Answer::OwnGames { .. } => panic!("this is no answer to a command"),
    })
}
