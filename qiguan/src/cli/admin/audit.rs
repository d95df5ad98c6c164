//! `qiguan admin audit`: shows the audit log of a record.

use qiguan_client::text::say;
use qiguan_game::calendar;
use qiguan_protocol::{audit::AuditId, ids::GameId, operation::Operation};
use qiguan_store::audit_log::{AuditFilter, NamedAuditEntry};

use super::known;
use crate::cli::records::RecordsArgs;

/// Which entries; all conditions hold together.
#[derive(clap::Args, Debug)]
pub(super) struct AuditArgs {
    /// Only entries by this account.
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// Only entries about this account.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Only entries about this game.
    #[arg(long, value_name = "ID")]
    game: Option<GameId>,
    /// Only this operation, such as ban or withdraw.
    #[arg(long, value_parser = operation, value_name = "WHAT")]
    operation: Option<Operation>,
    /// Only entries before this one.
    #[arg(long, value_parser = entry, value_name = "ID")]
    before: Option<AuditId>,
    /// How many.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
    #[command(flatten)]
    records: RecordsArgs,
}

/// Prints the entries, the newest first, each on a line: when, what, by whom, to whom or what, why.
///
/// # Errors
/// When the record can't be read, or there is no account of a name.
pub(super) async fn audit(args: &AuditArgs) -> anyhow::Result<()> {
    let store = args.records.open_existing().await?;
    let mut people = [None, None];
    for (place, name) in people.iter_mut().zip([&args.by, &args.player]) {
        if let Some(name) = name {
            *place = Some(known(store.as_ref(), name).await?.id);
        }
    }
    let [by, player] = people;
    let filter = AuditFilter {
        by,
        player,
        game: args.game,
        operation: args.operation,
        before: args.before,
        limit: args.limit,
        ..AuditFilter::default()
    };
    let entries = store.audit_log(&filter).await;
    store.close().await;
    for entry in entries? {
        say(&line_of(&entry))?;
    }
    Ok(())
}

fn line_of(NamedAuditEntry { entry, by, player }: &NamedAuditEntry) -> String {
    let named = |name: &Option<String>| name.clone().unwrap_or_else(|| "somebody".to_owned());
    let mut line = format!(
        "{} {} {} by ",
        entry.id.0,
        calendar::stamp(entry.at),
        entry.operation.as_str()
    );
    line += &entry
        .by
        .map_or_else(|| "the operator".to_owned(), |_| named(by));
    if entry.player.is_some() {
        line += &format!(", to {}", named(player));
    }
    if let Some(game) = entry.game {
        line += &format!(", game {game}");
    }
    for text in [&entry.details, &entry.reason] {
        if !text.is_empty() {
            line += &format!(": {text}");
        }
    }
    line
}

fn operation(text: &str) -> Result<Operation, String> {
    Operation::from_name(text).ok_or_else(|| {
        let all: Vec<_> = Operation::ALL.iter().map(|one| one.as_str()).collect();
        format!("one of {}", all.join(", "))
    })
}

fn entry(text: &str) -> Result<AuditId, uuid::Error> {
    text.parse().map(AuditId)
}
