//! What a list of games asks of the indexes, and what is left to be tried of each game that is found.

#[cfg(test)]
pub(super) mod examples;

use qiguan_game::position_key::PositionKey;
use qiguan_protocol::{
    ids::{Millis, PlayerId},
    names::{Status, Visibility},
};
use qiguan_rules::EndReason;
use uuid::Uuid;

use crate::store::{GameFilter, ResultFilter};

/// A place in the order of all games: when one was opened, and its id.
pub(super) type Place = (i64, Uuid);

/// A part of the order of all games.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    /// From here on, this included.
    pub(super) from: Option<Place>,
    /// Before this.
    pub(super) until: Option<Place>,
}

impl Span {
    /// What the filter says of the time, and where the last page has ended.
    pub(super) fn of(filter: &GameFilter, before: Option<Place>) -> Self {
        let first_of = |at: Millis| (at.0, Uuid::nil());
        let until = filter.created_until.map(first_of);
        Self {
            from: filter.created_from.map(first_of),
            until: until.into_iter().chain(before).min(),
        }
    }

    /// The part of it from a place on.
    pub(super) fn from(self, stop: Option<Place>) -> Self {
        let from = self.from.max(stop);
        Self { from, ..self }
    }
}

/// What a search asks an index for.
#[derive(Clone, Debug)]
pub(super) enum By {
    Pair(PlayerId, PlayerId),
    First(PlayerId),
    Second(PlayerId),
    UnfinishedFirst(PlayerId, Status),
    UnfinishedSecond(PlayerId, Status),
    Status(Status),
    Reason(EndReason),
    Drawn,
    Ruleset(String),
    Position(PositionKey),
    Anything,
}

impl By {
    /// The index that begins with it.
    pub(super) const fn index(&self) -> &'static str {
        match self {
            Self::Pair(..) => "games_by_pair",
            Self::First(_) => "games_by_first",
            Self::Second(_) => "games_by_second",
            Self::UnfinishedFirst(..) => "games_unfinished_by_first",
            Self::UnfinishedSecond(..) => "games_unfinished_by_second",
            Self::Status(_) => "games_by_status",
            Self::Reason(_) => "games_by_reason",
            Self::Drawn => "games_drawn",
            Self::Ruleset(_) => "games_by_ruleset",
            Self::Position(_) => "opening_games_pk",
            Self::Anything => "games_by_visibility",
        }
    }

    /// What is still to be tried of a filter where this has been asked for.
    fn rest(&self, filter: &GameFilter) -> GameFilter {
        let mut rest = GameFilter {
            viewer: None,
            player: None,
            against: None,
            created_from: None,
            created_until: None,
            before: None,
            limit: 0,
            oversees: false,
            ..filter.clone()
        };
        match self {
            Self::Pair(..) | Self::First(_) | Self::Second(_) | Self::Anything => {}
            Self::UnfinishedFirst(..) | Self::UnfinishedSecond(..) | Self::Status(_) => {
                rest.status = None;
            }
            Self::Reason(EndReason::Aborted) => {
                rest.reason = None;
                // Who asks for a reason and for another result gets nothing; these two are the same.
                rest.result = rest
                    .result
                    .filter(|result| *result != ResultFilter::Aborted);
                rest.status = not_ended(rest.status);
            }
            Self::Reason(_) => {
                rest.reason = None;
                rest.status = not_ended(rest.status);
            }
            Self::Drawn => {
                rest.result = None;
                rest.status = not_ended(rest.status);
            }
            Self::Ruleset(_) => rest.rulesets = None,
            Self::Position(_) => {
                rest.position = None;
                rest.status = not_ended(rest.status);
            }
        }
        rest
    }

    /// Whether there are few such games, however many there are in all: those of one player that go on.
    const fn is_few(&self) -> bool {
        matches!(self, Self::UnfinishedFirst(..) | Self::UnfinishedSecond(..))
    }
}

/// A status that is still to be tried of a game that has ended.
fn not_ended(status: Option<Status>) -> Option<Status> {
    status.filter(|status| *status != Status::Ended)
}

/// A search: the games of one visibility.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) visibility: Visibility,
    pub(super) by: By,
    /// What the index does not answer.
    pub(super) rest: GameFilter,
}

