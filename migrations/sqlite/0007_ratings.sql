-- How strong players are. All of it follows from the games that were rated, in the order of each player's own numbers; it is
-- written in the transaction that ends the game.

create table rating_changes (
    player_id blob not null,
    ruleset text not null,
    -- 1, 2, 3 … without gaps. Whoever writes a number that exists has computed with older ratings, and computes anew.
    number integer not null,
    at integer not null,
    game_id blob not null,
    -- `played`: the game was played to its end; `withdrawn`: so it was, but the result does not count; `revised`: the game's
    -- result was withdrawn or counts again, and what stands before this was computed anew.
    kind text not null,
    -- Null for `revised`.
    opponent_id blob,
    -- 0 for the first seat, 1 for the second; null for `revised`.
    seat integer,
    -- 0 lost, 1 drawn, 2 won; null for `revised`.
    score integer,
    -- Ratings and deviations are thousandths of a point, volatilities billionths.
    before integer not null,
    rating integer not null,
    deviation integer not null,
    volatility integer not null,
    constraint rating_changes_pk primary key (player_id, ruleset, number),
    constraint rating_changes_kind check (kind in ('played', 'withdrawn', 'revised')),
    constraint rating_changes_seat check (seat in (0, 1)),
    constraint rating_changes_score check (score in (0, 1, 2))
) strict, without rowid;

-- No game is rated twice.
create unique index rating_changes_once on rating_changes (game_id, player_id) where kind <> 'revised';

-- Where each player stands after the last change.
create table ratings (
    player_id blob not null,
    ruleset text not null,
    number integer not null,
    rating integer not null,
    deviation integer not null,
    volatility integer not null,
    -- When the last game that counts ended; null if none does.
    played_at integer,
    constraint ratings_pk primary key (player_id, ruleset)
) strict, without rowid;

create index ratings_by_rank on ratings (ruleset, rating desc, player_id) where deviation <= 110000;

-- Results that do not count.
create table withdrawals (
    game_id blob not null,
    at integer not null,
    -- The moderator; null for the operator of the server.
    by_id blob,
    reason text not null,
    constraint withdrawals_pk primary key (game_id)
) strict, without rowid;

-- What a player has won and lost, against whom, and left: each a search in an index that holds all that is asked for. (Their
-- condition is not one about `status`: SQLite finds no plan for some conditions on that column with `or` between the players.)
create index games_ended_by_first on games (first_id, ended_at, ruleset, winner, reason, ended_by, visibility, plies, second_id) where ended_at is not null;
create index games_ended_by_second on games (second_id, ended_at, ruleset, winner, reason, ended_by, visibility, plies, first_id) where ended_at is not null;
