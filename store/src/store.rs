//! What the server asks of its records: few, whole operations, each one transaction.
//!
//! **Boundary:** no type of a database library appears here. Outside `store/` nobody knows which database there is.

use std::fmt;

use async_trait::async_trait;
use qiguan_game::{
    audit_entry::Act,
    event::{Event, Player},
    position_key::PositionKey,
    record::{Entry, GameSummary},
    seat_drafts::{DraftKind, Drafts},
};
use qiguan_protocol::{
    error::ApiError,
    ids::{CommandId, Epoch, GameId, Millis, PlayerId, SeekId, Seq, SessionId},
    names::{Role, Status, Visibility},
};
use qiguan_rules::{EndReason, Seat};

use crate::{
    account::{Account, Change, Changed, Known, SessionOf, Wanted},
    acts::Acts,
    announcements::Announces,
    attendance::Attendances,
    books::Books,
    fair_play::FairPlay,
    openings::Openings,
    quotas::Quota,
    ratings::Ratings,
    spectator_chat::SpectatorChat,
    stored::{Added, Arrival, PlayerRecord, Selection, StoredGame},
};

/// The records. Implementations are tested by one suite (`conformance.rs`).
#[async_trait]
pub trait Store:
    Ratings
    + Books
    + FairPlay
    + Acts
    + Announces
    + Attendances
    + Openings
    + SpectatorChat
    + Send
    + Sync
    + 'static
{
    /// Appends every batch in one transaction, each batch all or nothing; the results are in the batches' order.
    /// A batch that fails by itself (`Conflict`, `Forbidden`) does not take the others with it.
    async fn append(&self, batches: &[Append]) -> Vec<Result<(), AppendError>>;

    /// As [`Store::append`], of games from another record: those that are rated and end are not rated with it, but afterwards
    /// ([`Books::adopt`], [`Books::rate_late`]), when all of them are there.
    async fn append_unrated(&self, batches: &[Append]) -> Vec<Result<(), AppendError>>;

    /// A game with all its events in order.
    async fn game(&self, game: GameId) -> Result<Option<GameRecord>, StoreError>;

    /// A page of games, the newest first. However rare what is looked for, a page tries only so many games
    /// ([`LOOKED_AT`](crate::list::LOOKED_AT)) and then tells where to go on.
    async fn games(&self, filter: &GameFilter) -> Result<GamesPage, StoreError>;

    /// Every game that is being played.
    async fn running_games(&self) -> Result<Vec<GameId>, StoreError>;

    /// Every game that is being played, and by whom.
    async fn who_plays(&self) -> Result<Vec<Running>, StoreError>;

    /// Open challenges to a player, the newest first, at most [`CHALLENGES`].
    async fn challenges_to(&self, player: PlayerId) -> Result<Vec<GameSummary>, StoreError>;

    /// The game that a player opened with this command, if it was stored.
    async fn game_created_by(
        &self,
        player: PlayerId,
        command: CommandId,
    ) -> Result<Option<GameId>, StoreError>;

    /// What came of a player's command in the lobby, if a game did.
    async fn lobby_command(
        &self,
        player: PlayerId,
        command: CommandId,
    ) -> Result<Option<LobbyCommand>, StoreError>;

    /// How many games of a player are open or being played.
    async fn unfinished_games_of(&self, player: PlayerId) -> Result<u32, StoreError>;

    /// Stores a new player and the hash of the token that proves the identity.
    async fn create_guest(
        &self,
        player: &Player,
        token: TokenHash,
        at: Millis,
    ) -> Result<(), StoreError>;

    /// Whom a token belongs to, and what it may do. Whether the session or a ban has ended, the caller judges.
    async fn session(&self, token: TokenHash) -> Result<Option<Known>, StoreError>;

    /// An account, or a guest.
    async fn account(&self, wanted: Wanted) -> Result<Option<Account>, StoreError>;

    /// Those of these players who are limited.
    async fn limited_among(&self, players: Vec<PlayerId>) -> Result<Vec<PlayerId>, StoreError>;

    /// All sessions and tokens of these players, by player and the newest first, in one query.
    async fn sessions_of(&self, players: Vec<PlayerId>) -> Result<Vec<SessionOf>, StoreError>;

    /// Changes accounts and sessions.
    async fn change(&self, change: Change) -> Result<Changed, StoreError>;

    /// Those who are deleted, and have not left everything.
    async fn leaving(&self) -> Result<Vec<PlayerId>, StoreError>;

    /// Those who have got another name that has not come into every game.
    async fn renaming(&self) -> Result<Vec<PlayerId>, StoreError>;

    /// Who plays in a game or is invited to it, with the roles that they have now.
    async fn players_of(&self, game: GameId) -> Result<Vec<(PlayerId, Role)>, StoreError>;

    /// The games that name a player.
    async fn games_naming(&self, player: PlayerId) -> Result<Vec<GameId>, StoreError>;

    /// The games in which somebody deleted is still named, plays, has drafts or has said something that no open report keeps.
    async fn games_to_leave(&self, player: PlayerId) -> Result<Vec<GameId>, StoreError>;

    /// Those who are deleted and have left everything, and of whom something has come from another record since.
    async fn returned(&self) -> Result<Vec<PlayerId>, StoreError>;

    /// Keeps a draft of a seat in place of the one before. After an error the one or the other is kept, and whole.
    async fn save_draft(
        &self,
        game: GameId,
        seat: Seat,
        kind: DraftKind,
        text: String,
    ) -> Result<(), StoreError>;

    /// The drafts of both seats of a game; none for a game that has none.
    async fn drafts(&self, game: GameId) -> Result<Drafts, StoreError>;

    /// Saves a player's setup, in place of the one of this name. False, and nothing is changed, if the name is new and the
    /// player has `most` already.
    async fn save_setup(
        &self,
        player: PlayerId,
        setup: NamedSetup,
        most: u32,
    ) -> Result<bool, StoreError>;

    /// A player's setups, sorted by their names' bytes.
    async fn setups(&self, player: PlayerId) -> Result<Vec<NamedSetup>, StoreError>;

    /// A player's setup of this name.
    async fn setup(&self, player: PlayerId, name: &str) -> Result<Option<NamedSetup>, StoreError>;

    /// Takes a player's setup away. False if there was none of this name.
    async fn delete_setup(&self, player: PlayerId, name: String) -> Result<bool, StoreError>;

    /// How many games are selected.
    async fn count_games(&self, selection: &Selection) -> Result<u64, StoreError>;

    /// A page of the selected games after one, whole, by id. Each is as it was at one moment.
    async fn stored_games(
        &self,
        selection: &Selection,
        after: Option<GameId>,
        limit: u32,
    ) -> Result<Vec<StoredGame>, StoreError>;

    /// Those of these games that are there, whole, by id.
    async fn stored_games_of(&self, games: &[GameId]) -> Result<Vec<StoredGame>, StoreError>;

    /// The game whose line follows that of another, by id. For a check that goes on after a game that can't be read.
    async fn next_game(&self, after: Option<GameId>) -> Result<Option<GameId>, StoreError>;

    /// What the database finds wrong with its own file: damaged pages and indexes. It reads the whole file, unless that is longer than
    /// `most_bytes`. Nothing is found where the database checks its pages by itself (Postgres).
    async fn damage(&self, most_bytes: Option<u64>) -> Result<Vec<String>, StoreError>;

    /// A page of players after one, whole, by id.
    async fn players(
        &self,
        after: Option<PlayerId>,
        limit: u32,
    ) -> Result<Vec<PlayerRecord>, StoreError>;

    /// Adds players with their tokens and setups in one transaction, each with all of it and with the entries of the audit log
    /// about it, or not at all. Comes back with what became of each.
    async fn add_players(&self, players: Vec<Arrival>) -> Result<Vec<Added>, StoreError>;

    /// Games whose last event is older than this and that nothing ends: they wait for an opponent, or are played without a clock.
    async fn abandoned_games(&self, before: Millis) -> Result<Vec<GameId>, StoreError>;

    /// A page of games that were aborted before both players had moved, the first that ended first.
    async fn aborted_games(&self, page: AbortedPage) -> Result<Vec<Aborted>, StoreError>;

    /// Deletes a game with everything of it, if `last` is still the number of its last event and nothing needs the game. False, and
    /// nothing is deleted, if it is not.
    async fn delete_game(
        &self,
        game: GameId,
        last: Seq,
        which: Deletable,
    ) -> Result<bool, StoreError>;

    /// Clears lines of chat that are older than this in games that have ended, the oldest first and at most so many. The events
    /// stay, with an empty text. Comes back with how many were cleared.
    async fn clear_chat(&self, before: Millis, most: u32) -> Result<u32, StoreError>;

    /// Notes that the server was alive at this time.
    async fn heartbeat(&self, at: Millis) -> Result<(), StoreError>;

    /// When the server was last known to be alive, if ever.
    async fn last_heartbeat(&self) -> Result<Option<Millis>, StoreError>;

    /// Which record this is: drawn when the database is made, changed when it is restored.
    fn epoch(&self) -> Epoch;

    /// Whether records can be written and read just now.
    async fn healthy(&self) -> bool;

    /// Finishes what is under way and lets go of the database.
    async fn close(&self);
}

