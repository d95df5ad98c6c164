//! The suite that every store has to pass.
