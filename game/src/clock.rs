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

use crate::event::Body;

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

/// How much later a player sees their turn, and is heard, than it begins and ends: both ways together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delay {
    /// On the way to the client, as it was measured. A client can feign it, so it is credited only as far as the player's store goes.
    pub round_trip: Millis,
    /// Before that, on the way between programs of the server: it is no player's time.
    pub between_programs: Millis,
}

impl Delay {
    /// The greater of each.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            round_trip: self.round_trip.max(other.round_trip),
            between_programs: self.between_programs.max(other.between_programs),
        }
    }
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

    /// What a move received at `received` costs the player on the move, on a connection with this delay.
    ///
    /// # Errors
    /// The time had run out, credit for lag included.
    pub fn charge(&self, turn: Seat, received: Millis, delay: Delay) -> Result<Charge, FlagFell> {
        let Hand::Running { since } = self.hand else {
            return Ok(Charge {
                spent: Millis(0),
                lag: Millis(0),
            });
        };
        let raw = Millis((received - since - delay.between_programs).0.max(0));
        let lag = Millis(self.lag_credit(turn, delay).0.min(raw.0));
        let spent = raw - lag;
        match self.budget(turn) {
            Some(budget) if self.used + spent >= budget => Err(FlagFell),
            _ => Ok(Charge { spent, lag }),
        }
    }

    /// Whether the flag of the player on the move has fallen at `now`.
    pub fn has_fallen(&self, turn: Seat, now: Millis, delay: Delay) -> bool {
        self.charge(turn, now, delay).is_err()
    }

    /// When the flag of the player on the move falls, if nothing happens before.
    pub fn falls_at(&self, turn: Seat, delay: Delay) -> Option<Millis> {
        let Hand::Running { since } = self.hand else {
            return None;
        };
        let budget = self.budget(turn)?;
        let credit = delay.between_programs + self.lag_credit(turn, delay);
        Some(since + (budget - self.used) + credit)
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

    /// Since when the clock of the player on the move has been running; none while it stands.
    pub const fn running_since(&self) -> Option<Millis> {
        match self.hand {
            Hand::Running { since } => Some(since),
            Hand::Stopped | Hand::Held { .. } => None,
        }
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

    /// Whether a turn can have cost this by `at` (if it is known): nothing while the clock stood, no more than has passed, and
    /// no more credit for lag than there was.
    pub fn can_cost(&self, turn: Seat, charge: Charge, at: Option<Millis>) -> bool {
        let Charge { spent, lag } = charge;
        match self.hand {
            Hand::Stopped | Hand::Held { .. } => (spent, lag) == (Millis(0), Millis(0)),
            Hand::Running { since } => {
                let passed = at.map(|at| Millis((at - since).0.max(0)));
                spent.0 >= 0
                    && (0..=self.lag.get(turn).store.0).contains(&lag.0)
                    && passed.is_none_or(|passed| spent + lag <= passed)
            }
        }
    }

    /// What is left of the turn's budget if the player on the move uses `spent` of it now; less than nothing if it is more.
    pub fn left_after(&self, turn: Seat, spent: Millis) -> Option<Millis> {
        Some(self.budget(turn)? - self.used - spent)
    }

    /// Goes on by an event of the game that happened at `at`.
    pub fn apply(&mut self, body: &Body, at: Millis) {
        match body {
            Body::Started { until, .. } => self.hold(HoldReason::Start, Millis(0), *until, at),
            Body::ClocksHeld {
                reason,
                spent,
                until,
            } => self.hold(*reason, *spent, *until, at),
            Body::ClocksReleased => self.release(at),
            &Body::Moved {
                seat, spent, lag, ..
            } => self.moved(seat, Charge { spent, lag }, at),
            &Body::TakenBack { by, plies, spent } => self.taken_back(by, plies, spent, at),
            Body::Ended { spent, .. } => self.stop(*spent),
            Body::Created(_)
            | Body::Joined { .. }
            | Body::SetupBegan { .. }
            | Body::SetupExtended { .. }
            | Body::SetupReady { .. }
            | Body::DrawOffered { .. }
            | Body::DrawDeclined { .. }
            | Body::TakebackRequested { .. }
            | Body::TakebackDeclined { .. }
            | Body::Revealed
            | Body::RematchOffered { .. }
            | Body::RematchAgreed { .. }
            | Body::Chat { .. } => {}
        }
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

    /// Charges a move of `seat`; the other seat's turn begins at `now`.
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

    /// Moves are taken back, and the turn of `by` begins at `now`: both keep what they have. The player who was on the move has used `spent`
    /// since the clock last began to run; nothing is added for a move.
    fn taken_back(&mut self, by: Seat, plies: u32, spent: Millis, now: Millis) {
        self.used = self.used + spent;
        let goes_on = plies.is_multiple_of(2);
        if !goes_on {
            let total = std::mem::take(&mut self.used);
            let left = self.left.get_mut(by.other());
            match self.kind {
                Clock::Fischer { .. } => left.ms = left.ms - total,
                Clock::Byoyomi { period_ms, .. } => *left = after_byoyomi(*left, total, period_ms),
                Clock::PerMove { .. } | Clock::None => {}
            }
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

    /// Both clocks as an event at `at` shows them: where it begins a turn, from when it became visible.
    pub fn view_of_event(&self, turn: Seat, at: Millis) -> Clocks {
        let since = self.running_since().unwrap_or_default();
        self.view(turn, at.max(since))
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

    fn lag_credit(&self, turn: Seat, delay: Delay) -> Millis {
        Millis(delay.round_trip.0.clamp(0, self.lag.get(turn).store.0))
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
mod tests;
