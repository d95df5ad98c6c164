//! Players as everybody may know them: profiles, ratings, results, presence, and who leads.

use axum::{
    Json,
    extract::{Path, State},
};
use qiguan_game::{
    audience,
    event::Player,
    people::name_keys::NameKeys,
    ratings::{change::Cause, glicko::points},
};
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::{Millis, PlayerId},
    limits,
    lobby::PlayerPresence,
    profile::{self, HeadToHead, HistoryKind, HistoryPoint, Leaderboard, Profile, RatingHistory},
    query::{LeaderboardQuery, PlayerQuery, RatingsQuery},
};
use qiguan_rules::RuleSet;
use qiguan_store::{
    accounts::{Account, AccountLookup},
    ratings::{Leader, LeadersAsked, Past, Tally},
};

use crate::{
    app::App,
    http::{
        error::{Answered, json},
        extract::{Checked, Id, Visitor},
        pages::page_of,
    },
    lobby::challenging,
    services::{Services, online},
    store_errors::FromRecords,
};

/// Players who have not played for longer are left out of leaderboards.
const ACTIVE: Millis = Millis(60 * 24 * 60 * 60 * 1000);

/// A player's profile: the name, the ratings, and what was won and lost.
#[utoipa::path(
    get, path = "/api/players/{id}", operation_id = "getPlayer", tag = "players",
    responses((status = 200, description = "the player", body = Profile))
)]
pub async fn get(State(app): State<App>, Id(player): Id<PlayerId>) -> Answered<Profile> {
    let account = app.services.player(player).await?;
    json(profile(&app.services, account).await)
}

/// The profile of the player whose account has a name.
#[utoipa::path(
    get, path = "/api/players", operation_id = "findPlayer", tag = "players", params(PlayerQuery),
    responses(
        (status = 200, description = "the player", body = Profile),
        (status = 404, description = "no account has this name"),
    )
)]
pub async fn named(
    State(app): State<App>,
    Checked(PlayerQuery { name }): Checked<PlayerQuery>,
) -> Answered<Profile> {
    let account = account_named(&app, &name).await?;
    json(profile(&app.services, account).await)
}

/// The account of this name.
///
/// # Errors
/// `not_found`, `internal`.
pub(super) async fn account_named(app: &App, name: &str) -> Result<Account, ApiError> {
    let no_such_name = || {
        let message = "no account has this name";
        ApiError::new(ErrorCode::NotFound, message).field("name")
    };
    if name.chars().count() > limits::LOOKED_UP_CHARACTERS {
        return Err(no_such_name());
    }
    let key = NameKeys::of(name).first().to_owned();
    let found = app.services.account(AccountLookup::Key(key)).await?;
    found.ok_or_else(no_such_name)
}

/// Lists the changes of a player's rating. Games by link are named to their players alone.
#[utoipa::path(
    get, path = "/api/players/{id}/ratings", operation_id = "getRatingHistory", tag = "players", security((), ("token" = []), ("cookie" = [])),
    params(RatingsQuery),
    responses((status = 200, description = "a page of changes; empty if the player has no rating there", body = RatingHistory))
)]
pub async fn ratings(
    State(app): State<App>,
    Id(player): Id<PlayerId>,
    Checked(which): Checked<RatingsQuery>,
    Visitor(viewer): Visitor,
) -> Answered<RatingHistory> {
    check_ruleset(&which.ruleset)?;
    let limit = page_of(which.limit)?;
    let store = &app.services.store;
    let history = store.rating_history(player, &which.ruleset, which.before, limit);
    let history = history.await.or_unreadable("a player's ratings")?;
    let last = history.last().map(|past| past.change.number);
    let before = last.filter(|number| *number > 1 && history.len() == limit as usize);
    let viewer = viewer.map(|viewer| viewer.id);
    let changes = history.into_iter().map(|past| point(past, viewer));
    Ok(Json(RatingHistory {
        before,
        changes: changes.collect(),
    }))
}

/// Counts the games of two players, as the first of them has seen them.
#[utoipa::path(
    get, path = "/api/players/{id}/against/{other}", operation_id = "getHeadToHead", tag = "players",
    responses((status = 200, description = "the results", body = HeadToHead))
)]
pub async fn against(
    State(app): State<App>,
    Id((player, against)): Id<(PlayerId, PlayerId)>,
) -> Answered<HeadToHead> {
    let results = tallies(&app.services, player, Some(against)).await?;
    Ok(Json(HeadToHead {
        player,
        against,
        results,
    }))
}