impl Search {
    fn new(visibility: Visibility, by: By, filter: &GameFilter) -> Self {
        Self {
            visibility,
            rest: by.rest(filter),
            by,
        }
    }

    /// Whether it may try many games before it finds one.
    pub(super) fn tries(&self) -> bool {
        self.rest != GameFilter::default() && !self.by.is_few()
    }
}

/// What has to be searched. No game is in two of them, since nobody has both seats of a game.
pub(super) fn searches(filter: &GameFilter) -> Vec<Search> {
    if filter.oversees {
        // Positions are known of public games alone.
        let all = match filter.position {
            Some(_) => vec![Visibility::Public],
            None => vec![Visibility::Public, Visibility::Link],
        };
        let all = all
            .into_iter()
            .map(|visibility| match (filter.player, filter.against) {
                (None, None) => of_all(visibility, filter),
                // Nobody is against nobody.
                (None, Some(_)) => Vec::new(),
                (Some(player), None) => of_player(player, visibility, filter),
                (Some(player), Some(against)) => of_pair(player, against, visibility, filter),
            });
        return all.flatten().collect();
    }
    let players = match (filter.player, filter.against) {
        (None, None) => {
            let mut searches = of_all(Visibility::Public, filter);
            if let Some(viewer) = filter.viewer.filter(|_| filter.position.is_none()) {
                searches.extend(of_player(viewer, Visibility::Link, filter));
            }
            return searches;
        }
        // Nobody is against nobody.
        (None, Some(_)) => return Vec::new(),
        (Some(player), against) => (player, against),
    };
    let mut searches = match players {
        (player, None) => of_player(player, Visibility::Public, filter),
        (player, Some(against)) => of_pair(player, against, Visibility::Public, filter),
    };
    // Only games for everybody are counted.
    if let Some(viewer) = filter.viewer.filter(|_| filter.position.is_none()) {
        searches.extend(match players {
            (player, None) if player == viewer => of_player(viewer, Visibility::Link, filter),
            (player, None) => of_pair(viewer, player, Visibility::Link, filter),
            (player, Some(against)) if [player, against].contains(&viewer) => {
                of_pair(player, against, Visibility::Link, filter)
            }
            (_, Some(_)) => Vec::new(),
        });
    }
    searches
}

fn of_all(visibility: Visibility, filter: &GameFilter) -> Vec<Search> {
    let by = of_anybody(filter).into_iter();
    by.map(|by| Search::new(visibility, by, filter)).collect()
}

fn of_player(player: PlayerId, visibility: Visibility, filter: &GameFilter) -> Vec<Search> {
    let seats = match filter.status {
        Some(status @ (Status::Open | Status::Playing)) => [
            By::UnfinishedFirst(player, status),
            By::UnfinishedSecond(player, status),
        ],
        Some(Status::Ended) | None => [By::First(player), By::Second(player)],
    };
    let searches = seats.map(|by| Search::new(visibility, by, filter));
    searches.into()
}

fn of_pair(
    one: PlayerId,
    other: PlayerId,
    visibility: Visibility,
    filter: &GameFilter,
) -> Vec<Search> {
    if one == other {
        return Vec::new();
    }
    let seats = [By::Pair(one, other), By::Pair(other, one)];
    let searches = seats.map(|by| Search::new(visibility, by, filter));
    searches.into()
}

/// The rarest of what is asked for.
fn of_anybody(filter: &GameFilter) -> Vec<By> {
    if let Some(position) = filter.position {
        // It stands alone: its games come from another table.
        return vec![By::Position(position)];
    }
    match (filter.status, filter.reason, filter.result) {
        // Few games go on; nearly all have ended.
        (Some(status @ (Status::Open | Status::Playing)), ..) => vec![By::Status(status)],
        (_, Some(reason), _) => vec![By::Reason(reason)],
        (_, None, Some(ResultFilter::Aborted)) => vec![By::Reason(EndReason::Aborted)],
        (_, None, Some(ResultFilter::Draw)) => vec![By::Drawn],
        (status, None, Some(ResultFilter::First | ResultFilter::Second) | None) => {
            match (&filter.rulesets, status) {
                (Some(rulesets), _) => rulesets.iter().cloned().map(By::Ruleset).collect(),
                (None, Some(status)) => vec![By::Status(status)],
                (None, None) => vec![By::Anything],
            }
        }
    }
}
