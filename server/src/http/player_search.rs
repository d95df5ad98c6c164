//! Players found by a part of their names.

use axum::{Json, extract::State};
use qiguan_game::{audience, event::Player, people::computer::Computer};
use qiguan_protocol::{
    error::ApiError, limits, names::Role, profile::FoundPlayers, query::PlayerSearchQuery,
};

use crate::{
    app::App,
    http::{
        error::{Answered, HttpError},
        extract::Checked,
        pages::at_most,
    },
    store_errors::FromRecords,
};

/// So many are shown if nothing else is asked for.
const USUAL: u32 = 8;

/// Lists accounts whose names contain a part, however its letters are cased; those whose names begin with it come first.
#[utoipa::path(
    get, path = "/api/players/search", operation_id = "searchPlayers", tag = "players", params(PlayerSearchQuery),
    responses((status = 200, description = "the players; none if no name contains the part", body = FoundPlayers))
)]
pub async fn search(
    State(app): State<App>,
    Checked(PlayerSearchQuery { part, limit }): Checked<PlayerSearchQuery>,
) -> Answered<FoundPlayers> {
    let limit = at_most(limit.unwrap_or(USUAL), limits::FOUND_PLAYERS)?;
    if part.chars().count() > limits::LOOKED_UP_CHARACTERS {
        let message = format!(
            "expected at most {} characters",
            limits::LOOKED_UP_CHARACTERS
        );
        return Err(HttpError(ApiError::bad_value("part", message)));
    }
    let found = app.services.store.accounts_containing(&part, limit).await;
    let accounts = found.or_unreadable("the names of players")?.into_iter();
    let people = accounts.filter(|account| Computer::of(account.id).is_none());
    let players = people.map(|account| {
        audience::player(&Player {
            bot: account.role == Role::Bot,
            ..Player::named(account.id, account.name)
        })
    });
    Ok(Json(FoundPlayers {
        players: players.collect(),
    }))
}
