//! Replays a session that is written down in a document: `anna → {…}` is sent, `anna ← {…}` has to come.
//!
//! `<name>` stands for a value that is bound where it is met first and has to be the same from then on, save for those in
//! `ANY`, which stand for any value; `…` at the end of a list stands for further elements. Everything else has to be equal,
//! field by field.

use std::collections::HashMap;

use futures_util::{SinkExt, StreamExt};
use qiguan_protocol::{SUBPROTOCOL, answer::Guest};
use serde_json::{Map, Value};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream,
    tungstenite::{Message, client::IntoClientRequest},
};

use crate::{client::command_id, waiting::in_time};

/// Placeholders that stand for any value each time.
const ANY: [&str; 3] = ["time", "ms", "text"];

/// A line of a session.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where it stands in the document, from 1.
    pub line: usize,
    /// Who.
    pub who: String,
    /// What.
    pub what: Action,
}

/// What happens in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A connection is opened.
    Connects,
    /// It is closed.
    Disconnects,
    /// A message is sent.
    Sends(String),
    /// A message has to come.
    Gets(String),
}

/// The steps in all ```` ```session ```` blocks of a document.
///
/// # Panics
/// When a line is not one of the four.
pub fn steps(document: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    for (text, line) in document.lines().zip(1..) {
        if text.starts_with("```") {
            inside = text == "```session";
        } else if inside && text.starts_with(char::is_whitespace) {
            match steps.last_mut().map(|step| &mut step.what) {
                Some(Action::Sends(json) | Action::Gets(json)) => json.push_str(text),
                _ => panic!("line {line} continues nothing"),
            }
        } else if inside {
            steps.push(step(text, line));
        }
    }
    steps
}

fn step(text: &str, line: usize) -> Step {
    let (who, rest) = text
        .split_once(' ')
        .unwrap_or_else(|| panic!("line {line}: {text:?}"));
    let what = match rest.split_once(' ').unwrap_or((rest, "")) {
        ("connects", "") => Action::Connects,
        ("disconnects", "") => Action::Disconnects,
        ("→", json) => Action::Sends(json.to_owned()),
        ("←", json) => Action::Gets(json.to_owned()),
        _ => panic!("line {line}: {text:?} is no step"),
    };
    Step {
        line,
        who: who.to_owned(),
        what,
    }
}

/// A replay against a server.
pub struct Replay {
    address: String,
    sockets: HashMap<String, WebSocketStream<MaybeTlsStream<TcpStream>>>,
    bound: HashMap<String, Value>,
    /// What has been sent, in order.
    pub sent: Vec<Value>,
    /// What has come.
    pub received: Vec<Value>,
}

impl Replay {
    /// Nobody is connected yet.
    pub fn on(address: &str) -> Self {
        Self {
            address: address.to_owned(),
            sockets: HashMap::new(),
            bound: HashMap::new(),
            sent: Vec::new(),
            received: Vec::new(),
        }
    }

    /// Does what a line says, or sees that it happens.
    ///
    /// # Panics
    /// When it does not.
    pub async fn step(&mut self, step: &Step) {
        let Step { line, who, what } = step;
        match what {
            Action::Connects => {
                let socket = self.connect().await;
                self.sockets.insert(who.clone(), socket);
            }
            Action::Disconnects => {
                let socket = self.sockets.remove(who);
                let mut socket =
                    socket.unwrap_or_else(|| panic!("line {line}: {who} is not there"));
                // What comes before the server's own goodbye is lost, as in a tunnel.
                let goodbye = async {
                    drop(socket.close(None).await);
                    while let Some(Ok(_)) = socket.next().await {}
                };
                in_time("a goodbye", goodbye).await;
            }
            Action::Sends(json) => {
                let mut message = parse(json, *line);
                self.fill(&mut message).await;
                self.sent.push(message.clone());
                let socket = self.socket(who, *line);
                let sent = in_time(
                    "a message to go out",
                    socket.send(Message::text(message.to_string())),
                )
                .await;
                sent.unwrap_or_else(|error| panic!("line {line}: {error}"));
            }
            Action::Gets(json) => {
                let expected = parse(json, *line);
                self.gets(who, &expected, *line).await;
            }
        }
    }

    async fn connect(&self) -> WebSocketStream<MaybeTlsStream<TcpStream>> {
        let url = format!("ws://{}/api/ws", self.address);
        let mut request = url.into_client_request().expect("a request");
        let protocol = SUBPROTOCOL.parse().expect("a header");
        request
            .headers_mut()
            .insert("sec-websocket-protocol", protocol);
        let connecting = tokio_tungstenite::connect_async(request);
        in_time("a connection", connecting)
            .await
            .expect("the server takes the connection")
            .0
    }

    fn socket(
        &mut self,
        who: &str,
        line: usize,
    ) -> &mut WebSocketStream<MaybeTlsStream<TcpStream>> {
        self.sockets
            .get_mut(who)
            .unwrap_or_else(|| panic!("line {line}: {who} is not there"))
    }

