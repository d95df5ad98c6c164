-- Which game came of a command in the lobby, for both who sat down: a command that comes again is answered as it was.
create table lobby_commands (
    player_id uuid not null,
    -- The client's id for the command.
    command uuid not null,
    game_id uuid not null,
    -- The seek that the command opened or accepted.
    seek_id uuid not null,
    -- What was asked for beside the terms of the game: the same id with something else is a conflict.
    asked text not null,
    constraint lobby_commands_pk primary key (player_id, command)
);

-- They are deleted with their game.
create index lobby_commands_by_game on lobby_commands (game_id);