/// Games that may be deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletable {
    /// Nothing ends them.
    Endless,
    /// They were aborted before both players had moved. They are kept if a report, the audit log or a rating names them, and if
    /// somebody has said something and they ended at this time or later.
    Aborted { spoken_since: Millis },
}

/// Which aborted games are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AbortedPage {
    /// Those that ended before this.
    pub ended_before: Millis,
    /// As in [`Deletable::Aborted`].
    pub spoken_since: Millis,
    /// Those behind this one: when it ended, and which.
    pub after: Option<(Millis, GameId)>,
    /// How many.
    pub limit: u32,
}

/// A game that was aborted before both players had moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aborted {
    /// The game.
    pub game: GameId,
    /// When it ended.
    pub ended_at: Millis,
    /// Whether something needs it.
    pub is_needed: bool,
}

/// Events to append, to one game or, for a rematch, to two: all or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// The type of the command behind it, or what the server does by itself (`clock`, `hold`, …); for logs and fault points.
    pub cause: &'static str,
    /// What goes to each game.
    pub entries: Vec<Entry>,
    /// The entry of the audit log that is written with it, for what is not for everybody.
    pub act: Option<Act>,
    /// The commands in the lobby that have led to the game which is opened.
    pub commands: Vec<LobbyCommand>,
    /// What it takes one more of. If one of these is used up, nothing of the batch is stored.
    pub quotas: Vec<Quota>,
}

