//! How a stream is written: a JSON object on each line, or server-sent events. Pure.

use std::fmt;

use qiguan_protocol::ids::{Cursor, Millis};

/// From where a reader may go on who comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// How far a game was seen.
    Cursor(Cursor),
    /// Up to when everything was seen, in server time.
    Time(Millis),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cursor(cursor) => write!(f, "{cursor}"),
            Self::Time(time) => write!(f, "{time}"),
        }
    }
}

/// A way to write a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// NDJSON: an object on each line. An empty line says that the server is still there.
    Lines,
    /// Server-sent events, as a browser's `EventSource` reads them.
    Events,
}

impl Form {
    /// The form that this `Accept` asks for.
    pub fn wanted(accept: &str) -> Self {
        if accept.contains("text/event-stream") {
            Self::Events
        } else {
            Self::Lines
        }
    }

    /// The content type.
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Lines => "application/x-ndjson",
            Self::Events => "text/event-stream",
        }
    }

    /// Writes a message; `at` is from where a reader who has it may go on. JSON as serde writes it has no line breaks.
    pub fn write(self, out: &mut Vec<u8>, at: Option<Place>, json: &str) {
        match self {
            Self::Lines => {
                out.extend_from_slice(json.as_bytes());
                out.push(b'\n');
            }
            Self::Events => {
                if let Some(at) = at {
                    out.extend_from_slice(format!("id: {at}\n").as_bytes());
                }
                out.extend_from_slice(b"data: ");
                out.extend_from_slice(json.as_bytes());
                out.extend_from_slice(b"\n\n");
            }
        }
    }

    /// Writes when to come back, where there is a word for it.
    pub fn write_retry(self, out: &mut Vec<u8>, retry: Millis) {
        match self {
            Self::Lines => {}
            Self::Events => out.extend_from_slice(format!("retry: {retry}\n\n").as_bytes()),
        }
    }

    /// What keeps a silent stream open.
    pub const fn sign_of_life(self) -> &'static [u8] {
        match self {
            Self::Lines => b"\n",
            Self::Events => b":\n\n",
        }
    }
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::ids::{Epoch, Seq};

    use super::*;

    const AT: Place = Place::Cursor(Cursor {
        epoch: Epoch(7),
        seq: Seq(12),
    });

    fn written(form: Form, at: Option<Place>) -> String {
        let mut out = Vec::new();
        form.write_retry(&mut out, Millis(250));
        form.write(&mut out, at, r#"{"seq":12}"#);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lines_hold_the_message_alone_and_events_tell_where_to_go_on() {
        assert_eq!(written(Form::Lines, Some(AT)), "{\"seq\":12}\n");
        let event = "retry: 250\n\nid: 7.12\ndata: {\"seq\":12}\n\n";
        assert_eq!(written(Form::Events, Some(AT)), event);
        let timed = event.replace("7.12", "90");
        assert_eq!(written(Form::Events, Some(Place::Time(Millis(90)))), timed);
        let unnumbered = "retry: 250\n\ndata: {\"seq\":12}\n\n";
        assert_eq!(written(Form::Events, None), unnumbered);
    }

    #[test]
    fn events_are_for_those_who_ask_for_them() {
        for (accept, form) in [
            ("text/event-stream", Form::Events),
            ("text/event-stream, */*;q=0.1", Form::Events),
            ("application/x-ndjson", Form::Lines),
            ("*/*", Form::Lines),
            ("", Form::Lines),
        ] {
            assert_eq!(Form::wanted(accept), form, "{accept}");
        }
    }
}
