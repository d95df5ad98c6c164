-- Lines of chat are cleared page by page; a page begins behind a time and a game.
drop index packed_games_chat;
create index packed_games_chat on packed_games (chat_at, game_id) where chat_at is not null;

create or replace function refuse_packed_events() returns trigger language plpgsql as $$
declare
    packed uuid;
begin
    -- The limit inside keeps it a search for each event, however the plan of the first call in a session was estimated.
    select appended.game_id into packed from appended cross join lateral (
        select from packed_games where packed_games.game_id = appended.game_id and through >= appended.seq limit 1
    ) as one limit 1;
    if found then
        raise unique_violation using
            constraint = 'events_pk',
            message = 'the event is packed',
            detail = packed::text;
    end if;
    return null;
end
$$;
