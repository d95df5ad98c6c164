//! The end of an account: what goes at once, and what goes game by game and part by part. docs/operations.md has the table of what
//! goes and what stays.

use qiguan_game::people::name_keys;
use qiguan_protocol::ids::{GameId, Millis, PlayerId};
use qiguan_rules::Seat;

use crate::{
    accounts::{
        PasswordHash, analyses,
        changes::{ChangeResult, END_ALL, done},
        names::{self, LEAVE_KEY},
        puzzles, recovery, settings,
    },
    codec,
    db::{Db, Failed, sql},
    rewriting,
    store::{Store, StoreError},
    stored::StoredEvent,
};

/// The name of a deleted account.
pub const DELETED_NAME: &str = "(deleted)";
/// So long after an account was deleted nothing of it is on its way any more: requests have ended by then.
pub const LEAVING_LASTS: Millis = Millis(60_000);
/// How much of each kind goes in one transaction: moves wait no longer than for that.
const AT_ONCE: u32 = 200;

/// The deleted accounts that still have something to leave.
pub(crate) const LEAVING: &str =
    "select id from players where deleted_at is not null and withdrawn_at is null order by id";
const DELETE: &str = "update players set name = $3, password_hash = null, ban_reason = null, mute_reason = null, hidden_at = null, deleted_at = $4 \
     where id = $1 and password_hash = $2 and deleted_at is null";
const DELETE_SETUPS: &str = "delete from setups where player_id = $1";
const KEYS: &str = "select key from names where player_id = $1";
const RESERVE_KEY: &str =
    "insert into names (key, player_id) values ($1, $2) on conflict (key) do nothing";

const DELETE_DRAFTS: &str = "delete from papers where game_id = $1 and \
     (seat = 0 and exists (select 1 from games where id = $1 and first_id = $2) \
      or seat = 1 and exists (select 1 from games where id = $1 and second_id = $2))";
/// Which seats of a game a player has, unless a report about them there is open: then what they have said stays.
const SEATS: &str = "select coalesce(first_id = $2, false), coalesce(second_id = $2, false) from games where id = $1 \
     and not exists (select 1 from reports where game_id = $1 and player_id = $2 and closed_at is null)";
/// What a player has said among spectators: no report names a game that its player was not in.
const DELETE_SPECTATOR_LINES: &str = "delete from spectator_chat where (game_id, number) in \
     (select game_id, number from spectator_chat where player_id = $2 and game_id = $1 limit $3)";

/// What is in no game, so much of each at once.
const REST: [&str; 7] = [
    "delete from blocks where (player_id, blocked_id) in \
     (select player_id, blocked_id from blocks where player_id = $1 limit $2)",
    "delete from blocks where (player_id, blocked_id) in \
     (select player_id, blocked_id from blocks where blocked_id = $1 limit $2)",
    "delete from follows where (player_id, followed_id) in \
     (select player_id, followed_id from follows where player_id = $1 limit $2)",
    "delete from follows where (player_id, followed_id) in \
     (select player_id, followed_id from follows where followed_id = $1 limit $2)",
    "delete from lobby_commands where player_id = $1 and command in \
     (select command from lobby_commands where player_id = $1 limit $2)",
    "update reports set body = '' where id in \
     (select id from reports where by_id = $1 and closed_at is not null and body <> '' limit $2)",
    "delete from spectator_chat where (game_id, number) in \
     (select game_id, number from spectator_chat where player_id = $1 \
      and not exists (select 1 from games where games.id = spectator_chat.game_id) limit $2)",
];

/// Something of somebody deleted has come back: it is looked for once more.
pub(super) const LEAVE_AGAIN: &str =
    "update players set withdrawn_at = null where id = $1 and deleted_at is not null";
const LEFT: &str = "update players set withdrawn_at = $2 where id = $1 and deleted_at <= $3 \
     and not exists (select 1 from reports where closed_at is null and (by_id = $1 or player_id = $1))";

