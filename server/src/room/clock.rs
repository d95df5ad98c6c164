//! Clocks as arithmetic on the times of events. No time is read here.
//!
//! A clock is a budget for the turn and what of it is used up. While it runs it also has the time since when; a hold
//! (start of the game, restart of the server, storage down) books the time so far as used and stops it.
//!
//! **Invariant:** what is charged is written into events (`spent`), never recomputed from wall-clock times, so folding
//! the same events gives the same clocks on any machine at any time.

use qiguan_protocol::{
    event::HoldReason,
    ids::Millis,
    names,
    time_control::Clock,
    view::{Clocks, Hold, TimeLeft},
};
use qiguan_rules::{BySeat, Seat};

/// Both clocks of a game.
#[derive(Clone, Debug)]
pub struct ClockState {
    kind: Clock,
    left: BySeat<Left>,
    /// Of the turn's budget: used before the last hold.
    used: Millis,
    hand: Hand,
    lag: BySeat<LagQuota>,
}

/// What a seat has at the beginning of its turn.
#[derive(Clone, Copy, Debug)]
struct Left {
    /// Of the budget; in `per_move` the whole move.
    ms: Millis,
    /// Byo-yomi periods.
    periods: u32,
}

/// What the clock of the player on the move is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hand {
    /// The game has not begun, or is over.
    Stopped,
    /// It is somebody's turn, but nobody is charged.
    Held { reason: HoldReason, until: Millis },
    /// The player on the move is charged since then.
    Running { since: Millis },
}

/// How much lag a player may still be credited: as much as was measured, but only from a store that refills slowly, so
/// that a connection that is made to look slow gains little.
#[derive(Clone, Copy, Debug)]
struct LagQuota {
    store: Millis,
}

/// What a move costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charge {
    /// Charged to the player.
    pub spent: Millis,
    /// Taken off as lag.
    pub lag: Millis,
}

/// The player's time had run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagFell;

impl ClockState {
    /// Clocks that stand at their beginning.
    pub fn new(kind: Clock) -> Self {
        let left = match kind {
            Clock::Fischer { initial_ms, .. } => Left {
                ms: initial_ms,
                periods: 0,
            },
            Clock::Byoyomi {
                main_ms, periods, ..
            } => Left {
                ms: main_ms,
                periods,
            },
            Clock::PerMove { move_ms } => Left {
                ms: move_ms,
                periods: 0,
            },
            Clock::None => Left {
                ms: Millis(0),
                periods: 0,
            },
        };
        let lag = LagQuota {
            store: Millis(3 * lag_gain(&kind)),
        };
        Self {
            kind,
            left: BySeat {
                first: left,
                second: left,
            },
            used: Millis(0),
            hand: Hand::Stopped,
            lag: BySeat {
                first: lag,
                second: lag,
            },
        }
    }

    /// What a move received at `received` costs the player on the move, on a connection with this round trip.
    ///
    /// # Errors
    /// The time had run out, credit for lag included.
    pub fn charge(
        &self,
        turn: Seat,
        received: Millis,
        round_trip: Millis,
    ) -> Result<Charge, FlagFell> {
        let Hand::Running { since } = self.hand else {
            return Ok(Charge {
                spent: Millis(0),
                lag: Millis(0),
            });
        };
        let raw = Millis((received - since).0.max(0));
        let lag = Millis(self.lag_credit(turn, round_trip).0.min(raw.0));
        let spent = raw - lag;
        match self.budget(turn) {
            Some(budget) if self.used + spent >= budget => Err(FlagFell),
            _ => Ok(Charge { spent, lag }),
        }
    }

    /// Whether the flag of the player on the move has fallen at `now`.
    pub fn has_fallen(&self, turn: Seat, now: Millis, round_trip: Millis) -> bool {
        self.charge(turn, now, round_trip).is_err()
    }

    /// When the flag of the player on the move falls, if nothing happens before.
    pub fn falls_at(&self, turn: Seat, round_trip: Millis) -> Option<Millis> {
        let Hand::Running { since } = self.hand else {
            return None;
        };
        let budget = self.budget(turn)?;
        Some(since + (budget - self.used) + self.lag_credit(turn, round_trip))
    }

    /// When a hold ends at the latest.
    pub const fn held_until(&self) -> Option<Millis> {
        match self.hand {
            Hand::Held { until, .. } => Some(until),
            Hand::Stopped | Hand::Running { .. } => None,
        }
    }

    /// Whether the player on the move is being charged.
    pub const fn is_running(&self) -> bool {
        matches!(self.hand, Hand::Running { .. })
    }

