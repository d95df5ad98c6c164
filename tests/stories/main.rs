//! What the program does, told from outside. One binary; each module is one subject, and the faults that it covers stand in
//! its name (`a1_…`, `b3_…`): the letters are those of the failure catalogue in `docs/failures.md`.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::large_futures,
    reason = "a test fails loudly, and may be large"
)]

mod archive;
mod backup;
mod clocks;
mod connections;
mod crash;
mod fair_referee;
mod hostile_bytes;
mod http_api;
mod identity;
mod leaks;
mod leaks_around;
mod lists;
mod luzhanqi;
mod origins;
mod overload;
mod patience;
mod protocol_document;
mod reading;
mod recovery;
mod refusals;
mod repeats;
mod restart;
mod resuming;
mod retention;
mod secret_setups;
mod setups;
mod storage_faults;
mod tabs;
mod terminal;
mod terminal_luzhanqi;
mod whole_games;
mod xiangqi;
