//! Games one by one, and the short lists that the server reads at its start and for its limits.

use qiguan_protocol::ids::{CommandId, GameId, PlayerId, SeekId};
use qiguan_protocol::names::Visibility;
use uuid::Uuid;

use crate::{
    db::sql,
    game_events, rows, sql,
    store::{GameRecord, LobbyCommand, Running, Store, StoreError},
};

/// The games that are being played.
pub(crate) const PLAYING: &str = "select id from games where status = 'playing' order by id";
/// The same, and who plays.
const WHO_PLAYS: &str = "select id, first_id, second_id, visibility from games \
     where status = 'playing' and first_id is not null and second_id is not null order by id";
/// The game that a command has opened.
pub(crate) const CREATED_BY: &str =
    "select id from games where created_by = $1 and create_command = $2";
/// The game that came of a command in the lobby.
const LOBBY_COMMAND: &str =
    "select game_id, seek_id, asked from lobby_commands where player_id = $1 and command = $2";
/// The games from an id on in which the lobby has paired a player, and which are not over.
const PAIRED_IN: &str = "select id from games where first_id = $1 and status <> 'ended' and id >= $2 \
     and exists (select 1 from lobby_commands where game_id = games.id and player_id = $1) \
     union select id from games where second_id = $1 and status <> 'ended' and id >= $2 \
     and exists (select 1 from lobby_commands where game_id = games.id and player_id = $1) order by id";

impl Store {
    /// A game with all its events in order.
    ///
    /// # Errors
    /// When the database can't be read, or a row makes no sense.
    pub async fn game(&self, game: GameId) -> Result<Option<GameRecord>, StoreError> {
        let mut db = self.reader().await?;
        let events = game_events::of(&mut db, game).await?.whole()?;
        rows::record(game, &events)
    }

    /// Every game that is being played.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn running_games(&self) -> Result<Vec<GameId>, StoreError> {
        let ids = self.reader().await?.values(sql(PLAYING)).await?;
        Ok(ids.into_iter().map(GameId).collect())
    }

    /// Every game that is being played, and by whom.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn who_plays(&self) -> Result<Vec<Running>, StoreError> {
        let rows: Vec<(Uuid, Uuid, Uuid, String)> = self.rows(sql(WHO_PLAYS)).await?;
        let running = rows
            .into_iter()
            .map(|(game, first, second, visibility)| Running {
                game: GameId(game),
                players: [PlayerId(first), PlayerId(second)],
                // A game whose visibility is not known is nobody else's affair.
                visibility: rows::visibility_of(&visibility).unwrap_or(Visibility::Link),
            });
        Ok(running.collect())
    }

    /// The game that a player opened with this command, if it was stored.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn game_created_by(
        &self,
        player: PlayerId,
        command: CommandId,
    ) -> Result<Option<GameId>, StoreError> {
        let created = sql(CREATED_BY).bind(player).bind(command);
        let id = self.reader().await?.value(created).await?;
        Ok(id.map(GameId))
    }

    /// What came of a player's command in the lobby, if a game did.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn lobby_command(
        &self,
        player: PlayerId,
        command: CommandId,
    ) -> Result<Option<LobbyCommand>, StoreError> {
        let asked = sql(LOBBY_COMMAND).bind(player).bind(command);
        let row: Option<(Uuid, Uuid, String)> = self.reader().await?.row(asked).await?;
        Ok(row.map(|(game, seek, asked)| LobbyCommand {
            player,
            command,
            game: GameId(game),
            seek: SeekId(seek),
            asked,
        }))
    }

    /// The games, in order, to which commands of this player in the lobby have led, of those that are not over and whose ids are no less than
    /// this one.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn paired_games_of(
        &self,
        player: PlayerId,
        since: GameId,
    ) -> Result<Vec<GameId>, StoreError> {
        let games = sql(PAIRED_IN).bind(player).bind(since);
        let games = self.reader().await?.rows::<(Uuid,)>(games).await?;
        Ok(games.into_iter().map(|(game,)| GameId(game)).collect())
    }

    /// How many games of a player are open or being played.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn unfinished_games_of(&self, player: PlayerId) -> Result<u32, StoreError> {
        let count = self
            .reader()
            .await?
            .count(sql(sql::UNFINISHED).bind(player))
            .await?;
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }
}