impl Append {
    /// Entries and nothing beside them.
    #[must_use]
    pub fn new(cause: &'static str, entries: Vec<Entry>) -> Self {
        Self {
            cause,
            entries,
            act: None,
            commands: Vec::new(),
            quotas: Vec::new(),
        }
    }
}

/// A command in the lobby, and the game that came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LobbyCommand {
    /// Whose.
    pub player: PlayerId,
    /// The client's id for it.
    pub command: CommandId,
    /// The game.
    pub game: GameId,
    /// The seek that it opened or accepted.
    pub seek: SeekId,
    /// What it asked for beside the terms of the game.
    pub asked: String,
}

/// A stored game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The game.
    pub game: GameId,
    /// All its events.
    pub events: Vec<Event>,
}

/// How many open challenges to one player are shown.
pub const CHALLENGES: u32 = 100;

/// A game that is being played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Running {
    /// The game.
    pub game: GameId,
    /// Who plays.
    pub players: [PlayerId; 2],
    /// Who finds the game.
    pub visibility: Visibility,
}

/// Which games a page shows. All conditions hold together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// Games by link are shown to their players alone.
    pub viewer: Option<PlayerId>,
    /// Games by link as well: for moderators and admins.
    pub oversees: bool,
    /// Only games in this state.
    pub status: Option<Status>,
    /// Only games of this player.
    pub player: Option<PlayerId>,
    /// Only games of the player against this one; nothing without a player.
    pub against: Option<PlayerId>,
    /// Only games of one of these rule sets.
    pub rulesets: Option<Vec<String>>,
    /// Only games that ended so.
    pub result: Option<ResultFilter>,
    /// Only games that ended for this reason.
    pub reason: Option<EndReason>,
    /// Only ended games of at least so many plies.
    pub plies_from: Option<u32>,
    /// Only ended games of fewer plies than this.
    pub plies_until: Option<u32>,
    /// Only games both of whose players had at least this rating when they sat down.
    pub rating_from: Option<i32>,
    /// Only games both of whose players had less than this rating then.
    pub rating_until: Option<i32>,
    /// Only games that are rated, or only those that are not.
    pub rated: Option<bool>,
    /// Only games with this kind of clock.
    pub clock: Option<ClockKind>,
    /// Only ended games for everybody that have been counted as having reached this position.
    pub position: Option<PositionKey>,
    /// Only games opened at or after this time.
    pub created_from: Option<Millis>,
    /// Only games opened before this time.
    pub created_until: Option<Millis>,
    /// Only games older than this one (the next page).
    pub before: Option<GameId>,
    /// How many, 1 to 100.
    pub limit: u32,
}

