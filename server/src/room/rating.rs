//! What a rated game has changed, read from the record once it has ended: it was written in the same transaction.

use qiguan_game::{
    ratings::change::{Cause, Change},
    state::State,
};
use qiguan_protocol::{
    event::GameNoticeKind,
    names::{self, Rating, RatingChange},
};
use qiguan_rules::{BySeat, EndReason, Seat};

use crate::room::room::Room;

/// What a rated game that has ended has changed; none until it was read.
#[derive(Default)]
pub(super) struct Ratings(Option<names::BySeat<RatingChange>>);

impl Ratings {
    /// What the game has changed, as far as it is known.
    pub(super) const fn known(&self) -> Option<names::BySeat<RatingChange>> {
        self.0
    }
}

impl Room {
    /// Reads what the game has changed as soon as it can have changed anything, and tells everybody who is here. What can't be
    /// read now is read with the next message.
    pub(super) async fn learn_ratings(&mut self) {
        let state = self.record.state();
        if self.ratings.0.is_some() || !state.is_some_and(changes_ratings) {
            return;
        }
        let game = self.record.id();
        match self.services.store.rating_changes_of(game).await {
            Ok(changes) => {
                self.ratings.0 = by_seat(&changes);
                if let Some(ratings) = self.ratings.0 {
                    self.crowd.notice(GameNoticeKind::Rated { ratings });
                }
            }
            Err(error) => {
                tracing::warn!(%game, %error, "could not read the rating changes of a game");
            }
        }
    }

    /// The ratings that players who have one have now, for a game that begins.
    pub(super) async fn ratings_now(&self, state: &State) -> BySeat<Option<Rating>> {
        let mut ratings = BySeat::default();
        for seat in Seat::ALL {
            if let Some(player) = state.players.get(seat)
                && player.rating.is_some()
            {
                let now = crate::admission::seating::rating(
                    &self.services,
                    player.id,
                    &state.created.ruleset,
                );
                // A game begins with the ratings of the one before if the record can't be read just now.
                *ratings.get_mut(seat) = now.await.ok();
            }
        }
        ratings
    }
}

fn changes_ratings(state: &State) -> bool {
    let ended = state.ended.map(|(outcome, _)| outcome.reason);
    state.created.rated && ended.is_some_and(EndReason::counts)
}

fn by_seat(changes: &[Change]) -> Option<names::BySeat<RatingChange>> {
    let of = |wanted: Seat| {
        let mut changes = changes.iter();
        let found = changes
            .find(|change| matches!(change.cause, Cause::Played { seat, .. } if seat == wanted));
        found.map(Change::shown)
    };
    Some(names::BySeat {
        first: of(Seat::First)?,
        second: of(Seat::Second)?,
    })
}
