//! `qiguan admin maintenance` and `notice`: announcements.

use hyper::Method;
use qiguan_client::text::say;
use qiguan_environment::Clock;
use qiguan_protocol::{
    announcement::{PutUpNotice, StartMaintenance},
    audit::Why,
    error::ApiError,
    ids::Millis,
    operation::Operation,
};
use qiguan_server::jobs::announcements;
use qiguan_store::announcements::{Announcement, Kind};
use serde::Serialize;

use super::{WhyArgs, audit_entry, place::PlaceArgs, told};

/// Whether new games can be opened.
#[derive(clap::Subcommand, Debug)]
pub(super) enum MaintenanceArgs {
    /// No new games from now on.
    Start {
        /// The text that everybody sees.
        message: String,
        #[command(flatten)]
        rest: Rest,
    },
    /// Games can be opened again.
    End {
        #[command(flatten)]
        rest: Rest,
    },
}

/// What there is to read.
#[derive(clap::Subcommand, Debug)]
pub(super) enum NoticeArgs {
    /// Shows a notice, replacing the current one.
    Put {
        /// What it says.
        text: String,
        /// For how many minutes later visitors see it as well.
        #[arg(long, default_value_t = 60)]
        minutes: u32,
        #[command(flatten)]
        rest: Rest,
    },
    /// Removes the notice early.
    Remove {
        #[command(flatten)]
        rest: Rest,
    },
}

#[derive(clap::Args, Debug)]
pub(super) struct Rest {
    #[command(flatten)]
    why: WhyArgs,
    #[command(flatten)]
    place: PlaceArgs,
}

pub(super) async fn maintenance(args: &MaintenanceArgs) -> anyhow::Result<()> {
    match args {
        MaintenanceArgs::Start { message, rest } => {
            let message = || message.clone();
            let request = StartMaintenance {
                message: message(),
                reason: rest.why.read()?,
            };
            let make = |now| announcements::maintenance(message(), now);
            let what = (Operation::StartMaintenance, Kind::Maintenance);
            announce(rest, what, &request, Some(make)).await?;
            say("no new games can be started")
        }
        MaintenanceArgs::End { rest } => {
            end(rest, (Operation::EndMaintenance, Kind::Maintenance)).await?;
            say("games can be started again")
        }
    }
}

pub(super) async fn notice(args: &NoticeArgs) -> anyhow::Result<()> {
    match args {
        NoticeArgs::Put {
            text,
            minutes,
            rest,
        } => {
            let request = PutUpNotice {
                text: text.clone(),
                minutes: *minutes,
                reason: rest.why.read()?,
            };
            let make = |now| announcements::notice(text.clone(), *minutes, now);
            let what = (Operation::PutUpNotice, Kind::Notice);
            announce(rest, what, &request, Some(make)).await?;
            say("the notice is shown to everybody")
        }
        NoticeArgs::Remove { rest } => {
            end(rest, (Operation::TakeDownNotice, Kind::Notice)).await?;
            say("there is no text to show")
        }
    }
}

/// How an announcement is made at a time.
type Make = fn(Millis) -> Result<Announcement, ApiError>;

async fn end(rest: &Rest, what: (Operation, Kind)) -> anyhow::Result<()> {
    let reason = rest.why.read()?;
    announce(rest, what, &Why { reason }, None::<Make>).await
}

/// Sends the request to a server, or puts the announcement into the record in place of the one of its kind.
async fn announce(
    rest: &Rest,
    (operation, kind): (Operation, Kind),
    request: &impl Serialize,
    make: Option<impl FnOnce(Millis) -> Result<Announcement, ApiError>>,
) -> anyhow::Result<()> {
    if let Some(server) = rest.place.server()? {
        let method = make.map_or(Method::DELETE, |_| Method::PUT);
        let path = format!("/api/admin/{}", kind.as_str());
        server.does(method, &path, request).await?;
        return Ok(());
    }
    let announcement = make.map(|make| make(Clock::system().now())).transpose();
    let announcement = announcement.map_err(told)?;
    let store = rest.place.records.open_existing().await?;
    let text = announcement.as_ref().map(|it| it.text.clone());
    let audit_entry = audit_entry(operation, rest.why.read()?)?.with(text.unwrap_or_default());
    let put = store.announce(kind, announcement, audit_entry).await;
    store.close().await;
    anyhow::ensure!(put?, "could not be stored");
    Ok(())
}
