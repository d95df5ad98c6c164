//! What stands behind the `?` of a path over HTTP: which page of a list, and which of all there are.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    audit::AuditId,
    ids::{GameId, Millis, PlayerId, Ply, Seq},
    names::{EndReason, Status},
    operation::Operation,
    report::ReportId,
};

/// `GET /api/games`: which games, the newest first. All conditions hold together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct GamesQuery {
    /// Games in this state.
    pub status: Option<Status>,
    /// Games of this player.
    pub player: Option<PlayerId>,
    /// Games of `player` against this one.
    pub against: Option<PlayerId>,
    /// Games of this kind, such as `xiangqi`.
    pub game: Option<String>,
    /// Games of this rule set.
    pub ruleset: Option<String>,
    /// Games that ended so.
    pub result: Option<ResultWord>,
    /// Games that ended for this reason.
    pub reason: Option<EndReason>,
    /// Ended games of at least so many plies.
    pub plies_from: Option<u32>,
    /// Ended games of fewer plies than this.
    pub plies_until: Option<u32>,
    /// Games both of whose players had at least this rating when they sat down.
    pub rating_from: Option<i32>,
    /// Games both of whose players had a rating below this one then.
    pub rating_until: Option<i32>,
    /// Games that count for ratings; false: those that do not.
    pub rated: Option<bool>,
    /// Games with this kind of clock.
    pub clock: Option<ClockWord>,
    /// Ended games for everybody that have reached this position within their first 30 plies, some moments after their end; needs
    /// `ruleset`.
    pub position: Option<String>,
    /// Games opened at or after this server time.
    pub from: Option<Millis>,
    /// Games opened before this server time.
    pub until: Option<Millis>,
    /// Games older than this one: the `before` of the last page.
    pub before: Option<GameId>,
    /// How many, 1 to 100; absent: 50.
    pub limit: Option<u32>,
}

/// `GET /api/openings`: which position. Without `fen` and `moves` it is where games begin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct OpeningQuery {
    /// The rule set.
    pub ruleset: String,
    /// The position as text, whole or its first two fields; the plies that it counts make no difference, nor does in Luzhanqi what stands on the points.
    pub fen: Option<String>,
    /// The moves from the start to the position, with commas between them; not in Luzhanqi, where they do not tell it.
    pub moves: Option<String>,
}

/// `GET /api/tables`: which position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct TableQuery {
    /// The rule set: `doushouqi/ancientchess`, `doushouqi/booklet` or `doushouqi/tierschach`.
    pub ruleset: String,
    /// The position as text, whole or its first two fields, with at most 4 animals; the plies that it counts make no difference.
    pub position: String,
}

/// How a game ended, as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResultWord {
    /// The first seat won.
    First,
    /// The second seat won.
    Second,
    /// Nobody won.
    Draw,
    /// It was broken off.
    Aborted,
}

/// A kind of clock, as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClockWord {
    /// A budget with an increment.
    Fischer,
    /// A budget, then periods.
    Byoyomi,
    /// The same time for every move.
    PerMove,
    /// No clock.
    None,
}

/// `GET /api/live`: which running games. All conditions hold together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct LiveQuery {
    /// Games of this kind, such as `xiangqi`.
    pub game: Option<String>,
    /// Games of this rule set.
    pub ruleset: Option<String>,
    /// How many, 1 to 100; absent: 50.
    pub limit: Option<u32>,
}

/// `GET /api/games/{id}/events`: which events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct EventsQuery {
    /// Only events after this number; absent: all.
    #[serde(default)]
    pub since: Seq,
    /// How many at most, 1 to 5,000; absent: 5,000.
    pub limit: Option<u32>,
}

/// `GET /api/games/{id}/stream`: from where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct StreamQuery {
    /// How far the game was seen, `EPOCH.SEQ`; absent: not at all.
    pub since: Option<String>,
    /// As the caller's seat sees it; absent: as spectators do.
    #[serde(rename = "as")]
    pub perspective: Option<StreamPerspective>,
}

/// From whose perspective a stream shows a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StreamPerspective {
    /// The caller's, who has a seat in it.
    Me,
}

/// `GET /api/me/stream`: from when on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct OwnStreamQuery {
    /// A server time up to which the caller has seen everything: games that have ended since come too; absent: none of those.
    pub since: Option<Millis>,
}

/// `GET /api/games/{id}/text`: how its moves are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct TextQuery {
    /// How moves of Xiangqi are written; absent, and in other games: as squares.
    pub notation: Option<NotationWord>,
}

