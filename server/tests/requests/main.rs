//! What the server answers to requests, asked of its router: no process, no listener, no network.
//!
//! The same words as in the outside tests (`tests/`), and the same harness, which sends requests there or here. What needs a socket, a
//! restart, a fault or a second program stays there.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails loudly"
)]

mod accounts;
mod accounts_guessing;
mod analyses;
mod challenges;
mod fair_play;
mod following;
mod http_api;
mod limits;
mod lists;
mod lobby_http;
mod measured;
mod openapi;
mod openings;
mod origins;
mod permissions;
mod positions;
mod profiles;
mod push;
mod query_words;
mod raced_roles;
mod reading;
mod recovery;
mod refusals;
mod scopes;
mod server;
mod sessions;
mod settings;
mod setups;
mod staff_games;
mod tables;
