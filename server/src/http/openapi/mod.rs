//! The OpenAPI document. Handlers describe themselves; what holds for many of them is added here, in one place.

mod answers;
mod bounds;
mod by_seat;
pub mod json_schema;
mod parameters;
mod refusals;
mod socket;
mod variants;

use serde_json::{Map, Value, json};
use utoipa::{
    Modify, OpenApi,
    openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme},
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Qiguan",
        description = "A server for Chinese board games. Live play goes over the WebSocket at `/api/ws` (subprotocol `qiguan.v1`, described in docs/protocol.md); everything here works without one. A path answers other methods than those listed with 405 and `Allow`.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    components(schemas(
        qiguan_protocol::answer::AnswerFrame,
        qiguan_protocol::client::Hello,
        qiguan_protocol::client::Nothing,
        qiguan_protocol::client::Watch,
        qiguan_protocol::client::Unwatch,
        qiguan_protocol::client::SetUp,
        qiguan_protocol::client::Note,
        qiguan_protocol::client::SpectatorChat,
        qiguan_protocol::error::ErrorBody,
        qiguan_protocol::event::EventFrame,
        qiguan_protocol::event::GameNotice,
        qiguan_protocol::event::ServerNotice,
        qiguan_protocol::live::ChannelNotice,
        qiguan_protocol::live::OwnStreamNotice,
        qiguan_protocol::lobby::AcceptSeek,
        qiguan_protocol::lobby::CancelSeek,
        qiguan_protocol::lobby::LobbyNotice,
        qiguan_protocol::push::PushMessage,
        // What stands behind a `?` alone is not found by itself.
        qiguan_protocol::query::ClockWord,
        qiguan_protocol::query::Perspective,
        qiguan_protocol::query::FacesWord,
        qiguan_protocol::query::NotationWord,
        qiguan_protocol::query::StreamPerspective,
        qiguan_protocol::query::ResultWord,
        // Nor is what there is for each seat alone.
        qiguan_protocol::names::RatingChange,
        qiguan_protocol::setup::RevealedSetup,
        qiguan_protocol::view::SeatPresence,
        qiguan_protocol::view::TimeLeft,
    )),
    modifiers(&Security),
)]
struct Document;

/// The two ways to say who one is.
struct Security;

impl Modify for Security {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_default();
        components.add_security_scheme(
            "token",
            SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)),
        );
        let cookie = ApiKey::Cookie(ApiKeyValue::new("qiguan"));
        components.add_security_scheme("cookie", SecurityScheme::ApiKey(cookie));
    }
}

/// The document before any handler is in it.
pub fn begun() -> utoipa::openapi::OpenApi {
    Document::openapi()
}

/// The document as it is served, of one in which all handlers are.
pub fn finished(document: &utoipa::openapi::OpenApi) -> Value {
    let mut document = serde_json::to_value(document).unwrap_or_default();
    let mut missing = by_seat::name_values(&mut document);
    missing.extend(answers::declare(&mut document));
    missing.extend(socket::declare(&mut document));
    missing.extend(parameters::declare(&mut document));
    missing.extend(bounds::declare(&mut document));
    refusals::declare(&mut document);
    missing.extend(variants::name(&mut document));
    variants::fix_constants(&mut document);
    debug_assert!(
        missing.is_empty(),
        "the OpenAPI document has nothing, or two things, named {missing:?}"
    );
    document
}

/// Every operation with its method and path.
fn operations(document: &mut Value) -> impl Iterator<Item = (String, &mut Map<String, Value>)> {
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    paths.into_iter().flatten().flat_map(|(path, methods)| {
        let methods = methods.as_object_mut().into_iter().flatten();
        methods.filter_map(move |(method, operation)| {
            let name = format!("{} {path}", method.to_uppercase());
            Some((name, operation.as_object_mut()?))
        })
    })
}

fn reference(schema: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{schema}") })
}

/// The schemas by their names.
fn schemas(document: &mut Value) -> Option<&mut Map<String, Value>> {
    document.pointer_mut("/components/schemas")?.as_object_mut()
}
