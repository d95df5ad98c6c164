-- What everybody is told by whoever runs the server, as long as it stands here: a row for each kind.
create table announcements (
    -- maintenance: no new games; notice: something to read.
    kind text collate "C" not null,
    body text not null,
    at bigint not null,
    -- When it ends by itself; null for never.
    until bigint,
    constraint announcements_pk primary key (kind)
);
