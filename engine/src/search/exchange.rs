//! What is left of a capture once everything on its square has been taken.

use super::board::{Board, Step};

/// Whether a move gains at least so much when both sides go on to take on its square, the cheapest piece first, for as long as it pays.
pub(super) fn gains<B: Board>(board: &B, laws: &B::Laws, step: Step, least: i32) -> bool {
    let mut swing = board.worth_at(step.to) - least;
    if swing < 0 {
        return false;
    }
    // Even if the piece that moves is lost for nothing, it is enough.
    swing = board.worth_at(step.from) - swing;
    if swing <= 0 {
        return true;
    }
    let mut at = *board;
    at.play(step);
    let mut gains = true;
    while let Some(taker) = at.cheapest_taker(laws, step.to) {
        gains = !gains;
        swing = at.worth_at(taker.from) - swing;
        if swing < i32::from(gains) {
            break;
        }
        at.play(taker);
    }
    gains
}

#[cfg(test)]
mod tests {
    use qiguan_rules::{Game, RuleSet};

    use super::*;
    use crate::xiangqi::Rules;

    /// Whether the Chariot on e3 gains by taking the Soldier on e6 as much as what `of` makes of their worths, and no more.
    fn chariot_gains(fen: &str, of: impl Fn(i32, i32) -> i32) -> bool {
        let ruleset = RuleSet::named("xiangqi/standard").unwrap();
        let Ok(Game::Xiangqi(play)) = Game::from_fen(&ruleset, fen) else {
            panic!("{fen}");
        };
        let rules = Rules {
            laws: *play.laws(),
            cannon: play.options().cannon,
            cycles: play.options().repetition,
        };
        let takes = Step { from: 22, to: 49 };
        let position = play.position();
        let gain = of(position.worth_at(takes.to), position.worth_at(takes.from));
        gains(position, &rules, takes, gain) && !gains(position, &rules, takes, gain + 1)
    }

    #[test]
    fn what_nothing_defends_is_won_whole() {
        let fen = "3k5/9/r8/9/4p4/9/9/4R4/9/5K3 w - - 0 1";
        assert!(chariot_gains(fen, |soldier, _| soldier));
    }

    #[test]
    fn a_chariot_for_a_soldier_loses_the_difference() {
        let fen = "3k5/9/4r4/9/4p4/9/9/4R4/9/5K3 w - - 0 1";
        assert!(chariot_gains(fen, |soldier, chariot| soldier - chariot));
    }

    #[test]
    fn who_would_lose_more_does_not_take_back() {
        let fen = "3k5/9/4r4/9/4p4/9/9/4R4/9/4RK3 w - - 0 1";
        assert!(chariot_gains(fen, |soldier, _| soldier));
    }
}
