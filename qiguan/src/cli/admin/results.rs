//! `qiguan admin withdraw` and `restore`: whether the result of a game counts for ratings.

use hyper::Method;
use qiguan_client::text::say;
use qiguan_protocol::{audit::Why, operation::Operation};
use qiguan_store::{
    ratings::Withdrawal,
    withdrawal::{self, Ruled},
};

use super::{GameArgs, audit_entry};

/// Lets a result count no longer, or again.
///
/// # Errors
/// When there is no such rated game, the server refuses, or the record can't be written.
pub(super) async fn rule(
    asked: &GameArgs,
    operation: Operation,
    reason: String,
) -> anyhow::Result<()> {
    let withdraws = operation == Operation::Withdraw;
    if let Some(server) = asked.place.server()? {
        let path = format!("/api/games/{}/{}", asked.game, operation.as_str());
        server.does(Method::POST, &path, &Why { reason }).await?;
        return say(if withdraws {
            "the result no longer counts"
        } else {
            "the result counts"
        });
    }
    let store = asked.place.records.open_existing().await?;
    let audit_entry = audit_entry(operation, reason)?.to_game(asked.game);
    let withdrawal = withdraws.then(|| Withdrawal::of(&audit_entry));
    let ruled = withdrawal::rule(store.as_ref(), asked.game, withdrawal, audit_entry).await;
    store.close().await;
    match ruled? {
        Ruled::Done { players } => {
            say(&format!("the ratings of {players} players were recomputed"))
        }
        Ruled::AlreadySo => say("nothing changed"),
        Ruled::NotRated => anyhow::bail!("no finished rated game has this id"),
        Ruled::Busy => anyhow::bail!("too many games are ending right now; try again in a moment"),
    }
}
