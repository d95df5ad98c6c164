//! Requests to a server over HTTP.

pub mod answer;

use std::{fmt, sync::Arc, time::Duration};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{
    Method, Request, Response, StatusCode,
    body::Incoming,
    client::conn::http1,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST, LOCATION, USER_AGENT},
};
use hyper_util::rt::TokioIo;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use qiguan_protocol::{
    SUBPROTOCOL,
    ids::Token,
    saved_setup::{SaveSetup, SavedSetup, SavedSetups},
};
use serde::{Serialize, de::DeserializeOwned};
use tokio::time::timeout;
use tokio_rustls::rustls::ClientConfig;
use tokio_tungstenite::{
    WebSocketStream, client_async_with_config,
    tungstenite::{client::IntoClientRequest, protocol::WebSocketConfig},
};

use self::answer::{Answer, MAX_BYTES};
use super::{
    address::{Address, Origin},
    connection::{self, ConnectError, Stream},
    retry::{self, Waits},
    text::excerpt,
    tls::TrustArgs,
};

/// How long a server may take for an answer, from the connection to its last byte.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server has answered, and refuses.
#[derive(Debug, thiserror::Error)]
#[error("{told}")]
pub struct Refused {
    /// The status of the answer.
    pub status: StatusCode,
    /// When another request may go well, if the server says so.
    retry_after: Option<Duration>,
    /// Why, in words.
    told: String,
}

/// A server can't answer just now.
#[derive(Debug, thiserror::Error)]
#[error("{status}")]
pub(super) struct Busy {
    status: StatusCode,
    /// When another attempt may go well, if the server says so.
    pub(super) retry_after: Option<Duration>,
}

/// The body of a request that has none.
pub const NOTHING: Option<&()> = None;

/// A server, and how to reach it. Redirects are not followed: what is meant for one server goes to no other.
#[derive(Clone)]
pub struct Server {
    origin: Origin,
    tls: Option<Arc<ClientConfig>>,
    patience: Duration,
}

impl Server {
    /// The server at an address.
    ///
    /// # Errors
    /// When it has to be encrypted and nothing is known that could be trusted.
    pub fn new(origin: Origin, trust: &TrustArgs) -> anyhow::Result<Self> {
        let tls = origin.is_encrypted().then(|| trust.config()).transpose()?;
        Ok(Self {
            origin,
            tls,
            patience: PATIENCE,
        })
    }

