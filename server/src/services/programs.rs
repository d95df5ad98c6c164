//! Questions to the other programs on the record. A program that is alone, or has no way to the others, asks nobody.

use std::{sync::OnceLock, time::Duration};

use futures_util::future::BoxFuture;
use qiguan_protocol::{
    error::ApiError,
    ids::{GameId, Millis, Seq},
    review::Review,
    view::Presence,
};
use qiguan_store::nodes::Incarnation;
use serde::{Deserialize, Serialize};
use tokio::{
    sync::{Semaphore, mpsc},
    time::timeout,
};

use crate::{
    cluster::slot_set::SlotSet,
    net::{address::Group, spending::Spending},
};

/// How long an answer to a client waits for what other programs are told about it.
const CATCHES_UP_WITHIN: Duration = Duration::from_millis(500);
/// How long the owner of a game may take to say what the record does not.
const UNSTORED_WITHIN: Duration = Duration::from_millis(500);
/// So many games may be asked about at a time; of others the record alone is read.
const MOST_UNSTORED: usize = 64;

/// What one program asks another. Programs of two releases talk to each other: one that does not know a question does not answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// Which of these positions stand in running games between people?
    Positions {
        /// The rule set of all of them.
        ruleset: String,
        /// The positions, as [`running_positions::key`](super::running_positions::key) has them. A hash: nothing else of them travels.
        keys: Vec<u64>,
    },
    /// To the owner of a game that is over: its review.
    Review {
        /// The game.
        game: GameId,
        /// What of it.
        asked: AskedReview,
    },
    /// To the program that counts for all: may somebody do this?
    Spend {
        /// What.
        what: Spending,
    },
    /// To the same: it does not count after all.
    PutBack {
        /// What.
        what: Spending,
    },
    /// Has the program carried out everything that it was told before this question?
    CaughtUp {},
    /// To the owner of a game: what does it know of it that is not stored?
    Unstored {
        /// The game.
        game: GameId,
    },
}

/// The answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// To [`Question::Positions`].
    Positions {
        /// Those of the keys that stand in games of the program that answers.
        keys: Vec<u64>,
        /// For the games of which slots it speaks.
        slots: SlotSet,
    },
    /// To [`Question::Review`].
    Review(ReviewResult),
    /// To [`Question::Spend`] and [`Question::PutBack`].
    Spent {
        /// How long until it may be done; none if it may be done now.
        retry_in: Option<Millis>,
    },
    /// To [`Question::CaughtUp`].
    CaughtUp {},
    /// To [`Question::Unstored`]; none where the game has no room.
    Unstored(Option<Unstored>),
}

/// What the room of a game knows and the record does not say. Everybody who may see the game may know it: nothing of a position, a setup or a
/// message is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unstored {
    /// Who is connected.
    pub presence: Presence,
    /// Since when the clocks have been stopped because nothing can be written, in server time.
    pub stopped_since: Option<Millis>,
    /// From when on the events counted that set a clock running, in server time: it takes time to store them.
    pub visible: Vec<(Seq, Millis)>,
}

/// Who is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whom {
    /// All that can be heard.
    All,
    /// One program.
    One(Incarnation),
}

/// What is asked of a review.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskedReview {
    /// To begin or to complete it; an address pays for the work.
    Begin(Group),
    /// What there is of it, once more moves than these are reviewed.
    Get(Option<u32>),
}

/// Answers [`Question::Review`].
type Reviewing = Box<dyn Fn(GameId, AskedReview) -> BoxFuture<'static, ReviewResult> + Send + Sync>;

/// Answers [`Question::Unstored`].
type UnstoredHere = Box<dyn Fn(GameId) -> BoxFuture<'static, Option<Unstored>> + Send + Sync>;

/// A review as far as it is done, if the game has one.
pub type ReviewResult = Result<Option<Review>, ApiError>;

type Way = Box<dyn Fn(Whom, &Question, &mpsc::UnboundedSender<Reply>) + Send + Sync>;

/// See the module.
pub struct Programs {
    way: OnceLock<Way>,
    reviewing: OnceLock<Reviewing>,
    unstored_here: OnceLock<UnstoredHere>,
    /// Those who may ask an owner about its game.
    asking: Semaphore,
}

impl Default for Programs {
    fn default() -> Self {
        Self {
            way: OnceLock::new(),
            reviewing: OnceLock::new(),
            unstored_here: OnceLock::new(),
            asking: Semaphore::new(MOST_UNSTORED),
        }
    }
}

impl Programs {
    /// From now on questions go this way. It drops the sender of a reply once there will be none.
    pub fn through(
        &self,
        way: impl Fn(Whom, &Question, &mpsc::UnboundedSender<Reply>) + Send + Sync + 'static,
    ) {
        // There is one such way.
        drop(self.way.set(Box::new(way)));
    }

