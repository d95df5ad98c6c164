-- Who follows whom. Only the follower learns of it.
create table follows (
    player_id blob not null,
    followed_id blob not null,
    at integer not null,
    constraint follows_pk primary key (player_id, followed_id)
) strict, without rowid;

create index follows_by_followed on follows (followed_id, player_id);

-- Since when the owner does not want to be shown as online; null for everybody else.
alter table players add column hidden_at integer;