/// Lines of chat that are not cleared, asked for as the database's index has them.
macro_rules! chat_lines {
    (sqlite) => {
        "events indexed by events_chat_by_game where body glob '{\"t\":\"chat\",*' and body not glob '*\"text\":\"\"}'"
    };
    (log) => {
        "event_log indexed by event_log_chat_by_game where body glob '{\"t\":\"chat\",*' and body not glob '*\"text\":\"\"}'"
    };
    (postgres) => {
        "events where body like '{\"t\":\"chat\",%' and body not like '%\"text\":\"\"}'"
    };
}
/// Whether the seat of this number has said something in the game, in SQLite's log; in Postgres there is no log.
macro_rules! said_in_log {
    (sqlite, $chat:literal) => {
        concat!(
            "or exists (select 1 from ",
            chat_lines!(log),
            " and game_id = games.id and body like '{\"t\":\"chat\",\"seat\":",
            $chat,
            ",%') "
        )
    };
    (postgres, $chat:literal) => {
        ""
    };
}
/// The games in which somebody deleted still has a seat: named, playing, with drafts, or with lines of chat that no report keeps.
macro_rules! games_of_seat {
    ($database:ident, $player:literal, $id:literal, $name:literal, $number:literal, $chat:literal) => {
        concat!(
            "select id from games where ",
            $id,
            " = ",
            $player,
            " and (",
            $name,
            " <> '(deleted)' or status <> 'ended' \
              or exists (select 1 from papers where game_id = games.id and seat = ",
            $number,
            ") or (exists (select 1 from ",
            chat_lines!($database),
            " and game_id = games.id and body like '{\"t\":\"chat\",\"seat\":",
            $chat,
            ",%') ",
            said_in_log!($database, $chat),
            "or exists (select 1 from packed_games where game_id = games.id and chat_seats & ",
            $chat,
            " <> 0)) \
              and not exists (select 1 from reports where game_id = games.id and player_id = ",
            $player,
            " and closed_at is null))"
        )
    };
}
/// The games in which somebody deleted is still named, plays, has drafts or has said something that no report keeps.
macro_rules! games_to_leave {
    ($database:ident, $player:literal) => {
        concat!(
            games_of_seat!($database, $player, "first_id", "first_name", "0", "1"),
            " union ",
            games_of_seat!($database, $player, "second_id", "second_name", "1", "2"),
            " union select id from games where invited_id = ",
            $player,
            " and (invited_name <> '(deleted)' or status = 'open') \
             union select game_id from spectator_chat where player_id = ",
            $player,
            " and exists (select 1 from games where games.id = spectator_chat.game_id)"
        )
    };
}
pub(crate) const GAMES_TO_LEAVE_IN_SQLITE: &str = games_to_leave!(sqlite, "$1");
const GAMES_TO_LEAVE_IN_POSTGRES: &str = games_to_leave!(postgres, "$1");

/// The deleted accounts that have left everything, and of which something has come from another record since.
macro_rules! returned {
    ($database:ident) => {
        concat!(
            "select id from players where deleted_at is not null and withdrawn_at is not null and (\
              exists (select 1 from blocks where player_id = players.id) \
              or exists (select 1 from blocks where blocked_id = players.id) \
              or exists (select 1 from follows where player_id = players.id) \
              or exists (select 1 from follows where followed_id = players.id) \
              or exists (select 1 from reports where by_id = players.id and closed_at is not null and body <> '') \
              or exists (select 1 from spectator_chat where player_id = players.id) \
              or exists (",
            games_to_leave!($database, "players.id"),
            "))"
        )
    };
}
const RETURNED_IN_SQLITE: &str = returned!(sqlite);
const RETURNED_IN_POSTGRES: &str = returned!(postgres);

impl Store {
    /// The deleted accounts that have not left everything.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn leaving(&self) -> Result<Vec<PlayerId>, StoreError> {
        self.ids(sql(LEAVING), PlayerId).await
    }

    /// The games in which somebody deleted is still named, plays, has drafts or has said something that no open report keeps.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn games_to_leave(&self, player: PlayerId) -> Result<Vec<GameId>, StoreError> {
        let games = self
            .dialect()
            .pick(GAMES_TO_LEAVE_IN_SQLITE, GAMES_TO_LEAVE_IN_POSTGRES);
        self.ids(sql(games).bind(player), GameId).await
    }

    /// The deleted accounts that have left everything, and of which something has come from another record since.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn returned(&self) -> Result<Vec<PlayerId>, StoreError> {
        let returned = self
            .dialect()
            .pick(RETURNED_IN_SQLITE, RETURNED_IN_POSTGRES);
        self.ids(sql(returned), PlayerId).await
    }
}

