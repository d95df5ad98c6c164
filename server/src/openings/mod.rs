//! How games begin: which positions were reached, what was played there, and what came of it. All of it is counted from the record
//! by and by, after the games have ended, and stands beside it: nothing else depends on it, and it can be recounted.
//!
//! **Invariant:** counted is what anybody may look at, and no more is kept of it than spectators have seen (in Luzhanqi not even
//! what stands where).

pub mod counting;
