-- Times are milliseconds of server time since 1970-01-01 UTC. Ids are UUIDs of 16 bytes; version 7, so they sort by creation.

create table meta (
    key text not null,
    -- `epoch`: which record this is; `heartbeat`: when the server was last alive.
    value integer not null,
    constraint meta_pk primary key (key)
) strict;

create table players (
    id blob not null,
    name text not null,
    created_at integer not null,
    constraint players_pk primary key (id)
) strict, without rowid;

create table sessions (
    -- The SHA-256 of the token; the token itself is nowhere.
    token_hash blob not null,
    player_id blob not null,
    created_at integer not null,
    constraint sessions_pk primary key (token_hash),
    constraint sessions_player_fk foreign key (player_id) references players (id) on delete cascade
) strict, without rowid;

-- One line a game, for lists. Everything here follows from the events and is written in the transaction of the event that
-- changes it; when in doubt the events are right.
create table games (
    id blob not null,
    ruleset text not null,
    -- Options that differ from the rule set's, as JSON: [["quiet_limit", "0"]].
    options text not null,
    -- The time control as it travels, as JSON.
    time_control text not null,
    clock text not null,
    visibility text not null,
    status text not null,
    -- Names as they were when the game was played.
    first_id blob,
    first_name text,
    second_id blob,
    second_name text,
    -- Who opened it with which command; null for a game opened by a rematch.
    created_by blob,
    create_command blob,
    winner text,
    reason text,
    plies integer,
    created_at integer not null,
    ended_at integer,
    constraint games_pk primary key (id),
    -- What makes opening a game safe to repeat.
    constraint games_created_once unique (created_by, create_command)
) strict;

create index games_by_status on games (status, id);
create index games_by_ruleset on games (ruleset, id);
create index games_by_first on games (first_id, id);
create index games_by_second on games (second_id, id);
create index games_by_creation on games (created_at);

-- The record. A game is the list of its events.
create table events (
    game_id blob not null,
    -- 1, 2, 3 … without gaps. Whoever appends a number that exists has lost a race, and reloads.
    seq integer not null,
    at integer not null,
    -- The client's id for the command that caused it; null for what the server does by itself.
    command blob,
    -- What happened, as JSON (store/codec.rs).
    body text not null,
    constraint events_pk primary key (game_id, seq)
) strict, without rowid;
