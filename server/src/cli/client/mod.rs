//! The terminal client: it speaks the public protocol alone, as any other client does.

pub mod address;
pub mod board;
pub mod identity;
pub mod link;
pub mod notation;
pub mod rules;
pub mod screen;
pub mod table;
pub mod time_control;
