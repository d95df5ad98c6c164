-- Who does not want to play whom.
create table blocks (
    player_id uuid not null,
    blocked_id uuid not null,
    at bigint not null,
    constraint blocks_pk primary key (player_id, blocked_id)
);

create index blocks_by_blocked on blocks (blocked_id, player_id);

-- What players have told the moderators of others.
create table reports (
    id uuid not null,
    at bigint not null,
    by_id uuid not null,
    player_id uuid not null,
    -- The game it is about, and the number of the event (a line of chat) in it.
    game_id uuid,
    seq bigint,
    reason text collate "C" not null,
    body text not null,
    closed_at bigint,
    closed_by uuid,
    constraint reports_pk primary key (id)
);

create index reports_open on reports (id) where closed_at is null;
create index reports_by_reporter on reports (by_id, at);
