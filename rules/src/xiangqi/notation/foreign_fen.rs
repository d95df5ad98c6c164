//! Positions as other programs write them, brought into this project's form.
//!
//! The strict reader stays the judge of what is a position; here is only respelled what means the same.

/// A Xiangqi position's text in this project's form: `H` and `E` become `N` and `B`, `r` (Red) to move becomes `w`, missing
/// fields at the end and `-` for a count become their beginnings (Red to move, `- - 0 1`), a full move 0 becomes 1, and
/// runs of white space one space. Anything else is left as it is, for the strict reader to refuse.
///
/// ```
/// use qiguan_rules::xiangqi::notation::foreign_fen;
///
/// let text = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r";
/// let own = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
/// assert_eq!(foreign_fen::respelled(text), own);
/// ```
pub fn respelled(text: &str) -> String {
    let mut fields: Vec<String> = text.split_whitespace().map(ToOwned::to_owned).collect();
    for missing in ["", "w", "-", "-", "0", "1"].into_iter().skip(fields.len()) {
        fields.push(missing.to_owned());
    }
    let own =
        fields
            .into_iter()
            .enumerate()
            .map(|(number, field)| match (number, field.as_str()) {
                (0, _) => field.chars().map(own_letter).collect(),
                (1, "r") => "w".to_owned(),
                (4, "-") => "0".to_owned(),
                (5, "-" | "0") => "1".to_owned(),
                _ => field,
            });
    own.collect::<Vec<_>>().join(" ")
}

const fn own_letter(letter: char) -> char {
    match letter {
        'H' => 'N',
        'h' => 'n',
        'E' => 'B',
        'e' => 'b',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::{Options, Play};

    #[test]
    fn what_other_programs_write_becomes_a_position() {
        let start = Play::start(Options::STANDARD).fen();
        for text in [
            start.as_str(),
            "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r - - - -",
            " rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR  w - -\t0 0\n",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
        ] {
            assert_eq!(respelled(text), start, "{text:?}");
        }
    }

    #[test]
    fn counts_and_the_side_to_move_are_kept() {
        for (text, own) in [
            ("4k4/9 b - - 13 40", "4k4/9 b - - 13 40"),
            ("4k4/9 b - - 13", "4k4/9 b - - 13 1"),
        ] {
            assert_eq!(respelled(text), own);
        }
    }

    #[test]
    fn what_means_nothing_is_left_for_the_strict_reader_to_refuse() {
        for text in [
            "",
            "x",
            "4k4/9/9 x - - 0 1",
            "4k4/9/9 w KQ - 0 1",
            "a b c d e f g",
        ] {
            let refused = Play::from_fen(Options::STANDARD, &respelled(text));
            assert!(refused.is_err(), "{text:?}");
        }
    }
}
