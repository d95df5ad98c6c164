-- Several programs on one record: each start of one is a node, and each game belongs to the slot that its id ends with.

-- Every write of a program finds its own row here and holds it until the commit. One who takes over deletes the row first.
create table nodes (
    node uuid not null,
    -- How often this process has joined.
    incarnation bigint not null,
    -- For people.
    name text not null,
    -- What its writing sessions are called.
    sessions text not null,
    state text not null,
    -- By the clock of this database: decides whether it is silent.
    beat_at timestamptz not null,
    -- By the node's own clock, which dates events: until when players are charged if it is never heard of again.
    alive_at bigint not null,
    constraint nodes_pk primary key (node, incarnation),
    constraint nodes_state check (state in ('up', 'draining'))
);

create table slots (
    kind text not null,
    slot smallint not null,
    -- Whose it is; null if nobody's.
    node uuid,
    incarnation bigint,
    -- Counts its owners: who claims it says which one was the last.
    epoch bigint not null,
    -- Until when its last owner was alive; null while there was none.
    charged_to bigint,
    -- When nobody owned it, as far back as clocks of its games have not been held for it: stopped, started, stopped, started, …
    absences bigint[] not null,
    constraint slots_pk primary key (kind, slot),
    constraint slots_kind check (kind in ('game')),
    constraint slots_owner check ((node is null) = (incarnation is null))
);

-- The absences of the whole record, from before there were slots.
insert into slots (kind, slot, epoch, absences)
select 'game', number, 0, coalesce((
    select array_agg(time order by started, place)
    from (select value, cast(substr(key, 9) as bigint) as started from meta where key like 'absence:%') as absence,
    unnest(array[value, started]) with ordinality as both_times (time, place)
), '{}')
from generate_series(0, 4095) as number;
delete from meta where key like 'absence:%';
