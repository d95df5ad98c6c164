//! From a request to the state's input: everything is checked here, before the lobby's task has it.

use std::sync::Arc;

use qiguan_game::{people::identity::Identity, rulesets};
use qiguan_protocol::{
    error::ApiError,
    ids::Millis,
    lobby::{AskSeek, QuickPair},
};

use crate::{
    admission::{self, Terms, blocks, sanctions, seating},
    lobby::{
        pools::{PoolKey, paces},
        state::seek::{Range, SeekRequest, SeekTarget, Seeker},
    },
    net::address::Group,
    services::Services,
};

/// What a seek is for.
///
/// # Errors
/// `unknown_ruleset`, `bad_option`, `bad_value`.
pub fn on_board(asked: &AskSeek) -> Result<SeekRequest, ApiError> {
    let terms = Terms::checked(
        &asked.ruleset,
        &asked.options,
        asked.time_control,
        asked.rated,
        asked.spectator_delay,
    )?;
    let range = asked.rating.unwrap_or_default();
    if let (Some(min), Some(max)) = (range.min, range.max)
        && min > max
    {
        let message = format!("rating range {min} to {max} is empty; min must not exceed max");
        return Err(ApiError::bad_value("rating", message));
    }
    Ok(SeekRequest {
        terms,
        place: SeekTarget::Board {
            seat: asked.seat,
            range: Range {
                min: range.min,
                max: range.max,
            },
        },
    })
}

/// What a place in a pool is for.
///
/// # Errors
/// `unknown_ruleset`, `bad_value`.
pub fn in_pool(asked: &QuickPair) -> Result<SeekRequest, ApiError> {
    let ruleset = rulesets::named(&asked.ruleset)?;
    let pool = PoolKey::named(&asked.ruleset, &asked.time, asked.rated).ok_or_else(|| {
        let message = format!(
            "no pool of {} has this time control; expected {}",
            ruleset.id(),
            paces(&ruleset).join(", ")
        );
        ApiError::bad_value("time", message)
    })?;
    Ok(SeekRequest {
        terms: Terms {
            ruleset: pool.ruleset.to_owned(),
            options: Vec::new(),
            time_control: pool.time_control(),
            rated: pool.rated,
            // Pools are for being paired soon: the fewer kinds there are, the sooner.
            spectator_delay: None,
            start: None,
        },
        place: SeekTarget::Pool(pool),
    })
}

/// Somebody who wants to play on these terms, if they may.
///
/// # Errors
/// What [`admission::check`], [`seating::seat`] and [`blocks::of`] say; `restarting`.
pub async fn seeker(
    services: &Services,
    who: &Arc<Identity>,
    address: Group,
    asked_at: Millis,
    terms: &Terms,
) -> Result<Seeker, ApiError> {
    services.check_serving()?;
    admission::check(services, who, terms).await?;
    let player = seating::seat(services, who, &terms.ruleset).await?;
    let limits = blocks::of(services, who.id).await?;
    Ok(Seeker {
        who: Arc::clone(who),
        rating: player.rating,
        address,
        asked_at,
        avoids: limits.avoids,
        paused_until: limits.paused_until,
        shadowbanned: sanctions::is_shadowbanned(services, who.id).await?,
    })
}
