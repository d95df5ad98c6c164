//! The statements that every database understands as they stand here.

/// The games that are being played.
pub(super) const PLAYING: &str = "select id from games where status = 'playing' order by id";
/// The same, and who plays.
pub(super) const WHO_PLAYS: &str = "select id, first_id, second_id, visibility from games \
     where status = 'playing' and first_id is not null and second_id is not null order by id";
/// The game that a command has opened.
pub(super) const CREATED_BY: &str =
    "select id from games where created_by = $1 and create_command = $2";
/// The game that came of a command in the lobby.
pub(super) const LOBBY_COMMAND: &str =
    "select game_id, seek_id, asked from lobby_commands where player_id = $1 and command = $2";
/// A command in the lobby that a game has come of.
pub(super) const NEW_LOBBY_COMMAND: &str = "insert into lobby_commands (player_id, command, game_id, seek_id, asked) \
     values ($1, $2, $3, $4, $5)";
/// How many games of a player go on; each half is a count in an index that holds nothing else.
pub(super) const UNFINISHED: &str = "select (select count(*) from games where first_id = $1 and status <> 'ended') \
     + (select count(*) from games where second_id = $1 and status <> 'ended')";
/// How many challenges of one player to another are open.
pub(super) const CHALLENGES_OPEN: &str =
    "select count(*) from games where invited_id = $2 and status = 'open' and created_by = $1";
/// The events of a game.
pub(super) const EVENTS: &str =
    "select seq, at, command, body from events where game_id = $1 order by seq";

/// A new player.
pub(super) const NEW_PLAYER: &str =
    "insert into players (id, name, created_at) values ($1, $2, $3)";
/// What proves who the player is.
pub(super) const NEW_SESSION: &str = "insert into sessions (token_hash, player_id, created_at, last_seen_at) values ($1, $2, $3, $3)";

/// Keeps a draft of a seat, in place of the one before.
pub(super) const KEEP_PAPER: &str = "insert into papers (game_id, seat, kind, body) values ($1, $2, $3, $4) \
     on conflict (game_id, seat, kind) do update set body = excluded.body";
/// The drafts of a game.
pub(super) const PAPERS: &str = "select seat, kind, body from papers where game_id = $1";

/// Saves a setup if the name is in use already or the player has fewer than `$4`.
pub(super) const SAVE_SETUP: &str = "insert into setups (player_id, name, setup) \
     select $1, $2, $3 \
     where exists (select 1 from setups where player_id = $1 and name = $2) \
        or (select count(*) from setups where player_id = $1) < $4 \
     on conflict (player_id, name) do update set setup = excluded.setup";
/// The setups of a player.
pub(super) const SETUPS: &str = "select name, setup from setups where player_id = $1 order by name";
/// One setup of a player.
pub(super) const SETUP: &str = "select setup from setups where player_id = $1 and name = $2";
/// Takes a setup away.
pub(super) const DELETE_SETUP: &str = "delete from setups where player_id = $1 and name = $2";

/// The number of the last event of a game that may be deleted; null without any, and for a game that has ended and was looked at
/// to be counted among the openings.
pub(super) const LAST_SEQ: &str = "select max(seq) from events where game_id = $1 \
     and not exists (select 1 from games where id = $1 and counted > 0)";
/// Whether something needs a game that was aborted: who wrote a report, who acted on it, what was said in it since `$2`.
macro_rules! is_needed {
    () => {
        "(exists (select 1 from reports where reports.game_id = games.id) \
          or exists (select 1 from acts where acts.game_id = games.id) \
          or exists (select 1 from rating_changes where rating_changes.game_id = games.id and kind <> 'revised') \
          or (games.ended_at >= $2 \
              and (exists (select 1 from spectator_chat where spectator_chat.game_id = games.id) \
                   or exists (select 1 from events where events.game_id = games.id and body like '{\"t\":\"chat\",%'))))"
    };
}
/// A page of games that were aborted before both players had moved; the table is named with the index, where a database wants
/// to know it.
macro_rules! aborted {
    ($games:literal) => {
        concat!(
            "select id, ended_at, ",
            crate::sql::is_needed!(),
            " from ",
            $games,
            " where reason = 'aborted' and plies < 2 and ended_at < $1 and (ended_at, id) > ($3, $4) order by ended_at, id limit $5"
        )
    };
}
pub(super) use aborted;
pub(super) use is_needed;
/// The number of the last event of a game that was aborted and may be deleted; null if there is none.
pub(super) const LAST_SEQ_OF_ABORTED: &str = concat!(
    "select max(seq) from events where game_id = $1 \
     and exists (select 1 from games where id = $1 and reason = 'aborted' and plies < 2 and not ",
    is_needed!(),
    ")"
);
/// Everything of a game.
pub(super) const DELETE_GAME: [&str; 6] = [
    "delete from events where game_id = $1",
    "delete from attendance where game_id = $1",
    "delete from spectator_chat where game_id = $1",
    "delete from papers where game_id = $1",
    "delete from lobby_commands where game_id = $1",
    "delete from games where id = $1",
];
/// Replaces the stored text of an event.
pub(super) const CHANGE_BODY: &str = "update events set body = $1 where game_id = $2 and seq = $3";

/// The record's own number, kept if it has one.
pub(super) const KEEP_EPOCH: &str =
    "insert into meta (key, value) values ('epoch', $1) on conflict (key) do nothing";
/// The record's own number.
pub(super) const EPOCH: &str = "select value from meta where key = 'epoch'";
/// When the server was alive.
pub(super) const BEAT: &str = "insert into meta (key, value) values ('heartbeat', $1) on conflict (key) do update set value = excluded.value";
/// When the server was last known to be alive.
pub(super) const LAST_BEAT: &str = "select value from meta where key = 'heartbeat'";
/// Writes, and changes nothing.
pub(super) const PROBE: &str = "update meta set value = value where key = 'epoch'";

/// When a game was opened.
pub(super) const CREATED_AT: &str = "select created_at from games where id = $1";

/// The columns of a game's line, as they are read; of which table is to follow.
macro_rules! lines_of {
    () => {
        "select id, ruleset, options, time_control, visibility, status, rated, invited_id, invited_name, \
         first_id, first_name, first_rating, first_provisional, first_bot, second_id, second_name, second_rating, second_provisional, second_bot, \
         created_by, create_command, winner, reason, ended_by, plies, created_at, ended_at from "
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
         winner, reason, ended_by, plies, created_at, ended_at"
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
