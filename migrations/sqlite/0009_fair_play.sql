-- Who does not want to play whom.
create table blocks (
    player_id blob not null,
    blocked_id blob not null,
    at integer not null,
    constraint blocks_pk primary key (player_id, blocked_id)
) strict, without rowid;

create index blocks_by_blocked on blocks (blocked_id, player_id);

-- What players have told the moderators of others.
create table reports (
    id blob not null,
    at integer not null,
    by_id blob not null,
    player_id blob not null,
    -- The game it is about, and the number of the event (a line of chat) in it.
    game_id blob,
    seq integer,
    reason text not null,
    body text not null,
    closed_at integer,
    closed_by blob,
    constraint reports_pk primary key (id)
) strict, without rowid;

create index reports_open on reports (id) where closed_at is null;
create index reports_by_reporter on reports (by_id, at);
