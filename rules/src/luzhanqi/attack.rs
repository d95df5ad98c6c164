//! What becomes of two pieces that meet (rules, "Luzhanqi", *Attacks*).

use crate::luzhanqi::piece::Piece;

/// Who is removed by an attack: all that everybody learns of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Removed {
    /// The attacked piece; the attacker takes its point.
    Defender,
    /// The attacker.
    Attacker,
    /// Both.
    Both,
}

impl Removed {
    /// The result's word in records and messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Defender => "defender",
            Self::Attacker => "attacker",
            Self::Both => "both",
        }
    }
}

/// Judges an attack.
///
/// `mines_survive`: a Landmine that a soldier steps on stays.
pub const fn judge(attacker: Piece, defender: Piece, mines_survive: bool) -> Removed {
    match (attacker, defender) {
        // Any piece, a Grenade too, takes the Flag and stands there.
        (_, Piece::Flag) | (Piece::Engineer, Piece::Landmine) => Removed::Defender,
        (Piece::Grenade, _) | (_, Piece::Grenade) => Removed::Both,
        (_, Piece::Landmine) if mines_survive => Removed::Attacker,
        (_, Piece::Landmine) => Removed::Both,
        (_, _) => {
            let (one, other) = (attacker as u8, defender as u8);
            if one < other {
                Removed::Defender
            } else if one == other {
                Removed::Both
            } else {
                Removed::Attacker
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each attacking kind against each defending kind, in the order of [`Piece::ALL`]: `+` the attacker stays, `-` the
    /// defender stays, `=` neither does. A Landmine and the Flag never attack.
    const TABLE: [(char, &str); 10] = [
        ('M', "=++++++++==+"),
        ('G', "-=+++++++==+"),
        ('D', "--=++++++==+"),
        ('B', "---=+++++==+"),
        ('K', "----=++++==+"),
        ('J', "-----=+++==+"),
        ('C', "------=++==+"),
        ('L', "-------=+==+"),
        ('E', "--------==++"),
        ('N', "===========+"),
    ];

    #[test]
    fn every_attacking_kind_meets_every_kind() {
        for mines_survive in [false, true] {
            for (attacker, row) in TABLE {
                let attacker = Piece::from_letter(attacker).unwrap();
                for (defender, told) in Piece::ALL.into_iter().zip(row.chars()) {
                    let stays = mines_survive
                        && defender == Piece::Landmine
                        && !matches!(attacker, Piece::Engineer | Piece::Grenade);
                    let meant = match told {
                        _ if stays => Removed::Attacker,
                        '+' => Removed::Defender,
                        '-' => Removed::Attacker,
                        _ => Removed::Both,
                    };
                    assert_eq!(
                        judge(attacker, defender, mines_survive),
                        meant,
                        "{} attacks {}",
                        attacker.name(),
                        defender.name()
                    );
                }
            }
        }
    }
}
