//! The contents of a game's text, from the spectators' view of the game.

use std::collections::BTreeMap;

use qiguan_protocol::{
    catalog::value_of,
    event::{EventFrame, GameEvent},
    ids::{Millis, Ply},
    names::{self, Seat},
    option::OptionValue,
    view::GameView,
};
use qiguan_rules::{
    EndReason, Game, Move, Outcome, RuleSet,
    xiangqi::{self, notation::Notation},
};

use super::{GameText, ResultMark, WrittenMove, sides, spans};
use crate::{given_start, rulesets};

/// What a game's text says: its view and all its events as spectators see them. `site` is where it was played.
pub fn tell(
    view: &GameView,
    events: &[EventFrame],
    notation: Notation,
    site: Option<&str>,
) -> GameText {
    let result = view
        .outcome
        .map(outcome)
        .map_or(ResultMark::None, ResultMark::of);
    GameText {
        tags: tags(view, events, notation, site, result),
        moves: moves(view, events, notation),
        result,
    }
}

fn outcome(told: names::Outcome) -> Outcome {
    Outcome {
        winner: told.winner.map(Into::into),
        reason: EndReason::from(told.reason),
    }
}

fn tags(
    view: &GameView,
    events: &[EventFrame],
    notation: Notation,
    site: Option<&str>,
    result: ResultMark,
) -> Vec<(String, String)> {
    let mut tags: Vec<(String, String)> = Vec::new();
    let mut tag = |name: &str, value: String| tags.push((name.to_owned(), value));
    let (day, time) = spans::day(view.created_at);
    let event = match (view.rated, view.practice) {
        (true, _) => "Rated game",
        (false, true) => "Practice game",
        (false, false) => "Casual game",
    };
    tag("Event", event.to_owned());
    tag("Site", site.unwrap_or("?").to_owned());
    tag("Date", day);
    tag("Round", "-".to_owned());
    let sides = [Seat::First, Seat::Second]
        .into_iter()
        .zip(sides(&view.ruleset));
    for (seat, side) in sides.clone() {
        let player = view.players.get(seat).as_ref();
        let name = player.map_or("?", |player| player.name.as_str());
        tag(side, name.to_owned());
    }
    tag("Result", result.as_str().to_owned());
    tag("UTCTime", time);
    tag("GameId", view.game.to_string());
    tag("RuleSet", view.ruleset.clone());
    let options = changed_options(view);
    if !options.is_empty() {
        tag("Options", options);
    }
    if let Some(start) = &view.start {
        // PGN says so of every game that begins elsewhere.
        tag("SetUp", "1".to_owned());
        tag("FEN", start.clone());
    }
    tag("TimeControl", spans::time_control(&view.time_control.clock));
    if let Some(absence) = view.time_control.absence_ms {
        tag("AbsenceTime", spans::seconds(absence));
    }
    if let Some(setup) = view.time_control.setup_ms {
        tag("SetupTime", spans::seconds(setup));
    }
    if let Some(delay) = view.spectator_delay {
        tag("SpectatorDelay", spans::spectator_delay(delay));
    }
    if !view.takebacks.is_empty() {
        tag("TakenBack", view.takebacks.plies.to_string());
    }
    if let Some(outcome) = view.outcome {
        tag(
            "Reason",
            EndReason::from(outcome.reason).as_str().to_owned(),
        );
    }
    if let Some(at) = ended_at(events) {
        let (day, time) = spans::day(at);
        tag("EndDate", day);
        tag("EndTime", time);
    }
    for (seat, side) in sides.clone() {
        let Some(player) = view.players.get(seat) else {
            continue;
        };
        if let Some(rating) = player.rating {
            let provisional = if rating.provisional { "?" } else { "" };
            tag(
                &format!("{side}Rating"),
                format!("{}{provisional}", rating.value),
            );
        }
        if player.bot {
            tag(&format!("{side}Title"), "BOT".to_owned());
        }
    }
    if notation != Notation::Squares && view.ruleset.starts_with("xiangqi/") {
        tag("Notation", notation.as_str().to_owned());
    }
    if let Some(setup) = &view.setup {
        for (seat, side) in sides {
            if let Some(revealed) = &setup.revealed {
                tag(&format!("{side}Setup"), revealed.get(seat).setup.clone());
                tag(&format!("{side}Salt"), revealed.get(seat).salt.clone());
            }
            if let Some(commitments) = &setup.commitments {
                tag(&format!("{side}Commitment"), commitments.get(seat).clone());
            }
        }
    }
    tags
}

/// The options that are not those of the rule set: `quiet_limit=0 shore_capture=none`.
fn changed_options(view: &GameView) -> String {
    let own: BTreeMap<_, _> = RuleSet::named(&view.ruleset)
        .map(|ruleset| ruleset.values().collect())
        .unwrap_or_default();
    let changed = view.options.iter().filter(|(name, value)| {
        own.get(name.as_str()).map(|own| value_of(*own)).as_ref() != Some(*value)
    });
    let written = changed.map(|(name, value)| match value {
        OptionValue::Bool(value) => format!("{name}={value}"),
        OptionValue::Number(value) => format!("{name}={value}"),
        OptionValue::Word(value) => format!("{name}={value}"),
    });
    written.collect::<Vec<_>>().join(" ")
}

fn ended_at(events: &[EventFrame]) -> Option<Millis> {
    let ended = |event: &&EventFrame| matches!(event.event, GameEvent::Ended { .. });
    events.iter().find(ended).map(|event| event.at)
}

fn moves(view: &GameView, events: &[EventFrame], notation: Notation) -> Vec<WrittenMove> {
    let mut left: BTreeMap<Ply, Millis> = BTreeMap::new();
    for event in events {
        if let GameEvent::Moved {
            seat, ply, clocks, ..
        } = &event.event
            && let Some(both) = clocks.left
        {
            left.insert(*ply, both.get(*seat).ms);
        }
    }
    let mut written = Written::of(view, notation);
    let moves = view.moves.iter().map(|played| WrittenMove {
        text: written.next(&played.text),
        took: Some(played.spent_ms),
        left: left.get(&played.ply).copied(),
    });
    moves.collect()
}

/// Moves as a notation writes them, one after the other.
enum Written {
    /// As they travel.
    Squares,
    /// As Xiangqi has them; none once a move could not be played.
    Xiangqi(Notation, Option<Box<xiangqi::Play>>),
}

impl Written {
    fn of(view: &GameView, notation: Notation) -> Self {
        let game = RuleSet::named(&view.ruleset).ok().and_then(|mut ruleset| {
            for (name, value) in &view.options {
                // What the game is played with, its rule set takes.
                let _ = ruleset.set(name, rulesets::raw(Some(value)));
            }
            given_start::begin(&ruleset, view.start.as_deref()).ok()
        });
        match game {
            Some(Game::Xiangqi(play)) if notation != Notation::Squares => {
                Self::Xiangqi(notation, Some(play))
            }
            _ => Self::Squares,
        }
    }

    fn next(&mut self, text: &str) -> String {
        let Self::Xiangqi(notation, game) = self else {
            return text.to_owned();
        };
        let mv = text.parse::<Move>().ok();
        let written = game
            .as_ref()
            .zip(mv)
            .and_then(|(play, mv)| notation.write(play.position(), mv));
        // How moves are written follows from the position alone: bans and ends are not asked.
        *game = game.take().zip(mv).and_then(|(play, mv)| {
            let mut after = play;
            after.play_unchecked(mv)?;
            Some(after)
        });
        written.unwrap_or_else(|| text.to_owned())
    }
}
