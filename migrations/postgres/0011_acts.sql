-- The audit log: what moderators, admins and whoever holds the record have done, and why. Nothing of it is ever changed.
create table acts (
    id uuid not null,
    at bigint not null,
    operation text collate "C" not null,
    -- Null: whoever holds the record.
    by_id uuid,
    -- Whom it was done to, and which game.
    player_id uuid,
    game_id uuid,
    reason text not null,
    details text not null,
    constraint acts_pk primary key (id)
);

create index acts_by_actor on acts (by_id, id);
create index acts_by_player on acts (player_id, id);
create index acts_by_game on acts (game_id, id);
create index acts_by_operation on acts (operation, id);

create function acts_are_only_added_to() returns trigger language plpgsql as $$
begin
    raise exception 'the audit log is only added to';
end;
$$;
create trigger acts_are_not_changed before update or delete or truncate on acts
    for each statement execute function acts_are_only_added_to();

-- What was made of a report: upheld, dismissed or duplicate.
alter table reports add column outcome text collate "C";
