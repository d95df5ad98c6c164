-- How games begin, for whoever may look at any game: all of it is counted from the record by the server, by and by, and can be counted
-- anew (`qiguan reindex`). What is counted of a game, openings/line.rs says; a position is half a SHA-256 of how it is written.

-- The count that a game is in; 0 for none. The row `openings` of `meta` has the number of the count under way.
alter table games add column counted bigint not null default 0;
-- The games that are to be counted, in the order in which they have ended.
create index games_to_count on games (counted, ended_at, id) where visibility = 'public' and ended_at is not null;

-- Which games have reached a position.
create table opening_games (
    position uuid not null,
    -- As in `games`, so that they come in the order of lists.
    opened_at bigint not null,
    game_id uuid not null,
    constraint opening_games_pk primary key (position, opened_at, game_id)
);

-- What was played next, and what came of it.
create table opening_moves (
    position uuid not null,
    -- Empty where nothing was.
    move text collate "C" not null,
    first_won bigint not null,
    drawn bigint not null,
    second_won bigint not null,
    -- Games both of whose players had a rating, and the sum of all those ratings.
    rated bigint not null,
    ratings bigint not null,
    constraint opening_moves_pk primary key (position, move)
);
