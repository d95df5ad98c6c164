//! How a connection that breaks the protocol is closed.

use qiguan_protocol::limits::close;
use tokio_tungstenite::tungstenite::{
    self,
    error::{CapacityError, ProtocolError},
};

use crate::peer::outbox::Closing;

/// The close code and reason for what a client has sent; none when the connection is gone anyway.
pub fn closing(error: axum::Error) -> Option<Closing> {
    let error = error.into_inner().downcast::<tungstenite::Error>().ok()?;
    let (code, reason) = match *error {
        // Browsers that are closed and networks that are gone say no goodbye.
        tungstenite::Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => return None,
        tungstenite::Error::Capacity(CapacityError::MessageTooLong { size, max_size }) => (
            close::TOO_BIG,
            format!("a message of {size} bytes; at most {max_size} are allowed"),
        ),
        tungstenite::Error::Capacity(CapacityError::TooManyHeaders)
        | tungstenite::Error::Protocol(_) => (
            close::PROTOCOL,
            "the bytes are not valid WebSocket protocol".to_owned(),
        ),
        tungstenite::Error::Utf8(_) => (close::NOT_UTF8, "text must be UTF-8".to_owned()),
        // The connection is closed or broken, or the fault is on this side: there is nobody to tell.
        _ => return None,
    };
    Some(Closing { code, reason })
}
