//! `qiguan admin adjudicate`: the end of a game that goes on, in a record that no server uses, or through the server that plays
//! it; and `qiguan admin chat`: what was said in a game.

use anyhow::Context;
use hyper::Method;
use qiguan_client::text::{printable, say};
use qiguan_environment::{Clock, Random};
use qiguan_game::{
    adjudication::Adjudication,
    audience::overseer,
    calendar,
    opening::{self, Rematch},
    people::permission::{self, Permit, Who},
    referee,
    state::State,
};
use qiguan_protocol::{
    ids::{CommandId, GameId},
    limits,
    moderation::Adjudicate,
    names::Seat,
    operation::Operation,
    overseeing::ChatLog,
    query::ResultWord,
};
use qiguan_store::store::{Append, Store};

use super::{
    GameArgs,
    game::seen,
    place::{PlaceArgs, Staffed},
    told,
};

/// Ends a running game, with or without a result. It does not count for ratings.
///
/// Without `--server` the record is changed directly. Do this only while no server runs on it: a server would notice only when it
/// reads the game again.
#[derive(clap::Args, Debug)]
pub(super) struct AdjudicateArgs {
    /// The game's id.
    game: GameId,
    /// first, second, draw or aborted.
    #[arg(value_parser = result)]
    result: ResultWord,
    /// Why, for the audit log.
    reason: String,
    #[command(flatten)]
    place: PlaceArgs,
}

/// Ends it.
///
/// # Errors
/// When there is no such game, it can't end so, or it can't be written.
pub(super) async fn adjudicate(args: &AdjudicateArgs) -> anyhow::Result<()> {
    limits::check_line("reason", &args.reason, limits::REASON_CHARACTERS).map_err(told)?;
    let command = Random::system().command_id();
    match args.place.server()? {
        Some(server) => ask(args, &server, command).await?,
        None => write(args, command).await?,
    }
    say(&format!("game {} has ended", args.game))
}

/// Prints the chat of a game, when the audit log has it on the disk.
///
/// # Errors
/// When there is no such game, the server refuses, or the record can't be read or written.
pub(super) async fn chat(asked: &GameArgs) -> anyhow::Result<()> {
    let log = seen(asked, "/chat", Operation::ReadChat, chat_in_record).await?;
    for line in log.lines {
        let player = match line.seat {
            Seat::First => &log.players.first,
            Seat::Second => &log.players.second,
        };
        let name = player.as_ref().map_or("", |player| player.name.as_str());
        let name = printable(name);
        let shadow_muted = if line.shadow_muted {
            " (shadow_muted)"
        } else {
            ""
        };
        let (ply, said) = (line.ply, printable(&line.text));
        say(&format!(
            "{} ply {ply} {name}{shadow_muted}: {said}",
            calendar::stamp(line.at)
        ))?;
    }
    for line in log.spectators {
        let name = printable(&line.player.name);
        let shadow_muted = if line.shadow_muted {
            " (shadow_muted)"
        } else {
            ""
        };
        let said = printable(&line.text);
        say(&format!(
            "{} spectator {name}{shadow_muted}: {said}",
            calendar::stamp(line.at)
        ))?;
    }
    Ok(())
}

async fn chat_in_record(store: &Store, state: State, permit: &Permit) -> anyhow::Result<ChatLog> {
    let said = store.lines_of_game(state.id).await?;
    overseer::chat_log(&state, &said, permit).map_err(told)
}

async fn ask(args: &AdjudicateArgs, server: &Staffed, command: CommandId) -> anyhow::Result<()> {
    let asked = Adjudicate {
        command,
        result: args.result,
        reason: args.reason.clone(),
    };
    let path = format!("/api/games/{}/adjudicate", args.game);
    server.does(Method::POST, &path, &asked).await?;
    Ok(())
}

async fn write(args: &AdjudicateArgs, command: CommandId) -> anyhow::Result<()> {
    let store = args.place.records.open_existing().await?;
    let record = store.game(args.game).await?;
    let record = record.context("no such game")?;
    let state = State::fold(args.game, record.events)?;
    let permit = permission::permit(Who::Operator, Operation::Adjudicate).map_err(told)?;
    let now = Clock::system().now();
    let (game, reason) = (args.game, args.reason.clone());
    let noted = (Random::system().audit_id(), now);
    let adjudication = Adjudication::new(permit, game, args.result, reason, noted);
    let decision =
        referee::adjudicate(&state, &adjudication, now).map_err(|refusal| told(refusal.into()))?;
    let events = referee::number(state.seq(), now, Some(command), decision.bodies);
    let entries = opening::append(&state, &events, &Rematch::default(), now)?;
    let append = Append {
        audit_entry: decision.audit_entry,
        ..Append::new("adjudicate", entries)
    };
    let written = store.append(&[append]).await;
    store.close().await;
    Ok(written.into_iter().collect::<Result<(), _>>()?)
}

fn result(text: &str) -> Result<ResultWord, String> {
    match text {
        "first" => Ok(ResultWord::First),
        "second" => Ok(ResultWord::Second),
        "draw" => Ok(ResultWord::Draw),
        "aborted" => Ok(ResultWord::Aborted),
        _ => Err("expected first, second, draw or aborted".to_owned()),
    }
}
