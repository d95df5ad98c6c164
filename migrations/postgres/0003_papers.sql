-- What is not part of the record: a game follows from its events without these tables.

-- What one seat alone may read of a game. Nobody else is ever shown any of it.
create table papers (
    game_id uuid not null,
    -- 0 for the first seat, 1 for the second.
    seat bigint not null,
    -- `setup`: the setup in progress; `notes`: what the player believes of the enemy's pieces.
    kind text collate "C" not null,
    body text not null,
    constraint papers_pk primary key (game_id, seat, kind),
    constraint papers_seat check (seat in (0, 1)),
    constraint papers_kind check (kind in ('setup', 'notes'))
);

-- The setups of Luzhanqi that a player has saved.
create table setups (
    player_id uuid not null,
    name text collate "C" not null,
    -- Six ranks, as the first seat writes them.
    setup text not null,
    constraint setups_pk primary key (player_id, name),
    constraint setups_player_fk foreign key (player_id) references players (id) on delete cascade
);
