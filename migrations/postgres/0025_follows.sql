-- Who follows whom. Only the follower learns of it.
create table follows (
    player_id uuid not null,
    followed_id uuid not null,
    at bigint not null,
    constraint follows_pk primary key (player_id, followed_id)
);

create index follows_by_followed on follows (followed_id, player_id);

-- Since when the owner does not want to be shown as online; null for everybody else.
alter table players add column hidden_at bigint;
