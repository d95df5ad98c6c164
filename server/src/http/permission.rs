//! Permissions of routes: each route for moderators and admins names its operation, and callers without the permission
//! are refused before the handler is reached.

use axum::{
    extract::{FromRequestParts, Request, State},
    http::request::Parts,
    middleware::{self, Next},
    response::Response,
};
use qiguan_game::people::permission::{self, Permit, Who};
use qiguan_protocol::{error::ApiError, names::Role, operation::Operation};
use utoipa::openapi::{ResponseBuilder, extensions::ExtensionsBuilder, path::PathItem};
use utoipa_axum::router::UtoipaMethodRouter;

use crate::{
    app::App,
    http::{
        error::HttpError,
        extract::{Visitor, unauthenticated},
    },
};

/// The tag of all these routes in the OpenAPI document.
const TAG: &str = "moderation";

/// Routes that only those reach who may do this. Their entries in the document tell which operation it is, and whose.
pub fn only(
    app: &App,
    operation: Operation,
    (schemas, mut paths, routes): UtoipaMethodRouter<App>,
) -> UtoipaMethodRouter<App> {
    for item in paths.paths.values_mut() {
        mark(item, operation);
    }
    let door = middleware::from_fn_with_state((app.clone(), operation), admit);
    (schemas, paths, routes.route_layer(door))
}

fn mark(item: &mut PathItem, operation: Operation) {
    let entries = [
        &mut item.get,
        &mut item.put,
        &mut item.post,
        &mut item.delete,
    ];
    for entry in entries.into_iter().flatten() {
        entry.tags = Some(vec![TAG.to_owned()]);
        let least = permission::least(operation).map(Role::as_str);
        if let Some(least) = least {
            let description =
                format!("requires the {least} role, and often players with lower roles");
            let refused = ResponseBuilder::new().description(description).build();
            let responses = &mut entry.responses.responses;
            responses.entry("403".to_owned()).or_insert(refused.into());
        }
        let told = ExtensionsBuilder::new()
            .add("x-operation", operation.as_str())
            .add("x-least-role", least)
            .build();
        entry.extensions = Some(told);
    }
}

async fn admit(
    State((app, operation)): State<(App, Operation)>,
    request: Request,
    next: Next,
) -> Result<Response, HttpError> {
    let (mut parts, body) = request.into_parts();
    let Visitor(who) = Visitor::from_request_parts(&mut parts, &app).await?;
    let who = who.ok_or_else(unauthenticated)?;
    let permit = permission::permit(Who::Player(&who), operation)?;
    parts.extensions.insert(permit);
    Ok(next.run(Request::from_parts(parts, body)).await)
}

/// What the door has let through. A handler that has none behind a door answers nobody.
pub struct Permitted(pub Permit);

impl<S: Send + Sync> FromRequestParts<S> for Permitted {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, HttpError> {
        let permit = parts.extensions.get::<Permit>().copied();
        permit.map(Self).ok_or_else(|| {
            tracing::error!(
                path = parts.uri.path(),
                "a route for moderators has no door"
            );
            HttpError(ApiError::internal())
        })
    }
}
