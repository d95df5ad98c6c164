//! `qiguan admin maintenance` and `notice`: announcements.

use hyper::Method;
use qiguan_client::text::say;
use qiguan_environment::Clock;
use qiguan_protocol::{
    announcement::{PutUpNotice, StartMaintenance},
    audit::Why,
    operation::Operation,
};
use qiguan_server::jobs::announcements;
use qiguan_store::announcements::{Announcement, Kind};

use super::{WhyArgs, act, place::PlaceArgs, told};

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

/// Where a server is asked for maintenance.
const MAINTENANCE: &str = "/api/admin/maintenance";
/// Where it is asked for a notice.
const NOTICE: &str = "/api/admin/notice";

pub(super) async fn maintenance(args: &MaintenanceArgs) -> anyhow::Result<()> {
    match args {
        MaintenanceArgs::Start { message, rest } => {
            if let Some(server) = rest.place.server()? {
                let asked = StartMaintenance {
                    message: message.clone(),
                    reason: rest.why.read()?,
                };
                server.does(Method::PUT, MAINTENANCE, &asked).await?;
            } else {
                let now = Clock::system().now();
                let announcement =
                    announcements::maintenance(message.clone(), now).map_err(told)?;
                let what = (Operation::StartMaintenance, Kind::Maintenance);
                put(rest, what, Some(announcement)).await?;
            }
            say("no new games can be started")
        }
        MaintenanceArgs::End { rest } => {
            let what = (Operation::EndMaintenance, Kind::Maintenance);
            end(rest, MAINTENANCE, what).await?;
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
            if let Some(server) = rest.place.server()? {
                let asked = PutUpNotice {
                    text: text.clone(),
                    minutes: *minutes,
                    reason: rest.why.read()?,
                };
                server.does(Method::PUT, NOTICE, &asked).await?;
            } else {
                let now = Clock::system().now();
                let announcement =
                    announcements::notice(text.clone(), *minutes, now).map_err(told)?;
                let what = (Operation::PutUpNotice, Kind::Notice);
                put(rest, what, Some(announcement)).await?;
            }
            say("the notice is shown to everybody")
        }
        NoticeArgs::Remove { rest } => {
            let what = (Operation::TakeDownNotice, Kind::Notice);
            end(rest, NOTICE, what).await?;
            say("there is no text to show")
        }
    }
}

async fn end(rest: &Rest, path: &str, what: (Operation, Kind)) -> anyhow::Result<()> {
    let Some(server) = rest.place.server()? else {
        return put(rest, what, None).await;
    };
    let reason = rest.why.read()?;
    server.does(Method::DELETE, path, &Why { reason }).await?;
    Ok(())
}

async fn put(
    rest: &Rest,
    (operation, kind): (Operation, Kind),
    announcement: Option<Announcement>,
) -> anyhow::Result<()> {
    let store = rest.place.records.open_existing().await?;
    let text = announcement.as_ref().map(|it| it.text.clone());
    let act = act(operation, rest.why.read()?)?.with(text.unwrap_or_default());
    let put = store.announce(kind, announcement, act).await;
    store.close().await;
    anyhow::ensure!(put?, "could not be stored");
    Ok(())
}
