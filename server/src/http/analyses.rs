//! Analyses that players share by their links.

use axum::{Json, extract::State};
use qiguan_protocol::{
    analysis::{Analysis, AnalysisLink, SharedAnalyses, SharedAnalysis},
    error::{ApiError, ErrorBody},
    ids::AnalysisId,
};

use crate::{
    accounts::analyses,
    app::App,
    http::{
        error::{Answered, Done, done, json},
        extract::{Body, Caller, Id, Identified, Named, Reason, Visitor},
        permission::Permitted,
    },
};

impl Named for AnalysisId {
    fn unknown() -> ApiError {
        analyses::unknown()
    }
}

/// Shares an analysis: everybody who has its link can open it. Every line is judged by the rules first. What the caller shares twice
/// has one link.
#[utoipa::path(
    post, path = "/api/analyses", operation_id = "shareAnalysis", tag = "analyses", security(("token" = []), ("cookie" = [])),
    request_body = Analysis,
    responses(
        (status = 200, description = "the link", body = AnalysisLink),
        (status = 403, description = "the caller is muted, and it has a title or a comment; `field` names it", body = ErrorBody),
        (status = 409, description = "a move is illegal or banned, or the game had ended before it; `field` names the node", body = ErrorBody),
        (status = 429, description = "the caller has shared too many analyses"),
    )
)]
pub async fn share(
    State(app): State<App>,
    Identified(who): Identified,
    Caller(from): Caller,
    Body(analysis): Body<Analysis>,
) -> Answered<AnalysisLink> {
    json(analyses::share(&app.services, &app.reads, &who, from.address, analysis).await)
}

/// Lists what the caller has shared, the last first.
#[utoipa::path(
    get, path = "/api/analyses", operation_id = "listAnalyses", tag = "analyses", security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "all of them", body = SharedAnalyses))
)]
pub async fn list(State(app): State<App>, Identified(who): Identified) -> Answered<SharedAnalyses> {
    let analyses = analyses::list(&app.services, who.id).await?;
    Ok(Json(SharedAnalyses { analyses }))
}

/// Shows a shared analysis.
#[utoipa::path(
    get, path = "/api/analyses/{id}", operation_id = "getAnalysis", tag = "analyses", security((), ("token" = []), ("cookie" = [])),
    responses((status = 200, description = "the analysis", body = SharedAnalysis))
)]
pub async fn get(
    State(app): State<App>,
    Id(id): Id<AnalysisId>,
    Visitor(_): Visitor,
) -> Answered<SharedAnalysis> {
    json(analyses::get(&app.services, id).await)
}

/// Deletes an analysis that the caller has shared.
#[utoipa::path(
    delete, path = "/api/analyses/{id}", operation_id = "deleteAnalysis", tag = "analyses", security(("token" = []), ("cookie" = [])),
    responses((status = 204, description = "deleted"))
)]
pub async fn delete(
    State(app): State<App>,
    Identified(who): Identified,
    Id(id): Id<AnalysisId>,
) -> Done {
    done(analyses::delete(&app.services, who.id, id).await)
}

/// Deletes an analysis that a player with a role below the caller's has shared.
#[utoipa::path(
    delete, path = "/api/admin/analyses/{id}", operation_id = "removeAnalysis", security(("token" = []), ("cookie" = [])),
    request_body = qiguan_protocol::audit::Why, responses((status = 204, description = "deleted"))
)]
pub async fn remove(
    State(app): State<App>,
    Permitted(permit): Permitted,
    Id(id): Id<AnalysisId>,
    Reason(reason): Reason,
) -> Done {
    done(analyses::remove(&app.services, permit, id, reason).await)
}
