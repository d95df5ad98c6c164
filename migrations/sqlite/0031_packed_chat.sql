-- Lines of chat are cleared page by page; a page begins behind a time and a game.
drop index packed_games_chat;
create index packed_games_chat on packed_games (chat_at, game_id) where chat_at is not null;
