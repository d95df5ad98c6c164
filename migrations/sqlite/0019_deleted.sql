-- What somebody has said is found by who said it, so that it goes with the account.

-- The games in which a player has said something that is not cleared. (The condition is that of `events_chat`.)
create index events_chat_by_game on events (game_id)
    where body glob '{"t":"chat",*' and body not glob '*"text":""}';
create index spectator_chat_by_player on spectator_chat (player_id, game_id);
-- The text of reports goes with the account of whoever wrote them, once they are closed.
create index reports_with_text on reports (by_id) where closed_at is not null and body <> '';

-- Accounts that were deleted by an older program have left less than that: the next start of a server goes on with them.
update players set withdrawn_at = null where deleted_at is not null;
update players set ban_reason = null, mute_reason = null where deleted_at is not null;
