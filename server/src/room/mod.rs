//! One game: the referee, its clocks, who may see what, and the task that keeps them together.

mod appending;
pub mod chat_limit;
mod commanding;
mod consequences;
pub mod crowd;
mod damage;
mod delete_abandoned;
mod drafts;
pub mod draw;
pub mod elsewhere;
pub mod hub;
mod inbox;
#[cfg(test)]
mod leak_tests;
mod listing;
pub mod message;
pub mod naming;
mod outage;
mod own_games;
mod publishing;
mod rating;
mod record;
pub mod recover;
#[expect(
    clippy::module_inception,
    reason = "the room is the subject of the folder"
)]
pub mod room;
mod spectator_chat;
pub mod spectator_chat_writer;
pub mod spectator_text;
pub mod spectators;
mod timing;
mod turn_notices;
mod watching;
mod watermark;
