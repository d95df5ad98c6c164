//! Xiangqi as the search sees it.

mod board;
mod evaluation;

pub(crate) use board::Rules;
