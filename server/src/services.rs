//! What rooms, the lobby, accounts and handlers share: the records, time, chance, who is connected, and what is known of running games.

pub mod announced;
pub mod budgets;
pub mod computing;
pub mod connection_log;
pub mod featured;
mod live_elsewhere;
pub mod live_list;
pub mod live_report;
pub mod online;
pub mod own_pairings;
pub mod positions_elsewhere;
pub mod programs;
pub mod push;
pub mod ranked_games;
pub mod running_positions;
pub mod storage;
#[cfg(test)]
pub mod testing;
pub mod unheld;
pub mod waking;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use qiguan_environment::{Clock, Random};
use qiguan_game::slot::Slot;
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::{GameId, Millis, PlayerId},
};
use qiguan_rules::{Game, RuleSet};
use qiguan_store::{
    accounts::{Account, AccountLookup},
    journal::Journal,
    store::Store,
};

use self::{
    announced::Announced,
    computing::Computers,
    connection_log::writer::ConnectionLog,
    live_list::LiveList,
    online::OnlineList,
    own_pairings::OwnPairings,
    programs::{Programs, Question, Reply},
    push::Push,
    running_positions::{RunningPositions, key},
    storage::Storage,
    unheld::Unheld,
    waking::{Wake, Waking},
};
use crate::{
    aside::Aside,
    cluster::place::Place,
    net::{
        connection_limit::ConnectionLimit, growth_limit::GrowthLimit,
        opening_limits::OpeningLimits, rate_limit::RateLimit, sharing_limits::SharingLimits,
        sign_in_limits::SignInLimits,
    },
    peer::{presence::Presence, registry::Sockets},
    store_errors::FromRecords,
};

/// How long a room that nobody needs stays open, unless it is set otherwise.
pub const ROOM_IDLE: Millis = Millis(30_000);
/// How long a request waits after a start until it is known where running games stand.
const POSITIONS_WITHIN: Duration = Duration::from_secs(2);

/// What every room needs.
pub struct Services {
    /// The records, for reading.
    pub store: Arc<Store>,
    /// The records, for appending.
    pub journal: Journal,
    /// Time.
    pub clock: Clock,
    /// Chance.
    pub random: Random,
    /// Who is connected.
    pub sockets: Arc<Sockets>,
    /// Which games are this program's.
    pub place: Place,
    /// The other programs, to be asked.
    pub programs: Programs,
    /// Who plays which games.
    pub presence: Presence,
    /// Who is online and shows it.
    pub online: OnlineList,
    /// Whom the lobby of this program has paired lately.
    pub own_pairings: OwnPairings,
    /// Which games can be watched.
    pub live: LiveList,
    /// Where running games between people stand.
    pub running_positions: RunningPositions,
    /// Games whose clocks have not been held since the start.
    pub unheld: Unheld,
    /// Announcements: maintenance and notices.
    pub announced: Announced,
    /// Whether the records can be written.
    pub storage: Arc<Storage>,
    /// Where it is noted when players are connected.
    pub connection_log: ConnectionLog,
    /// The way to players' devices.
    pub push: Push,
    /// Where long games are folded for their rooms.
    pub folds: Aside,
    /// How fast each player may chat, in all games together.
    pub chat: RateLimit<PlayerId>,
    /// How much each player may add to the record.
    pub growth: GrowthLimit,
    /// How fast each player and each address may share analyses.
    pub sharing: SharingLimits,
    /// How many identities an address may open, and how many passwords may be tried.
    pub sign_in_limits: SignInLimits,
    /// How many connections each address has.
    pub connections: ConnectionLimit,
    /// How many open and running games one player can have.
    pub games_per_player: u32,
    /// How fast games may be opened and players challenged.
    pub openings: OpeningLimits,
    /// Whether players without an account may challenge others by name.
    pub guests_may_challenge: bool,
    /// How long a room that nobody needs stays open.
    pub room_idle: Millis,
    /// Set when the server is going down: nothing new is begun.
    pub draining: AtomicBool,
    /// Whether the server hands its games over before it goes down: what has begun goes on, and nobody comes any more.
    pub leaving: AtomicBool,
    /// The computer players.
    pub computers: Computers,
    /// Opens rooms though nobody messages yet.
    pub waking: Waking,
}

