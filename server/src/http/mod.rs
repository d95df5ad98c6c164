//! HTTP: one file per resource and verb; extractors and errors in one place each.

pub mod accounts;
pub mod catalog;
pub mod cookie;
pub mod error;
pub mod extract;
pub mod games;
pub mod health;
pub mod origin;
pub mod page;
pub mod router;
pub mod server;
