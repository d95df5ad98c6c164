//! What a text says, played by the rules: either all of it follows, or the first error is reported. Pure.

use qiguan_protocol::limits;
use qiguan_rules::{
    BySeat, EndReason, Game, Move, Outcome, RuleSet, Seat, luzhanqi::Setup, option::RawValue,
    outcome::LENGTH_LIMIT, xiangqi::notation::Notation,
};

use super::{GameText, ResultMark, own_fen, sides};
use crate::{
    commitments::{Salt, commitment, is_of_the_rules, salt_from_hex},
    given_start, rulesets,
    setups::has_setups,
};

/// A game that a text tells of, played.
pub struct Replayed {
    /// The rule set with the game's options.
    pub ruleset: RuleSet,
    /// The options that differ, by name.
    pub options: Vec<(String, String)>,
    /// The setups with their salts, in a game that has them and has come so far.
    pub setups: Option<BySeat<(Setup, Salt)>>,
    /// The position that it begins with, if it is not the usual one.
    pub start: Option<String>,
    /// The side that begins.
    pub first: Seat,
    /// The moves.
    pub moves: Vec<Move>,
    /// The game after them.
    pub game: Game,
    /// How it has ended; none if it goes on.
    pub outcome: Option<Outcome>,
}

/// Plays what a text says.
///
/// # Errors
/// The tag or the move that does not follow, in words.
pub fn replay(text: &GameText) -> Result<Replayed, String> {
    let (ruleset, options) = ruleset(text)?;
    let setups = if has_setups(&ruleset) {
        setups(text, &ruleset)?
    } else {
        None
    };
    let start = text.tag("FEN").map(|fen| own_fen(ruleset.id(), fen));
    let start = start.map(|fen| given_start::recorded(&ruleset, &fen));
    let start = start
        .transpose()
        .map_err(|error| format!("tag FEN: {error}"))?
        .flatten();
    let mut game = match &setups {
        None => given_start::begin(&ruleset, start.as_deref())
            .map_err(|error| format!("tag FEN: {error}"))?,
        Some(BySeat { first, second }) => {
            let both = BySeat {
                first: first.0,
                second: second.0,
            };
            Game::set_up(&ruleset, &both)
                .ok_or("tag RuleSet: games of this rule set have no setups")?
        }
    };
    let first = game.turn();
    let notation = match text.tag("Notation") {
        None => Notation::Squares,
        Some(name) => Notation::from_name(name).ok_or("tag Notation: unknown notation")?,
    };
    let mut moves = Vec::new();
    for (written, ply) in text.moves.iter().zip(1..) {
        let wrong = |why: String| format!("move {ply}, {}: {why}", written.text);
        let mv = read_move(&game, notation, &written.text).map_err(wrong)?;
        // Games from before the length limit are longer.
        game.play_recorded(mv)
            .map_err(|error| wrong(error.to_string()))?;
        moves.push(mv);
    }
    let outcome = outcome(text, &game)?;
    Ok(Replayed {
        ruleset,
        options,
        setups,
        start,
        first,
        moves,
        game,
        outcome,
    })
}

fn ruleset(text: &GameText) -> Result<(RuleSet, Vec<(String, String)>), String> {
    let id = text.tag("RuleSet").ok_or("tag RuleSet is missing")?;
    let named = RuleSet::named(id).map_err(|error| format!("tag RuleSet: {error}"))?;
    let mut ruleset = named;
    for option in text.tag("Options").unwrap_or_default().split_whitespace() {
        let (name, value) = option
            .split_once('=')
            .ok_or("tag Options: expected name=value")?;
        ruleset
            .set(name, RawValue::from_text(value))
            .map_err(|error| format!("tag Options, {name}: {error}"))?;
    }
    Ok((ruleset, rulesets::differing(&ruleset, &named)))
}

