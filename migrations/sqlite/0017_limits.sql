-- Games that were broken off before both players had moved, in the order in which they are deleted.
create index games_aborted on games (ended_at, id) where reason = 'aborted' and plies < 2;
-- What is reported is kept.
create index reports_by_game on reports (game_id) where game_id is not null;
