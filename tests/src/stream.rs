//! A stream over HTTP, read message by message.

use std::collections::VecDeque;

use serde_json::Value;

use crate::waiting::in_time;

/// A stream that is being read.
pub struct Stream {
    response: reqwest::Response,
    /// What has come and is no whole line yet.
    rest: Vec<u8>,
    lines: VecDeque<String>,
    /// The id of the last server-sent event that had one.
    pub last: Option<String>,
    /// When to come back, if the server said so.
    pub retry: Option<u64>,
}

impl Stream {
    /// What comes in this response.
    pub const fn of(response: reqwest::Response) -> Self {
        Self {
            response,
            rest: Vec::new(),
            lines: VecDeque::new(),
            last: None,
            retry: None,
        }
    }

    /// The status.
    pub fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    /// A header.
    pub fn header(&self, name: &str) -> &str {
        let value = self.response.headers().get(name);
        value.and_then(|value| value.to_str().ok()).unwrap_or("")
    }

    /// The next line; none at the end.
    ///
    /// # Errors
    /// When the stream breaks off.
    pub async fn line(&mut self) -> Result<Option<String>, reqwest::Error> {
        loop {
            if let Some(line) = self.lines.pop_front() {
                return Ok(Some(line));
            }
            let Some(bytes) = in_time("a line of the stream", self.response.chunk()).await? else {
                return Ok(None);
            };
            self.rest.extend_from_slice(&bytes);
            while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.rest.drain(..=end).collect();
                let line = String::from_utf8(line).expect("a stream is text");
                self.lines.push_back(line.trim_end_matches('\n').to_owned());
            }
        }
    }

    /// The next message as it was sent; none at the end.
    ///
    /// # Panics
    /// When the stream breaks off, or is not of its shape.
    pub async fn text(&mut self) -> Option<String> {
        loop {
            let line = self.line().await.expect("the stream goes on")?;
            if line.is_empty() || line.starts_with(':') {
                continue;
            }
            if line.starts_with('{') {
                return Some(line);
            }
            let (field, value) = line.split_once(": ").expect("a field of an event");
            match field {
                "data" => return Some(value.to_owned()),
                "id" => self.last = Some(value.to_owned()),
                "retry" => self.retry = Some(value.parse().expect("milliseconds")),
                _ => panic!("{line} is of no event"),
            }
        }
    }

    /// The next message.
    ///
    /// # Panics
    /// At the end, and when the stream breaks off.
    pub async fn message(&mut self) -> Value {
        let text = self.text().await.expect("another message");
        serde_json::from_str(&text).expect("JSON")
    }

    /// Reads on until a message is the one looked for.
    ///
    /// # Panics
    /// When the stream ends before it.
    pub async fn message_where(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.message().await;
            if wanted(&message) {
                return message;
            }
        }
    }

    /// Everything until the end, as it was sent.
    pub async fn texts(&mut self) -> Vec<String> {
        let mut texts = Vec::new();
        while let Some(text) = self.text().await {
            texts.push(text);
        }
        texts
    }
}
