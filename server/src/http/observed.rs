//! What becomes of each request: counted by method, route and status, and a line in the log.
//!
//! **Invariant:** nothing that a client has written gets into either: of the path there is the route alone, and no query, header or body.

use std::{collections::HashMap, sync::Arc};

use axum::{
    body::{Body, HttpBody},
    extract::{MatchedPath, Request, State},
    http::{Method, StatusCode},
    middleware::Next,
    response::Response,
};
use http_body_util::BodyExt;
use metrics::{Counter, Histogram};
use parking_lot::Mutex;
use qiguan_environment::Clock;
use qiguan_protocol::error::ErrorCode;
use utoipa::openapi::OpenApi;

/// What has no route: pages and files of the web client, and addresses that lead nowhere.
const WEB: &str = "web";
/// Methods that a route does not have, on whichever.
const OTHER: &str = "other";
/// The socket's route.
const SOCKET: &str = "/api/ws";
/// Routes beside those of the OpenAPI document.
const UNDOCUMENTED: [&str; 8] = [
    WEB,
    SOCKET,
    "/api/openapi.json",
    "/api/socket.schema.json",
    "/metrics",
    "/healthz",
    "/livez",
    "/readyz",
];
/// Routes that programs ask again and again: answers are in the log at the level `debug` alone.
const PROBES: [&str; 6] = [
    "/metrics",
    "/healthz",
    "/livez",
    "/readyz",
    "/api/health",
    "/api/ready",
];
/// The classes of statuses, from 100 on.
const CLASSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];

/// The measures of all routes. All are there from the start, and requests add none.
pub struct RequestMeter {
    clock: Clock,
    routes: HashMap<String, Vec<(Method, RouteMeter)>>,
    other: RouteMeter,
    refusals: HashMap<ErrorCode, Counter>,
}

/// The measures of a method of a route.
#[derive(Clone)]
struct RouteMeter {
    by_class: [Counter; CLASSES.len()],
    seconds: Histogram,
}

impl RouteMeter {
    fn new(method: &str, route: &str) -> Self {
        let labels = [("method", method.to_owned()), ("route", route.to_owned())];
        let counter = |class: &'static str| {
            // Sockets alone are answered like that.
            if class == "1xx" && route != SOCKET {
                return Counter::noop();
            }
            let [method, route] = labels.clone();
            let labels = [method, route, ("status", class.to_owned())];
            let counter = metrics::counter!("qiguan_http_requests_total", &labels);
            counter.absolute(0);
            counter
        };
        Self {
            by_class: CLASSES.map(counter),
            seconds: metrics::histogram!("qiguan_http_request_seconds", &labels),
        }
    }

    fn count(&self, status: StatusCode) {
        let class = usize::from(status.as_u16() / 100).saturating_sub(1);
        if let Some(counter) = self.by_class.get(class) {
            counter.increment(1);
        }
    }
}

impl RequestMeter {
    /// For all operations of the document, and what is beside it.
    pub fn new(document: &OpenApi, clock: Clock) -> Self {
        let mut routes: HashMap<String, Vec<(Method, RouteMeter)>> = HashMap::new();
        let mut add = |route: &str, method: Method| {
            let meter = RouteMeter::new(method.as_str(), route);
            let methods = routes.entry(route.to_owned()).or_default();
            methods.push((method, meter));
        };
        for (route, item) in &document.paths.paths {
            let methods = [
                (Method::GET, &item.get),
                (Method::PUT, &item.put),
                (Method::POST, &item.post),
                (Method::DELETE, &item.delete),
            ];
            for (method, operation) in methods {
                if operation.is_some() {
                    add(route, method);
                }
            }
        }
        for route in UNDOCUMENTED {
            add(route, Method::GET);
        }
        let refusals = ErrorCode::ALL.iter().map(|code| {
            let counter = metrics::counter!("qiguan_refusals_total", "code" => code.as_str());
            (*code, counter)
        });
        Self {
            clock,
            routes,
            other: RouteMeter::new(OTHER, OTHER),
            refusals: refusals.collect(),
        }
    }

