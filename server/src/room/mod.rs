//! One game: the referee, its clocks, who may see what, and the task that keeps them together.

pub mod adjudicating;
pub mod audience;
pub mod chat_limit;
pub mod clock;
mod commanding;
pub mod crowd;
mod damage;
pub mod delay;
mod delete_abandoned;
mod drafts;
pub mod event;
pub mod hub;
#[cfg(test)]
mod leak_tests;
mod listing;
pub mod message;
pub mod naming;
mod notify_lobby;
pub mod opening;
mod outage;
mod publishing;
mod rating;
pub mod recover;
pub mod referee;
#[cfg(test)]
mod referee_tests;
pub mod refusal;
mod repeating;
#[expect(
    clippy::module_inception,
    reason = "the room is the subject of the folder"
)]
pub mod room;
pub mod rulesets;
pub mod setups;
mod spectator_chat;
pub mod spectator_chat_writer;
pub mod spectators;
pub mod state;
mod timing;
pub mod validate;
pub mod waking;
mod watching;
