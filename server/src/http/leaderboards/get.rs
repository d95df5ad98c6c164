//! `GET /api/leaderboards/{game}/{set}`: the strongest players of a rule set.

use axum::{
    Json,
    extract::{Path, State},
};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::{Millis, PlayerId},
    names::Player,
    profile::Leaderboard,
    query::LeaderboardQuery,
};
use qiguan_store::ratings::{Leader, LeadersAsked};

use crate::{
    app::App,
    http::{
        error::{ErrorBody, HttpError},
        extract::Checked,
        players::{check_limit, check_ruleset, unreadable},
    },
};

/// Players who have not played for longer are left out.
const ACTIVE: Millis = Millis(60 * 24 * 60 * 60 * 1000);

/// Lists the strongest players: those whose rating is not provisional and who have played in the last 60 days.
#[utoipa::path(
    get, path = "/api/leaderboards/{game}/{set}", operation_id = "getLeaderboard", tag = "players",
    params(("game" = String, Path, description = "such as xiangqi"), ("set" = String, Path, description = "such as standard"), LeaderboardQuery),
    responses(
        (status = 200, description = "a page of players, strongest first", body = Leaderboard),
        (status = 400, description = "a field is invalid, or there is no such rule set", body = ErrorBody),
    )
)]
pub async fn handler(
    State(app): State<App>,
    Path((game, set)): Path<(String, String)>,
    Checked(which): Checked<LeaderboardQuery>,
) -> Result<Json<Leaderboard>, HttpError> {
    let ruleset = format!("{game}/{set}");
    check_ruleset(&ruleset)?;
    let limit = check_limit(which.limit)?;
    let after = which.after.as_deref().map(read_after).transpose()?;
    let now = app.services().clock.now();
    let asked = LeadersAsked {
        ruleset: ruleset.clone(),
        now,
        active_since: now - ACTIVE,
        after,
        limit,
    };
    let leaders = app.services().store.leaders(&asked).await;
    let leaders = leaders.map_err(|error| unreadable(&error))?;
    let full = leaders.len() == limit as usize;
    let after = leaders.last().filter(|_| full).map(write_after);
    let shown = |leader: Leader| Player {
        id: leader.player,
        name: leader.name,
        rating: Some(leader.standing.at(now).shown()),
        bot: leader.bot,
    };
    Ok(Json(Leaderboard {
        ruleset,
        leaders: leaders.into_iter().map(shown).collect(),
        after,
    }))
}

fn write_after(last: &Leader) -> String {
    format!("{}-{}", last.standing.strength.rating, last.player)
}

fn read_after(text: &str) -> Result<(i64, PlayerId), HttpError> {
    let read = text
        .split_once('-')
        .and_then(|(rating, player)| Some((rating.parse().ok()?, player.parse().ok()?)));
    read.ok_or_else(|| {
        let message = "after must come from the previous page";
        HttpError(ApiError::new(ErrorCode::BadValue, message).field("after"))
    })
}
