-- Each list and each count becomes a search in one index, however many games there are. A page is put together from searches
-- that each ask for one visibility (store/list.rs); `id` comes last and gives the order.

drop index games_by_status;
drop index games_by_ruleset;
drop index games_by_first;
drop index games_by_second;
drop index games_by_creation;

-- The time stands in it so that a page of some days skips the others without reading their rows.
create index games_by_visibility on games (visibility, id, created_at);
create index games_by_status on games (visibility, status, id);
create index games_by_ruleset on games (visibility, ruleset, id);
create index games_by_first on games (first_id, visibility, id);
create index games_by_second on games (second_id, visibility, id);

-- These stay as small as the number of games that go on. `status` stands in the last two so that counting reads no row.
create index games_playing on games (status, id) where status = 'playing';
create index games_unfinished_by_first on games (first_id, status) where status <> 'ended';
create index games_unfinished_by_second on games (second_id, status) where status <> 'ended';
