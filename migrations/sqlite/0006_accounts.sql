-- Accounts beside guests: names of one's own, passwords, and what each token is for.

-- guest, player, bot, moderator or admin.
alter table players add column role text not null default 'guest';
-- The Argon2id hash of the password, as a PHC string; null for guests and for whoever is deleted.
alter table players add column password_hash text;
alter table players add column registered_at integer;
-- Until when the account is closed to its owner; null if it is not.
alter table players add column banned_until integer;
alter table players add column ban_reason text;
-- Who is deleted has lost name, password and sessions at once; the name leaves the games one by one, until `withdrawn_at`.
alter table players add column deleted_at integer;
alter table players add column withdrawn_at integer;

create index players_withdrawing on players (id) where deleted_at is not null and withdrawn_at is null;

-- What no two names share: each way in which a name can be mistaken for another (accounts/name_keys.rs). Names of the deleted
-- stay, so that nobody passes for them.
create table names (
    key text not null,
    player_id blob not null,
    constraint names_pk primary key (key),
    constraint names_player_fk foreign key (player_id) references players (id) on delete cascade deferrable initially deferred
) strict, without rowid;

create index names_by_player on names (player_id);

-- session: somebody has signed in; token: made for a program.
alter table sessions add column kind text not null default 'session';
-- What its owner calls a token.
alter table sessions add column label text;
-- What a token may do: read, play, bot; null for everything.
alter table sessions add column scopes text;
-- What the browser or program called itself when it signed in.
alter table sessions add column agent text;
alter table sessions add column last_seen_at integer not null default 0;
-- null for never.
alter table sessions add column expires_at integer;

update sessions set last_seen_at = created_at;

create index sessions_by_player on sessions (player_id);

-- A name is withdrawn from challenges as well.
create index games_by_invited on games (invited_id, id) where invited_id is not null;
