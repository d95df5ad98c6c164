//! Connections here that follow their player's own games, once something may be lost of what another program tells them: they receive from here
//! how those games stand.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use qiguan_protocol::{
    event::{ServerNotice, ServerNoticeKind},
    ids::{GameId, PlayerId},
};
use qiguan_store::nodes::Incarnation;
use tokio::time::timeout;

use crate::{
    abroad::Abroad,
    peer,
    room::{hub::Hub, message::Read},
    services::{
        Services,
        programs::{Question, Whom},
    },
};

/// How long is waited until the other program knows who follows their own games here.
const PATIENCE: Duration = Duration::from_secs(1);

/// Of which games a notice may be lost, by the program that they were played at, until their players have been told how they stand.
pub(super) type MissedOwnGames = BTreeMap<Incarnation, BTreeSet<Followed>>;

/// A player who follows their own games here, and one of them.
type Followed = (PlayerId, GameId);

impl Abroad {
    /// What a program says may be lost. To be called before its games are forgotten: one of them may have ended meanwhile.
    pub(super) fn may_miss_own_games(&self, services: &Services, of: Incarnation) {
        let followed = followed_at(services, of);
        if !followed.is_empty() {
            self.missed.lock().entry(of).or_default().extend(followed);
        }
    }

    /// Tells who may have missed something how their games stand, as soon as the program tells them of what comes next, or is gone. As long as it
    /// is silent nothing is told; what follows that is another loss, which comes here again.
    pub(super) fn tell_missed_own_games(self: &Arc<Self>, hub: &Hub, of: Incarnation) {
        let is_gone = self.links.to_silent(of).is_none();
        if is_gone || self.links.to(of).is_some() {
            tokio::spawn(tell_missed(Arc::clone(self), hub.clone(), of, is_gone));
        }
    }
}

async fn tell_missed(abroad: Arc<Abroad>, hub: Hub, of: Incarnation, is_gone: bool) {
    let services = hub.services();
    if !is_gone {
        let mut replies = services.programs.ask(Whom::One(of), &Question::CaughtUp {});
        if let Ok(None) = timeout(PATIENCE, replies.recv()).await {
            // The question is lost as well.
            return;
        }
    }
    let mut missed = abroad.missed.lock().remove(&of).unwrap_or_default();
    // Of what began there meanwhile nobody here was told.
    missed.extend(followed_at(services, of));
    for (player, game) in missed {
        let read = hub.read(game, Some(player), Read::Snapshot).await;
        // One that was deleted is not shown for long.
        let own = read.ok().and_then(|snapshot| snapshot.own_game());
        if let Some(game) = own.map(Box::new) {
            let notice = ServerNoticeKind::OwnGame { game };
            let text = peer::text(&ServerNotice { notice });
            services.sockets.pass_on(player, &text, true);
        }
    }
}

/// The games that are played at a program, with those of their players who follow them here.
fn followed_at(services: &Services, of: Incarnation) -> BTreeSet<Followed> {
    let players = services.sockets.who_follow_own_games().into_iter();
    let games = players.map(|player| (player, services.presence.games_at(of, player)));
    games
        .flat_map(|(player, games)| games.into_iter().map(move |game| (player, game)))
        .collect()
}
