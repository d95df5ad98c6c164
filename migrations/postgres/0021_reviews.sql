-- Reviews of games that are over, as a computer made them. They are made from the games, and made again when they are missing.
create table reviews (
    game_id uuid not null,
    -- What made it: reviews of other versions are not shown any more.
    version bigint not null,
    made_at bigint not null,
    -- The review as JSON, compressed (zlib).
    body bytea not null,
    constraint reviews_pk primary key (game_id)
);

-- Of too many reviews the oldest go.
create index reviews_by_made_at on reviews (made_at);
