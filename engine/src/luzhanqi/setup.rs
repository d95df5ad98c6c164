//! How a computer sets up its pieces: sensible formations, varied.

use qiguan_rules::{
    Seat,
    luzhanqi::{
        Options, Piece, Setup,
        board::{self, HALF, HEADQUARTERS, each_point},
    },
};

use crate::{draws::Draws, level::Level};

/// Formations of the first seat, as setups are written. The Flag has Landmines around it, the strong pieces stand on both wings, Grenades
/// behind the front.
const FORMATIONS: [&str; 6] = [
    "DCKJG/B1L1M/CN1NK/E1D1B/LXJEE/XFXLC",
    "KBEDL/G1N1D/JC1KB/M1C1N/ELCXJ/LEXFX",
    "BKDCE/N1M1J/GD1BL/K1N1C/XJLLC/XFXEE",
    "JDLBK/C1G1D/NM1CB/J1K1N/LCEXE/ELXFX",
    "CGKED/D1J1B/KL1MC/N1B1N/EJXCL/XFLXE",
    "LDBKC/G1C1M/BN1ND/J1K1J/ECXLE/LEXFX",
];

/// Exchanges of two pieces that are tried.
const EXCHANGES: usize = 12;

/// A setup for a seat. It is legal with any options, for they do not change how pieces are set up; the same seed gives the same one.
///
/// The first level sets up at random.
pub fn setup(options: Options, seat: Seat, level: Level, seed: u64) -> Setup {
    let mut draws = Draws::new(seed);
    let text = FORMATIONS[draws.below(FORMATIONS.len())];
    let mirrored = draws.below(2) == 1;
    let written: Vec<String> = text
        .split('/')
        .map(|rank| {
            if mirrored {
                rank.chars().rev().collect()
            } else {
                rank.to_owned()
            }
        })
        .collect();
    let formation = Setup::read(Seat::First, &written.join("/"))
        .ok()
        .filter(|_| level.number() > 1);
    let Some(mut setup) = formation else {
        return Setup::random(seat, |below| draws.below(below));
    };
    vary(&mut setup, options, &mut draws);
    setup.for_seat(seat)
}

/// Exchanges pieces that are about as strong, and do not move the Flag or a Landmine.
fn vary(setup: &mut Setup, options: Options, draws: &mut Draws) {
    let points: Vec<u8> = each_point(HALF[Seat::First.index()]).collect();
    for _ in 0..EXCHANGES {
        let (one, other) = (
            points[draws.below(points.len())],
            points[draws.below(points.len())],
        );
        let text = setup.text();
        let (Some(a), Some(b)) = (at(&text, one), at(&text, other)) else {
            continue;
        };
        let alike = a.index().abs_diff(b.index()) <= 2 && a.moves() && b.moves();
        // What stands in a headquarters that holds can't move, so nothing strong goes there.
        let headquarters = HEADQUARTERS[Seat::First.index()];
        let held = options.headquarters_hold
            && (headquarters & (board::bit(one) | board::bit(other))) != 0;
        if alike && !held {
            // A Grenade on the front rank is refused; the next exchange is tried then.
            let _refused = setup
                .exchange(board::square(one), board::square(other))
                .is_err();
        }
    }
}

/// The piece on a point of a setup of the first seat.
fn at(text: &str, point: u8) -> Option<Piece> {
    let (file, rank) = (point % board::FILES, point / board::FILES);
    let line = text.split('/').nth(usize::from(5_u8.checked_sub(rank)?))?;
    let mut here = 0;
    for letter in line.chars() {
        match letter.to_digit(10) {
            Some(empty) => here += empty,
            None if here == u32::from(file) => return Piece::from_letter(letter),
            None => here += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_formation_is_legal() {
        for text in FORMATIONS {
            let wrong = Setup::read(Seat::First, text).err().unwrap_or_default();
            assert!(wrong.is_empty(), "{text}: {wrong:?}");
        }
    }

    #[test]
    fn setups_are_legal_and_differ() {
        let mut texts = std::collections::BTreeSet::new();
        for seed in 0..200 {
            for seat in Seat::ALL {
                for level in Level::all() {
                    let setup = setup(Options::MODERN, seat, level, seed);
                    assert!(Setup::read(seat, &setup.text()).is_ok());
                    texts.insert(setup.text());
                }
            }
        }
        assert!(texts.len() > 390, "{} setups", texts.len());
    }
}