/// Shows whether a player is connected, and which games they are playing. Games by link are shown to their players only. Of a
/// player whom nobody knows as of one who is not here, and so of one who does not want to be shown, or who blocks the caller or is
/// blocked by them.
#[utoipa::path(
    get, path = "/api/players/{id}/presence", operation_id = "getPresence", tag = "players", security((), ("token" = []), ("cookie" = [])),
    responses((status = 200, description = "where the player is", body = PlayerPresence))
)]
pub async fn presence(
    State(app): State<App>,
    Id(player): Id<PlayerId>,
    Visitor(visitor): Visitor,
) -> Answered<PlayerPresence> {
    let viewer = visitor.map(|who| who.id);
    let services = &app.services;
    let seen = services.store.may_be_seen(player, viewer).await;
    if !seen.or_unreadable("who may be seen")? {
        return Ok(Json(PlayerPresence {
            player,
            online: false,
            playing: Vec::new(),
        }));
    }
    Ok(Json(PlayerPresence {
        player,
        online: services.sockets.is_online(player),
        playing: challenging::playing(services, player, viewer),
    }))
}

/// Lists the strongest players: those whose rating is not provisional and who have played in the last 60 days.
#[utoipa::path(
    get, path = "/api/leaderboards/{game}/{set}", operation_id = "getLeaderboard", tag = "players",
    params(("game" = String, Path, description = "such as xiangqi"), ("set" = String, Path, description = "such as standard"), LeaderboardQuery),
    responses((status = 200, description = "a page of players, strongest first", body = Leaderboard))
)]
pub async fn leaderboard(
    State(app): State<App>,
    Path((game, set)): Path<(String, String)>,
    Checked(which): Checked<LeaderboardQuery>,
) -> Answered<Leaderboard> {
    let ruleset = format!("{game}/{set}");
    check_ruleset(&ruleset)?;
    let now = app.services.clock.now();
    let asked = LeadersAsked {
        ruleset: ruleset.clone(),
        now,
        active_since: now - ACTIVE,
        after: which.after.as_deref().map(read_after).transpose()?,
        limit: page_of(which.limit)?,
    };
    let leaders = app.services.store.leaders(&asked).await;
    let leaders = leaders.or_unreadable("a leaderboard")?;
    let full = leaders.len() == asked.limit as usize;
    let after = leaders.last().filter(|_| full).map(write_after);
    let shown = |leader: Leader| {
        audience::player(&Player {
            rating: Some(leader.rating_state.at(now).shown()),
            bot: leader.bot,
            ..Player::named(leader.player, leader.name)
        })
    };
    Ok(Json(Leaderboard {
        ruleset,
        leaders: leaders.into_iter().map(shown).collect(),
        after,
    }))
}

/// A player's profile.
///
/// # Errors
/// `internal` if the records can't be read.
pub(super) async fn profile(services: &Services, account: Account) -> Result<Profile, ApiError> {
    let now = services.clock.now();
    let rating_states = services.store.rating_states(account.id).await;
    let ratings = rating_states
        .or_unreadable("a player's ratings")?
        .into_iter()
        .map(|(ruleset, state)| online::rating_now(ruleset, &state, now));
    Ok(Profile {
        id: account.id,
        name: account.name,
        role: account.role,
        deleted: account.deleted_at.is_some(),
        since: account.registered_at,
        ratings: ratings.collect(),
        results: tallies(services, account.id, None).await?,
    })
}

/// What a player has won and lost, against everybody or one opponent.
async fn tallies(
    services: &Services,
    player: PlayerId,
    against: Option<PlayerId>,
) -> Result<Vec<profile::Tally>, ApiError> {
    let tallies = services.store.tallies(player, against).await;
    let shown = |tally: Tally| profile::Tally {
        ruleset: tally.ruleset,
        seat: tally.seat.into(),
        won: tally.won,
        drawn: tally.drawn,
        lost: tally.lost,
    };
    let tallies = tallies.or_unreadable("a player's results")?;
    Ok(tallies.into_iter().map(shown).collect())
}

fn point(past: Past, viewer: Option<PlayerId>) -> HistoryPoint {
    let Past {
        change,
        players,
        listed,
    } = past;
    let shown = listed || (viewer.is_some() && players.contains(&viewer));
    HistoryPoint {
        number: change.number,
        at: change.at,
        kind: match change.cause {
            Cause::Played { counts: true, .. } => HistoryKind::Played,
            Cause::Played { counts: false, .. } => HistoryKind::Withdrawn,
            Cause::Revised => HistoryKind::Revised,
        },
        game: shown.then_some(change.game),
        before: points(change.before),
        after: points(change.after.rating),
        deviation: points(change.after.deviation),
    }
}

/// Refuses a rule set that does not exist.
pub(super) fn check_ruleset(ruleset: &str) -> Result<RuleSet, ApiError> {
    RuleSet::named(ruleset).map_err(|_| {
        let message = "unknown rule set; GET /api/catalog lists them";
        ApiError::new(ErrorCode::UnknownRuleset, message).field("ruleset")
    })
}

fn write_after(last: &Leader) -> String {
    format!("{}-{}", last.rating_state.strength.rating, last.player)
}

fn read_after(text: &str) -> Result<(i64, PlayerId), ApiError> {
    let read = text
        .split_once('-')
        .and_then(|(rating, player)| Some((rating.parse().ok()?, player.parse().ok()?)));
    read.ok_or_else(|| ApiError::bad_value("after", "after must come from the previous page"))
}