impl Services {
    /// Whether the server is going down.
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }

    /// Whether the server is going down, or about to.
    pub fn is_leaving(&self) -> bool {
        self.leaving.load(Ordering::Relaxed) || self.is_draining()
    }

    /// Refuses what would begin something new while the server is going down.
    ///
    /// # Errors
    /// `restarting`.
    pub fn check_serving(&self) -> Result<(), ApiError> {
        if self.is_draining() {
            return Err(ApiError::restarting());
        }
        Ok(())
    }

    /// Refuses a game against a computer where none plays.
    ///
    /// # Errors
    /// `forbidden`.
    pub fn check_computers(&self) -> Result<(), ApiError> {
        if self.computers.are_playing() {
            return Ok(());
        }
        let message = "computer players are switched off on this server";
        Err(ApiError::new(ErrorCode::Forbidden, message).field("computer"))
    }

    /// Waits until it is known where running games between people stand, which takes a moment after a start.
    ///
    /// # Errors
    /// `busy` if it takes longer.
    pub async fn running_positions_are_known(&self) -> Result<(), ApiError> {
        let known = tokio::time::timeout(POSITIONS_WITHIN, self.unheld.all_were_opened());
        known.await.map_err(|_| {
            let message = "the server has just started and does not know yet where all running games stand; ask again in a minute";
            ApiError::new(ErrorCode::Busy, message)
        })
    }

    /// Refuses to help with positions of which one stands in a running game between people.
    ///
    /// # Errors
    /// `forbidden`; `busy` where that is not known.
    pub async fn check_not_running(
        &self,
        ruleset: &RuleSet,
        games: &[&Game],
    ) -> Result<(), ApiError> {
        let keys = games.iter().copied().map(key).collect();
        let standing = self.standing(ruleset, keys).await?;
        games
            .iter()
            .try_for_each(|game| standing.check_not_running(game))
    }

    /// Answers another program.
    pub async fn answer(&self, question: Question) -> Reply {
        match question {
            Question::Positions { ruleset, keys } => {
                self.unheld.all_were_opened().await;
                let (keys, slots) = self.stand_here(&ruleset, &keys);
                Reply::Positions { keys, slots }
            }
            Question::Review { game, asked } => {
                Reply::Review(self.programs.review(game, asked).await)
            }
            Question::Spend { what } => {
                let spent = budgets::limits(self).spend(&what, 1, self.clock.now());
                let retry_in = spent.err().map(|wait| wait.0);
                Reply::Spent { retry_in }
            }
            Question::PutBack { what } => {
                budgets::limits(self).put_back(&what, 1);
                Reply::Spent { retry_in: None }
            }
            // What is told is carried out as it is heard.
            Question::CaughtUp {} => Reply::CaughtUp {},
            Question::Unstored { game } => Reply::Unstored(self.programs.unstored_here(game).await),
        }
    }

    /// An account, if there is one.
    ///
    /// # Errors
    /// `busy` when the record can't be read.
    pub async fn account(&self, wanted: AccountLookup) -> Result<Option<Account>, ApiError> {
        self.store.account(wanted).await.or_unreadable("an account")
    }

    /// The account of a player.
    ///
    /// # Errors
    /// `not_found`; `busy` when the record can't be read.
    pub async fn player(&self, player: PlayerId) -> Result<Account, ApiError> {
        let found = self.account(AccountLookup::Player(player)).await?;
        found.ok_or_else(ApiError::no_such_player)
    }

    /// The games of these slots are another program's: nothing is known here of how they go on.
    pub fn forget_games(&self, is_gone: impl Fn(Slot) -> bool) {
        self.presence.forget(&is_gone);
        self.running_positions.forget(&is_gone);
        self.live.forget(is_gone, self.clock.now());
    }

    /// Has a game's room opened, so that its clock is watched.
    pub fn wake(&self, game: GameId) {
        self.waking.ask(Wake::Now(game));
    }
}