    async fn gets(&mut self, who: &str, expected: &Value, line: usize) {
        loop {
            let socket = self.socket(who, line);
            let message = in_time(&format!("line {line}"), socket.next()).await;
            let text = match message {
                Some(Ok(Message::Text(text))) => text,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                other => panic!("line {line}: {other:?} instead of a message"),
            };
            let found: Value = serde_json::from_str(&text).expect("the server speaks JSON");
            self.received.push(found.clone());
            let before = self.bound.clone();
            let Err(why) = self.fits(expected, &found) else {
                return;
            };
            self.bound = before;
            // The number of watchers is sent when it suits the server; a document does not list each time.
            assert_eq!(
                found["notice"]["type"], "presence",
                "line {line}: {why}\nexpected: {expected}\nfound:    {found}"
            );
        }
    }

    /// Puts values in the place of placeholders; one that is met first is drawn.
    async fn fill(&mut self, value: &mut Value) {
        let mut places = vec![value];
        while let Some(place) = places.pop() {
            match place {
                Value::Object(fields) => places.extend(fields.values_mut()),
                Value::Array(elements) => places.extend(elements),
                Value::String(text) => {
                    if let Some(name) = placeholder(text) {
                        *place = self.drawn(name).await;
                    }
                }
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
    }

    async fn drawn(&mut self, name: &str) -> Value {
        if let Some(value) = self.bound.get(name) {
            return value.clone();
        }
        if let Some(who) = name.strip_suffix("-token") {
            // Somebody who opened an identity on an earlier day.
            let url = format!("http://{}/api/guest", self.address);
            let answer = reqwest::Client::new()
                .post(url)
                .send()
                .await
                .expect("the server answers");
            let guest: Guest = answer.json().await.expect("a guest");
            self.bound
                .insert(who.to_owned(), Value::from(guest.player.id.to_string()));
            self.bound
                .insert(format!("{who}-name"), Value::from(guest.player.name));
            self.bound
                .insert(name.to_owned(), Value::from(guest.token.reveal()));
        } else {
            self.bound
                .insert(name.to_owned(), Value::from(command_id().to_string()));
        }
        self.bound[name].clone()
    }

    /// Whether what was found is what was expected; placeholders are bound on the way.
    fn fits(&mut self, expected: &Value, found: &Value) -> Result<(), String> {
        match (expected, found) {
            (Value::String(text), _) if let Some(name) = placeholder(text) => {
                if ANY.contains(&name) {
                    return Ok(());
                }
                let known = self
                    .bound
                    .entry(name.to_owned())
                    .or_insert_with(|| found.clone());
                if known == found {
                    Ok(())
                } else {
                    Err(format!("<{name}> is {known}, not {found}"))
                }
            }
            (Value::Object(expected), Value::Object(found)) => self.fields_fit(expected, found),
            (Value::Array(expected), Value::Array(found)) => self.elements_fit(expected, found),
            _ if expected == found => Ok(()),
            _ => Err(format!("{expected} is not {found}")),
        }
    }

    fn fields_fit(
        &mut self,
        expected: &Map<String, Value>,
        found: &Map<String, Value>,
    ) -> Result<(), String> {
        if let Some(name) = found.keys().find(|name| !expected.contains_key(*name)) {
            return Err(format!("{name:?} is not documented here"));
        }
        for (name, expected) in expected {
            let found = found
                .get(name)
                .ok_or_else(|| format!("{name:?} is missing"))?;
            self.fits(expected, found)
                .map_err(|why| format!("{name}: {why}"))?;
        }
        Ok(())
    }

    fn elements_fit(&mut self, expected: &[Value], found: &[Value]) -> Result<(), String> {
        if let [some @ .., last] = expected
            && last == "…"
        {
            return match some.iter().find(|one| !found.contains(one)) {
                Some(missing) => Err(format!("{missing} is not among {found:?}")),
                None => Ok(()),
            };
        }
        if expected.len() != found.len() {
            return Err(format!(
                "{} elements instead of {}",
                found.len(),
                expected.len()
            ));
        }
        expected
            .iter()
            .zip(found)
            .try_for_each(|(expected, found)| self.fits(expected, found))
    }
}

/// The name in `<name>`.
fn placeholder(text: &str) -> Option<&str> {
    text.strip_prefix('<')?.strip_suffix('>')
}

/// JSON in which `<name>` may stand outside of quotes, for numbers.
fn parse(json: &str, line: usize) -> Value {
    let mut text = String::with_capacity(json.len());
    let mut quoted = false;
    for character in json.chars() {
        match character {
            '"' => quoted = !quoted,
            '<' if !quoted => text.push('"'),
            _ => {}
        }
        text.push(character);
        if character == '>' && !quoted {
            text.push('"');
        }
    }
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("line {line}: {error}: {text}"))
}
