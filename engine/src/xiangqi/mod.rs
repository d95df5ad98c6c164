//! Xiangqi as the search sees it.

mod board;
mod evaluation;
mod features;
mod parameters;

pub(crate) use board::Rules;
pub(crate) use evaluation::{trace, values};
pub(crate) use features::GROUPS;