/// The setups and salts; none if the game has not come so far.
fn setups(text: &GameText, ruleset: &RuleSet) -> Result<Option<BySeat<(Setup, Salt)>>, String> {
    let sides = sides(ruleset.id());
    let said = |name: &str| {
        sides
            .iter()
            .any(|side| text.tag(&format!("{side}{name}")).is_some())
    };
    if text.moves.is_empty() && !said("Setup") && !said("Salt") {
        return Ok(None);
    }
    let one = |seat: Seat, side: &str| {
        let tag = |name: &str| {
            let name = format!("{side}{name}");
            text.tag(&name).ok_or(format!("tag {name} is missing"))
        };
        let written = tag("Setup")?;
        let setup =
            Setup::read(seat, written).map_err(|_| format!("tag {side}Setup: illegal setup"))?;
        let salt = salt_from_hex(tag("Salt")?)
            .ok_or_else(|| format!("tag {side}Salt: expected 64 hexadecimal digits"))?;
        let committed = text.tag(&format!("{side}Commitment"));
        if committed.is_some_and(|committed| committed != commitment(salt, written)) {
            return Err(format!(
                "tag {side}Commitment: does not match this setup and salt"
            ));
        }
        Ok((setup, salt))
    };
    Ok(Some(BySeat {
        first: one(Seat::First, sides[0])?,
        second: one(Seat::Second, sides[1])?,
    }))
}

fn read_move(game: &Game, notation: Notation, text: &str) -> Result<Move, String> {
    match game {
        Game::Xiangqi(play) if notation != Notation::Squares => {
            let banned = play.banned_moves().iter().map(|ban| ban.mv);
            let moves: Vec<_> = play.legal_moves().iter().copied().chain(banned).collect();
            notation
                .read(play.position(), &moves, text)
                .map_err(|error| error.to_string())
        }
        Game::Xiangqi(_) | Game::DouShouQi(_) | Game::Luzhanqi(_) => text
            .parse()
            .map_err(|_| "a move is from and to, such as a3a4".to_owned()),
    }
}

/// How the game has ended by the rules, or by what the text says of it.
fn outcome(text: &GameText, game: &Game) -> Result<Option<Outcome>, String> {
    let said = text.tag("Reason").map(|name| {
        EndReason::from_name(name).ok_or_else(|| "tag Reason: unknown reason".to_owned())
    });
    let said = said.transpose()?;
    if text
        .tag("Result")
        .is_some_and(|result| result != text.result.as_str())
    {
        return Err("tag Result: the moves end with another result".to_owned());
    }
    let taken_back = taken_back(text)?;
    let outcome = match (game.outcome(), said) {
        (Some(outcome), said) => {
            if said.is_some_and(|said| said != outcome.reason) {
                return Err(format!(
                    "tag Reason: by the rules it is {}",
                    outcome.reason.as_str()
                ));
            }
            outcome
        }
        (None, Some(EndReason::LengthLimit)) if game.plies() + taken_back >= LENGTH_LIMIT => {
            Outcome::LENGTH
        }
        (None, Some(reason)) if is_of_the_rules(reason.into()) => {
            return Err("tag Reason: by the rules the game goes on".to_owned());
        }
        (None, Some(reason)) => Outcome {
            winner: winner(text.result),
            reason,
        },
        // Other programs do not tell the reason.
        (None, None) => match text.result {
            ResultMark::None => return Ok(None),
            ResultMark::Draw => Outcome {
                winner: None,
                reason: EndReason::Agreement,
            },
            ResultMark::First | ResultMark::Second => Outcome {
                winner: winner(text.result),
                reason: EndReason::Resignation,
            },
        },
    };
    if ResultMark::of(outcome) != text.result {
        let meant = ResultMark::of(outcome).as_str();
        return Err(format!(
            "the result is {}, and the game ends with {meant}",
            text.result.as_str()
        ));
    }
    Ok(Some(outcome))
}

/// How many moves were played and taken back: they count towards the length limit.
fn taken_back(text: &GameText) -> Result<u32, String> {
    let Some(written) = text.tag("TakenBack") else {
        return Ok(0);
    };
    let most = 2 * limits::TAKEBACKS;
    let plies = written.parse().ok().filter(|plies| *plies <= most);
    plies.ok_or_else(|| format!("tag TakenBack: expected a number of plies, at most {most}"))
}

const fn winner(result: ResultMark) -> Option<Seat> {
    match result {
        ResultMark::First => Some(Seat::First),
        ResultMark::Second => Some(Seat::Second),
        ResultMark::Draw | ResultMark::None => None,
    }
}
