-- Analyses that players have shared by their links. They are never changed.
create table analyses (
    id blob not null,
    player_id blob not null,
    at integer not null,
    -- The SHA-256 of the body: what a player shares twice is one analysis.
    digest blob not null,
    ruleset text not null,
    -- What it is called; empty for nothing.
    title text not null,
    -- How many moves it has, in all variations.
    moves integer not null,
    -- The analysis as JSON, as it travels.
    body text not null,
    constraint analyses_pk primary key (id),
    constraint analyses_player_fk foreign key (player_id) references players (id) on delete cascade deferrable initially deferred
) strict;

create unique index analyses_by_digest on analyses (player_id, digest);
