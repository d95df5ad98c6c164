//! A client over a real WebSocket. It reads only while somebody waits for something, and checks what it reads: every
//! event has the number after the last one, and every message has a documented shape.

use std::{
    collections::{HashMap, VecDeque},
    time::Duration,
};

use futures_util::{SinkExt, StreamExt};
use qiguan_protocol::{
    SUBPROTOCOL,
    answer::{Answer, AnswerFrame, Guest},
    error::ApiError,
    event::{EventFrame, GameEvent, GameNotice, GameNoticeKind, ServerNotice, ServerNoticeKind},
    ids::{CommandId, Cursor, GameId, Millis, RequestId, Token},
    lobby::{LobbyNotice, LobbyNoticeKind},
    names::Player,
    view::Presence,
};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream,
    tungstenite::{self, Message, client::IntoClientRequest, protocol::CloseFrame},
};
use uuid::Uuid;

use crate::waiting::in_time;

/// A message from the server.
#[derive(Clone, Debug)]
pub enum Frame {
    /// An event of a game.
    Event(EventFrame),
    /// A notice about a game.
    Notice(GameNotice),
    /// A notice of the lobby.
    Lobby(LobbyNoticeKind),
    /// A notice of the server.
    Server(ServerNoticeKind),
}

/// Why a connection gives nothing more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closed {
    /// The close code; none if the connection broke off.
    pub code: Option<u16>,
    /// The reason that came with it.
    pub reason: String,
}

/// The result of a request.
pub type Answered = Result<Answer, ApiError>;

/// A connected client.
pub struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// Who this is.
    pub player: Option<Player>,
    /// What proves it.
    pub token: Option<Token>,
    next_id: u32,
    answers: HashMap<u32, Answered>,
    pub(crate) queue: VecDeque<Frame>,
    /// How far each game has been seen.
    pub cursors: HashMap<GameId, Cursor>,
    /// Everything that was received, as text.
    pub received: Vec<String>,
    /// The requests that were sent, as text.
    pub sent: Vec<String>,
    closed: Option<Closed>,
    /// How late this client answers the server's pings.
    pub pongs_after: Duration,
}

/// A new id for a command.
pub fn command_id() -> CommandId {
    #[expect(
        clippy::disallowed_methods,
        reason = "a client draws its own command ids"
    )]
    CommandId(Uuid::new_v4())
}

impl Client {
    /// Connects and says nothing yet.
    pub async fn connect(address: &str) -> Self {
        Self::try_connect(address, &[])
            .await
            .expect("the server takes the connection")
    }

