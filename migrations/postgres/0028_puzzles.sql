-- What visitors have made of puzzles. The puzzles themselves are in the program, and known by their names.
create table puzzle_results (
    player_id uuid not null,
    puzzle text not null,
    ruleset text not null,
    -- When it was tried first.
    at bigint not null,
    -- solved at the first try, failed, found after a mistake, or shown.
    result text not null,
    -- The player's rating before and after the first try, in thousandths of a point.
    before bigint not null,
    after bigint not null,
    constraint puzzle_results_pk primary key (player_id, puzzle),
    constraint puzzle_results_player_fk foreign key (player_id) references players (id) on delete cascade deferrable initially deferred
);

create index puzzle_results_by_time on puzzle_results (player_id, at, puzzle);

-- How strong players are at puzzles.
create table puzzle_ratings (
    player_id uuid not null,
    ruleset text not null,
    rating bigint not null,
    deviation bigint not null,
    volatility bigint not null,
    tried bigint not null,
    solved bigint not null,
    -- How many were solved one after the other, up to the last one, and the most that ever were.
    streak bigint not null,
    best bigint not null,
    at bigint not null,
    constraint puzzle_ratings_pk primary key (player_id, ruleset),
    constraint puzzle_ratings_player_fk foreign key (player_id) references players (id) on delete cascade deferrable initially deferred
);

-- On how many days one after the other the puzzle of the day was solved, up to the last one.
create table puzzle_days (
    player_id uuid not null,
    -- Days since 1970 in UTC.
    day bigint not null,
    days bigint not null,
    best bigint not null,
    constraint puzzle_days_pk primary key (player_id),
    constraint puzzle_days_player_fk foreign key (player_id) references players (id) on delete cascade deferrable initially deferred
);

-- How hard puzzles have turned out to be.
create table puzzle_strengths (
    puzzle text not null,
    rating bigint not null,
    deviation bigint not null,
    volatility bigint not null,
    tried bigint not null,
    constraint puzzle_strengths_pk primary key (puzzle)
);
