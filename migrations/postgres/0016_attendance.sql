-- When the players of a game were connected, for those who keep order. It is no part of the game: nobody at it sees more than who is there now.
create table attendance (
    game_id uuid not null,
    at bigint not null,
    -- What happened: who came or went, or that the server stopped or started, or that no more is kept.
    what text not null,
    -- How many moves had been played; null for what the server did.
    ply bigint,
    constraint attendance_pk primary key (game_id, at, what),
    constraint attendance_what check (what in ('first_connected', 'second_connected', 'first_disconnected', 'second_disconnected', 'server_stopped', 'server_started', 'cut'))
);
