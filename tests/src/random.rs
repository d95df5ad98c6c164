//! Random choices that can be repeated: the seed is printed when a test fails.

/// A small generator (SplitMix64). It prints its seed if the test panics.
pub struct Random {
    seed: u64,
    state: u64,
}

impl Random {
    /// From `QIGUAN_SEED`, or from the number given.
    pub fn new(seed: u64) -> Self {
        let seed = std::env::var("QIGUAN_SEED")
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(seed);
        Self::of(seed)
    }

    /// From the number given.
    pub const fn of(seed: u64) -> Self {
        Self { seed, state: seed }
    }

    /// The next number.
    pub const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub const fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// One of the things.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len() as u64) as usize]
    }
}

impl Drop for Random {
    fn drop(&mut self) {
        if std::thread::panicking() {
            use std::io::Write;
            let _ = writeln!(std::io::stderr(), "repeat with QIGUAN_SEED={}", self.seed);
        }
    }
}
