//! The harness of the outside tests: the real program as a process, real sockets, real files.
//!
//! A test reads like a game record: [`Program::start`], [`Client::guest`], `first.plays("a3a4")`, `program.kill()`.
//! Nothing sleeps to be in time for something: readiness is a line that the server prints, and everything else is an
//! event that is waited for, with a deadline.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    clippy::missing_errors_doc,
    reason = "a harness fails loudly, anywhere"
)]

/// Tells stories on every database. Each takes how a server is started on a record of its own, with the
/// `Start` that stands beside it.
#[macro_export]
macro_rules! on_every_database {
    ($($story:ident),* $(,)?) => {
        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $story() {
                    super::$story(super::Start::default).await;
                }
            )*
        }
        mod postgres {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $story() {
                    super::$story(super::Start::on_postgres).await;
                }
            )*
        }
    };
}

pub mod account;
pub mod check;
pub mod client;
pub mod cluster_script;
pub mod command;
pub mod folder;
pub mod game;
pub mod history;
pub mod hostile_server;
pub mod http;
pub mod lobby;
pub mod long_game;
pub mod machines;
pub mod nats;
pub mod postgres_proxy;
mod process;
pub mod program;
pub mod proxy;
pub mod push_receiver;
pub mod python;
pub mod random;
pub mod raw;
pub mod record;
pub mod reverse_proxy;
pub mod saved_setups;
pub mod secrets;
pub mod session;
pub mod sharing;
pub mod slots;
pub mod stream;
pub mod terminal;
pub mod tls_proxy;
pub mod waiting;
mod watching;

pub use client::{Client, Frame};
pub use folder::Folder;
pub use game::{Seats, Setup};
pub use http::Http;
pub use nats::Nats;
pub use program::{Program, Start};
pub use qiguan_tests_postgres::{Cluster, Stop};
pub use terminal::Terminal;
