//! The program `qiguan`: the only place where the rules and the protocol meet.

pub mod faults;
pub mod room {
    //! One game.
    pub mod event;
}
pub mod store {
    //! The records.
    pub mod store;
}
