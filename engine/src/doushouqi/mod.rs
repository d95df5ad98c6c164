//! Dou Shou Qi as the search sees it.

mod board;
mod evaluation;
