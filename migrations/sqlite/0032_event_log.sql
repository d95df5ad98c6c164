-- Events in the order in which they were appended. Nothing is written at random places: a commit writes as many pages as its events fill,
-- however many games they belong to. Where the events of a game are in it, each program knows in memory (store/src/event_log.rs).
-- They stay until their games are packed; then the log is cut from its old end. `events` keeps what older programs have written until that
-- is packed too.
create table event_log (
    -- Never used again, also when the newest rows are gone.
    id integer primary key autoincrement,
    game_id blob not null,
    seq integer not null,
    at integer not null,
    command blob,
    body text not null
) strict;

-- Lines of chat with a text, as in `events`: by their age, and by their game.
create index event_log_chat on event_log (at)
    where body glob '{"t":"chat",*' and body not glob '*"text":""}';
create index event_log_chat_by_game on event_log (game_id)
    where body glob '{"t":"chat",*' and body not glob '*"text":""}';
