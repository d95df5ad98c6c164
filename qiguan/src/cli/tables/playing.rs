//! Plays random endings to their ends with a player that has tables, and looks whether a move gives half a point away.

use std::{fmt, sync::Arc};

use anyhow::{Context, ensure};
use qiguan_engine::{
    Draws, Limits, Player,
    tables::{Endings, Tables, Value},
};
use qiguan_rules::{
    Game, Move, RuleSet, Seat,
    doushouqi::{Piece, Play, Position, board},
};

use super::{GO_ON, TablesArgs};
use crate::cli::progress::Progress;

/// How much is searched where tables leave more than one move.
const LIMITS: Limits = Limits {
    nodes: 2_000,
    depth: 12,
};

/// How the games ended, for the player with tables.
#[derive(Debug, Default)]
pub(super) struct Played {
    positions: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    /// Drawn by the tables, and lost for want of a drawing move that was not banned: against tables, and against random moves.
    lost_by_bans: [u32; 2],
    moves: u64,
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            positions,
            won,
            drawn,
            lost,
            lost_by_bans,
            moves,
        } = self;
        write!(
            f,
            "{positions} random positions ({won} won, {drawn} drawn, {lost} lost by the tables), each played against a player with tables \
             and against random moves: no half point given away in {moves} moves; of the draws {} and {} were lost because all that drew was banned",
            lost_by_bans[0], lost_by_bans[1]
        )
    }
}

/// Plays the positions.
///
/// # Errors
/// When a move gives something away, or a position is in no table.
pub(super) fn play(
    ruleset: &RuleSet,
    endings: &Arc<Endings>,
    args: &TablesArgs,
) -> anyhow::Result<Played> {
    let tables = endings.of_ruleset(ruleset).context("no tables")?;
    let player = Player::new(1).with_endings(Arc::clone(endings));
    let mut draws = Draws::new(args.seed);
    let mut progress = Progress::new("positions", Some(args.verify_random.into()));
    let mut played = Played::default();
    while played.positions < args.verify_random {
        let position = drawn_position(&mut draws, args.pieces.into());
        let start = Game::from_fen(ruleset, &position.fen()).context("a position")?;
        if start.outcome().is_some() {
            continue;
        }
        played.positions += 1;
        progress.advance(1);
        let seat = position.turn();
        let value = tables.probe(&position).context("a position in no table")?;
        match value {
            Value::Win(_) => played.won += 1,
            Value::Draw => played.drawn += 1,
            Value::Loss(_) => played.lost += 1,
        }
        for knows in [[true, true], [true, false]] {
            let mut game = start.clone();
            while game.outcome().is_none() {
                let is_ours = game.turn() == seat;
                let mv = if knows[usize::from(!is_ours)] {
                    played.moves += 1;
                    best(&player, tables, &game)?
                } else {
                    let legal = game.legal_moves();
                    *legal.get(draws.below(legal.len())).context("no move")?
                };
                game.play(mv).context("an illegal move")?;
            }
            let winner = game.outcome().and_then(|outcome| outcome.winner);
            match value {
                Value::Win(_) => ensure!(winner == Some(seat), "{} was not won", position.fen()),
                Value::Draw if winner == Some(seat.other()) => {
                    played.lost_by_bans[usize::from(!knows[1])] += 1;
                }
                Value::Draw | Value::Loss(_) => {}
            }
        }
    }
    progress.end();
    Ok(played)
}

/// The player's move, once it is known that no legal one is worth more.
fn best(player: &Player, tables: &Tables, game: &Game) -> anyhow::Result<Move> {
    let Game::DouShouQi(play) = game else {
        anyhow::bail!("another game");
    };
    let found = player.best(game, &[], LIMITS, &GO_ON, |_| {});
    let found = found.context("no move")?;
    let chosen = *found.moves.first().context("no move")?;
    let moves = tables.moves(play).context("a position in no table")?;
    let worth = |mv: Move| moves.iter().find(|(other, _)| *other == mv);
    let (_, value) = worth(chosen).context("an illegal move")?;
    let (best, most) = moves.first().context("no move")?;
    ensure!(
        half_points(play, *value) >= half_points(play, *most),
        "{}: {chosen} ({value:?}) was played, though {best} is {most:?}",
        game.fen()
    );
    Ok(chosen)
}

/// What a value promises in a game: what would be decided after the quiet limit is drawn.
fn half_points(play: &Play, value: Value) -> u8 {
    let is_in_time =
        |plies: u8| play.history().quiet_plies() + u32::from(plies) <= play.options().quiet_limit;
    match value {
        Value::Win(plies) if is_in_time(plies) => 2,
        Value::Loss(plies) if is_in_time(plies) => 0,
        Value::Win(_) | Value::Draw | Value::Loss(_) => 1,
    }
}

/// A position with so many animals at most, at least one of either side, in which nobody has won.
fn drawn_position(draws: &mut Draws, most: usize) -> Position {
    let animals = 2 + draws.below(most.saturating_sub(1));
    let turn = if draws.below(2) == 0 {
        Seat::First
    } else {
        Seat::Second
    };
    let mut placed: Vec<(Seat, Piece, u8)> = Vec::new();
    while placed.len() < animals {
        let seat = match placed.len() {
            0 => Seat::First,
            1 => Seat::Second,
            _ if draws.below(2) == 0 => Seat::First,
            _ => Seat::Second,
        };
        let piece = Piece::ALL[draws.below(Piece::ALL.len())];
        let square = draws.below(board::SQUARES) as u8;
        let water = if piece == Piece::Rat { 0 } else { board::RIVER };
        let closed = board::DEN[0] | board::DEN[1] | water;
        let is_taken = placed
            .iter()
            .any(|(side, other, at)| *at == square || (*side, *other) == (seat, piece));
        if !is_taken && closed & board::bit(square) == 0 {
            placed.push((seat, piece, square));
        }
    }
    Position::placed(turn, placed)
}
