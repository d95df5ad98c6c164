//! A connection to a server, encrypted if its address says so: HTTP and WebSockets go over it alike.

use std::{io, sync::Arc};

use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
};
use tokio_rustls::{
    TlsConnector,
    rustls::{ClientConfig, pki_types::ServerName},
};

use super::{address::Origin, tls};

/// A stream of bytes, encrypted or not.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// Another attempt may go well.
    #[error("{server} can't be reached: {why}")]
    Unreachable {
        /// The server.
        server: String,
        /// What the system says.
        why: String,
    },
    /// The server is somebody else, or not as its address says: another attempt makes no sense.
    #[error("{0}")]
    Untrusted(String),
}

/// Connects; over TLS if there is something to trust, which an address that begins with `https` needs.
///
/// # Errors
/// When nothing answers there, or it is not who it should be.
pub async fn connect(
    origin: &Origin,
    tls: Option<&Arc<ClientConfig>>,
) -> Result<Box<dyn Stream>, ConnectError> {
    let host = origin.host();
    let unreachable = |error: &io::Error| ConnectError::Unreachable {
        server: origin.to_string(),
        why: plain(error),
    };
    let stream = TcpStream::connect((host.as_str(), origin.port())).await;
    let stream = stream.map_err(|error| unreachable(&error))?;
    stream
        .set_nodelay(true)
        .map_err(|error| unreachable(&error))?;
    let Some(config) = tls else {
        return Ok(Box::new(stream));
    };
    let Ok(name) = ServerName::try_from(host.clone()) else {
        return Err(ConnectError::Untrusted(format!(
            "{host} can't be the name in a certificate"
        )));
    };
    match TlsConnector::from(Arc::clone(config))
        .connect(name, stream)
        .await
    {
        Ok(stream) => Ok(Box::new(stream)),
        // What TLS finds fault with comes as invalid data; anything else is the network's.
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            Err(ConnectError::Untrusted(tls::why_not(&host, &error)))
        }
        Err(error) => Err(unreachable(&error)),
    }
}

/// What the system says, without numbers.
fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => "nothing is listening there".to_owned(),
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => {
            "the connection broke off".to_owned()
        }
        io::ErrorKind::TimedOut => "it does not answer".to_owned(),
        _ => error.to_string(),
    }
}
