//! A setup as text while it is made: six ranks of the player's own half from the top of the board down. Whether it is legal the
//! server says.

use qiguan_protocol::{catalog::CatalogGame, names::Seat};

use super::board;

/// The whole board with one side's setup on it, to be drawn.
pub fn on_board(seat: Seat, setup: &str) -> String {
    let other_half = "/".repeat(setup.split('/').count());
    match seat {
        Seat::First => format!("{other_half}{setup}"),
        Seat::Second => format!("{setup}{other_half}"),
    }
}

/// A setup of one seat as the other writes it: turned by 180°, in the other case.
pub fn turned(setup: &str) -> String {
    let other_case = |letter: char| {
        if letter.is_ascii_uppercase() {
            letter.to_ascii_lowercase()
        } else {
            letter.to_ascii_uppercase()
        }
    };
    setup.chars().rev().map(other_case).collect()
}

/// A setup with what stands on two points exchanged; none if one of them is not a point of the player's own half.
pub fn exchanged(
    game: &CatalogGame,
    seat: Seat,
    setup: &str,
    one: &str,
    other: &str,
) -> Option<String> {
    let ranks = usize::from(game.board.ranks) / 2;
    let above = match seat {
        Seat::First => 0,
        Seat::Second => ranks,
    };
    let place = |square: &str| {
        let (file, rank) = board::place(game, square)?;
        let rank = rank.checked_sub(above).filter(|rank| *rank < ranks)?;
        Some((rank, file))
    };
    let ((rank, file), (other_rank, other_file)) = (place(one)?, place(other)?);
    let mut rows = board::rows(setup, usize::from(game.board.files), ranks);
    let (piece, other_piece) = (
        *rows.get(rank)?.get(file)?,
        *rows.get(other_rank)?.get(other_file)?,
    );
    *rows.get_mut(rank)?.get_mut(file)? = other_piece;
    *rows.get_mut(other_rank)?.get_mut(other_file)? = piece;
    let texts: Vec<_> = rows.iter().rev().map(|row| written(row)).collect();
    Some(texts.join("/"))
}

fn written(row: &[Option<char>]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for place in row {
        match place {
            None => empty += 1,
            Some(letter) => {
                if empty > 0 {
                    text.push_str(&empty.to_string());
                }
                empty = 0;
                text.push(*letter);
            }
        }
    }
    if empty > 0 {
        text.push_str(&empty.to_string());
    }
    text
}

#[cfg(test)]
mod tests {
    use qiguan_protocol::catalog::Catalog;

    use super::*;

    const FIRST: &str = "DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX";
    const SECOND: &str = "xfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkd";

    fn after(seat: Seat, setup: &str, one: &str, other: &str) -> Option<String> {
        let catalog = Catalog::of_rules();
        let game = catalog.games.iter().find(|game| game.id == "luzhanqi");
        exchanged(game.unwrap(), seat, setup, one, other)
    }

    #[test]
    fn two_points_of_the_own_half_change_what_stands_on_them() {
        for (seat, setup, one, other, meant) in [
            (
                Seat::First,
                FIRST,
                "a6",
                "e1",
                Some("XKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFD"),
            ),
            (
                Seat::First,
                FIRST,
                "b5",
                "c5",
                Some("DKBJC/GM2E/KL1BD/N1E1J/LCXLN/EXCFX"),
            ),
            (
                Seat::Second,
                SECOND,
                "e7",
                "a12",
                Some("dfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkx"),
            ),
            (Seat::First, FIRST, "a6", "a7", None),
            (Seat::Second, SECOND, "a6", "a7", None),
            (Seat::First, FIRST, "a6", "f1", None),
            (Seat::First, FIRST, "a6", "a0", None),
            (Seat::First, FIRST, "a6", "", None),
            (Seat::First, "nonsense", "a6", "a1", None),
        ] {
            assert_eq!(
                after(seat, setup, one, other).as_deref(),
                meant,
                "{one} {other}"
            );
        }
    }

    #[test]
    fn a_setup_is_turned_for_the_other_seat() {
        assert_eq!(turned(FIRST), SECOND);
        assert_eq!(turned(SECOND), FIRST);
        assert_eq!(on_board(Seat::First, FIRST).split('/').count(), 12);
        assert!(on_board(Seat::Second, SECOND).starts_with(SECOND));
    }
}
