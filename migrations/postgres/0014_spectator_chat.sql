-- What spectators say to each other at a game. It is no part of the game: its players see it when it is over.
create table spectator_chat (
    game_id uuid not null,
    -- Counted from 1 in each game; a number can be missing where two programs wrote to one record.
    number bigint not null,
    at bigint not null,
    player_id uuid not null,
    -- The client's id for the line: whoever sends it again says it once.
    command uuid not null,
    text text not null,
    -- 1 for a line that nobody but its speaker is to hear.
    unheard bigint not null,
    constraint spectator_chat_pk primary key (game_id, number),
    constraint spectator_chat_command unique (game_id, command),
    constraint spectator_chat_unheard check (unheard in (0, 1))
);

-- What has been kept long enough is found by its age.
create index spectator_chat_by_at on spectator_chat (at);
