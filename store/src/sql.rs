//! The statements that every database understands as they stand here.

/// A command in the lobby that a game has come of.
pub(super) const NEW_LOBBY_COMMAND: &str = "insert into lobby_commands (player_id, command, game_id, seek_id, asked) \
     values ($1, $2, $3, $4, $5)";
/// How many games of a player go on; each half is a count in an index that holds nothing else.
pub(super) const UNFINISHED: &str = "select (select count(*) from games where first_id = $1 and status <> 'ended') \
     + (select count(*) from games where second_id = $1 and status <> 'ended')";
/// How many challenges of one player to another are open.
pub(super) const CHALLENGES_OPEN: &str =
    "select count(*) from games where invited_id = $2 and status = 'open' and created_by = $1";
/// Replaces the stored text of an event.
pub(super) const CHANGE_BODY: &str = "update events set body = $1 where game_id = $2 and seq = $3";

/// The same of an event in the log.
pub(super) const CHANGE_LOGGED_BODY: &str = "update event_log set body = $1 where id = $2";
/// Keeps others from changing what there is of a game, in Postgres.
pub(super) const HOLD_GAME: &str = "select from games where id = $1 for update";

/// The record's own number, kept if it has one.
pub(super) const KEEP_EPOCH: &str =
    "insert into meta (key, value) values ('epoch', $1) on conflict (key) do nothing";
/// The record's own number.
pub(super) const EPOCH: &str = "select value from meta where key = 'epoch'";
/// When a game was opened.
pub(super) const CREATED_AT: &str = "select created_at from games where id = $1";

/// The columns of a game's line, as they are read; of which table is to follow.
macro_rules! lines_of {
    () => {
        "select id, ruleset, options, time_control, visibility, status, rated, invited_id, invited_name, \
         first_id, first_name, first_rating, first_provisional, first_bot, second_id, second_name, second_rating, second_provisional, second_bot, \
         created_by, create_command, winner, reason, ended_by, plies, created_at, ended_at, start from "
    };
}
pub(super) use lines_of;
/// The lines of whatever follows.
pub(super) const LINES_OF: &str = lines_of!();
/// The lines of games; which of them is to follow.
pub(super) const LINE: &str = concat!(lines_of!(), "games");

/// The columns of a game's line, as they are written.
macro_rules! line_columns {
    () => {
        "id, ruleset, options, time_control, clock, visibility, status, rated, invited_id, invited_name, \
         first_id, first_name, first_rating, first_provisional, first_bot, \
         second_id, second_name, second_rating, second_provisional, second_bot, created_by, create_command, \
         winner, reason, ended_by, plies, created_at, ended_at, start"
    };
}
pub(super) use line_columns;

/// What changes of a game's line that is there already.
macro_rules! line_changes {
    () => {
        "on conflict (id) do update set \
             status = excluded.status, first_id = excluded.first_id, first_name = excluded.first_name, \
             first_rating = excluded.first_rating, first_provisional = excluded.first_provisional, first_bot = excluded.first_bot, \
             second_id = excluded.second_id, second_name = excluded.second_name, \
             second_rating = excluded.second_rating, second_provisional = excluded.second_provisional, second_bot = excluded.second_bot, \
             winner = excluded.winner, reason = excluded.reason, ended_by = excluded.ended_by, \
             plies = excluded.plies, ended_at = excluded.ended_at"
    };
}
pub(super) use line_changes;