    /// Where it is.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// `GET` of a path, as JSON; as somebody whom the server knows, if there is a token.
    ///
    /// # Errors
    /// When the server does not answer, or what it says when it refuses.
    pub async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        token: Option<&Token>,
    ) -> anyhow::Result<T> {
        self.ask(Method::GET, path, token, NOTHING).await?.json()
    }

    /// A request to a path. When the server says when to ask again, and that is soon, it is made again by then.
    ///
    /// # Errors
    /// When the server does not answer, or what it says when it refuses.
    pub async fn ask(
        &self,
        method: Method,
        path: &str,
        token: Option<&Token>,
        body: Option<&impl Serialize>,
    ) -> anyhow::Result<Answer> {
        let mut waits = Waits::new();
        loop {
            let exchange = self.exchange(&method, path, token, body);
            let answered = timeout(self.patience, exchange).await;
            let refused = match answered.unwrap_or_else(|_| Err(self.too_slow()))? {
                Ok(answer) => return Ok(answer),
                Err(refused) => refused,
            };
            let asked = refused.retry_after;
            match asked.and_then(|asked| waits.next(&method, refused.status, asked)) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(refused.into()),
            }
        }
    }

    async fn exchange(
        &self,
        method: &Method,
        path: &str,
        token: Option<&Token>,
        body: Option<&impl Serialize>,
    ) -> anyhow::Result<Result<Answer, Refused>> {
        let response = self.send(method.clone(), path, token, body).await?;
        let status = response.status();
        if status.is_success() {
            let answer = answer::read(self.to_string(), response, MAX_BYTES).await?;
            return Ok(Ok(answer));
        }
        let retry_after = retry::retry_after(status, response.headers());
        let told = retry::told(&self.refusal(response).await, retry_after);
        Ok(Err(Refused {
            status,
            retry_after,
            told,
        }))
    }

    /// `GET` of a path that answers on and on, as somebody whom the server knows, if there is a token. What the server says when it refuses is
    /// the inner error.
    ///
    /// # Errors
    /// When the server can't be reached, or can't answer just now: another attempt may go well.
    pub async fn stream(
        &self,
        path: &str,
        token: Option<&Token>,
    ) -> anyhow::Result<Result<Incoming, String>> {
        let exchange = async {
            let response = self.send(Method::GET, path, token, NOTHING).await?;
            let status = response.status();
            let is_busy = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
            if is_busy {
                let retry_after = retry::retry_after(status, response.headers());
                return Err(Busy {
                    status,
                    retry_after,
                }
                .into());
            }
            if status.is_success() {
                return Ok(Ok(response.into_body()));
            }
            Ok(Err(self.refusal(response).await))
        };
        timeout(self.patience, exchange)
            .await
            .unwrap_or_else(|_| Err(self.too_slow()))
    }

    /// The WebSocket of the server.
    ///
    /// # Errors
    /// When it can't be reached, or does not speak the protocol.
    pub async fn socket(&self) -> Result<WebSocketStream<Box<dyn Stream>>, ConnectError> {
        let unreachable = |why: &str| ConnectError::Unreachable {
            server: self.to_string(),
            why: why.to_owned(),
        };
        let scheme = if self.origin.is_encrypted() {
            "wss"
        } else {
            "ws"
        };
        let url = format!("{scheme}://{}/api/ws", self.origin.authority());
        let mut request = url
            .into_client_request()
            .map_err(|error| ConnectError::Untrusted(error.to_string()))?;
        if let Ok(protocol) = SUBPROTOCOL.parse() {
            request
                .headers_mut()
                .insert("sec-websocket-protocol", protocol);
        }
        let config = WebSocketConfig::default()
            .max_message_size(Some(MAX_BYTES))
            .max_frame_size(Some(MAX_BYTES));
        let opening = async {
            let stream = connection::connect(&self.origin, self.tls.as_ref()).await?;
            let opened = client_async_with_config(request, stream, Some(config)).await;
            let (socket, _) = opened.map_err(|_| unreachable("it does not open a WebSocket"))?;
            Ok(socket)
        };
        timeout(self.patience, opening)
            .await
            .unwrap_or_else(|_| Err(unreachable("it does not answer")))
    }

    /// A player's saved setups.
    ///
    /// # Errors
    /// When the server does not answer, or what it says when it refuses.
    pub async fn setups(&self, token: Option<&Token>) -> anyhow::Result<SavedSetups> {
        self.get("/api/setups", token).await
    }

    /// A player's saved setup of this name.
    ///
    /// # Errors
    /// As [`Self::setups`].
    pub async fn setup(&self, token: Option<&Token>, name: &str) -> anyhow::Result<SavedSetup> {
        self.get(&setup_path(name), token).await
    }

    /// Saves a setup under a name.
    ///
    /// # Errors
    /// As [`Self::setups`].
    pub async fn save_setup(
        &self,
        token: Option<&Token>,
        name: &str,
        setup: String,
    ) -> anyhow::Result<()> {
        let body = SaveSetup { setup };
        self.ask(Method::PUT, &setup_path(name), token, Some(&body))
            .await?;
        Ok(())
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        token: Option<&Token>,
        body: Option<&impl Serialize>,
    ) -> anyhow::Result<Response<Incoming>> {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, self.origin.authority())
            .header(ACCEPT, "application/json")
            .header(USER_AGENT, concat!("qiguan/", env!("CARGO_PKG_VERSION")));
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, format!("Bearer {}", token.reveal()));
        }
        let mut bytes = Bytes::new();
        if let Some(body) = body {
            request = request.header(CONTENT_TYPE, "application/json");
            bytes = serde_json::to_vec(body)?.into();
        }
        let request = request.body(Full::new(bytes))?;
        let stream = connection::connect(&self.origin, self.tls.as_ref()).await?;
        let broken = |error: hyper::Error| self.broken(&error);
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream))
            .await
            .map_err(broken)?;
        // It ends with the answer, or when nobody reads that any more.
        tokio::spawn(connection);
        sender.send_request(request).await.map_err(broken)
    }

    /// Why the server refuses.
    async fn refusal(&self, response: Response<Incoming>) -> String {
        let status = response.status();
        if status.is_redirection() {
            let to = response.headers().get(LOCATION);
            let to = to.and_then(|to| to.to_str().ok()).unwrap_or("elsewhere");
            // The path of the request is of no use to a person who types an address.
            let to = Address::parse(to)
                .map_or_else(|_| excerpt(to), |address| address.server.to_string());
            return format!(
                "{self} redirects to {to}, which this client does not follow; if you trust that server, type its address"
            );
        }
        answer::refusal(self, response).await
    }

    fn broken(&self, error: &hyper::Error) -> anyhow::Error {
        let other = if self.origin.is_encrypted() {
            String::new()
        } else {
            "; perhaps its address begins with https://".to_owned()
        };
        if error.is_parse() {
            anyhow::anyhow!("{self} does not answer like a web server{other}")
        } else {
            anyhow::anyhow!("{self} closed the connection{other}")
        }
    }

    fn too_slow(&self) -> anyhow::Error {
        let seconds = self.patience.as_secs();
        anyhow::anyhow!("{self} did not answer within {seconds} seconds")
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.origin.fmt(f)
    }
}

/// A name as a part of a path.
pub fn segment(name: &str) -> String {
    utf8_percent_encode(name, NON_ALPHANUMERIC).to_string()
}

fn setup_path(name: &str) -> String {
    format!("/api/setups/{}", segment(name))
}

/// The next bytes of an answer that goes on and on; none when no more come, or none for so long.
pub(super) async fn next_bytes(body: &mut Incoming, silence: Duration) -> Option<Bytes> {
    loop {
        let frame = timeout(silence, body.frame()).await.ok()??.ok()?;
        if let Ok(bytes) = frame.into_data() {
            return Some(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that says these bytes again and again, with a pause after each.
    async fn dripping(bytes: &'static [u8]) -> Server {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    use tokio::io::AsyncWriteExt;
                    let head = b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n";
                    let mut sent = stream.write_all(head).await;
                    while sent.is_ok() {
                        sent = stream.write_all(bytes).await;
                        tokio::time::sleep(Duration::from_millis(5)).await;
                    }
                });
            }
        });
        let origin = Address::parse(&format!("http://{address}"));
        Server {
            patience: Duration::from_millis(200),
            ..Server::new(origin.unwrap().server, &TrustArgs::default()).unwrap()
        }
    }

    #[tokio::test]
    async fn a_server_that_drips_its_answer_is_given_up() {
        let server = dripping(b" ").await;
        let answer: anyhow::Result<Vec<u8>> = server.get("/api/games", None).await;
        let told = answer.unwrap_err().to_string();
        assert!(told.contains("did not answer within"), "{told}");
        let refused = server.socket().await.err().map(|error| error.to_string());
        assert!(refused.is_some_and(|told| told.contains("can't be reached")));
    }

    #[test]
    fn a_setup_may_have_any_name() {
        assert_eq!(setup_path("a/b ?ü"), "/api/setups/a%2Fb%20%3F%C3%BC");
    }
}