    /// Connects with further headers.
    ///
    /// # Errors
    /// When the server does not take the connection.
    pub async fn try_connect(
        address: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Self, Box<tungstenite::Error>> {
        let mut request = format!("ws://{address}/api/ws")
            .into_client_request()
            .map_err(Box::new)?;
        request.headers_mut().insert(
            "sec-websocket-protocol",
            SUBPROTOCOL.parse().expect("a header"),
        );
        for (name, value) in headers {
            request
                .headers_mut()
                .insert(*name, value.parse().expect("a header"));
        }
        let (socket, _) = in_time("a connection", tokio_tungstenite::connect_async(request))
            .await
            .map_err(Box::new)?;
        Ok(Self {
            socket,
            player: None,
            token: None,
            next_id: 0,
            answers: HashMap::new(),
            queue: VecDeque::new(),
            cursors: HashMap::new(),
            received: Vec::new(),
            sent: Vec::new(),
            closed: None,
            pongs_after: Duration::ZERO,
        })
    }

    /// Connects as a new guest.
    pub async fn guest(address: &str) -> Self {
        let mut client = Self::connect(address).await;
        let Answer::Guest(Guest { player, token }) = client.asks("guest", json!({})).await else {
            panic!("no guest")
        };
        client.player = Some(player);
        client.token = Some(token);
        client
    }

    /// Connects as a spectator without an identity.
    pub async fn spectator(address: &str) -> Self {
        let mut client = Self::connect(address).await;
        client.asks("hello", json!({})).await;
        client
    }

    /// Another connection of the same player.
    pub async fn again(&self, address: &str) -> Self {
        let token = self.token.clone().expect("only a player can come again");
        let mut client = Self::connect(address).await;
        let hello = json!({"token": token});
        let Answer::Welcome(welcome) = client.asks("hello", hello).await else {
            panic!("no welcome")
        };
        client.player = welcome.player;
        assert_eq!(client.player, self.player, "a token stands for one player");
        client.token = Some(token);
        client.cursors.clone_from(&self.cursors);
        client
    }

    /// Comes again as the same player, if the server lives long enough.
    pub async fn try_again(&self, address: &str) -> Option<Self> {
        let mut client = Self::try_connect(address, &[]).await.ok()?;
        client.player.clone_from(&self.player);
        client.token.clone_from(&self.token);
        client.cursors.clone_from(&self.cursors);
        let hello = json!({"token": self.token});
        let welcome = client.try_request("hello", hello).await;
        welcome.ok()?.ok()?;
        Some(client)
    }

    /// Comes again as the same player, if the server lives long enough, and catches up with a game.
    pub async fn try_resume(&self, address: &str, game: GameId) -> Option<Self> {
        let mut client = self.try_again(address).await?;
        let since = client.cursors.get(&game).copied();
        let answer = client
            .try_request("watch", json!({"game": game, "since": since}))
            .await
            .ok()?;
        client.catches_up(&answer.unwrap_or_else(|error| panic!("watch is refused: {error}")));
        Some(client)
    }

    /// Sends a request and gives its id.
    pub async fn sends(&mut self, kind: &str, data: Value) -> u32 {
        self.next_id += 1;
        let text = json!({"id": self.next_id, "type": kind, "data": data}).to_string();
        self.sent.push(text.clone());
        self.sends_text(text).await;
        self.next_id
    }

    /// Sends any text.
    pub async fn sends_text(&mut self, text: impl Into<String>) {
        self.sends_message(Message::text(text.into())).await;
    }

    /// Sends any message. A connection that is closed swallows it, as a network does.
    pub async fn sends_message(&mut self, message: Message) {
        if in_time("a message to go out", self.socket.send(message))
            .await
            .is_err()
            && self.closed.is_none()
        {
            self.closed = Some(Closed {
                code: None,
                reason: String::new(),
            });
        }
    }

    /// Sends a request and waits for its answer.
    pub async fn request(&mut self, kind: &str, data: Value) -> Answered {
        let id = self.sends(kind, data).await;
        self.answer(id).await
    }

    /// Sends a request and waits for its answer, if the connection lasts.
    ///
    /// # Errors
    /// When the connection ends before.
    pub async fn try_request(&mut self, kind: &str, data: Value) -> Result<Answered, Closed> {
        let id = self.sends(kind, data).await;
        self.try_answer(id).await
    }

    /// Sends a request that has to succeed.
    ///
    /// # Panics
    /// When it is refused.
    pub async fn asks(&mut self, kind: &str, data: Value) -> Answer {
        self.request(kind, data)
            .await
            .unwrap_or_else(|error| panic!("{kind} is refused: {error}"))
    }

    /// Waits for the answer to a request.
    ///
    /// # Panics
    /// When the connection ends before.
    pub async fn answer(&mut self, id: u32) -> Answered {
        self.try_answer(id)
            .await
            .unwrap_or_else(|closed| panic!("closed without an answer: {closed:?}"))
    }

    /// Waits for the answer to a request.
    ///
    /// # Errors
    /// When the connection ends before.
    pub async fn try_answer(&mut self, id: u32) -> Result<Answered, Closed> {
        let looking = async {
            loop {
                if let Some(answer) = self.answers.remove(&id) {
                    return Ok(answer);
                }
                let frame = self.read().await?;
                self.queue.extend(frame);
            }
        };
        in_time("an answer", looking).await
    }

    /// Waits for the refusal of a message that has no id of its own.
    pub async fn refusal_without_id(&mut self) -> ApiError {
        // Filed under a number that no request gets.
        self.answer(u32::MAX).await.err().expect("a refusal")
    }

    /// The next event or notice.
    ///
    /// # Errors
    /// When the connection has ended.
    pub async fn next(&mut self) -> Result<Frame, Closed> {
        loop {
            if let Some(frame) = self.queue.pop_front() {
                return Ok(frame);
            }
            let frame = self.read().await?;
            self.queue.extend(frame);
        }
    }

    /// The next event of a game; notices and other games' events on the way are dropped.
    pub async fn event(&mut self, game: GameId) -> EventFrame {
        self.event_where(game, |_| true).await
    }

    /// Reads on until an event of a game is the one looked for, and watches again if it gets no more of the game.
    pub async fn event_where(
        &mut self,
        game: GameId,
        wanted: impl Fn(&GameEvent) -> bool,
    ) -> EventFrame {
        let looking = async {
            loop {
                match self.next().await.expect("an event") {
                    Frame::Event(event) if event.game == game && wanted(&event.event) => {
                        return event;
                    }
                    Frame::Notice(GameNotice {
                        game: of,
                        notice: GameNoticeKind::Dropped {},
                    }) if of == game => self.resumes(game).await,
                    Frame::Event(_) | Frame::Notice(_) | Frame::Lobby(_) | Frame::Server(_) => {}
                }
            }
        };
        in_time("an event", looking).await
    }

    /// Reads on until a notice about a game is the one looked for.
    pub async fn notice_where(
        &mut self,
        game: GameId,
        wanted: impl Fn(&GameNoticeKind) -> bool,
    ) -> GameNoticeKind {
        let looking = async {
            loop {
                match self.next().await.expect("a notice") {
                    Frame::Notice(notice) if notice.game == game && wanted(&notice.notice) => {
                        return notice.notice;
                    }
                    Frame::Event(_) | Frame::Notice(_) | Frame::Lobby(_) | Frame::Server(_) => {}
                }
            }
        };
        in_time("a notice", looking).await
    }

    /// Reads on until a notice of the lobby is the one looked for.
    pub async fn lobby_where(
        &mut self,
        wanted: impl Fn(&LobbyNoticeKind) -> bool,
    ) -> LobbyNoticeKind {
        let looking = async {
            loop {
                match self.next().await.expect("a notice of the lobby") {
                    Frame::Lobby(notice) if wanted(&notice) => return notice,
                    Frame::Event(_) | Frame::Notice(_) | Frame::Lobby(_) | Frame::Server(_) => {}
                }
            }
        };
        in_time("a notice of the lobby", looking).await
    }

    /// Reads on until presence is as looked for.
    pub async fn presence_where(
        &mut self,
        game: GameId,
        wanted: impl Fn(&Presence) -> bool,
    ) -> Presence {
        let fits = |notice: &GameNoticeKind| matches!(notice, GameNoticeKind::Presence { presence } if wanted(presence));
        let GameNoticeKind::Presence { presence } = self.notice_where(game, fits).await else {
            unreachable!()
        };
        presence
    }

    /// Waits for the end of the connection.
    pub async fn end(&mut self) -> Closed {
        let looking = async {
            loop {
                if let Err(closed) = self.read().await {
                    return closed;
                }
            }
        };
        in_time("the end of the connection", looking).await
    }

    /// Takes what has come by now, without waiting, and tells whether the connection has ended.
    pub async fn is_closed(&mut self) -> bool {
        loop {
            match tokio::time::timeout(Duration::ZERO, self.read()).await {
                Ok(Ok(frame)) => self.queue.extend(frame),
                Ok(Err(_)) => return true,
                Err(_nothing_has_come) => return false,
            }
        }
    }

    /// The server's time.
    pub async fn server_time(&mut self) -> Millis {
        let Answer::Pong { server_time } = self.asks("ping", json!({})).await else {
            panic!("no pong")
        };
        server_time
    }

    /// Waits until it is so late on the server's clock.
    pub async fn waits_until(&mut self, at: Millis) {
        loop {
            let now = self.server_time().await;
            if now >= at {
                return;
            }
            tokio::time::sleep(Duration::from_millis((at - now).0.clamp(10, 500) as u64)).await;
        }
    }

    /// Waits until so much time has passed on the server's clock.
    pub async fn lets_pass(&mut self, time: Millis) {
        let now = self.server_time().await;
        self.waits_until(now + time).await;
    }

    /// Says goodbye.
    pub async fn leaves(mut self) {
        // The server may have gone first.
        let _ = in_time("a goodbye", self.socket.close(None)).await;
    }

    /// Reads one message: an answer is filed, anything else comes back.
    async fn read(&mut self) -> Result<Option<Frame>, Closed> {
        if let Some(closed) = &self.closed {
            return Err(closed.clone());
        }
        let message = in_time("a message", self.socket.next()).await;
        let text = match message {
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(Message::Close(frame))) => return Err(self.ends(frame)),
            Some(Ok(Message::Ping(_))) => {
                // The pong goes out with the next read.
                tokio::time::sleep(self.pongs_after).await;
                return Ok(None);
            }
            Some(Ok(_)) => return Ok(None),
            Some(Err(_)) | None => return Err(self.ends(None)),
        };
        self.received.push(text.to_string());
        Ok(self.understand(&text))
    }

