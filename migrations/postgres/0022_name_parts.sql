-- The ends of the keys of names, each from another letter on: a name is found by any part of it, which begins one of them.
create table name_parts (
    part text collate "C" not null,
    key text collate "C" not null,
    constraint name_parts_pk primary key (part, key),
    constraint name_parts_key_fk foreign key (key) references names (key) on delete cascade
);

create index name_parts_by_key on name_parts (key);

-- Keys of deleted accounts are hashes, and nobody is found by them.
insert into name_parts (part, key)
with recursive offsets (at) as (select 1 union all select at + 1 from offsets where at < 200)
select substr(key, at), key from names join offsets on at <= length(key) where key not like 'sha256:%';
