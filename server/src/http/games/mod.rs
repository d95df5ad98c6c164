//! Games: lists, one game, what happened in it, and commands for clients without a socket.

pub mod animation;
pub mod commands;
pub mod drafts;
pub mod events;
pub mod export;
pub mod finished;
pub mod get;
pub mod hint;
pub mod list;
pub mod picture;
mod pieces;
pub mod positions;
pub mod results;
pub mod review;
pub mod spectator_chat;
