//! One message to a push service: a request over a connection of its own.
//!
//! **Invariant:** the address that is connected to is one that was looked at: it is looked up once, and a redirection is not followed.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use anyhow::Context;
use bytes::Bytes;
use http_body_util::Full;
use hyper::{
    Request, Response, StatusCode,
    body::Incoming,
    client::conn::http1,
    header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HOST, HeaderMap, RETRY_AFTER},
};
use hyper_util::rt::TokioIo;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpStream, lookup_host},
    sync::OnceCell,
    task::JoinSet,
    time::timeout,
};
use tokio_rustls::{
    TlsConnector,
    rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::ServerName},
};
use url::{Host, Position, Url};

use super::device::Reach;
use crate::net::public_address::is_public;

/// How long all of it may take.
const IN_ALL: Duration = Duration::from_secs(8);
/// How long one address may take to accept the connection, while there are others.
const CONNECTING: Duration = Duration::from_secs(3);
/// So many addresses of a name are tried.
const ADDRESSES: usize = 4;
/// How much of an answer's head is read; nothing is read of its body.
const HEAD_BYTES: usize = 16 * 1024;
/// How many headers an answer may have.
const HEADERS: usize = 64;

/// A message that is ready to be sent.
pub(super) struct Post {
    /// Where to.
    pub(super) url: Url,
    /// The proof of who sends it.
    pub(super) authorization: String,
    /// How long the push service keeps it for a device that can't be reached, in seconds.
    pub(super) ttl: u64,
    /// How soon the device is to have it: `normal` or `high`.
    pub(super) urgency: &'static str,
    /// A newer message of the same topic replaces it.
    pub(super) topic: String,
    /// The encrypted message.
    pub(super) body: Bytes,
}

/// What a push service has answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// It delivers the message.
    Taken,
    /// The device is not there any more.
    Gone,
    /// It can't take the message now, but perhaps later: after so long, if it says so.
    Busy(Option<Duration>),
    /// It does not take the message.
    Refused(StatusCode),
}

/// Why a message did not reach a push service.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotPosted {
    /// The name of the host leads to no address of the public network.
    #[error("the host has no public address")]
    NotPublic,
    /// It does not answer, or not as a push service does.
    #[error("{0:#}")]
    Unreachable(anyhow::Error),
}

/// What sends messages.
pub(super) struct Poster {
    reach: Reach,
    /// Read with the first message.
    tls: OnceCell<Arc<ClientConfig>>,
}

impl Poster {
    pub(super) fn new(reach: Reach) -> Self {
        Self {
            reach,
            tls: OnceCell::new(),
        }
    }

    /// Sends a message.
    ///
    /// # Errors
    /// When there is no answer to it.
    pub(super) async fn post(&self, post: Post) -> Result<Answer, NotPosted> {
        let exchange = timeout(IN_ALL, self.exchange(post)).await;
        let late = |_| NotPosted::Unreachable(anyhow::anyhow!("no answer in time"));
        exchange.map_err(late)?
    }

    async fn exchange(&self, post: Post) -> Result<Answer, NotPosted> {
        let host = post.url.host().map(|host| host.to_owned());
        let host = host.ok_or(NotPosted::NotPublic)?;
        let stream = self.connect(&host, &post.url).await?;
        let answered = if post.url.scheme() == "https" {
            let stream = self.encrypted(host, stream).await;
            answer(stream.map_err(NotPosted::Unreachable)?, post).await
        } else {
            answer(stream, post).await
        };
        let response = answered.map_err(NotPosted::Unreachable)?;
        Ok(judged(response.status(), response.headers()))
    }

    async fn connect(&self, host: &Host, url: &Url) -> Result<TcpStream, NotPosted> {
        let port = url.port_or_known_default().unwrap_or(443);
        let addresses: Vec<SocketAddr> = match host {
            Host::Ipv4(address) => vec![SocketAddr::from((*address, port))],
            Host::Ipv6(address) => vec![SocketAddr::from((*address, port))],
            Host::Domain(name) => {
                let found = lookup_host((name.as_str(), port)).await;
                let found = found.context("looking up the host");
                found.map_err(NotPosted::Unreachable)?.collect()
            }
        };
        let allowed = addresses.into_iter().filter(|address| {
            self.reach == Reach::Anywhere || is_public(address.ip().to_canonical())
        });
        let mut why = NotPosted::NotPublic;
        for address in allowed.take(ADDRESSES) {
            match timeout(CONNECTING, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(error)) => why = NotPosted::Unreachable(error.into()),
                Err(_) => why = NotPosted::Unreachable(anyhow::anyhow!("no connection in time")),
            }
        }
        Err(why)
    }

    async fn encrypted(
        &self,
        host: Host,
        stream: TcpStream,
    ) -> anyhow::Result<impl AsyncRead + AsyncWrite + Unpin + Send + 'static> {
        let name = match host {
            Host::Domain(name) => ServerName::try_from(name)?,
            Host::Ipv4(address) => ServerName::from(std::net::IpAddr::V4(address)),
            Host::Ipv6(address) => ServerName::from(std::net::IpAddr::V6(address)),
        };
        let config = self.tls.get_or_try_init(trust).await?;
        let connector = TlsConnector::from(Arc::clone(config));
        Ok(connector.connect(name, stream).await?)
    }
}

