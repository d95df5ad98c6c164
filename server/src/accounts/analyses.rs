//! Analyses that players share by their links: judged by the rules, stored as they are, and deleted by their players or by moderators.

use qiguan_game::{
    analyses,
    people::{identity::Identity, permission::Permit},
};
use qiguan_protocol::{
    analysis::{Analysis, AnalysisLink, AnalysisSummary, SharedAnalysis},
    error::{ApiError, ErrorCode},
    ids::{AnalysisId, GameId, PlayerId},
    limits,
    names::{Player, Role},
};
use qiguan_store::accounts::analyses::{Shared, StoredAnalysis};

use crate::{
    admission::{ranks, sanctions},
    aside::Aside,
    net::{address::Group, growth_limit::Growth},
    services::{Services, budgets},
    store_errors::FromRecords,
};

/// Shares an analysis. The same one of the same player has the same link.
///
/// # Errors
/// What is wrong with it, with the field; `muted` when a muted player gives it a title or a comment; `rate_limited`, `limit_reached`, `restarting`, `not_stored`.
pub async fn share(
    services: &Services,
    aside: &Aside,
    who: &Identity,
    from: Group,
    analysis: Analysis,
) -> Result<AnalysisLink, ApiError> {
    services.check_serving()?;
    if let Some(field) = words_of(&analysis) {
        let may = sanctions::may_speak(services, who.id).await;
        may.map_err(|error| error.field(field))?;
    }
    // Before it is judged: what is refused has been as much work.
    budgets::analysis(services, who.id, from).await?;
    let content = judged(aside, analysis).await?;
    let bytes = serde_json::to_vec(&content).map_or(limits::BODY_BYTES, |body| body.len());
    let (now, growth) = (services.clock.now(), Growth::of_bytes(bytes));
    services.growth.take(who.id, growth, now)?;
    let shared = StoredAnalysis {
        id: services.random.analysis_id(),
        player: who.id,
        at: now,
        content,
    };
    let id = shared.id;
    let stored = services.store.share(shared, limits::ANALYSES).await;
    match stored.or_not_stored("an analysis")? {
        Shared::New => Ok(AnalysisLink { analysis: id }),
        Shared::Before(before) => {
            services.growth.refund(who.id, growth);
            Ok(AnalysisLink { analysis: before })
        }
        Shared::TooMany => {
            services.growth.refund(who.id, growth);
            let most = limits::ANALYSES;
            let message =
                format!("you have shared {most} analyses, which is the limit; delete one");
            Err(ApiError::new(ErrorCode::LimitReached, message))
        }
        Shared::NoPlayer => Err(ApiError::no_such_player()),
    }
}

/// Where an analysis says something in words; none where it has moves and shapes alone.
fn words_of(analysis: &Analysis) -> Option<String> {
    if !analysis.title.is_empty() {
        return Some("title".to_owned());
    }
    let mut nodes = analysis.nodes.iter();
    let place = nodes.position(|node| !node.comment.is_empty())?;
    Some(format!("nodes[{place}].comment"))
}

/// The analysis, if it is one. A tree of short lines takes as long as a game that is long, so it is judged beside the threads that
/// answer everybody.
async fn judged(aside: &Aside, analysis: Analysis) -> Result<Analysis, ApiError> {
    let work = move || analyses::check(&analysis).map(|()| analysis);
    aside.run(work).await.ok_or_else(ApiError::internal)?
}

/// A shared analysis, for everybody who has its link.
///
/// # Errors
/// `not_found`; `busy` when the record can't be read.
pub async fn get(services: &Services, id: AnalysisId) -> Result<SharedAnalysis, ApiError> {
    let stored = read(services, id).await?;
    let player = services.player(stored.player).await?;
    Ok(SharedAnalysis {
        analysis: stored.id,
        by: Player {
            id: player.id,
            name: player.name,
            rating: None,
            bot: player.role == Role::Bot,
            computer: None,
        },
        shared_at: stored.at,
        content: stored.content,
    })
}

/// The analysis that was imported with a game, if there is one: it has the game's own id.
///
/// # Errors
/// `busy` when the record can't be read.
pub async fn imported_with(
    services: &Services,
    game: GameId,
) -> Result<Option<AnalysisId>, ApiError> {
    let id = AnalysisId(game.0);
    let is_there = services.store.has_analysis(id).await;
    let is_there = is_there.or_unreadable("the analysis of a game")?;
    Ok(is_there.then_some(id))
}

/// What a player has shared, the last first.
///
/// # Errors
/// `busy` when the record can't be read.
pub async fn list(services: &Services, player: PlayerId) -> Result<Vec<AnalysisSummary>, ApiError> {
    let shared = services.store.analyses_of(player).await;
    shared.or_unreadable("a player's analyses")
}

/// Deletes an analysis of the caller.
///
/// # Errors
/// `not_found`, `restarting`, `not_stored`.
pub async fn delete(services: &Services, who: PlayerId, id: AnalysisId) -> Result<(), ApiError> {
    services.check_serving()?;
    let deleted = services.store.delete_own_analysis(who, id).await;
    if deleted.or_not_stored("the end of an analysis")? {
        return Ok(());
    }
    Err(unknown())
}

/// Deletes somebody's analysis, as a moderator.
///
/// # Errors
/// `forbidden`, `not_found`, `bad_value`, `restarting`, `busy`, `not_stored`.
pub async fn remove(
    services: &Services,
    permit: Permit,
    id: AnalysisId,
    reason: String,
) -> Result<(), ApiError> {
    services.check_serving()?;
    let player = read(services, id).await?.player;
    let about = services.player(player).await?;
    permit.reaches(about.role)?;
    let audit_entry = permit
        .audit_entry(services.random.audit_id(), services.clock.now(), reason)
        .to_player(player)
        .with(id.to_string());
    let deleted = services.store.delete_analysis(id, audit_entry).await;
    if deleted.or_not_stored("the end of an analysis")? {
        return Ok(());
    }
    // It is gone already, or a role has changed meanwhile.
    let permit = ranks::renewed(services, permit).await?;
    permit.reaches(about.role)?;
    Err(unknown())
}

/// An analysis as it is stored.
///
/// # Errors
/// `not_found`; `busy` when the record can't be read.
pub async fn read(services: &Services, id: AnalysisId) -> Result<StoredAnalysis, ApiError> {
    let stored = services.store.analysis(id).await;
    stored.or_unreadable("an analysis")?.ok_or_else(unknown)
}

/// The answer for an analysis that there is not.
pub fn unknown() -> ApiError {
    ApiError::new(ErrorCode::NotFound, "there is no such analysis").field("analysis")
}
