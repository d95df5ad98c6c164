//! What people look for: seeks on the board, where everybody sees and accepts them, and in pools, where they are paired.

use std::{collections::HashSet, sync::Arc};

use qiguan_game::people::identity::Identity;
use qiguan_protocol::{
    ids::{CommandId, GameId, Millis, PlayerId, SeekId},
    names::{Rating, SeatChoice},
};

use crate::{
    admission::Terms,
    lobby::pools::PoolKey,
    net::{address::Group, rate_limit::RetryIn},
};

/// What a rating counts as where somebody has none: what new players begin with.
pub const NO_RATING: i32 = 1_500;

/// Somebody who looks for an opponent.
#[derive(Clone, Debug)]
pub struct Seeker {
    /// Who.
    pub who: Arc<Identity>,
    /// The rating in the rule set that is looked for.
    pub rating: Option<Rating>,
    /// Where the request came from.
    pub address: Group,
    /// When the request came.
    pub asked_at: Millis,
    /// With whom this player does not want to play.
    pub avoids: Arc<HashSet<PlayerId>>,
    /// Until when this player is not paired.
    pub paused_until: Option<Millis>,
    /// Whether the player is shadowbanned: matched only with other shadowbanned players.
    pub shadowbanned: bool,
}

impl Seeker {
    /// The player.
    pub fn player(&self) -> PlayerId {
        self.who.id
    }

    /// Whether this is no registered player. Guests play no rated games and are in no range of ratings.
    pub fn is_guest(&self) -> bool {
        self.who.is_guest()
    }

    /// Whether this is a program: two of these play no rated game, and people play with one only if they choose it.
    pub fn is_bot(&self) -> bool {
        self.who.is_bot()
    }

    /// The rating as a number.
    pub fn rating(&self) -> Option<i32> {
        self.rating.map(|rating| rating.value)
    }

    /// Whether one of the two does not want to play with the other.
    pub fn avoids_or_is_avoided_by(&self, other: &Self) -> bool {
        self.avoids.contains(&other.player()) || other.avoids.contains(&self.player())
    }

    /// Whether this player may not be paired yet.
    pub fn is_paused(&self, now: Millis) -> bool {
        self.paused_until.is_some_and(|until| now < until)
    }
}

/// Where somebody waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeekTarget {
    /// Where everybody sees it: players who fit may accept.
    Board {
        /// The seat that the owner wants.
        seat: SeatChoice,
        /// Ratings that may accept.
        range: Range,
    },
    /// Where the server pairs.
    Pool(PoolKey),
}

/// Ratings that may accept a seek; without ends everybody may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// The lowest.
    pub min: Option<i32>,
    /// The highest.
    pub max: Option<i32>,
}

impl Range {
    /// Whether this leaves nobody out.
    pub const fn is_open(self) -> bool {
        self.min.is_none() && self.max.is_none()
    }

    /// Whether somebody is in it; without a rating only where nobody is left out.
    pub fn admits(self, rating: Option<i32>) -> bool {
        match rating {
            Some(rating) => {
                self.min.is_none_or(|min| min <= rating) && self.max.is_none_or(|max| rating <= max)
            }
            None => self.is_open(),
        }
    }
}

/// What is looked for, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeekRequest {
    /// The game.
    pub terms: Terms,
    /// Where.
    pub place: SeekTarget,
}

impl SeekRequest {
    /// What it asks for beside the terms, in few words: they are kept with the command, to be compared when it comes again.
    pub fn asked(&self) -> String {
        match &self.place {
            SeekTarget::Pool(_) => "quick_pair".to_owned(),
            SeekTarget::Board { seat, range } => {
                let seat = match seat {
                    SeatChoice::First => "first",
                    SeatChoice::Second => "second",
                    SeatChoice::Random => "random",
                };
                let end =
                    |end: Option<i32>| end.map_or_else(|| "any".to_owned(), |end| end.to_string());
                format!("seek {seat} {} {}", end(range.min), end(range.max))
            }
        }
    }
}

/// What accepting a seek asks for, as [`SeekRequest::asked`].
pub const ACCEPTS: &str = "accept_seek";

/// By which way a seek came, and so how long it lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeekLifetime {
    /// Over a socket: as long as the player has a connection in the lobby.
    Socket,
    /// Over HTTP: until then, and longer each time that it is asked after.
    Http {
        /// Until when.
        until: Millis,
    },
}

/// One seek.
#[derive(Clone, Debug)]
pub struct Seek {
    /// Its id.
    pub id: SeekId,
    /// Who looks.
    pub owner: Seeker,
    /// What for.
    pub request: SeekRequest,
    /// The command that opened it, and those that found it open.
    pub commands: Vec<CommandId>,
    /// Commands that came while a game was being opened of it. They were refused, and lead to that game once it is stored.
    pub refused: Vec<CommandId>,
    /// How it came.
    pub way: SeekLifetime,
    /// Since when, in server time.
    pub since: Millis,
}

/// What has become of a seek.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeekStatus {
    /// It is open.
    Open,
    /// A game came of it.
    Paired(GameId),
    /// It was cancelled, or has ended with its owner's presence.
    Gone,
}

/// Why something is not done in the lobby.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such seek, or not any more.
    Gone,
    /// One does not play with oneself.
    OwnSeek,
    /// The rating is outside of what the owner wants.
    OutOfRange,
    /// Rated games and ranges of ratings are for registered players.
    NeedsAccount,
    /// A rated game needs somebody who is no bot.
    TwoBots,
    /// A bot plays with people only if they choose it.
    Uninvited,
    /// One of the two has blocked the other.
    Blocked,
    /// A player who left games has to wait.
    Paused {
        /// Until when.
        until: Millis,
    },
    /// Too many seeks of this player.
    TooManyOfPlayer,
    /// Too many seeks from this address.
    TooManyOfAddress,
    /// Too many seeks in the lobby.
    Full,
    /// Too many seeks in a short time.
    TooFast(RetryIn),
    /// The command id was used before for something else.
    Conflict,
    /// This player is being seated at a game just now.
    BeingSeated,
}
