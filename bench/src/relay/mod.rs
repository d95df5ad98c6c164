//! The baseline: what any server of this kind has to do at least, and nothing else.
//!
//! It takes a move from the player whose turn it is and copies it to everybody in the room. It knows no rules, no
//! accounts, no clocks; with `--journal` it appends each move to a record through the server's own journal, and copies it
//! only once it is durable.

mod connection;
mod ledger;
mod room;

use std::{io::Write, sync::Arc};

use anyhow::Result;
use tokio::net::TcpListener;

use self::{ledger::Ledger, room::Rooms};

/// How the relay is started.
#[derive(clap::Args)]
pub(crate) struct RelayArgs {
    /// Append each move to this record and wait until it is durable: `sqlite:` and a path, or `postgres://`.
    #[arg(long, value_name = "URL")]
    journal: Option<String>,
    /// Make what goes out so many bytes long, by blanks at the end; 0 for as it came in.
    #[arg(long, default_value_t = 0, value_name = "BYTES")]
    payload: usize,
}

/// What every connection needs.
struct Relay {
    rooms: Rooms,
    ledger: Option<Ledger>,
    payload: usize,
}

/// Relays until it is killed.
///
/// # Errors
/// When the record can't be opened or there is nowhere to listen.
pub(crate) fn run(args: RelayArgs) -> Result<()> {
    // Pinned to one core, a single thread and tokio's default runtime differ by less than the rounds do.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(serve(args))
}

async fn serve(args: RelayArgs) -> Result<()> {
    let ledger = match &args.journal {
        Some(url) => Some(Ledger::open(url).await?),
        None => None,
    };
    let relay = Arc::new(Relay {
        rooms: Rooms::default(),
        ledger,
        payload: args.payload,
    });
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    writeln!(std::io::stdout(), "listening on http://{address}")?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let relay = Arc::clone(&relay);
        tokio::spawn(async move {
            if let Err(error) = connection::serve(&relay, stream).await {
                // The load generator sees its connection closed; this says why.
                let _ = writeln!(std::io::stderr(), "relay: {error:#}");
            }
        });
    }
}
