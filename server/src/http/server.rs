//! The accept loop: connections counted, headers timed, and an end that forgets nobody.
//!
//! axum's own loop has neither a time limit for headers nor knowledge of open WebSockets; this one sets what it inherits
//! nowhere.

use std::{convert::Infallible, net::IpAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt;

use crate::{
    app::App,
    http::extract::Peer,
    net::{
        address::Group,
        connection_limit::ConnectionSlot,
        cut::Cut,
        request_limits::Cost,
        stall_limit::keep_unsent_short,
        stream::{ClientStream, ReceivedBytes},
    },
};

/// Browsers come back over HTTPS alone, for a year (HSTS).
const HTTPS_ALONE: HeaderValue = HeaderValue::from_static("max-age=31536000");
/// How long a client may take to send the header of a request, in seconds.
const HEADER_SECONDS: u64 = 5;
/// The longest header of a request, in bytes.
const HEADER_BYTES: usize = 16 * 1024;
/// The most header fields in a request.
const HEADER_FIELDS: usize = 64;

/// Accepts connections until `stop`, then waits for the requests under way. WebSockets are waited for elsewhere.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    app: App,
    max_connections: usize,
    stop: CancellationToken,
) {
    let slots = Arc::new(Semaphore::new(max_connections));
    let tasks = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                tasks.spawn(connection(
                    stream,
                    peer.ip(),
                    app.clone(),
                    router.clone(),
                    Arc::clone(&slots),
                    stop.clone(),
                ));
            }
            Err(error) => {
                // Out of descriptors, most likely. Those who play go on; new ones wait a moment.
                tracing::warn!(%error, "could not accept a connection");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
    drop(listener);
    tasks.close();
    tasks.wait().await;
}

async fn connection(
    stream: TcpStream,
    peer: IpAddr,
    app: App,
    router: Router,
    slots: Arc<Semaphore>,
    stop: CancellationToken,
) {
    // Whom a proxy's connections belong to is not known before their requests are.
    let address = (!app.people.proxies.trusts(peer)).then(|| Group::of(peer));
    let clock = app.services.clock;
    let limits = &app.people.request_limits;
    let charge = |address| limits.charge_address(address, Cost::CONNECTION, clock.now());
    if address.is_some_and(|address| charge(address).is_err_and(|refused| refused.is_flood)) {
        // Nothing is read of a flood, and nothing is answered.
        metrics::counter!("qiguan_connections_refused_total").increment(1);
        return;
    }
    // A WebSocket keeps its slot to the end: it travels with the request.
    let slot = slots.try_acquire_owned().ok().and_then(|permit| {
        // A proxy has as many as it needs.
        let place = match address {
            None => None,
            Some(address) => Some(app.services.connections.take(address)?),
        };
        Some(Arc::new(Held::new(permit, place)))
    });
    if slot.is_none() {
        metrics::counter!("qiguan_connections_refused_total").increment(1);
    }
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection closed before it was accepted");
        return;
    }
    let incoming = Arc::new(ReceivedBytes::default());
    keep_unsent_short(&stream);
    let stream = ClientStream::new(stream, Arc::clone(&incoming), clock, stop.clone());
    // The public address is https: then browsers see every answer over TLS, whatever lies between.
    let by_https_alone = app.origins.is_secure();
    let cut = CancellationToken::new();
    let cutter = Cut(cut.clone());
    let service = service_fn(move |mut request: Request<Incoming>| {
        let router = router.clone();
        let slot = slot.clone();
        let cutter = cutter.clone();
        let incoming = Arc::clone(&incoming);
        async move {
            let mut response = if let Some(slot) = slot {
                request.extensions_mut().insert(Slot(slot));
                request.extensions_mut().insert(Peer(peer));
                request.extensions_mut().insert(cutter);
                request.extensions_mut().insert(incoming);
                router.oneshot(request.map(Body::new)).await?
            } else {
                let after = [(header::RETRY_AFTER, "10")];
                let busy = (
                    StatusCode::SERVICE_UNAVAILABLE,
                    after,
                    "too many connections",
                );
                busy.into_response()
            };
            if by_https_alone {
                let headers = response.headers_mut();
                headers.insert(header::STRICT_TRANSPORT_SECURITY, HTTPS_ALONE);
            }
            Ok::<Response, Infallible>(response)
        }
    });
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(HEADER_SECONDS))
        .max_buf_size(HEADER_BYTES)
        .max_headers(HEADER_FIELDS);
    let mut served = std::pin::pin!(
        builder
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades()
    );
    let ending = async {
        tokio::select! {
            ended = served.as_mut() => ended,
            () = stop.cancelled() => {
                served.as_mut().graceful_shutdown();
                served.await
            }
        }
    };
    tokio::select! {
        ended = ending => if let Err(error) = ended {
            tracing::debug!(%error, "a connection ended with an error");
            if let Some(address) = address.filter(|_| error.is_parse()) {
                limits.charge_waste(address, Cost::WORK, clock.now());
            }
        },
        () = cut.cancelled() => tracing::debug!("a connection was closed at shutdown"),
    }
    cut.cancel();
}

/// A place among the connections that may be open at once.
#[derive(Clone)]
pub struct Slot(#[expect(dead_code, reason = "held, not read")] Arc<Held>);

/// What a connection holds until it ends, and how many there are.
struct Held {
    _permit: OwnedSemaphorePermit,
    _place: Option<ConnectionSlot>,
}

impl Held {
    fn new(permit: OwnedSemaphorePermit, place: Option<ConnectionSlot>) -> Self {
        metrics::gauge!("qiguan_connections_open").increment(1.0);
        Self {
            _permit: permit,
            _place: place,
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        metrics::gauge!("qiguan_connections_open").decrement(1.0);
    }
}
