-- The recovery codes of accounts that have not been used: each sets a new password once.
create table recovery_codes (
    player_id uuid not null,
    -- The SHA-256 of a code.
    code_hash bytea not null,
    made_at bigint not null,
    constraint recovery_codes_pk primary key (player_id, code_hash),
    constraint recovery_codes_player_fk foreign key (player_id) references players (id) on delete cascade deferrable initially deferred
);