/// A page of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GamesPage {
    /// The games, the newest first; fewer than asked for where the search has stopped, even none.
    pub games: Vec<GameSummary>,
    /// The game after which the next page begins; none on the last.
    pub before: Option<GameId>,
}

/// How a listed game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultFilter {
    /// The first seat won.
    First,
    /// The second seat won.
    Second,
    /// A draw.
    Draw,
    /// Broken off without result.
    Aborted,
}

/// The kind of clock of a listed game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockKind {
    /// Budget and increment.
    Fischer,
    /// Budget and periods.
    Byoyomi,
    /// Time per move.
    PerMove,
    /// None.
    None,
}

/// A setup that a player has saved. It is a secret, and for debugging it is not printed.
#[derive(Clone, PartialEq, Eq)]
pub struct NamedSetup {
    /// What the player calls it.
    pub name: String,
    /// Six ranks, as the first seat writes them.
    pub setup: String,
}

impl fmt::Debug for NamedSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<hidden>")
    }
}

/// The SHA-256 of a token: all that the records know of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenHash(pub [u8; 32]);

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<hidden>")
    }
}

impl TokenHash {
    /// The session that the token belongs to: half of the hash, from which nobody gets to the token.
    pub fn session(self) -> SessionId {
        let mut half = [0; 16];
        half.copy_from_slice(&self.0[..16]);
        SessionId(uuid::Uuid::from_bytes(half))
    }
}

/// Why an append did not happen, or may not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    /// An event with this number exists already: somebody else wrote to the game. Nothing of the batch was stored.
    #[error("event {seq} of game {game} exists already")]
    Conflict { game: GameId, seq: Seq },
    /// A game opened by this player with this command exists already. Nothing of the batch was stored.
    #[error("this command has opened a game already")]
    AlreadyCreated,
    /// Who acts may not do it any more: a role has changed since it was allowed. Nothing of the batch was stored.
    #[error("somebody's role has changed")]
    Forbidden,
    /// As much of this as allowed is there already. Nothing of the batch was stored.
    #[error("{0:?} is used up")]
    UsedUp(Quota),
    /// Nothing was stored: the database is busy, full or broken.
    #[error("not stored: {0}")]
    Refused(String),
    /// It may or may not have been stored: read back before answering.
    #[error("unknown whether stored: {0}")]
    Unknown(String),
}

impl AppendError {
    /// Whether the same may succeed when it is decided again: something else was written first.
    pub const fn is_overtaken(&self) -> bool {
        matches!(self, Self::Conflict { .. } | Self::Forbidden)
    }
}

/// Why a read or a small write failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The database does not answer, or not in time.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
    /// A stored row makes no sense.
    #[error("table {table}, row {row}: {what}")]
    Corrupt {
        table: &'static str,
        row: String,
        what: String,
    },
}

/// What a caller is told when something can't be read.
impl From<&StoreError> for ApiError {
    fn from(error: &StoreError) -> Self {
        match error {
            StoreError::Unavailable(_) => Self::record_busy(),
            StoreError::Corrupt { .. } => Self::internal(),
        }
    }
}
