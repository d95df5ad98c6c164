//! The subcommands, one file each, and what several of them share: which records are meant, and how far they are.

pub(crate) mod admin;
pub(crate) mod backup;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod doctor;
pub(crate) mod duel;
pub(crate) mod engine;
pub(crate) mod export;
pub(crate) mod health;
pub(crate) mod import;
pub(crate) mod man;
pub(crate) mod migrate;
pub(crate) mod perft;
pub(crate) mod progress;
pub(crate) mod puzzles;
pub(crate) mod records;
pub(crate) mod reindex;
pub(crate) mod replay;
pub(crate) mod restore;
pub(crate) mod serve;
pub(crate) mod tables;
pub(crate) mod verify;
