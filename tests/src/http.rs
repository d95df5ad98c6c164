//! The server over plain HTTP: the program over the network, or its router in this process.

use axum::{Router, body::to_bytes};
use qiguan_protocol::{
    answer::{Answer, Guest},
    error::{ApiError, ErrorCode},
    ids::{GameId, Token},
    names::Role,
};
use reqwest::{
    Method,
    header::{self, HeaderMap, HeaderValue},
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tower::ServiceExt;

use crate::{
    client::command_id,
    game::{Setup, command_data},
    stream::Stream,
    waiting::{eventually, in_time},
};

/// Somebody who talks HTTP to a server, with or without an identity.
#[derive(Clone)]
pub struct Http<T = Network> {
    transport: T,
    /// What proves the identity.
    pub token: Option<Token>,
}

/// How requests get to a server.
pub trait Transport: Clone + Send + Sync {
    /// Sends a request, and waits for the answer.
    fn send(&self, request: Request) -> impl Future<Output = Response> + Send;
}

/// A server that can be asked, and whose operator can be asked for roles.
pub trait Server {
    /// How requests get there.
    type Transport: Transport;

    /// How requests get there.
    fn transport(&self) -> Self::Transport;

    /// Gives an account a role, as the operator does by hand. That ends the account's sessions.
    fn gives_role(&self, name: &str, role: Role) -> impl Future<Output = ()>;
}

/// A request: its address without the host, its headers and its body.
pub type Request = axum::http::Request<String>;

/// The program as a process, over the network.
#[derive(Clone)]
pub struct Network {
    base: String,
    client: reqwest::Client,
}

impl Network {
    /// To the server at this address.
    pub fn to(base: &str) -> Self {
        Self {
            base: base.to_owned(),
            client: reqwest::Client::new(),
        }
    }
}

impl Transport for Network {
    async fn send(&self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        let url = format!("{}{}", self.base, parts.uri);
        let request = self.client.request(parts.method, url);
        let sent = request.headers(parts.headers).body(body).send();
        let response = sent.await.expect("the server answers");
        Response {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            text: response.text().await.expect("the answer can be read"),
        }
    }
}

/// The host that a router in this process is asked under.
pub const HOST: &str = "localhost";

/// A router in this process.
impl Transport for Router {
    async fn send(&self, mut request: Request) -> Response {
        let length = request.body().len();
        let headers = request.headers_mut();
        let host = headers.entry(header::HOST);
        host.or_insert(HeaderValue::from_static(HOST));
        headers.insert(header::CONTENT_LENGTH, length.into());
        let Ok(response) = self
            .clone()
            .oneshot(request.map(axum::body::Body::from))
            .await;
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX)
            .await
            .expect("the answer can be read");
        Response {
            status: parts.status.as_u16(),
            headers: parts.headers,
            text: String::from_utf8(body.into()).expect("the answer is a text"),
        }
    }
}

/// What came back.
#[derive(Debug)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub text: String,
}

impl Response {
    /// The body as JSON.
    ///
    /// # Panics
    /// When it is invalid.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The body as a type of the protocol.
    ///
    /// # Panics
    /// When it is not of its shape.
    pub fn parsed<T: DeserializeOwned>(&self) -> T {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The error that the body tells.
    ///
    /// # Panics
    /// When it tells none.
    pub fn error(&self) -> ApiError {
        let body = self.json();
        let fields = body.as_object().map(serde_json::Map::len);
        assert_eq!(
            fields,
            Some(1),
            "an error's body has the error alone: {self:?}"
        );
        serde_json::from_value(body["error"].clone())
            .unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Status and code of an error.
    pub fn refusal(&self) -> (u16, ErrorCode) {
        (self.status, self.error().code)
    }
}

impl Http {
    /// Nobody in particular, at another address than the server's own.
    pub fn at(base: &str) -> Self {
        Self {
            transport: Network::to(base),
            token: None,
        }
    }

    /// Opens a stream, and reads it as it comes.
    pub async fn streams(&self, path: &str, headers: &[(&str, &str)]) -> Stream {
        let mut request = self
            .transport
            .client
            .get(format!("{}{path}", self.transport.base));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(token) = &self.token {
            request = request.bearer_auth(token.reveal());
        }
        let response = in_time(path, request.send()).await;
        Stream::of(response.expect("the server answers"))
    }
}

impl<T: Transport> Http<T> {
    /// Nobody in particular.
    pub fn nobody(server: &impl Server<Transport = T>) -> Self {
        Self {
            transport: server.transport(),
            token: None,
        }
    }

    /// A new guest.
    pub async fn guest(server: &impl Server<Transport = T>) -> Self {
        let mut http = Self::nobody(server);
        let response = http.post("/api/guest", None).await;
        assert_eq!(response.status, 201, "{response:?}");
        let guest: Guest = serde_json::from_str(&response.text).expect("a guest");
        http.token = Some(guest.token);
        http
    }

    /// Sends a request with further headers.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<String>,
    ) -> Response {
        let mut request = axum::http::Request::builder().method(method).uri(path);
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {}", token.reveal()));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let request = request.body(body.unwrap_or_default()).expect("a request");
        in_time(path, self.transport.send(request)).await
    }

    /// `GET`.
    pub async fn get(&self, path: &str) -> Response {
        self.send(Method::GET, path, &[], None).await
    }

    /// `GET` of a picture. The server draws when nothing else needs the processor, and says so when that takes too long: then it is asked
    /// again.
    pub async fn picture(&self, path: &str) -> Response {
        eventually("a picture", async || {
            let answered = self.get(path).await;
            (answered.status != 503).then_some(answered)
        })
        .await
    }

    /// `POST`.
    pub async fn post(&self, path: &str, body: Option<&Value>) -> Response {
        self.send(Method::POST, path, &[], body.map(Value::to_string))
            .await
    }

    /// Opens a game.
    ///
    /// # Panics
    /// When it is refused.
    pub async fn opens(&self, setup: &Setup) -> GameId {
        let response = self
            .post("/api/games", Some(&setup.create(command_id())))
            .await;
        assert_eq!(response.status, 201, "{response:?}");
        let Answer::Created { game } = response.parsed() else {
            panic!("not created")
        };
        game
    }

    /// Gives a command with a new id.
    pub async fn does(&self, game: GameId, kind: &str, extra: Value) -> Response {
        let data = command_data(game, command_id(), extra);
        let body = serde_json::json!({"type": kind, "data": data});
        self.post(&format!("/api/games/{game}/commands"), Some(&body))
            .await
    }
}
