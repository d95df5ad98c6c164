-- What is over, or has been quiet for long, is one row for each game (store/src/packing.rs). Events that follow stand in `events` until
-- the game is packed again.
create table packed_games (
    game_id blob not null,
    -- It has the events 1 to this one.
    through integer not null,
    -- When the last of them happened.
    last_at integer not null,
    -- When the oldest line of chat in it was said that still has its text; null if none has.
    chat_at integer,
    -- Which seats have said such lines: 1 for the first, 2 for the second, 3 for both.
    chat_seats integer not null,
    body blob not null,
    constraint packed_games_pk primary key (game_id),
    constraint packed_games_chat check ((chat_at is null) = (chat_seats = 0))
) strict;

-- Old lines of chat are found by their age, as in `events`.
create index packed_games_chat on packed_games (chat_at) where chat_at is not null;

-- No event takes the place of one that is packed, whatever its writer knows of the game.
create trigger events_follow_packed_ones before insert on events
when exists (select 1 from packed_games where game_id = new.game_id and through >= new.seq) begin
    select raise(abort, 'the event is packed');
end;