/// Closes an account for good.
pub(super) async fn delete(
    db: &mut Db,
    player: PlayerId,
    tried: PasswordHash,
    at: Millis,
) -> Result<ChangeResult, Failed> {
    let delete = sql(DELETE).bind(player).bind(tried.0).bind(DELETED_NAME);
    if db.execute(delete.bind(at)).await? == 0 {
        return Ok(ChangeResult::Stale);
    }
    for gone in [
        END_ALL,
        DELETE_SETUPS,
        recovery::DELETE_ALL,
        settings::DELETE,
        analyses::DELETE_ALL,
    ] {
        db.execute(sql(gone).bind(player)).await?;
    }
    for gone in puzzles::DELETE {
        db.execute(sql(gone).bind(player)).await?;
    }
    reserve_keys(db, player).await?;
    Ok(ChangeResult::Done)
}

/// Puts hashes in place of the keys of a player's names, so that nobody gets the names and nobody reads them.
async fn reserve_keys(db: &mut Db, player: PlayerId) -> Result<(), Failed> {
    let mut keys: Vec<String> = db.values(sql(KEYS).bind(player)).await?;
    keys.retain(|key| !name_keys::is_reserved(key));
    // As where names are taken, so that no two wait for each other.
    keys.sort_unstable();
    for key in keys {
        let reserve = sql(RESERVE_KEY).bind(name_keys::reserved(&key));
        db.execute(reserve.bind(player)).await?;
        db.execute(sql(LEAVE_KEY).bind(key).bind(player)).await?;
    }
    Ok(())
}

/// Takes somebody deleted out of a game: the name, the drafts of that seat, and what was said.
pub(super) async fn leave_game(
    db: &mut Db,
    player: PlayerId,
    game: GameId,
) -> Result<ChangeResult, Failed> {
    names::write(db, player, game, DELETED_NAME).await?;
    db.execute(sql(DELETE_DRAFTS).bind(game).bind(player))
        .await?;
    let seats: Option<(bool, bool)> = db.row(sql(SEATS).bind(game).bind(player)).await?;
    let (first, second) = seats.unwrap_or_default();
    let is_theirs = |seat: Seat| match seat {
        Seat::First => first,
        Seat::Second => second,
    };
    // A damaged line stays: `verify` reports it.
    let empty = |event: &StoredEvent| {
        let seat = codec::speaker(&event.body)?;
        is_theirs(seat)
            .then(|| codec::cleared(&event.body))
            .flatten()
    };
    let cleared = rewriting::rewrite(db, game, AT_ONCE, empty).await?;
    let lines = sql(DELETE_SPECTATOR_LINES).bind(game).bind(player);
    let lines = db.execute(lines.bind(AT_ONCE)).await?;
    Ok(done_or_more([cleared.into(), lines]))
}

/// Deletes what is in no game.
pub(super) async fn leave_rest(db: &mut Db, player: PlayerId) -> Result<ChangeResult, Failed> {
    reserve_keys(db, player).await?;
    let mut gone = [0; REST.len()];
    for (gone, statement) in gone.iter_mut().zip(REST) {
        *gone = db
            .execute(sql(statement).bind(player).bind(AT_ONCE))
            .await?;
    }
    Ok(done_or_more(gone))
}

/// Notes that somebody deleted has left everything.
pub(super) async fn left(
    db: &mut Db,
    player: PlayerId,
    at: Millis,
) -> Result<ChangeResult, Failed> {
    let left = sql(LEFT).bind(player).bind(at);
    done(db, left.bind(at - LEAVING_LASTS)).await
}

/// Whether there may be more of a kind, when so much of each has gone.
fn done_or_more(gone: impl IntoIterator<Item = u64>) -> ChangeResult {
    if gone.into_iter().any(|gone| gone >= AT_ONCE.into()) {
        ChangeResult::More
    } else {
        ChangeResult::Done
    }
}
