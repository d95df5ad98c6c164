-- Counts what players have before more of it is appended, in the statement that appends it. Of two servers that append for the same
-- player one waits for the other; each query in here sees what has been committed until then, and not only what had been when the
-- statement began. It fails if a quota is used up, and tells which by their places.
create function check_quotas(of_ids uuid[], to_ids uuid[], ahead bigint[], most bigint[]) returns boolean
language plpgsql volatile as $$
declare
    player uuid;
    recorded bigint;
    used_up text := '';
begin
    -- Always in the same order, so that never two wait for each other.
    for player in select distinct id from unnest(of_ids) as id order by id loop
        perform pg_advisory_xact_lock(hashtextextended(player::text, 17));
    end loop;
    for place in 1 .. cardinality(of_ids) loop
        if to_ids[place] is null then
            recorded := (select count(*) from games where first_id = of_ids[place] and status <> 'ended')
                + (select count(*) from games where second_id = of_ids[place] and status <> 'ended');
        else
            -- Open challenges of one player to another.
            recorded := (select count(*) from games
                where invited_id = to_ids[place] and status = 'open' and created_by = of_ids[place]);
        end if;
        if recorded + ahead[place] >= most[place] then
            used_up := used_up || ' ' || place;
        end if;
    end loop;
    if used_up <> '' then
        raise exception 'a quota is used up' using errcode = 'QG001', detail = used_up;
    end if;
    return true;
end;
$$;

-- Games that were broken off before both players had moved, in the order in which they are deleted.
create index games_aborted on games (ended_at, id) where reason = 'aborted' and plies < 2;
-- What is reported is kept.
create index reports_by_game on reports (game_id) where game_id is not null;
