//! `qiguan-bench replay`: the moves of an archive, played by the rules alone. What a check of the whole record is held against.

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::PathBuf,
};

use anyhow::{Context, Result};
use qiguan_archive::line::{self, ArchiveLine};
use qiguan_game::{event::Body, rulesets};
use qiguan_rules::{Game, Move};

use crate::{load, stopwatch::Stopwatch};

/// Which archive.
#[derive(clap::Args)]
pub(crate) struct ReplayArgs {
    /// The archive.
    file: PathBuf,
}

/// Replays, and prints the plies and the seconds that they took as JSON. Reading is not counted.
///
/// # Errors
/// When the archive can't be read, or a move can't be played.
pub(crate) fn run(args: &ReplayArgs) -> Result<()> {
    let mut games = Vec::new();
    for text in BufReader::new(File::open(&args.file)?).split(b'\n') {
        if let Some(ArchiveLine::Game(archived)) = line::read(&text?)? {
            games.push(read(archived.events)?);
        }
    }
    let watch = Stopwatch::start();
    let mut plies = 0_u64;
    for (mut game, moves) in games {
        for mv in moves {
            game.play(mv)?;
            plies += 1;
        }
    }
    load::print(&(plies, watch.elapsed().as_secs_f64()))
}

/// A game before its first move, and its moves.
fn read(events: Vec<qiguan_game::event::Event>) -> Result<(Game, Vec<Move>)> {
    let mut game = None;
    let mut ruleset = None;
    let mut moves = Vec::new();
    for event in events {
        match event.body {
            Body::Created(created) => {
                let named = rulesets::from_record(&created.ruleset, &created.options)
                    .map_err(|error| anyhow::anyhow!("{error:?}"))?;
                game = Some(Game::start(&named));
                ruleset = Some(named);
            }
            Body::Started {
                setups: Some(setups),
                ..
            } => {
                game = ruleset
                    .as_ref()
                    .and_then(|ruleset| Game::set_up(ruleset, &setups.0));
            }
            Body::Moved { mv, .. } => moves.push(mv),
            _ => {}
        }
    }
    Ok((game.context("a game begins")?, moves))
}
