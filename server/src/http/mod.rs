//! HTTP: one file per resource and verb; extractors and errors in one place each.

#![expect(
    clippy::missing_errors_doc,
    reason = "a handler's responses are listed in its OpenAPI attribute"
)]

pub mod accounts;
pub mod admin;
pub mod announcements;
pub mod blocks;
pub mod catalog;
pub mod cookie;
pub mod error;
pub mod extract;
pub mod games;
pub mod health;
pub mod leaderboards;
pub mod limited;
pub mod live;
pub mod lobby;
pub mod openapi;
pub mod openings;
pub mod players;
pub mod refusals;
pub mod reports;
pub mod server;
pub mod setups;
pub mod staff;
pub mod web;
