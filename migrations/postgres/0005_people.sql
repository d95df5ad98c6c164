-- What a game keeps of its players beside their names, whether it counts for their ratings, and whom a challenge is meant for. As
-- with the rest of a line, all of it follows from the events.

alter table games add column rated boolean not null default false;
alter table games add column invited_id uuid;
alter table games add column invited_name text;
-- The rating in the game's rule set when the seat was taken; null for guests.
alter table games add column first_rating bigint;
alter table games add column first_provisional boolean not null default false;
alter table games add column first_bot boolean not null default false;
alter table games add column second_rating bigint;
alter table games add column second_provisional boolean not null default false;
alter table games add column second_bot boolean not null default false;
-- The seat whose command ended it: who resigned, aborted, claimed.
alter table games add column ended_by text collate "C";

-- The challenges that wait for a player.
create index games_challenges on games (invited_id, id) where status = 'open' and invited_id is not null;

-- Of games that have ended before, the event tells.
update games set ended_by = 'first'
where status = 'ended'
    and exists (select 1 from events where game_id = games.id and body like '{"t":"ended",%,"by":1}');
update games set ended_by = 'second'
where status = 'ended'
    and exists (select 1 from events where game_id = games.id and body like '{"t":"ended",%,"by":2}');