/// Trusts the authorities of the system; `SSL_CERT_FILE` and `SSL_CERT_DIR` take their place.
async fn trust() -> anyhow::Result<Arc<ClientConfig>> {
    let native = tokio::task::spawn_blocking(rustls_native_certs::load_native_certs).await?;
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(native.certs);
    anyhow::ensure!(
        !roots.is_empty(),
        "this machine has no certificates to check push services by; install the package ca-certificates"
    );
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

async fn answer<S>(stream: S, post: Post) -> anyhow::Result<Response<Incoming>>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let request = Request::post(&post.url[Position::BeforePath..Position::AfterQuery])
        .header(HOST, &post.url[Position::BeforeHost..Position::AfterPort])
        .header(AUTHORIZATION, post.authorization)
        .header("ttl", post.ttl)
        .header("urgency", post.urgency)
        .header("topic", post.topic)
        .header(CONTENT_ENCODING, "aes128gcm")
        .header(CONTENT_TYPE, "application/octet-stream")
        .body(Full::new(post.body))?;
    let (mut sender, connection) = http1::Builder::new()
        .max_buf_size(HEAD_BYTES)
        .max_headers(HEADERS)
        .handshake(TokioIo::new(stream))
        .await?;
    // The connection is driven beside, and ends with what is waited for here.
    let mut driving = JoinSet::new();
    driving.spawn(connection);
    Ok(sender.send_request(request).await?)
}

fn judged(status: StatusCode, headers: &HeaderMap) -> Answer {
    match status {
        status if status.is_success() => Answer::Taken,
        StatusCode::NOT_FOUND | StatusCode::GONE => Answer::Gone,
        StatusCode::TOO_MANY_REQUESTS => Answer::Busy(retry_after(headers)),
        status if status.is_server_error() => Answer::Busy(retry_after(headers)),
        status => Answer::Refused(status),
    }
}

/// How long the push service asks to wait, if it says so in seconds.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_push_service_answers_says_what_becomes_of_message_and_device() {
        let mut waits = HeaderMap::new();
        waits.insert(RETRY_AFTER, "17".parse().unwrap());
        let seconds = |seconds| Answer::Busy(Some(Duration::from_secs(seconds)));
        for (status, headers, expected) in [
            (StatusCode::CREATED, &HeaderMap::new(), Answer::Taken),
            (StatusCode::ACCEPTED, &waits, Answer::Taken),
            (StatusCode::NOT_FOUND, &waits, Answer::Gone),
            (StatusCode::GONE, &HeaderMap::new(), Answer::Gone),
            (StatusCode::TOO_MANY_REQUESTS, &waits, seconds(17)),
            (StatusCode::SERVICE_UNAVAILABLE, &waits, seconds(17)),
            (
                StatusCode::BAD_GATEWAY,
                &HeaderMap::new(),
                Answer::Busy(None),
            ),
        ] {
            assert_eq!(judged(status, headers), expected, "{status}");
        }
        // Nothing is asked elsewhere.
        for status in [
            StatusCode::FOUND,
            StatusCode::FORBIDDEN,
            StatusCode::BAD_REQUEST,
        ] {
            assert_eq!(judged(status, &waits), Answer::Refused(status));
        }
        waits.insert(
            RETRY_AFTER,
            "Wed, 25 Nov 2026 20:00:00 GMT".parse().unwrap(),
        );
        assert_eq!(retry_after(&waits), None);
    }

    #[tokio::test]
    async fn a_name_that_leads_to_this_machine_is_not_connected_to() {
        let url: Url = "https://localhost/".parse().unwrap();
        let host = url.host().unwrap().to_owned();
        let refused = Poster::new(Reach::Public).connect(&host, &url).await;
        assert!(matches!(refused, Err(NotPosted::NotPublic)));
    }
}
