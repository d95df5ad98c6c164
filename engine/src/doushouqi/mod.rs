//! Dou Shou Qi as the search sees it.

mod board;
mod evaluation;
mod features;
mod parameters;
mod ways;

pub(crate) use evaluation::{trace, values};
pub(crate) use features::GROUPS;