    /// From now on this answers what others ask about reviews.
    pub fn reviewed_by(
        &self,
        reviewing: impl Fn(GameId, AskedReview) -> BoxFuture<'static, ReviewResult>
        + Send
        + Sync
        + 'static,
    ) {
        drop(self.reviewing.set(Box::new(reviewing)));
    }

    /// Answers what another program asks about a review.
    ///
    /// # Errors
    /// `elsewhere` if the game is not this program's, and what is refused here, too.
    pub async fn review(&self, game: GameId, asked: AskedReview) -> ReviewResult {
        match self.reviewing.get() {
            Some(reviewing) => reviewing(game, asked).await,
            None => Err(ApiError::elsewhere()),
        }
    }

    /// From now on this answers what others ask about games of this program.
    pub fn known_by(
        &self,
        unstored_here: impl Fn(GameId) -> BoxFuture<'static, Option<Unstored>> + Send + Sync + 'static,
    ) {
        drop(self.unstored_here.set(Box::new(unstored_here)));
    }

    /// Answers what another program asks about a game, unless that takes longer than it waits.
    pub async fn unstored_here(&self, game: GameId) -> Option<Unstored> {
        let unstored_here = self.unstored_here.get()?;
        let known = timeout(UNSTORED_WITHIN, unstored_here(game)).await;
        known.ok().flatten()
    }

    /// What the owner of a game knows of it that is not stored; none if it does not say so in time, or too much is asked already.
    pub async fn unstored(&self, owner: Incarnation, game: GameId) -> Option<Unstored> {
        let _turn = self.asking.try_acquire().ok()?;
        let mut replies = self.ask(Whom::One(owner), &Question::Unstored { game });
        match timeout(UNSTORED_WITHIN, replies.recv()).await {
            Ok(Some(Reply::Unstored(known))) => known,
            Ok(_) | Err(_) => None,
        }
    }

    /// Whether there is a way to other programs.
    pub fn can_be_asked(&self) -> bool {
        self.way.get().is_some()
    }

    /// Asks all that can be heard whether they have carried out what they were told before. The future waits for their replies, though not
    /// for long: who has not replied by then keeps nobody waiting. To drop it is not to wait.
    pub fn catch_up(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut replies = self.ask(Whom::All, &Question::CaughtUp {});
        async move {
            let all = async { while replies.recv().await.is_some() {} };
            drop(timeout(CATCHES_UP_WITHIN, all).await);
        }
    }

    /// The replies, which end once nobody will reply any more. How long to wait is the caller's business.
    pub fn ask(&self, whom: Whom, question: &Question) -> mpsc::UnboundedReceiver<Reply> {
        let (sender, replies) = mpsc::unbounded_channel();
        if let Some(way) = self.way.get() {
            way(whom, question, &sender);
        }
        replies
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parking_lot::Mutex;
    use qiguan_environment::Clock;
    use uuid::Uuid;

    use super::*;

    const GAME: GameId = GameId(Uuid::from_u128(7));
    const OWNER: Incarnation = Incarnation {
        node: Uuid::nil(),
        number: 1,
    };

    /// The ways on which programs could still reply.
    type Unanswered = Arc<Mutex<Vec<mpsc::UnboundedSender<Reply>>>>;

    /// Other programs that do not reply, and what they were asked.
    fn silent() -> (Arc<Programs>, Unanswered) {
        let (programs, asked) = (Arc::new(Programs::default()), Unanswered::default());
        let unanswered = Arc::clone(&asked);
        programs.through(move |_, _, reply| unanswered.lock().push(reply.clone()));
        (programs, asked)
    }

    #[tokio::test(start_paused = true)]
    async fn p26_an_owner_that_does_not_reply_is_waited_for_so_long_and_asked_so_often_at_most() {
        let (programs, asked) = silent();
        let ask = |_| {
            let programs = Arc::clone(&programs);
            tokio::spawn(async move { programs.unstored(OWNER, GAME).await })
        };
        let waiting: Vec<_> = (0..MOST_UNSTORED).map(ask).collect();
        while asked.lock().len() < MOST_UNSTORED {
            tokio::task::yield_now().await;
        }
        // One more is not kept waiting.
        assert_eq!(programs.unstored(OWNER, GAME).await, None);
        assert_eq!(asked.lock().len(), MOST_UNSTORED);
        let clock = Clock::starting_at(Millis(0)).following();
        for waiting in waiting {
            assert_eq!(waiting.await.unwrap(), None);
        }
        assert!(clock.now() <= Millis(501), "{:?}", clock.now());
        // After that others have their turn.
        assert_eq!(programs.unstored(OWNER, GAME).await, None);
        assert_eq!(asked.lock().len(), MOST_UNSTORED + 1);
    }
}
