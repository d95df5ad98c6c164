-- What moderators do to keep order, short of closing an account.

-- Until when the player may not chat; null if they may.
alter table players add column muted_until bigint;
alter table players add column mute_reason text;
-- Since when the player meets only others of whom the same is said, and is heard by nobody; null if not.
alter table players add column limited_at bigint;
-- Whoever has got another name has it at once; it comes into the games one by one. Since when that goes on, null when it is done.
alter table players add column renamed_at bigint;

create index players_renaming on players (id) where renamed_at is not null;
