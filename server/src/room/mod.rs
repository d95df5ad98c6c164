//! One game: the referee, its clocks, who may see what, and the task that keeps them together.

pub mod adjudicating;
pub mod audience;
pub mod audit;
pub mod chat_limit;
pub mod clock;
mod commanding;
pub mod crowd;
mod damage;
pub mod delay;
pub mod event;
mod forsaking;
pub mod gallery;
pub mod hub;
pub mod knock;
#[cfg(test)]
mod leak_tests;
mod listing;
pub mod naming;
pub mod opening;
mod outage;
mod papers;
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
pub mod state;
mod talk;
pub mod talking;
mod tidings;
mod timing;
pub mod waking;
mod watching;
