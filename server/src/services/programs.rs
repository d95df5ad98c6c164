//! Questions to the other programs on the record. A program that is alone, or has no way to the others, asks nobody.

use std::{sync::OnceLock, time::Duration};

use futures_util::future::BoxFuture;
use qiguan_protocol::{
    error::ApiError,
    ids::{GameId, Millis},
    review::Review,
};
use qiguan_store::nodes::Incarnation;
use serde::{Deserialize, Serialize};
use tokio::{sync::mpsc, time::timeout};

use crate::{
    cluster::slot_set::SlotSet,
    net::{address::Group, spending::Spending},
};

/// How long an answer to a client waits for what other programs are told about it.
const CATCHES_UP_WITHIN: Duration = Duration::from_millis(500);

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

/// A review as far as it is done, if the game has one.
pub type ReviewResult = Result<Option<Review>, ApiError>;

type Way = Box<dyn Fn(Whom, &Question, &mpsc::UnboundedSender<Reply>) + Send + Sync>;

/// See the module.
#[derive(Default)]
pub struct Programs {
    way: OnceLock<Way>,
    reviewing: OnceLock<Reviewing>,
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
