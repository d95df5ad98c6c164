//! Small writes beside the events of games. They share the journal's transactions, so that none costs a flush of its own.

use qiguan_game::{connection_log::ConnectionEvent, spectator_line::SpectatorLine};
use qiguan_protocol::ids::{GameId, Millis};

use crate::{
    absences::Absence,
    connection_log,
    db::{Db, Failed, pass},
    drafts::{self, Draft},
    spectator_chat,
    store::{self, StoreError},
};

/// A small write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SmallWrite {
    /// A draft takes the place of the one before.
    Draft(Draft),
    /// Lines of spectators, all or nothing.
    SpectatorLines(Vec<SpectatorLine>),
    /// When players were connected, all or nothing.
    Connections(Vec<ConnectionEvent>),
    /// In this game it is noted that the server was not there.
    Restart(GameId, Absence),
    /// The server was alive at this time.
    Heartbeat(Millis),
}

/// What came of a small write: the numbers of the lines that are new; of everything else nothing more than that it is stored.
pub type Written = Result<Vec<u32>, StoreError>;

impl SmallWrite {
    /// The name under which it passes fault points.
    pub(crate) const fn cause(&self) -> &'static str {
        match self {
            Self::Draft(_) => "save_draft",
            Self::SpectatorLines(_) => "spectator_chat",
            Self::Connections(_) | Self::Restart(..) => "attendance",
            Self::Heartbeat(_) => "heartbeat",
        }
    }

    /// Carries it out within a transaction, which goes on if this fails.
    pub(crate) async fn run(&self, db: &mut Db) -> Result<Written, Failed> {
        db.savepoint().await?;
        let done = match self.carry_out(db).await {
            Ok(numbers) => pass("before_commit", self.cause()).map(|()| numbers),
            failed => failed,
        };
        match done {
            Ok(numbers) => {
                db.release_savepoint().await?;
                Ok(Ok(numbers))
            }
            Err(failed @ Failed::Unknown(_)) => Err(failed),
            Err(failed) => {
                db.rollback_to_savepoint().await?;
                Ok(Err(failed.into()))
            }
        }
    }

    async fn carry_out(&self, db: &mut Db) -> Result<Vec<u32>, Failed> {
        match self.clone() {
            Self::Draft(draft) => drafts::save(db, draft).await?,
            Self::SpectatorLines(lines) => return spectator_chat::keep(db, lines).await,
            Self::Connections(entries) => connection_log::keep(db, entries).await?,
            Self::Restart(game, absence) => {
                connection_log::note_restart(db, game, absence).await?;
            }
            Self::Heartbeat(at) => store::beat(db, at).await?,
        }
        Ok(Vec::new())
    }
}
