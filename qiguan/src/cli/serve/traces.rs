//! Traces of moves for OpenTelemetry. The customary variables of the environment name the collector (`OTEL_EXPORTER_OTLP_ENDPOINT`, or
//! `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`), how much is sampled (`OTEL_TRACES_SAMPLER`) and how it is sent (`OTEL_BSP_…`); without the first nobody makes any.

use std::{env, sync::Arc, time::Duration};

use anyhow::Context;
use async_trait::async_trait;
use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::{Request, Response, client::conn::http1, header::HOST};
use hyper_util::rt::TokioIo;
use opentelemetry::{KeyValue, trace::TracerProvider};
use opentelemetry_http::{HttpClient, HttpError};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::{Resource, trace::SdkTracerProvider};
use qiguan_client::{address::Address, connection, tls::TrustArgs};
use qiguan_server::traces::TARGET;
use tokio::{runtime::Handle, task::JoinSet, time::timeout};
use tokio_rustls::rustls::ClientConfig;
use tracing::Subscriber;
use tracing_subscriber::{Layer, filter::filter_fn, registry::LookupSpan};

/// Where the collector is: of all that is measured, and of traces alone.
const ENDPOINTS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
];
/// How long the collector may take for an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How much is read of an answer.
const ANSWER_BYTES: usize = 64 * 1024;
/// How long the last traces may take to be sent at the end.
const LAST_TRACES: Duration = Duration::from_secs(1);

/// What sends traces.
pub(super) struct Traces(SdkTracerProvider);

impl Traces {
    /// Begins to send what [`Self::layer`] collects; none where no collector is named. It is sent by tasks of the runtime.
    ///
    /// # Errors
    /// When what the environment says of it can't be used.
    pub(super) fn start(runtime: &Handle) -> anyhow::Result<Option<Self>> {
        let named = ENDPOINTS.map(|name| env::var(name).ok().filter(|value| !value.is_empty()));
        let Some(endpoint) = named.into_iter().flatten().next() else {
            return Ok(None);
        };
        let collector = Collector {
            tls: if endpoint.starts_with("https:") {
                Some(TrustArgs::default().config()?)
            } else {
                None
            },
            runtime: runtime.clone(),
        };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_protocol(Protocol::HttpJson)
            .with_http_client(collector)
            .build();
        let exporter = exporter.with_context(|| format!("{}: {endpoint}", ENDPOINTS.join(", ")))?;
        let mut resource = Resource::builder()
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
        if env::var_os("OTEL_SERVICE_NAME").is_none() {
            resource = resource.with_service_name("qiguan");
        }
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource.build());
        Ok(Some(Self(provider.build())))
    }

    /// Collects the spans of moves, and nothing else.
    pub(super) fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        tracing_opentelemetry::layer()
            .with_tracer(self.0.tracer("qiguan"))
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false)
            .with_filter(filter_fn(|of| of.is_span() && of.target() == TARGET))
    }

    /// Sends what has not been sent yet.
    pub(super) async fn end(self) {
        // It waits for the sending, which this runtime does.
        let end = tokio::task::spawn_blocking(move || self.0.shutdown_with_timeout(LAST_TRACES));
        if let Ok(Err(error)) = end.await {
            tracing::warn!(%error, "the last traces were not sent");
        }
    }
}

/// The collector, over a connection of its own for each batch: there is one every five seconds.
#[derive(Clone)]
struct Collector {
    tls: Option<Arc<ClientConfig>>,
    runtime: Handle,
}

impl std::fmt::Debug for Collector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Collector").finish_non_exhaustive()
    }
}

#[async_trait]
impl HttpClient for Collector {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let client = self.clone();
        // What waits for this is a thread of the exporter, not a task of the runtime.
        let sending = self
            .runtime
            .spawn(async move { timeout(PATIENCE, client.exchange(request)).await });
        Ok(sending.await???)
    }
}

impl Collector {
    async fn exchange(&self, request: Request<Bytes>) -> anyhow::Result<Response<Bytes>> {
        let (mut head, body) = request.into_parts();
        let scheme = head.uri.scheme_str().unwrap_or("http");
        let authority = head.uri.authority().context("an address without a host")?;
        let origin = Address::parse(&format!("{scheme}://{authority}"))?.server;
        head.headers.insert(HOST, origin.authority().parse()?);
        let path = head.uri.path_and_query().map_or("/", |path| path.as_str());
        head.uri = path.parse()?;
        let stream = connection::connect(&origin, self.tls.as_ref()).await?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        // The connection is driven beside, and ends with what is waited for here.
        let mut driving = JoinSet::new();
        driving.spawn(connection);
        let request = Request::from_parts(head, Full::new(body));
        let (head, body) = sender.send_request(request).await?.into_parts();
        let body = Limited::new(body, ANSWER_BYTES).collect().await;
        let body = body.map_err(|error| anyhow::anyhow!(error))?;
        Ok(Response::from_parts(head, body.to_bytes()))
    }
}
