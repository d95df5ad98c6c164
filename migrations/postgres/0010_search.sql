-- Lists come in the order in which games were opened, so that a page of some days begins in the middle of an index; `id` tells apart
-- what was opened in the same millisecond. Each search has an index that begins with what it asks for (store/list.rs).

drop index games_by_visibility;
drop index games_by_status;
drop index games_by_ruleset;
drop index games_by_first;
drop index games_by_second;
drop index games_unfinished_by_first;
drop index games_unfinished_by_second;

create index games_by_visibility on games (visibility, created_at, id);
create index games_by_status on games (visibility, status, created_at, id);
create index games_by_ruleset on games (visibility, ruleset, created_at, id);
create index games_by_first on games (first_id, visibility, created_at, id);
create index games_by_second on games (second_id, visibility, created_at, id);
create index games_by_pair on games (first_id, second_id, visibility, created_at, id) where second_id is not null;
-- Some ends are rare, and so are draws. (What stands behind the order is what the condition asks of: SQLite looks at it again.)
create index games_by_reason on games (visibility, reason, created_at, id) where reason is not null;
create index games_drawn on games (visibility, created_at, id, winner, reason) where winner is null and reason <> 'aborted';

-- As before, and enough for the list of what somebody has open.
create index games_unfinished_by_first on games (first_id, status, visibility, created_at, id) where status <> 'ended';
create index games_unfinished_by_second on games (second_id, status, visibility, created_at, id) where status <> 'ended';
