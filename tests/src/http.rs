//! The server over plain HTTP.

use qiguan_protocol::{
    answer::{Answer, Guest},
    error::{ApiError, ErrorCode},
    ids::{GameId, Token},
};
use reqwest::{Method, header::HeaderMap};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    client::command_id,
    game::{Setup, command_data},
    program::Program,
    stream::Stream,
    waiting::in_time,
};

/// Somebody who talks HTTP to a server, with or without an identity.
#[derive(Clone)]
pub struct Http {
    base: String,
    /// What proves the identity.
    pub token: Option<Token>,
    client: reqwest::Client,
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
    /// Nobody in particular.
    pub fn nobody(program: &Program) -> Self {
        Self::at(&program.url(""))
    }

    /// Nobody in particular, at another address than the server's own.
    pub fn at(base: &str) -> Self {
        Self {
            base: base.to_owned(),
            token: None,
            client: reqwest::Client::new(),
        }
    }

    /// A new guest.
    pub async fn guest(program: &Program) -> Self {
        let mut http = Self::nobody(program);
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
        let mut request = self.client.request(method, format!("{}{path}", self.base));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token.reveal());
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request
                .header("content-type", "application/json")
                .body(body);
        }
        let response = in_time(path, request.send())
            .await
            .expect("the server answers");
        Response {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            text: in_time(path, response.text())
                .await
                .expect("the answer can be read"),
        }
    }

    /// Opens a stream, and reads it as it comes.
    pub async fn streams(&self, path: &str, headers: &[(&str, &str)]) -> Stream {
        let mut request = self.client.get(format!("{}{path}", self.base));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = in_time(path, request.send()).await;
        Stream::of(response.expect("the server answers"))
    }

    /// `GET`.
    pub async fn get(&self, path: &str) -> Response {
        self.send(Method::GET, path, &[], None).await
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
