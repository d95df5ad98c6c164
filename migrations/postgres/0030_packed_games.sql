-- What is over, or has been quiet for long, is one row for each game (store/src/packing.rs). Events that follow stand in `events` until
-- the game is packed again.
create table packed_games (
    game_id uuid not null,
    -- It has the events 1 to this one.
    through bigint not null,
    -- When the last of them happened.
    last_at bigint not null,
    -- When the oldest line of chat in it was said that still has its text; null if none has.
    chat_at bigint,
    -- Which seats have said such lines: 1 for the first, 2 for the second, 3 for both.
    chat_seats bigint not null,
    body bytea not null,
    constraint packed_games_pk primary key (game_id),
    constraint packed_games_chat check ((chat_at is null) = (chat_seats = 0))
);
-- It is compressed already.
alter table packed_games alter column body set storage external;

-- Old lines of chat are found by their age, as in `events`.
create index packed_games_chat on packed_games (chat_at) where chat_at is not null;

-- No event takes the place of one that is packed, whatever its writer knows of the game. One statement is looked at as a whole, after
-- its keys were found to be free, so that it sees also what was packed while it waited.
create function refuse_packed_events() returns trigger language plpgsql as $$
declare
    packed uuid;
begin
    select game_id into packed from appended join packed_games using (game_id) where through >= seq limit 1;
    if found then
        raise unique_violation using
            constraint = 'events_pk',
            message = 'the event is packed',
            detail = packed::text;
    end if;
    return null;
end
$$;
create trigger events_follow_packed_ones after insert on events
    referencing new table as appended for each statement execute function refuse_packed_events();
