//! The values of the features, by how the Cannon moves. The files beside this one are written by `qiguan-tuning fit`.

pub(super) mod always_jumps;
pub(super) mod standard;
