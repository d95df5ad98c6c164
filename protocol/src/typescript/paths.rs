//! What there is over HTTP: for each method and path the query, the body and the answer.

use super::Declarations;
use crate::{
    account, announcement,
    answer::Guest,
    audit,
    catalog::Catalog,
    client::{CreateGame, SayToSpectators},
    command::GameCommand,
    event::Events,
    exported, live, lobby, moderation, opening, overseeing, profile, query, report, saved_setup,
    setup, view,
};

/// How a type is written, once it is declared.
type Written = fn(&mut Declarations) -> String;

fn none(_: &mut Declarations) -> String {
    "null".to_owned()
}

macro_rules! answer {
    ($name:ident, $kind:literal) => {
        fn $name(_: &mut Declarations) -> String {
            concat!("AnswerOf<\"", $kind, "\">").to_owned()
        }
    };
}

answer!(created, "created");
answer!(seek, "seek");
answer!(paired, "paired");
answer!(left_pools, "left_pools");
answer!(done, "done");

/// Shorter to read in the table.
macro_rules! of {
    ($type:ty) => {
        Declarations::declare::<$type>
    };
}

/// Method and path, the query, the body, the answer. The server's tests compare it with its OpenAPI document.
#[rustfmt::skip]
const PATHS: &[(&str, Written, Written, Written)] = &[
    ("POST /api/guest", none, none, of!(Guest)),
    ("GET /api/me", none, none, of!(account::Me)),
    ("POST /api/register", none, of!(account::Credentials), of!(account::SignedIn)),
    ("POST /api/login", none, of!(account::Credentials), of!(account::SignedIn)),
    ("POST /api/logout", none, none, none),
    ("POST /api/account/password", none, of!(account::NewPassword), of!(account::PasswordChanged)),
    ("GET /api/account/sessions", none, none, of!(account::SessionList)),
    ("DELETE /api/account/sessions", none, none, none),
    ("DELETE /api/account/sessions/{id}", none, none, none),
    ("GET /api/account/tokens", none, none, of!(account::TokenList)),
    ("POST /api/account/tokens", none, of!(account::NewToken), of!(account::IssuedToken)),
    ("DELETE /api/account/tokens/{id}", none, none, none),
    ("POST /api/account/delete", none, of!(account::Withdrawal), none),
    ("POST /api/account/bot", none, none, none),
    ("GET /api/account/blocks", none, none, of!(profile::Blocks)),
    ("PUT /api/account/blocks/{player}", none, none, none),
    ("DELETE /api/account/blocks/{player}", none, none, none),
    ("GET /api/announcements", none, none, of!(announcement::Announcements)),
    ("GET /api/catalog", none, none, of!(Catalog)),
    ("GET /api/setups", none, none, of!(saved_setup::SavedSetups)),
    ("GET /api/setups/{name}", none, none, of!(saved_setup::SavedSetup)),
    ("PUT /api/setups/{name}", none, of!(saved_setup::SaveSetup), none),
    ("DELETE /api/setups/{name}", none, none, none),
    ("GET /api/live", of!(query::LiveQuery), none, of!(live::LiveGames)),
    ("GET /api/tv", none, none, of!(live::Tv)),
    ("GET /api/games", of!(query::GamesQuery), none, of!(view::GamePage)),
    ("POST /api/games", none, of!(CreateGame), created),
    ("GET /api/games/{id}", none, none, of!(view::GameView)),
    ("GET /api/games/{id}/events", of!(query::EventsQuery), none, of!(Events)),
    ("GET /api/games/{id}/positions", of!(query::PositionsQuery), none, of!(view::Positions)),
    ("GET /api/games/{id}/verify", none, none, of!(exported::Verification)),
    ("GET /api/openings", of!(query::OpeningQuery), none, of!(opening::Opening)),
    ("POST /api/games/{id}/commands", none, of!(GameCommand), done),
    ("GET /api/games/{id}/spectator_chat", of!(query::SpectatorChatQuery), none, of!(view::SpectatorChatPage)),
    ("POST /api/games/{id}/spectator_chat", none, of!(SayToSpectators), none),
    ("PUT /api/games/{id}/setup", none, of!(setup::PutSetup), none),
    ("PUT /api/games/{id}/notes", none, of!(setup::PutNotes), none),
    ("POST /api/games/{id}/withdraw", none, of!(profile::Withdraw), none),
    ("POST /api/games/{id}/restore", none, of!(audit::Why), none),
    ("POST /api/games/{id}/adjudicate", none, of!(moderation::Adjudicate), done),
    ("GET /api/players", of!(query::PlayerQuery), none, of!(profile::Profile)),
    ("GET /api/players/{id}", none, none, of!(profile::Profile)),
    ("GET /api/players/{id}/ratings", of!(query::RatingsQuery), none, of!(profile::RatingHistory)),
    ("GET /api/players/{id}/against/{other}", none, none, of!(profile::HeadToHead)),
    ("GET /api/players/{id}/presence", none, none, of!(lobby::PlayerPresence)),
    ("POST /api/players/{id}/ban", none, of!(account::Ban), none),
    ("DELETE /api/players/{id}/ban", none, of!(audit::Why), none),
    ("PUT /api/players/{id}/name", none, of!(moderation::Rename), of!(moderation::Renamed)),
    ("POST /api/players/{id}/mute", none, of!(moderation::Mute), none),
    ("DELETE /api/players/{id}/mute", none, of!(audit::Why), none),
    ("POST /api/players/{id}/limit", none, of!(moderation::Limit), none),
    ("DELETE /api/players/{id}/limit", none, of!(audit::Why), none),
    ("GET /api/admin/players/{id}", none, none, of!(moderation::PlayerStanding)),
    ("PUT /api/players/{id}/role", none, of!(account::NewRole), none),
    ("GET /api/leaderboards/{game}/{set}", of!(query::LeaderboardQuery), none, of!(profile::Leaderboard)),
    ("GET /api/reports", of!(query::ReportsQuery), none, of!(report::ReportPage)),
    ("POST /api/reports", none, of!(report::NewReport), none),
    ("POST /api/reports/{id}/close", none, of!(report::CloseReport), none),
    ("PUT /api/admin/maintenance", none, of!(announcement::StartMaintenance), none),
    ("DELETE /api/admin/maintenance", none, of!(audit::Why), none),
    ("PUT /api/admin/notice", none, of!(announcement::PutUpNotice), none),
    ("DELETE /api/admin/notice", none, of!(audit::Why), none),
    ("GET /api/admin/games", of!(query::GamesQuery), none, of!(view::GamePage)),
    ("GET /api/admin/games/{id}", none, none, of!(overseeing::OverseenGame)),
    ("GET /api/admin/games/{id}/chat", none, none, of!(overseeing::ChatLog)),
    ("GET /api/admin/audit", of!(query::AuditQuery), none, of!(audit::AuditPage)),
    ("GET /api/lobby", none, none, of!(lobby::Lobby)),
    ("GET /api/lobby/pools", none, none, of!(lobby::Pools)),
    ("POST /api/lobby/seeks", none, of!(lobby::AskSeek), seek),
    ("GET /api/lobby/seeks/{id}", none, none, seek),
    ("DELETE /api/lobby/seeks/{id}", none, none, seek),
    ("POST /api/lobby/seeks/{id}/accept", none, of!(lobby::Accept), paired),
    ("POST /api/lobby/quick", none, of!(lobby::QuickPair), seek),
    ("DELETE /api/lobby/quick", none, none, left_pools),
];

/// `Paths`.
pub(super) fn document(types: &mut Declarations) -> String {
    let mut text =
        "/** What there is over HTTP. A refusal has another status, and an `ErrorBody`. */\n\
                    export interface Paths {\n"
            .to_owned();
    for (path, query, body, answer) in PATHS {
        let [query, body, answer] = [query, body, answer].map(|written| written(types));
        text.push_str(&format!(
            "  \"{path}\": {{ query: {query}; body: {body}; answer: {answer} }};\n"
        ));
    }
    text.push_str("}\n");
    text
}