    fn of(&self, method: &Method, route: &str) -> &RouteMeter {
        // Wherever there is something to get, its head can be asked for.
        let asked = if method == Method::HEAD {
            &Method::GET
        } else {
            method
        };
        let mut methods = self.routes.get(route).into_iter().flatten();
        let found = methods.find(|(method, _)| method == asked);
        found.map_or(&self.other, |(_, meter)| meter)
    }
}

/// A line of the log, which is written when this is dropped: after the answer, or at the end of a stream or a socket.
pub struct RequestLine {
    clock: Clock,
    begun: u64,
    method: Method,
    route: Option<MatchedPath>,
    status: Option<StatusCode>,
    error: Option<ErrorCode>,
    /// The code with which a socket was closed from this side.
    closed: Option<u16>,
}

impl RequestLine {
    fn route(&self) -> &str {
        self.route.as_ref().map_or(WEB, MatchedPath::as_str)
    }

    /// The method, if it is one that everybody knows: any other is a client's own text.
    const fn method(&self) -> &'static str {
        match self.method {
            Method::GET => "GET",
            Method::HEAD => "HEAD",
            Method::POST => "POST",
            Method::PUT => "PUT",
            Method::DELETE => "DELETE",
            Method::PATCH => "PATCH",
            Method::OPTIONS => "OPTIONS",
            _ => OTHER,
        }
    }
}

/// Writes the line at a level; levels are a part of the program, so that what nobody asks for costs nothing.
macro_rules! line {
    ($level:ident, $line:ident, $status:expr, $message:literal) => {{
        let micros = $line.clock.micros().saturating_sub($line.begun);
        tracing::event!(
            target: "qiguan::requests",
            tracing::Level::$level,
            method = $line.method(),
            route = $line.route(),
            status = $status.map(|status| status.as_u16()),
            ms = micros as f64 / 1e3,
            error = $line.error.map(ErrorCode::as_str),
            closed = $line.closed,
            $message
        );
    }};
}

impl Drop for RequestLine {
    fn drop(&mut self) {
        let route = self.route();
        let Some(status) = self.status else {
            line!(
                INFO,
                self,
                None::<StatusCode>,
                "the client left before the answer"
            );
            return;
        };
        let is_routine = PROBES.contains(&route) && !status.is_client_error()
            || route == WEB && status.as_u16() < 400;
        if status == StatusCode::INTERNAL_SERVER_ERROR {
            line!(WARN, self, Some(status), "request");
        } else if is_routine {
            line!(DEBUG, self, Some(status), "request");
        } else {
            line!(INFO, self, Some(status), "request");
        }
    }
}

/// Counts a request, and sees to its line in the log.
pub async fn observed(
    State(meter): State<Arc<RequestMeter>>,
    mut request: Request,
    next: Next,
) -> Response {
    let begun = meter.clock.micros();
    let mut line = RequestLine {
        clock: meter.clock,
        begun,
        method: request.method().clone(),
        route: request.extensions().get().cloned(),
        status: None,
        error: None,
        closed: None,
    };
    let socket = SocketLine::default();
    request.extensions_mut().insert(socket.clone());
    let response = next.run(request).await;
    let status = response.status();
    line.status = Some(status);
    line.error = response.extensions().get().copied();
    let measured = meter.of(&line.method, line.route());
    measured.count(status);
    let micros = meter.clock.micros().saturating_sub(begun);
    measured.seconds.record(micros as f64 / 1e6);
    if let Some(counter) = line.error.and_then(|code| meter.refusals.get(&code)) {
        counter.increment(1);
    }
    if status == StatusCode::SWITCHING_PROTOCOLS {
        socket.0.lock().replace(line);
        return response;
    }
    if response.body().size_hint().exact().is_some() {
        return response;
    }
    // The line belongs to the body, and is written when that ends.
    response.map(|body| {
        Body::new(body.map_frame(move |frame| {
            let _until_the_end = &line;
            frame
        }))
    })
}

/// Where the line of a request waits that becomes a socket.
#[derive(Clone, Default)]
pub struct SocketLine(Arc<Mutex<Option<RequestLine>>>);

impl SocketLine {
    /// The socket has ended; with a code if it was closed from this side.
    pub fn ended(self, code: Option<u16>) {
        if let Some(line) = &mut *self.0.lock() {
            line.closed = code;
        }
    }
}
