-- What everybody is told by whoever runs the server, as long as it stands here: a row for each kind.
create table announcements (
    -- maintenance: no new games; notice: something to read.
    kind text not null,
    body text not null,
    at integer not null,
    -- When it ends by itself; null for never.
    until integer,
    constraint announcements_pk primary key (kind)
) strict, without rowid;
