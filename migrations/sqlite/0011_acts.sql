-- The audit log: what moderators, admins and whoever holds the record have done, and why. Nothing of it is ever changed.
create table acts (
    id blob not null,
    at integer not null,
    operation text not null,
    -- Null: whoever holds the record.
    by_id blob,
    -- Whom it was done to, and which game.
    player_id blob,
    game_id blob,
    reason text not null,
    details text not null,
    constraint acts_pk primary key (id)
) strict, without rowid;

create index acts_by_actor on acts (by_id, id);
create index acts_by_player on acts (player_id, id);
create index acts_by_game on acts (game_id, id);
create index acts_by_operation on acts (operation, id);

create trigger acts_are_not_changed before update on acts begin
    select raise(abort, 'the audit log is only added to');
end;
create trigger acts_are_not_deleted before delete on acts begin
    select raise(abort, 'the audit log is only added to');
end;
-- "insert or replace" deletes without asking the trigger before a delete.
create trigger acts_are_not_replaced before insert on acts
when exists (select 1 from acts where id = new.id) begin
    select raise(ignore);
end;

-- What was made of a report: upheld, dismissed or duplicate.
alter table reports add column outcome text;