/// A way to write moves of Xiangqi.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotationWord {
    /// `h3e3`.
    Squares,
    /// `H2-E2`.
    Iccs,
    /// `C2=5`.
    Wxf,
    /// 炮二平五.
    Chinese,
}

/// `GET /api/games/{id}/animation.gif`: what of a game that is over is shown, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct AnimationQuery {
    /// From the position after so many plies on; absent: from the start.
    pub from: Option<Ply>,
    /// Up to the position after so many plies, at most 400 on; absent: to the last.
    pub to: Option<Ply>,
    /// How long each position stands, 100 to 5,000 milliseconds; absent: 1,000.
    pub speed: Option<u32>,
    /// Whether the second seat is at the bottom; absent: the first is.
    pub turned: Option<bool>,
    /// As it was known to somebody while the game went on; absent: all that there was.
    #[serde(rename = "as")]
    pub perspective: Option<Perspective>,
}

/// `GET /api/preview.png`: of what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PreviewQuery {
    /// A rule set: how its games begin; absent: the house itself.
    pub ruleset: Option<String>,
}

/// `GET /api/games/{id}/spectator_chat`: which lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct SpectatorChatQuery {
    /// Lines with a lower number: the `before` of the last page.
    pub before: Option<u32>,
    /// How many, 1 to 100; absent: 50.
    pub limit: Option<u32>,
}

/// `GET /api/games/{id}/positions`: as whom they are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PositionsQuery {
    /// As they were known to somebody while the game went on; once it is over. Absent: as you know them now.
    #[serde(rename = "as")]
    pub perspective: Option<Perspective>,
    /// From the position after so many plies on; absent: from the start.
    pub from: Option<Ply>,
    /// How many at most, 1 to 5,000; absent: 5,000.
    pub limit: Option<u32>,
}

/// `GET /api/games/{id}/review`: how much of it the caller has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ReviewQuery {
    /// Answer once more than so many moves are reviewed, or all of it is done, and after 10 seconds at the latest. Absent: at once.
    pub after: Option<u32>,
}

/// `GET /api/games/{id}/position.svg`: which position, and how it is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PictureQuery {
    /// After so many plies; absent: the last position.
    pub ply: Option<Ply>,
    /// As it was known to somebody while the game went on; once it is over. Absent: as you know it now.
    #[serde(rename = "as")]
    pub perspective: Option<Perspective>,
    /// What stands on the pieces; absent: pictures, and ranks by digits.
    pub pieces: Option<FacesWord>,
}

/// What stands on the pieces of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FacesWord {
    /// Chinese characters.
    Characters,
    /// The letters of the notation.
    Letters,
}

/// From whose perspective a game that is over is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Perspective {
    /// The first player's.
    First,
    /// The second player's.
    Second,
    /// Those of who looked on.
    Spectators,
    /// The referee's, who knows everything.
    Referee,
}

/// `GET /api/players`: which account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PlayerQuery {
    /// Its name, however the letters are cased.
    pub name: String,
}

/// `GET /api/players/search`: part of whose name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PlayerSearchQuery {
    /// The part, however its letters are cased; at most 100 characters.
    pub part: String,
    /// How many players, 1 to 20; absent: 8.
    pub limit: Option<u32>,
}

/// `GET /api/players/{id}/ratings`: which changes, the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct RatingsQuery {
    /// The rule set.
    pub ruleset: String,
    /// Changes with a lower number: the `before` of the last page.
    pub before: Option<u32>,
    /// How many, 1 to 100; absent: 50.
    pub limit: Option<u32>,
}

/// `GET /api/leaderboards/{game}/{set}`: which page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct LeaderboardQuery {
    /// Players after these: the `after` of the last page.
    pub after: Option<String>,
    /// How many, 1 to 100; absent: 50.
    pub limit: Option<u32>,
}

/// `GET /api/reports`: which page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ReportsQuery {
    /// Reports after this one: the `after` of the last page.
    pub after: Option<ReportId>,
    /// How many, 1 to 100; absent: 50.
    pub limit: Option<u32>,
}

/// `GET /api/admin/audit`: which entries, the newest first. All conditions hold together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct AuditQuery {
    /// What this player has done.
    pub by: Option<PlayerId>,
    /// What was done to this player.
    pub player: Option<PlayerId>,
    /// What was done to this game.
    pub game: Option<GameId>,
    /// Only this.
    pub operation: Option<Operation>,
    /// At or after this server time.
    pub from: Option<Millis>,
    /// Before this server time.
    pub until: Option<Millis>,
    /// Entries older than this one: the `before` of the last page.
    pub before: Option<AuditId>,
    /// How many, 1 to 100; absent: 50.
    pub limit: Option<u32>,
}
