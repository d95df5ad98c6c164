//! Lists of games and their filters.

use axum::{Json, extract::State};
use qiguan_game::position_key::PositionKey;
use qiguan_protocol::{
    error::ApiError,
    ids::PlayerId,
    limits,
    query::{ClockWord, GamesQuery, ResultWord},
    view::GamePage,
};
use qiguan_rules::RuleSet;
use qiguan_store::store::{ClockKind, GameFilter, ResultFilter};

use crate::{
    admission::sanctions,
    app::App,
    http::{
        error::Answered,
        extract::{Checked, Visitor},
        openings,
        pages::page_of,
        players::check_ruleset,
    },
    lobby::shown,
    store_errors::FromRecords,
};

/// Lists games. Games by link appear to their players alone.
#[utoipa::path(
    get, path = "/api/games", operation_id = "listGames", tag = "games", security((), ("token" = []), ("cookie" = [])),
    params(GamesQuery), responses((status = 200, description = "a page of games", body = GamePage))
)]
pub async fn list(
    State(app): State<App>,
    Checked(which): Checked<GamesQuery>,
    Visitor(player): Visitor,
) -> Answered<GamePage> {
    let viewer = player.map(|player| player.id);
    let filter = searched(which, viewer)?;
    let page = app.services.store.games(&filter).await;
    let page = page.or_unreadable("a list of games")?;
    let games = sanctions::met_by(&app.services, viewer, page.games).await?;
    Ok(Json(GamePage {
        games: games.iter().map(shown::game).collect(),
        before: page.before,
    }))
}

/// The games that a query asks for, as far as `viewer` may know of them.
///
/// # Errors
/// `bad_value` for what can't be asked.
pub fn searched(which: GamesQuery, viewer: Option<PlayerId>) -> Result<GameFilter, ApiError> {
    let limit = page_of(which.limit)?;
    if which.against.is_some() && which.player.is_none() {
        let message = "against requires player: it selects games between the two";
        return Err(ApiError::bad_value("against", message));
    }
    let position = position(&which)?;
    Ok(GameFilter {
        viewer,
        position,
        oversees: false,
        status: which.status,
        player: which.player,
        against: which.against,
        // Who asks for a position asks for its rule set with it.
        rulesets: match position {
            Some(_) => None,
            None => rulesets(which.game.as_deref(), which.ruleset)?,
        },
        result: which.result.map(|result| match result {
            ResultWord::First => ResultFilter::First,
            ResultWord::Second => ResultFilter::Second,
            ResultWord::Draw => ResultFilter::Draw,
            ResultWord::Aborted => ResultFilter::Aborted,
        }),
        reason: which.reason.map(Into::into),
        plies_from: which.plies_from,
        plies_until: which.plies_until,
        rating_from: which.rating_from,
        rating_until: which.rating_until,
        rated: which.rated,
        clock: which.clock.map(|clock| match clock {
            ClockWord::Fischer => ClockKind::Fischer,
            ClockWord::Byoyomi => ClockKind::Byoyomi,
            ClockWord::PerMove => ClockKind::PerMove,
            ClockWord::None => ClockKind::None,
        }),
        created_from: which.from,
        created_until: which.until,
        before: which.before,
        limit,
    })
}

fn position(which: &GamesQuery) -> Result<Option<PositionKey>, ApiError> {
    let Some(fen) = &which.position else {
        return Ok(None);
    };
    limits::check_length("position", fen, limits::POSITION_CHARACTERS)?;
    let bad = |message: String| ApiError::bad_value("position", message);
    let Some(ruleset) = &which.ruleset else {
        let message =
            "position requires ruleset: the same board is a different position in another rule set";
        return Err(bad(message.to_owned()));
    };
    if let (Some(kind), Some((of, _))) = (&which.game, ruleset.split_once('/'))
        && kind != of
    {
        return Err(bad(format!("{ruleset} is not a rule set of {kind}")));
    }
    let (ruleset, fen) = openings::position(ruleset, Some(fen), None)?;
    let key = PositionKey::of(&ruleset, &fen);
    key.map(Some).map_err(|error| bad(error.to_string()))
}

/// The rule sets of a kind of game, of one rule set, or of both at once; none are all of them.
///
/// # Errors
/// `bad_value` when no game is of this kind, `unknown_ruleset` when there is no such rule set.
pub fn rulesets(
    game: Option<&str>,
    ruleset: Option<String>,
) -> Result<Option<Vec<String>>, ApiError> {
    if let Some(ruleset) = &ruleset {
        check_ruleset(ruleset)?;
    }
    let Some(game) = game else {
        return Ok(ruleset.map(|ruleset| vec![ruleset]));
    };
    let mut ids: Vec<_> = RuleSet::ALL.map(|ruleset| ruleset.id().to_owned()).into();
    ids.retain(|id| id.split_once('/').is_some_and(|(kind, _)| kind == game));
    if ids.is_empty() {
        let message = "unknown game; GET /api/catalog lists them";
        return Err(ApiError::bad_value("game", message));
    }
    if let Some(ruleset) = ruleset {
        ids.retain(|id| *id == ruleset);
    }
    Ok(Some(ids))
}
