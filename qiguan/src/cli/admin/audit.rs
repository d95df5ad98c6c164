//! `qiguan admin audit`: shows the audit log of a record.

use qiguan_client::text::say;
use qiguan_game::calendar;
use qiguan_protocol::{
    audit::{AuditId, AuditPage},
    ids::{GameId, Millis},
    names::Player,
    operation::Operation,
};
use qiguan_store::audit_log::{AuditFilter, NamedAuditEntry};

use super::{
    known,
    place::{PlaceArgs, Staffed},
};

/// How many entries a server sends at once.
const PAGE: u32 = 100;

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
    place: PlaceArgs,
}

/// Prints the entries, the newest first, each on a line: when, what, by whom, to whom or what, why.
///
/// # Errors
/// When the record can't be read, the server refuses, or there is no account of a name.
pub(super) async fn audit(args: &AuditArgs) -> anyhow::Result<()> {
    let lines = match args.place.server()? {
        Some(server) => on_server(args, &server).await?,
        None => in_record(args).await?,
    };
    for line in lines {
        say(&line)?;
    }
    Ok(())
}

async fn in_record(args: &AuditArgs) -> anyhow::Result<Vec<String>> {
    let store = args.place.records.open_existing().await?;
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
    let line = |NamedAuditEntry { entry, by, player }: NamedAuditEntry| {
        let line = Line {
            id: entry.id,
            at: entry.at,
            operation: entry.operation,
            by: entry.by.map(|_| by),
            player: entry.player.map(|_| player),
            game: entry.game,
            texts: [&entry.details, &entry.reason],
        };
        line.shown()
    };
    Ok(entries?.into_iter().map(line).collect())
}

async fn on_server(args: &AuditArgs, server: &Staffed) -> anyhow::Result<Vec<String>> {
    let mut filters = String::new();
    for (key, name) in [("by", &args.by), ("player", &args.player)] {
        if let Some(name) = name {
            let id = server.account(name).await?.id;
            filters += &format!("&{key}={id}");
        }
    }
    if let Some(game) = args.game {
        filters += &format!("&game={game}");
    }
    if let Some(operation) = args.operation {
        filters += &format!("&operation={}", operation.as_str());
    }
    let mut before = args.before;
    let mut lines = Vec::new();
    loop {
        let wanted = args.limit.saturating_sub(lines.len() as u32).min(PAGE);
        let from = before.map_or_else(String::new, |before| format!("&before={}", before.0));
        let path = format!("/api/admin/audit?limit={wanted}{filters}{from}");
        let page: AuditPage = server.shows(&path).await?;
        let is_empty = page.entries.is_empty();
        lines.extend(page.entries.iter().map(|entry| {
            let name = |player: &Player| Some(player.name.clone());
            let line = Line {
                id: entry.id,
                at: entry.at,
                operation: entry.operation,
                by: entry.by.as_ref().map(name),
                player: entry.player.as_ref().map(name),
                game: entry.game,
                texts: [&entry.details, &entry.reason],
            };
            line.shown()
        }));
        before = page.before;
        if before.is_none() || is_empty || lines.len() >= args.limit as usize {
            return Ok(lines);
        }
    }
}

/// An entry as it is shown, from the record or from a server. Who has no name any more is somebody; nobody is the operator.
struct Line<'a> {
    id: AuditId,
    at: Millis,
    operation: Operation,
    by: Option<Option<String>>,
    player: Option<Option<String>>,
    game: Option<GameId>,
    texts: [&'a str; 2],
}

impl Line<'_> {
    fn shown(self) -> String {
        let named = |name: Option<String>| name.unwrap_or_else(|| "somebody".to_owned());
        let mut line = format!(
            "{} {} {} by ",
            self.id.0,
            calendar::stamp(self.at),
            self.operation.as_str()
        );
        line += &self.by.map_or_else(|| "the operator".to_owned(), named);
        if let Some(player) = self.player {
            line += &format!(", to {}", named(player));
        }
        if let Some(game) = self.game {
            line += &format!(", game {game}");
        }
        for text in self.texts.into_iter().filter(|text| !text.is_empty()) {
            line += &format!(": {text}");
        }
        line
    }
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