    /// Whether time is counted in this game at all.
    pub const fn counts(&self) -> bool {
        !matches!(self.kind, Clock::None)
    }

    /// What the player on the move has used since the clock last began to run, at most what is left.
    pub fn spent_until(&self, turn: Seat, now: Millis) -> Millis {
        let Hand::Running { since } = self.hand else {
            return Millis(0);
        };
        let spent = Millis((now - since).0.max(0));
        self.budget(turn).map_or(spent, |budget| {
            Millis(spent.0.min((budget - self.used).0.max(0)))
        })
    }

    /// The clocks stand from `now` on; the player on the move has used `spent` since they last began to run. Without a
    /// clock there is nothing to hold.
    pub fn hold(&mut self, reason: HoldReason, spent: Millis, until: Millis, now: Millis) {
        self.used = self.used + spent;
        self.hand = if self.counts() {
            Hand::Held { reason, until }
        } else {
            Hand::Running { since: now }
        };
    }

    /// The clock of the player on the move runs from `now` on.
    pub const fn release(&mut self, now: Millis) {
        self.hand = Hand::Running { since: now };
    }

    /// The event that began the turn became visible only at `now`: the player on the move is charged from then on.
    pub fn became_visible(&mut self, now: Millis) {
        if let Hand::Running { since } = &mut self.hand {
            *since = Millis(since.0.max(now.0));
        }
    }

    /// Books a move of `seat`; the other seat's turn begins at `now`.
    pub fn moved(&mut self, seat: Seat, charge: Charge, now: Millis) {
        let total = self.used + charge.spent;
        self.used = Millis(0);
        let gain = lag_gain(&self.kind);
        let quota = self.lag.get_mut(seat);
        quota.store = Millis((quota.store.0 - charge.lag.0 + gain).clamp(0, 7 * gain));
        let left = self.left.get_mut(seat);
        match self.kind {
            Clock::Fischer { increment_ms, .. } => left.ms = left.ms - total + increment_ms,
            Clock::Byoyomi { period_ms, .. } => *left = after_byoyomi(*left, total, period_ms),
            Clock::PerMove { .. } | Clock::None => {}
        }
        if let Hand::Running { since } = &mut self.hand {
            *since = now;
        }
    }

    /// The game is over: the player on the move has used `spent` since the clock last began to run.
    pub fn stop(&mut self, spent: Millis) {
        self.used = self.used + spent;
        self.hand = Hand::Stopped;
    }

    /// Both clocks as they are at `at`, which is not before the last event.
    pub fn view(&self, turn: Seat, at: Millis) -> Clocks {
        let running = match self.hand {
            Hand::Running { .. } if self.counts() => Some(names::Seat::from(turn)),
            Hand::Running { .. } | Hand::Held { .. } | Hand::Stopped => None,
        };
        let held = match self.hand {
            Hand::Held { reason, until } => Some(Hold { reason, until }),
            Hand::Running { .. } | Hand::Stopped => None,
        };
        let left = |seat: Seat| {
            let used = if seat == turn {
                self.used + self.spent_until(turn, at)
            } else {
                Millis(0)
            };
            self.time_left(*self.left.get(seat), used)
        };
        let left = self.counts().then(|| names::BySeat {
            first: left(Seat::First),
            second: left(Seat::Second),
        });
        Clocks {
            left,
            running,
            held,
            at,
        }
    }

    fn time_left(&self, left: Left, used: Millis) -> TimeLeft {
        match self.kind {
            Clock::Byoyomi { period_ms, .. } => {
                if used < left.ms {
                    return TimeLeft {
                        ms: left.ms - used,
                        periods: Some(left.periods),
                    };
                }
                let over = used - left.ms;
                let gone = u32::try_from(over.0 / period_ms.0).unwrap_or(u32::MAX);
                if gone >= left.periods {
                    return TimeLeft {
                        ms: Millis(0),
                        periods: Some(0),
                    };
                }
                TimeLeft {
                    ms: Millis(period_ms.0 - over.0 % period_ms.0),
                    periods: Some(left.periods - gone),
                }
            }
            Clock::Fischer { .. } | Clock::PerMove { .. } | Clock::None => TimeLeft {
                ms: Millis((left.ms - used).0.max(0)),
                periods: None,
            },
        }
    }

