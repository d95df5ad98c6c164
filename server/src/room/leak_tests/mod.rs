//! The leak test: random games of Luzhanqi through the referee and the fold, keeping every byte that each audience is given.
//!
//! It begins and ends where a room does: at the referee, and at the text that goes to a connection. Games over real sockets
//! and over HTTP are the outside tests' (`tests/stories/leaks.rs`); these here are many.

mod board;
mod knowledge;
mod table;
mod timing;
mod twins;

use std::thread;

use qiguan_game::{
    commitments::Salt,
    setups::{Draw, Setups},
};
use qiguan_rules::{BySeat, Seat, luzhanqi::Setup};

const RULESETS: [&str; 4] = [
    "luzhanqi/referee",
    "luzhanqi/showdown",
    "luzhanqi/northern",
    "luzhanqi/modern",
];

/// A small generator (SplitMix64): a test tells its seed.
struct Random(u64);

impl Random {
    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    const fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }

    fn setup(&mut self, seat: Seat) -> Setup {
        Setup::random(seat, |bound| self.below(bound))
    }

    fn draw(&mut self) -> Draw {
        let setups = BySeat {
            first: self.setup(Seat::First),
            second: self.setup(Seat::Second),
        };
        let mut salt = || {
            let mut salt = Salt([0; 32]);
            salt.0.fill_with(|| self.next() as u8);
            salt
        };
        Draw {
            setups: Setups(setups),
            salts: BySeat {
                first: salt(),
                second: salt(),
            },
        }
    }
}

/// A number from the environment, or the one given.
fn number(name: &str, usual: u64) -> u64 {
    let set = std::env::var(name).ok();
    set.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Does something for each seed below a number, on as many threads as there are processors.
fn for_each_seed<T: Send>(seeds: u64, one: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(1, |number| number.get() as u64);
    thread::scope(|scope| {
        let one = &one;
        let threads: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    let own = (0..seeds).filter(|seed| seed % threads == thread);
                    own.map(one).collect::<Vec<_>>()
                })
            })
            .collect();
        let done = threads.into_iter().map(|thread| thread.join().unwrap());
        done.flatten().collect()
    })
}
