//! HTTP: a file for each subject with a handler for each request; extractors and errors in one place each.

#![expect(
    clippy::missing_errors_doc,
    reason = "a handler's responses are listed in its OpenAPI attribute"
)]

pub mod account;
pub mod admin;
pub mod analyses;
pub mod blocks;
pub mod cookie;
pub mod error;
pub mod extract;
pub mod following;
pub mod games;
pub mod limited;
pub mod lobby;
pub mod moderation;
pub mod observed;
pub mod openapi;
pub mod openings;
pub mod oversight;
pub mod pages;
pub mod permission;
pub mod player_search;
pub mod players;
pub mod positions;
pub mod preview;
pub mod push;
pub mod puzzles;
pub mod recovery;
pub mod reports;
pub mod scrape;
pub mod server;
pub mod settings;
pub mod setups;
pub mod sign_in;
pub mod status;
pub mod tables;
pub mod watching;
pub mod web;