    /// All that the player on the move may use for this turn.
    fn budget(&self, turn: Seat) -> Option<Millis> {
        let left = self.left.get(turn);
        match self.kind {
            Clock::Fischer { .. } | Clock::PerMove { .. } => Some(left.ms),
            Clock::Byoyomi { period_ms, .. } => {
                Some(left.ms + Millis(period_ms.0 * i64::from(left.periods)))
            }
            Clock::None => None,
        }
    }

    fn lag_credit(&self, turn: Seat, round_trip: Millis) -> Millis {
        Millis(round_trip.0.clamp(0, self.lag.get(turn).store.0))
    }
}

fn after_byoyomi(left: Left, total: Millis, period_ms: Millis) -> Left {
    if total < left.ms {
        return Left {
            ms: left.ms - total,
            ..left
        };
    }
    let gone = u32::try_from((total - left.ms).0 / period_ms.0).unwrap_or(u32::MAX);
    Left {
        ms: Millis(0),
        periods: left.periods.saturating_sub(gone),
    }
}

/// How much lag credit a player gains with each move, in milliseconds: 4 for each second that the game is expected to
/// last, and 150, at most a second. It starts at three times that and never exceeds seven times.
fn lag_gain(kind: &Clock) -> i64 {
    let expected_seconds = match *kind {
        Clock::Fischer {
            initial_ms,
            increment_ms,
        } => (initial_ms.0 + 40 * increment_ms.0) / 1_000,
        Clock::Byoyomi {
            main_ms, period_ms, ..
        } => (main_ms.0 + 40 * period_ms.0) / 1_000,
        Clock::PerMove { .. } | Clock::None => return 0,
    };
    (4 * expected_seconds + 150).min(1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Seat = Seat::First;
    const NO_LAG: Millis = Millis(0);

    fn running(kind: Clock) -> ClockState {
        let mut clock = ClockState::new(kind);
        clock.hold(HoldReason::Start, Millis(0), Millis(30_000), Millis(1_000));
        clock.release(Millis(1_000));
        clock
    }

    fn fischer() -> ClockState {
        running(Clock::Fischer {
            initial_ms: Millis(60_000),
            increment_ms: Millis(2_000),
        })
    }

    fn byoyomi() -> ClockState {
        running(Clock::Byoyomi {
            main_ms: Millis(10_000),
            period_ms: Millis(5_000),
            periods: 3,
        })
    }

    fn left(clock: &ClockState, seat: Seat, at: i64) -> (i64, Option<u32>) {
        let shown = clock.view(seat, Millis(at)).left.unwrap();
        let shown = shown.get(seat.into());
        (shown.ms.0, shown.periods)
    }

    fn play(clock: &mut ClockState, seat: Seat, at: i64) -> Charge {
        let charge = clock.charge(seat, Millis(at), NO_LAG).unwrap();
        clock.moved(seat, charge, Millis(at));
        charge
    }

    #[test]
    fn a_fischer_move_costs_its_time_and_gains_the_increment() {
        let mut clock = fischer();
        assert_eq!(
            play(&mut clock, FIRST, 11_000),
            Charge {
                spent: Millis(10_000),
                lag: Millis(0)
            }
        );
        assert_eq!(left(&clock, FIRST, 11_000), (52_000, None));
        assert_eq!(left(&clock, Seat::Second, 14_000), (57_000, None));
    }

    #[test]
    fn the_flag_falls_at_zero_and_not_a_millisecond_before() {
        let clock = fischer();
        assert_eq!(clock.falls_at(FIRST, NO_LAG), Some(Millis(61_000)));
        assert!(!clock.has_fallen(FIRST, Millis(60_999), NO_LAG));
        assert!(clock.has_fallen(FIRST, Millis(61_000), NO_LAG));
        assert!(clock.has_fallen(FIRST, Millis(61_001), NO_LAG));
    }

    #[test]
    fn time_is_not_charged_while_the_clocks_are_held() {
        let mut clock = fischer();
        clock.hold(
            HoldReason::Restart,
            Millis(5_000),
            Millis(99_000),
            Millis(1_000),
        );
        assert_eq!(left(&clock, FIRST, 90_000), (55_000, None));
        assert_eq!(clock.falls_at(FIRST, NO_LAG), None);
        clock.release(Millis(95_000));
        assert_eq!(clock.falls_at(FIRST, NO_LAG), Some(Millis(150_000)));
        assert_eq!(play(&mut clock, FIRST, 96_000).spent, Millis(1_000));
        assert_eq!(left(&clock, FIRST, 96_000), (56_000, None));
    }

    #[test]
    fn a_move_made_while_the_clocks_are_held_is_free_and_leaves_them_held() {
        let mut clock = ClockState::new(Clock::Fischer {
            initial_ms: Millis(60_000),
            increment_ms: Millis(0),
        });
        clock.hold(HoldReason::Start, Millis(0), Millis(30_000), Millis(1_000));
        assert_eq!(play(&mut clock, FIRST, 20_000).spent, Millis(0));
        assert_eq!(clock.held_until(), Some(Millis(30_000)));
        assert_eq!(left(&clock, FIRST, 20_000), (60_000, None));
    }

    #[test]
    fn byoyomi_uses_up_main_time_then_periods_and_keeps_a_period_that_was_met() {
        let mut clock = byoyomi();
        assert_eq!(left(&clock, FIRST, 1_000), (10_000, Some(3)));
        assert_eq!(left(&clock, FIRST, 13_000), (3_000, Some(3)));
        play(&mut clock, FIRST, 18_000);
        assert_eq!(left(&clock, FIRST, 18_000), (5_000, Some(2)));
        play(&mut clock, Seat::Second, 19_000);
        assert_eq!(clock.falls_at(FIRST, NO_LAG), Some(Millis(29_000)));
        play(&mut clock, FIRST, 23_999);
        assert_eq!(left(&clock, FIRST, 23_999), (5_000, Some(2)));
        play(&mut clock, Seat::Second, 24_000);
        play(&mut clock, FIRST, 29_000);
        assert_eq!(left(&clock, FIRST, 29_000), (5_000, Some(1)));
    }

    #[test]
    fn byoyomi_flag_falls_when_the_last_period_ends() {
        let clock = byoyomi();
        assert_eq!(clock.falls_at(FIRST, NO_LAG), Some(Millis(26_000)));
        assert!(!clock.has_fallen(FIRST, Millis(25_999), NO_LAG));
        assert!(clock.has_fallen(FIRST, Millis(26_000), NO_LAG));
    }

    #[test]
    fn per_move_time_is_whole_again_for_each_move() {
        let mut clock = running(Clock::PerMove {
            move_ms: Millis(86_400_000),
        });
        play(&mut clock, FIRST, 50_000_000);
        assert_eq!(left(&clock, FIRST, 50_000_000), (86_400_000, None));
        assert_eq!(
            clock.falls_at(Seat::Second, NO_LAG),
            Some(Millis(136_400_000))
        );
    }

    #[test]
    fn without_a_clock_nothing_is_shown_and_nothing_falls() {
        let clock = running(Clock::None);
        assert_eq!(clock.view(FIRST, Millis(5_000)).left, None);
        assert_eq!(clock.falls_at(FIRST, NO_LAG), None);
        assert!(!clock.has_fallen(FIRST, Millis(i64::MAX), NO_LAG));
    }

    #[test]
    fn lag_is_credited_as_measured_but_never_beyond_the_quota() {
        let mut clock = fischer();
        let charge = clock.charge(FIRST, Millis(2_000), Millis(300)).unwrap();
        assert_eq!(
            charge,
            Charge {
                spent: Millis(700),
                lag: Millis(300)
            }
        );
        assert_eq!(
            clock.charge(FIRST, Millis(1_100), Millis(300)).unwrap().lag,
            Millis(100)
        );
        // 60 + 40 × 2 seconds expected: a gain of 710 ms a move, 2,130 ms to begin with.
        let mut gained = 0;
        let mut now = 1_000;
        for _ in 0..20 {
            now += 10_000;
            let charge = clock.charge(FIRST, Millis(now), Millis(60_000)).unwrap();
            clock.moved(FIRST, charge, Millis(now));
            gained += charge.lag.0;
            play(&mut clock, Seat::Second, now);
            clock.left.first.ms = Millis(60_000);
        }
        assert_eq!(gained, 2_130 + 19 * 710);
    }

    #[test]
    fn a_move_that_arrives_late_only_by_its_lag_is_in_time() {
        let clock = fischer();
        assert_eq!(clock.falls_at(FIRST, Millis(200)), Some(Millis(61_200)));
        assert!(clock.charge(FIRST, Millis(61_199), Millis(200)).is_ok());
        assert_eq!(
            clock.charge(FIRST, Millis(61_200), Millis(200)),
            Err(FlagFell)
        );
    }

    #[test]
    fn the_turn_is_charged_only_from_when_it_became_visible() {
        let mut clock = fischer();
        play(&mut clock, FIRST, 2_000);
        clock.became_visible(Millis(6_000));
        assert_eq!(play(&mut clock, Seat::Second, 7_000).spent, Millis(1_000));
    }
}