    fn understand(&mut self, text: &str) -> Option<Frame> {
        let value: Value = serde_json::from_str(text).expect("the server speaks JSON");
        if value.get("re").is_some() {
            let answer: AnswerFrame = serde_json::from_value(value).expect("an answer");
            let id = answer.re.map_or(u32::MAX, |RequestId(id)| id);
            let answered = match (answer.ok, answer.error) {
                (Some(ok), None) => Ok(ok),
                (None, Some(error)) => Err(error),
                both => panic!("an answer is ok or an error, not {}", both.0.is_some()),
            };
            let doubled = self.answers.insert(id, answered).is_some();
            assert!(!doubled || id == u32::MAX, "two answers to request {id}");
            return None;
        }
        if value.get("seq").is_some() {
            let event: EventFrame = serde_json::from_value(value).expect("an event");
            let cursor = self
                .cursors
                .get_mut(&event.game)
                .expect("an event of a game that is watched");
            assert_eq!(
                event.seq,
                cursor.seq.next(),
                "an event is missing or doubled"
            );
            cursor.seq = event.seq;
            return Some(Frame::Event(event));
        }
        if value.get("game").is_some() {
            return Some(Frame::Notice(
                serde_json::from_value(value).expect("a notice"),
            ));
        }
        if value.get("lobby").is_some() {
            let notice: LobbyNotice = serde_json::from_value(value).expect("a notice of the lobby");
            return Some(Frame::Lobby(notice.lobby));
        }
        let notice: ServerNotice = serde_json::from_value(value).expect("a notice of the server");
        Some(Frame::Server(notice.notice))
    }

    fn ends(&mut self, frame: Option<CloseFrame>) -> Closed {
        let closed = match frame {
            Some(frame) => Closed {
                code: Some(frame.code.into()),
                reason: frame.reason.to_string(),
            },
            None => Closed {
                code: None,
                reason: String::new(),
            },
        };
        self.closed.get_or_insert(closed).clone()
    }
}
