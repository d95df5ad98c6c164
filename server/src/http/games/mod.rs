//! Games: lists, one game, what happened in it, and commands for clients without a socket.

pub mod adjudicate;
pub mod animation;
pub mod command;
pub mod create;
pub mod events;
pub mod export;
pub mod fens;
pub mod get;
mod keep;
pub mod list;
pub mod note;
mod pages;
pub mod picture;
pub mod positions;
pub mod say;
pub mod searched;
pub mod set_up;
pub mod spectator_chat;
mod stored;
pub mod stream;
pub mod text;
pub mod verify;
pub mod withdraw;
