//! How long players were not connected, from the connection log. Pure.

use qiguan_protocol::ids::Millis;
use qiguan_rules::{BySeat, Seat};

use crate::connection_log::{ConnectionChange, ConnectionEvent};

/// From when until when.
pub type Span = (Millis, Millis);

/// For what goes on.
const OPEN: Millis = Millis(i64::MAX);

/// When the players of a game were not connected.
pub struct Away {
    /// From when until when that is known; none if nothing was noted.
    known: Option<Span>,
    /// When each was not connected.
    gone: BySeat<Vec<Span>>,
    /// Spans that count for nobody, in order and apart from each other.
    excused: Vec<Span>,
}

impl Away {
    /// The spans of absence in a game's connection log, the earliest first. Nobody is away while the server is not there, nor while the clocks
    /// stand (`held`): so nobody is blamed for a restart before there was time to come back.
    pub fn of(entries: &[ConnectionEvent], held: &[Span]) -> Self {
        let cut = entries
            .iter()
            .find(|entry| entry.what == ConnectionChange::Cut);
        let known = entries
            .first()
            .map(|first| (first.at, cut.map_or(OPEN, |cut| cut.at)));
        let spans = |seat| known.map_or_else(Vec::new, |(from, _)| away(entries, seat, from));
        let mut excused: Vec<_> = outages(entries).chain(held.iter().copied()).collect();
        excused.sort_unstable();
        Self {
            known,
            gone: BySeat {
                first: spans(Seat::First),
                second: spans(Seat::Second),
            },
            excused: merged(&excused),
        }
    }

    /// How long a player was away between two times; none if nothing is known of it.
    pub fn during(&self, seat: Seat, between: Span) -> Option<Millis> {
        let between = overlap(self.known?, between)?;
        let mut all = Millis(0);
        for away in self.gone.get(seat) {
            let Some(away) = overlap(*away, between) else {
                continue;
            };
            let excused = self.excused.iter().filter_map(|it| overlap(*it, away));
            all = excused.fold(all + length(away), |all, it| all - length(it));
        }
        Some(all)
    }
}

/// When a player was not connected, from a time on.
fn away(entries: &[ConnectionEvent], seat: Seat, from: Millis) -> Vec<Span> {
    let (mut spans, mut since) = (Vec::new(), Some(from));
    for entry in entries {
        match entry.what {
            ConnectionChange::Connected(it) if it == seat => {
                spans.extend(since.take().map(|since| (since, entry.at)));
            }
            ConnectionChange::Disconnected(it) if it == seat => {
                since.get_or_insert(entry.at);
            }
            ConnectionChange::ServerStarted => {
                since.get_or_insert(entry.at);
            }
            ConnectionChange::Connected(_)
            | ConnectionChange::Disconnected(_)
            | ConnectionChange::ServerStopped
            | ConnectionChange::Cut => {}
        }
    }
    spans.extend(since.map(|since| (since, OPEN)));
    spans
}

/// When the server was not there.
fn outages(entries: &[ConnectionEvent]) -> impl Iterator<Item = Span> {
    let rests = entries.iter().enumerate();
    rests.filter_map(|(place, entry)| {
        let mut rest = entries.get(place..)?.iter();
        let started = rest.find(|later| later.what == ConnectionChange::ServerStarted)?;
        (entry.what == ConnectionChange::ServerStopped).then_some((entry.at, started.at))
    })
}

/// Spans that may overlap, in order of their beginnings, as spans that do not.
fn merged(spans: &[Span]) -> Vec<Span> {
    let mut merged: Vec<Span> = Vec::new();
    for &(from, until) in spans {
        match merged.last_mut() {
            Some((_, last)) if from <= *last => *last = until.max(*last),
            _ => merged.push((from, until)),
        }
    }
    merged
}

fn overlap(one: Span, other: Span) -> Option<Span> {
    let both = (one.0.max(other.0), one.1.min(other.1));
    (both.0 <= both.1).then_some(both)
}

fn length((from, until): Span) -> Millis {
    until - from
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::ids::GameId;
    use uuid::Uuid;

    use super::*;

    const FIRST_CAME: ConnectionChange = ConnectionChange::Connected(Seat::First);
    const FIRST_LEFT: ConnectionChange = ConnectionChange::Disconnected(Seat::First);
    const SECOND_CAME: ConnectionChange = ConnectionChange::Connected(Seat::Second);

    fn entries(told: &[(i64, ConnectionChange)]) -> Vec<ConnectionEvent> {
        let entry = |&(at, what)| ConnectionEvent {
            game: GameId(Uuid::nil()),
            at: Millis(at),
            what,
            ply: None,
        };
        told.iter().map(entry).collect()
    }

    /// How long the first player was away from 100 to 200.
    #[track_caller]
    fn check(told: &[(i64, ConnectionChange)], held: &[(i64, i64)], away: Option<i64>) {
        let held: Vec<_> = held
            .iter()
            .map(|(from, until)| (Millis(*from), Millis(*until)))
            .collect();
        let during =
            Away::of(&entries(told), &held).during(Seat::First, (Millis(100), Millis(200)));
        assert_eq!(during, away.map(Millis));
    }

    #[test]
    fn a_player_who_leaves_is_away_until_coming_back() {
        check(&[(10, FIRST_CAME)], &[], Some(0));
        check(&[(10, FIRST_CAME), (150, FIRST_LEFT)], &[], Some(50));
        let back = [(10, FIRST_CAME), (90, FIRST_LEFT), (130, FIRST_CAME)];
        check(&back, &[], Some(30));
        let twice = [
            (10, FIRST_CAME),
            (110, FIRST_LEFT),
            (120, FIRST_CAME),
            (130, FIRST_LEFT),
            (140, FIRST_LEFT),
            (150, FIRST_CAME),
            (160, FIRST_CAME),
        ];
        check(&twice, &[], Some(30));
    }

    #[test]
    fn a_player_who_never_came_is_away_since_presence_is_known() {
        check(&[(10, SECOND_CAME)], &[], Some(100));
        check(&[(160, SECOND_CAME)], &[], Some(40));
    }

    #[test]
    fn what_nothing_was_noted_of_is_not_known() {
        check(&[], &[], None);
        check(&[(300, FIRST_CAME)], &[], None);
        check(&[(10, FIRST_LEFT), (50, ConnectionChange::Cut)], &[], None);
        check(
            &[(10, FIRST_LEFT), (150, ConnectionChange::Cut)],
            &[],
            Some(50),
        );
    }

    #[test]
    fn nobody_is_away_while_the_server_is_not_there_or_the_clocks_stand() {
        let restart = [
            (10, FIRST_CAME),
            (110, ConnectionChange::ServerStopped),
            (150, ConnectionChange::ServerStarted),
        ];
        check(&restart, &[], Some(50));
        check(&restart, &[(150, 170)], Some(30));
        check(&restart, &[(149, i64::MAX)], Some(0));
        // Players who were away before still are, but for that time.
        let before = [
            (10, FIRST_CAME),
            (100, FIRST_LEFT),
            (110, ConnectionChange::ServerStopped),
            (115, FIRST_CAME),
            (150, ConnectionChange::ServerStarted),
            (160, FIRST_CAME),
        ];
        check(&before, &[], Some(20));
        check(&before, &[(105, 120), (110, 115)], Some(15));
        // A start without a stop takes nobody back.
        check(
            &[(10, FIRST_CAME), (190, ConnectionChange::ServerStarted)],
            &[],
            Some(10),
        );
    }
}
