//! The game as the rules know it, from what a seat sees of it.

use qiguan_engine::{
    Level,
    luzhanqi::{self, Seen},
};
use qiguan_game::{given_start, rulesets};
use qiguan_protocol::{option::AskedOptions, view::GameView};
use qiguan_rules::{
    Game, RuleSet, Seat, Square,
    luzhanqi::{Piece, Setup},
    ruleset::Options,
};

/// The rule set with the options of a game; none if this program does not know them.
pub fn ruleset_of(view: &GameView) -> Option<RuleSet> {
    let options = view.options.iter();
    let options = options.map(|(name, value)| (name.clone(), Some(value.clone())));
    let differing = rulesets::from_wire(&view.ruleset, &AskedOptions(options.collect())).ok()?;
    rulesets::from_record(&view.ruleset, &differing).ok()
}

/// The game after its moves, where all of it is open to everybody; none if it does not follow from what is seen.
pub fn game_of(view: &GameView) -> Option<Game> {
    let mut game = given_start::begin(&ruleset_of(view)?, view.start.as_deref()).ok()?;
    for played in &view.moves {
        game.play_recorded(played.text.as_str().parse().ok()?)
            .ok()?;
    }
    Some(game)
}

/// The setup that a computer takes for a game; none to keep the one that was drawn.
pub fn setup_for(view: &GameView, level: Level, seed: u64) -> Option<String> {
    let ruleset = ruleset_of(view)?;
    let Options::Luzhanqi(options) = ruleset.options() else {
        return None;
    };
    Some(luzhanqi::setup(*options, view.you?.into(), level, seed).text())
}

/// A game of Luzhanqi as a seat has seen it; none for other games, and if it does not follow from what is seen.
pub fn seen_of(view: &GameView) -> Option<Seen> {
    let ruleset = ruleset_of(view)?;
    let Options::Luzhanqi(options) = ruleset.options() else {
        return None;
    };
    let seat: Seat = view.you?.into();
    let own = view.setup.as_ref()?.yours.as_ref()?;
    let own = Setup::read(seat, own).ok()?;
    let mut seen = Seen::start(*options, seat, &own).ok()?;
    let piece = |letter: char| Piece::from_letter(letter.to_ascii_uppercase());
    for played in &view.moves {
        let met = match &played.met {
            Some(met) => Some([piece(met.attacker)?, piece(met.defender)?]),
            None => None,
        };
        let mv = played.text.as_str().parse().ok()?;
        let removed = played.removed.map(Into::into);
        seen.see(mv, removed, met).ok()?;
    }
    if let Some(flag) = shown_flag(&view.position.fen, seat.other()) {
        seen.see_flag(flag).ok()?;
    }
    Some(seen)
}

/// Where the Flag of a side is shown.
fn shown_flag(fen: &str, side: Seat) -> Option<Square> {
    let flag = match side {
        Seat::First => 'F',
        Seat::Second => 'f',
    };
    let ranks: Vec<&str> = fen.split(' ').next()?.split('/').collect();
    for (rank, pieces) in (1..=ranks.len()).rev().zip(&ranks) {
        let mut file = 0;
        for sign in pieces.chars() {
            match sign.to_digit(10) {
                Some(empty) => file += empty as u8,
                None if sign == flag => {
                    return format!("{}{rank}", char::from(b'a' + file)).parse().ok();
                }
                None => file += 1,
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_that_is_shown_is_found_and_a_hidden_one_is_not() {
        let hidden = "uuuuu/5/5/5/5/5/5/5/5/5/5/FUUUU w - - 0 1";
        assert_eq!(shown_flag(hidden, Seat::Second), None);
        assert_eq!(shown_flag(hidden, Seat::First), "a1".parse().ok());
        let shown = "1u1fu/5/5/5/5/5/5/5/5/5/5/FUUUU w - - 0 1";
        assert_eq!(shown_flag(shown, Seat::Second), "d12".parse().ok());
    }
}
