-- What players have chosen to be the same wherever they sign in.
create table settings (
    player_id blob not null,
    -- How often they were saved: what is saved in place of another version is refused.
    version integer not null,
    updated_at integer not null,
    -- A JSON object. The server does not know what it means.
    body text not null,
    constraint settings_pk primary key (player_id),
    constraint settings_player_fk foreign key (player_id) references players (id) on delete cascade deferrable initially deferred
) strict, without rowid;
