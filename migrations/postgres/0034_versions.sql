-- Compatible from: 34. Programs of two releases run together on one record (docs/operations.md, "Upgrade a cluster").

alter table nodes
    -- Which versions of messages and of what is written into the record the program can deal with.
    add column wire_min integer not null default 1,
    add column wire_max integer not null default 1,
    -- The program's release, for people.
    add column program text not null default '',
    -- The newest change of the tables that it knows.
    add column newest_change bigint not null default 33;

-- The version that every program that has joined can read, and the newest change that a program has to know to run on these tables.
insert into meta (key, value) values ('cluster_version', 1), ('compatible_from', 34);

-- A change with which programs can't go on that know the tables only up to an earlier one calls this first, with the number of the change that they
-- have to know. It fails while such a program runs. None can join before the change is committed, and then it is refused.
create function contract_tables(needed bigint) returns void language plpgsql as $$
declare
    holding text;
begin
    lock table nodes in share row exclusive mode;
    with gone as (
        delete from nodes where newest_change < needed and beat_at < clock_timestamp() - interval '1500 milliseconds'
        returning node, incarnation, alive_at)
    update slots set node = null, incarnation = null, epoch = epoch + 1, charged_to = gone.alive_at
    from gone where slots.node = gone.node and slots.incarnation = gone.incarnation;
    select string_agg(name || ' (program ' || program || ')', ', ' order by name) into holding
    from nodes where newest_change < needed;
    if holding is not null then
        raise exception 'these programs run on the record and can''t go on with this change of the tables: %; end them first', holding;
    end if;
    update meta set value = greatest(value, needed) where key = 'compatible_from';
end $$;
