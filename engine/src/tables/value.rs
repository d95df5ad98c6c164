//! What a position is worth with best play.

/// The most plies in which a table's win reaches the next capture, den or end. It is the quiet limit of the named rule sets: what takes
/// longer is drawn before it is won.
pub const MOST_PLIES: u8 = 120;

/// What a position is worth for the side to move. Plies are counted to the next capture or the end of the game, the last one included;
/// the winner wants few of them and the loser many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The side to move wins, and captures or ends the game on the ply of this number, 1 to [`MOST_PLIES`].
    Win(u8),
    /// Neither side can force a capture that wins, or the end. Bans, which depend on what has occurred, are not looked at.
    Draw,
    /// The side to move loses, and so many plies are left until a capture or the end, 0 to [`MOST_PLIES`].
    Loss(u8),
}

/// Added to the plies of a loss in a table's byte.
const LOST: u8 = 128;

impl Value {
    /// In a byte, as tables hold it.
    pub(super) const fn byte(self) -> u8 {
        match self {
            Self::Win(plies) => plies,
            Self::Draw => 0,
            Self::Loss(plies) => LOST + plies,
        }
    }

    pub(super) const fn of_byte(byte: u8) -> Self {
        match byte {
            0 => Self::Draw,
            1..LOST => Self::Win(byte),
            LOST.. => Self::Loss(byte - LOST),
        }
    }

    /// What a move is worth to its mover, by the value of the position after it for the other side.
    #[must_use]
    pub(super) const fn before(self, captures: bool) -> Self {
        match self {
            Self::Win(_) if captures => Self::Loss(1),
            Self::Loss(_) if captures => Self::Win(1),
            Self::Win(plies) if plies < MOST_PLIES => Self::Loss(plies + 1),
            Self::Loss(plies) if plies < MOST_PLIES => Self::Win(plies + 1),
            Self::Draw | Self::Win(_) | Self::Loss(_) => Self::Draw,
        }
    }

    /// How much the side to move likes it: more is better.
    pub(super) const fn liking(self) -> i32 {
        match self {
            Self::Win(plies) => 1_000 - plies as i32,
            Self::Draw => 0,
            Self::Loss(plies) => plies as i32 - 1_000,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_comes_back_from_its_byte() {
        let wins = (1..=MOST_PLIES).map(Value::Win);
        let losses = (0..=MOST_PLIES).map(Value::Loss);
        for value in wins.chain(losses).chain([Value::Draw]) {
            assert_eq!(Value::of_byte(value.byte()), value);
        }
    }

    #[test]
    fn what_takes_longer_than_the_quiet_limit_is_drawn_unless_it_captures() {
        assert_eq!(Value::Loss(MOST_PLIES).before(false), Value::Draw);
        assert_eq!(Value::Loss(MOST_PLIES).before(true), Value::Win(1));
        assert_eq!(Value::Loss(4).before(false), Value::Win(5));
        assert_eq!(Value::Win(4).before(true), Value::Loss(1));
    }

    #[test]
    fn the_winner_likes_it_short_and_the_loser_long() {
        let rising = [
            Value::Loss(0),
            Value::Loss(9),
            Value::Draw,
            Value::Win(9),
            Value::Win(1),
        ];
        assert!(rising.is_sorted_by_key(|value| value.liking()));
    }
}
