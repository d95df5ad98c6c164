-- Web Push: the devices that are told of turns, challenges and pairings, and what the server proves with who it is.

-- The server's keys. All programs on the record share them.
create table server_keys (
    -- `push`: the private key (P-256) of which devices have the public one.
    name text collate "C" not null,
    secret bytea not null,
    constraint server_keys_pk primary key (name)
);

create table push_subscriptions (
    -- The session of the device: when that ends, so does this.
    token_hash bytea not null,
    player_id uuid not null,
    -- Where messages are sent to.
    endpoint text collate "C" not null,
    -- The device's public key and its secret (RFC 8291), which messages are encrypted for.
    p256dh bytea not null,
    auth bytea not null,
    -- The language of the device, as it has named it.
    language text collate "C" not null,
    -- What it is told of.
    turns boolean not null,
    challenges boolean not null,
    pairings boolean not null,
    -- How many messages in a row could not be delivered.
    failures bigint not null default 0,
    created_at bigint not null,
    constraint push_subscriptions_pk primary key (token_hash),
    constraint push_subscriptions_session_fk foreign key (token_hash) references sessions (token_hash) on delete cascade
);

create index push_subscriptions_by_player on push_subscriptions (player_id, created_at);
-- A device that somebody else uses now tells them alone.
create unique index push_subscriptions_by_endpoint on push_subscriptions (endpoint);
