//! How good a position of Xiangqi looks: linear in the values of its features, which are fitted by `tuning/`.

use qiguan_rules::{
    Seat,
    xiangqi::{Position, ruleset::Cannon},
};

use super::{
    board::Rules,
    features::{COUNT, KIND, PLACE, PLACED, describe},
    parameters::{always_jumps, standard},
};
use crate::evaluation::{Lead, Table, Trace, Value};

static STANDARD: Table<COUNT> = table(&standard::VALUES);
static ALWAYS_JUMPS: Table<COUNT> = table(&always_jumps::VALUES);

/// So much of a lead is left to a side that has nothing to cross the river with.
const HOPELESS: i32 = 8;

const fn table(values: &[Value; COUNT]) -> Table<COUNT> {
    Table::new(values, KIND, PLACE, PLACED.1, PLACED.0)
}

/// The values of the features, by how the Cannon moves.
pub(crate) const fn values(cannon: Cannon) -> &'static [Value] {
    match cannon {
        Cannon::Standard => &standard::VALUES,
        Cannon::AlwaysJumps => &always_jumps::VALUES,
    }
}

/// How good a position is for the side to move.
pub(super) fn evaluate(position: &Position, rules: Rules) -> i32 {
    let mut lead = Lead::new(match rules.cannon {
        Cannon::Standard => &STANDARD,
        Cannon::AlwaysJumps => &ALWAYS_JUMPS,
    });
    let outlook = describe(position, rules, &mut lead);
    let lead = lead.at(outlook.opening);
    let can_win = if lead > 0 {
        outlook.can_win[0]
    } else {
        outlook.can_win[1]
    };
    let lead = if can_win { lead } else { lead / HOPELESS };
    match position.turn() {
        Seat::First => lead,
        Seat::Second => -lead,
    }
}

/// What a position has; none if a side can't win any more, for which no values are fitted.
pub(crate) fn trace(position: &Position, rules: Rules) -> Option<Trace> {
    let mut trace = Trace::default();
    let outlook = describe(position, rules, &mut trace);
    trace.opening = outlook.opening;
    (outlook.can_win == [true; 2]).then_some(trace)
}
