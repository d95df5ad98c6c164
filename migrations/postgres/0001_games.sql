-- Times are milliseconds of server time since 1970-01-01 UTC, as everywhere in the program: a timestamp would be counted in
-- microseconds and read in somebody's time zone. Ids are UUIDs; version 7, so they sort by creation.
-- What is compared or sorted is collated by bytes: the same order as in SQLite, and no index that a new locale puts out of order.

create table meta (
    key text collate "C" not null,
    -- `epoch`: which record this is; `heartbeat`: when the server was last alive.
    value bigint not null,
    constraint meta_pk primary key (key)
);

create table players (
    id uuid not null,
    name text not null,
    created_at bigint not null,
    constraint players_pk primary key (id)
);

create table sessions (
    -- The SHA-256 of the token; the token itself is nowhere.
    token_hash bytea not null,
    player_id uuid not null,
    created_at bigint not null,
    constraint sessions_pk primary key (token_hash),
    constraint sessions_player_fk foreign key (player_id) references players (id) on delete cascade
);

-- One line a game, for lists. Everything here follows from the events and is written in the transaction of the event that
-- changes it; when in doubt the events are right.
create table games (
    id uuid not null,
    ruleset text collate "C" not null,
    -- Options that differ from the rule set's, as JSON: [["quiet_limit", "0"]].
    options text not null,
    -- The time control as it travels, as JSON.
    time_control text not null,
    clock text collate "C" not null,
    visibility text collate "C" not null,
    status text collate "C" not null,
    -- Names as they were when the game was played.
    first_id uuid,
    first_name text,
    second_id uuid,
    second_name text,
    -- Who opened it with which command; null for a game opened by a rematch.
    created_by uuid,
    create_command uuid,
    winner text collate "C",
    reason text collate "C",
    plies bigint,
    created_at bigint not null,
    ended_at bigint,
    constraint games_pk primary key (id),
    -- What makes opening a game safe to repeat.
    constraint games_created_once unique (created_by, create_command)
);

create index games_by_status on games (status, id);
create index games_by_ruleset on games (ruleset, id);
create index games_by_first on games (first_id, id);
create index games_by_second on games (second_id, id);
create index games_by_creation on games (created_at);

-- The record. A game is the list of its events.
create table events (
    game_id uuid not null,
    -- 1, 2, 3 … without gaps. Whoever appends a number that exists has lost a race, and reloads.
    seq bigint not null,
    at bigint not null,
    -- The client's id for the command that caused it; null for what the server does by itself.
    command uuid,
    -- What happened, as JSON (store/codec.rs), kept byte for byte as it was written.
    body text not null,
    constraint events_pk primary key (game_id, seq)
);
