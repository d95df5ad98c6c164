//! How a game begins: from the command line to the request to the server.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context;
use qiguan_environment::Random;
use qiguan_protocol::{delay::SpectatorDelay, names::SeatChoice, option::OptionValue};
use serde_json::{Value, json};

use super::{PlayArgs, looking::Looking};
use crate::{delay, time_control};

/// What to begin with.
pub(super) enum Opening {
    /// A new game.
    Create(Value),
    /// Somebody to play with.
    Look(Box<Looking>),
}

/// What the command line asks for; none to join a game or come back to one.
pub(super) fn wanted(args: &PlayArgs, names_game: bool) -> anyhow::Result<Option<Opening>> {
    let asked = args.new_game().is_some() || args.seek.is_some();
    anyhow::ensure!(
        !(asked && names_game),
        "--new, --computer and --seek are for a server; this is the address of a game"
    );
    anyhow::ensure!(
        asked || names_game,
        "give a game (SERVER/games/ID), open one with --new, play the computer with --computer LEVEL, or look for an opponent with --seek"
    );
    Ok(match (args.new_game(), &args.seek) {
        (Some(ruleset), _) => Some(Opening::Create(create(args, ruleset)?)),
        (None, Some(ruleset)) => Some(Opening::Look(Box::new(look(args, ruleset)?))),
        (None, None) => None,
    })
}

fn create(args: &PlayArgs, ruleset: &str) -> anyhow::Result<Value> {
    let mut options = BTreeMap::new();
    for option in &args.option {
        let (name, value) = option
            .split_once('=')
            .with_context(|| format!("{option} is not NAME=VALUE"))?;
        let value = match (value, value.parse()) {
            ("true", _) => OptionValue::Bool(true),
            ("false", _) => OptionValue::Bool(false),
            (_, Ok(number)) => OptionValue::Number(number),
            (word, Err(_)) => OptionValue::Word(word.to_owned()),
        };
        options.insert(name, value);
    }
    let mut time_control = time_control::parse(args.time())?;
    time_control.setup_ms = args
        .setup_time
        .as_deref()
        .map(time_control::parse_span)
        .transpose()?;
    let mut data = json!({
        "command": Random::system().command_id(),
        "ruleset": ruleset,
        "options": options,
        "time_control": time_control,
        "seat": args.seat,
        "visibility": if args.link { "link" } else { "public" },
        "rated": args.rated,
    });
    if let Some(level) = args.computer {
        data["computer"] = json!(level);
        data["practice"] = json!(args.practice);
    }
    if let Some(start) = &args.position {
        data["start"] = json!(start);
    }
    if let Some(name) = &args.challenge {
        data["to"] = json!(name);
    }
    if let Some(delay) = spectator_delay(args)? {
        data["spectator_delay"] = json!(delay);
    }
    Ok(data)
}

fn spectator_delay(args: &PlayArgs) -> anyhow::Result<Option<SpectatorDelay>> {
    let written = args.spectator_delay.as_deref();
    written.map_or(Ok(None), delay::parse)
}

fn look(args: &PlayArgs, ruleset: &str) -> anyhow::Result<Looking> {
    let time_control = time_control::parse(args.time())?;
    let seat = match args.seat.as_str() {
        "first" => SeatChoice::First,
        "second" => SeatChoice::Second,
        "random" => SeatChoice::Random,
        other => anyhow::bail!("{other}: expected first, second or random"),
    };
    let spectator_delay = spectator_delay(args)?;
    let (pool, data) = if args.quick {
        let data = json!({"ruleset": ruleset, "time": args.time(), "rated": args.rated});
        (Some(args.time().to_owned()), data)
    } else {
        let mut data = json!({
            "ruleset": ruleset, "time_control": time_control, "seat": args.seat, "rated": args.rated,
        });
        if let Some(delay) = spectator_delay {
            data["spectator_delay"] = json!(delay);
        }
        (None, data)
    };
    Ok(Looking {
        ruleset: ruleset.to_owned(),
        clock: time_control.clock,
        seat,
        rated: args.rated,
        spectator_delay,
        pool,
        data,
        fitting: BTreeSet::new(),
        asked: None,
        own: None,
        command: json!(Random::system().command_id()),
    })
}
