//! The sentences of the rules, each with a position that shows it.

mod doushouqi;
mod luzhanqi_attacks;
mod luzhanqi_moves;
mod xiangqi_ends;
mod xiangqi_moves;
