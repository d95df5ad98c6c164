//! Faults that a test plants in the program, to show that it finds them. They exist in debug builds alone: in a release build
//! [`is_planted`] is a constant `false`.

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// A program that was taken over from goes on writing: nothing looks for its row.
    NoFence,
    /// A program that has stood still answers as the owner of its games for a minute, and asks nobody whether it still is.
    LongLease,
    /// A number that is missing on a link between programs is not noticed.
    GapIgnored,
    /// A frame that arrives twice is heard twice, and a command that comes again is a new one.
    DuplicateApplied,
    /// A command counts as read when it arrives at the owner of its game, however long it has waited on its way.
    ClockNotCorrected,
    /// A flag falls although a move that was made in time may be on its way.
    WatermarkIgnored,
    /// Two programs hold a lobby each.
    LobbyTwice,
    /// What programs say to each other can be read on the way.
    SecretInFrame,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::NoFence,
        Self::LongLease,
        Self::GapIgnored,
        Self::DuplicateApplied,
        Self::ClockNotCorrected,
        Self::WatermarkIgnored,
        Self::LobbyTwice,
        Self::SecretInFrame,
    ];
}

#[cfg(not(debug_assertions))]
/// False, in this build.
#[inline]
pub const fn is_planted(_fault: Fault) -> bool {
    false
}

#[cfg(not(debug_assertions))]
/// Nothing, in this build.
pub const fn plant(_fault: Option<Fault>) {}

#[cfg(debug_assertions)]
pub use planting::{is_planted, plant};

#[cfg(debug_assertions)]
mod planting {
    use std::cell::Cell;

    use super::Fault;

    thread_local! {
        /// Of one thread, so that tests that run side by side plant each their own.
        static PLANTED: Cell<Option<Fault>> = const { Cell::new(None) };
    }

    /// Whether this fault is planted in this thread.
    pub fn is_planted(fault: Fault) -> bool {
        PLANTED.get() == Some(fault)
    }

    /// Plants a fault in what this thread runs from now on, in place of the one before.
    pub fn plant(fault: Option<Fault>) {
        PLANTED.set(fault);
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn one_fault_is_planted_in_one_thread() {
            plant(Some(Fault::NoFence));
            assert!(is_planted(Fault::NoFence) && !is_planted(Fault::LongLease));
            let elsewhere = std::thread::spawn(|| is_planted(Fault::NoFence));
            assert!(!elsewhere.join().unwrap());
            plant(None);
            assert!(!Fault::ALL.into_iter().any(is_planted));
        }
    }
}
