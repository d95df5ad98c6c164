//! What programs say to each other of the games that are played: who plays which, which can be watched, and which are featured.

use std::time::Duration;

use qiguan_protocol::{
    ids::{GameId, Millis, PlayerId},
    names::Visibility,
};
use qiguan_store::{nodes::Incarnation, store::Running};
use serde::{Deserialize, Serialize};

use crate::{
    abroad::{Abroad, node_message::NodeMessage},
    cluster::link::Link,
    lobby::visiting::LOBBY,
    peer::presence::PlayedHere,
    services::{
        Services,
        featured::Featured,
        live_list::LiveList,
        live_report::{LiveChanges, LiveReport},
    },
};

/// How often others are told what has changed in the list.
pub(super) const REPORTS: Duration = Duration::from_secs(1);

/// A message about games that are played.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ListMessage {
    /// To all: a game is played at the program that says so.
    Began {
        /// The game.
        game: GameId,
        /// Who plays.
        players: [PlayerId; 2],
        /// Who finds it.
        visibility: Visibility,
    },
    /// To all: it is played there no more.
    Ended {
        /// The game.
        game: GameId,
    },
    /// To all: what has changed among the games that can be watched there.
    Live(LiveChanges),
    /// From the program that has the lobby, to all: the featured game of a kind.
    Featured {
        /// The kind.
        kind: String,
        /// The game; none while none goes on.
        game: Option<GameId>,
        /// For how long it has been featured.
        on_for: Millis,
    },
}

/// What others know of the games of this program, and of its choice.
#[derive(Default)]
pub(super) struct Lists {
    report: LiveReport,
    /// The featured game of each kind. Empty as long as it is not this program that chooses.
    choices: Vec<Choice>,
}

/// A kind and its featured game.
type Choice = (&'static str, Option<Featured>);

impl Abroad {
    /// Tells other programs that a game has begun or ended here.
    pub(super) fn say_played(&self, what: PlayedHere<'_>) {
        let message = match what {
            PlayedHere::Began(running) => began(running),
            PlayedHere::Ended(game) => ListMessage::Ended { game },
        };
        self.say_to_all(message);
    }

    /// Tells other programs what has changed in the list since it was said last.
    pub(super) fn report(&self, live: &LiveList, lists: &mut Lists) {
        let changes = lists.report.update(live.best(), self.clock.now());
        if !changes.is_empty() {
            self.say_to_all(ListMessage::Live(changes));
        }
        self.feature(live, lists);
    }

    /// Sees to it that all have the same featured games: the program that has the lobby chooses, and tells the others when that changes.
    pub(super) fn feature(&self, live: &LiveList, lists: &mut Lists) {
        let now = self.clock.now();
        if !self.place.owns(LOBBY) {
            lists.choices.clear();
            live.is_chosen_by(self.place.owner_of(LOBBY), now);
            return;
        }
        live.is_chosen_by(None, now);
        let choices = live.choices();
        for choice in &choices {
            if !lists.choices.contains(choice) {
                self.say_to_all(featured(*choice, now));
            }
        }
        lists.choices = choices;
    }

    /// Tells a program everything about the games of this one, from the beginning.
    pub(super) fn say_all_lists(&self, services: &Services, lists: &Lists, to: Incarnation) {
        let Some(link) = self.links.to_silent(to) else {
            return;
        };
        let now = self.clock.now();
        services
            .presence
            .each_here(|running| say(&link, began(running)));
        let whole = lists.report.whole(now);
        if !whole.is_empty() {
            say(&link, ListMessage::Live(whole));
        }
        for choice in &lists.choices {
            say(&link, featured(*choice, now));
        }
    }

    /// Another program has said something about its games.
    pub(super) fn hear_list(
        &self,
        services: &Services,
        lists: &mut Lists,
        from: Incarnation,
        message: ListMessage,
    ) {
        let now = self.clock.now();
        let live = &services.live;
        match message {
            ListMessage::Began {
                game,
                players,
                visibility,
            } => services.presence.began_at(
                from,
                Running {
                    game,
                    players,
                    visibility,
                },
            ),
            ListMessage::Ended { game } => services.presence.ended_at(from, game),
            ListMessage::Live(changes) => {
                live.hear(from, changes, now);
                self.feature(live, lists);
            }
            ListMessage::Featured { kind, game, on_for } => {
                let since = now - on_for;
                let choice = game.map(|game| Featured { game, since });
                live.hear_choice(from, kind, choice, now);
            }
        }
    }

    fn say_to_all(&self, message: ListMessage) {
        let message = NodeMessage::List(message);
        for link in self.links.all() {
            link.send(&message);
        }
    }
}

fn say(link: &Link, message: ListMessage) {
    link.send(&NodeMessage::List(message));
}

const fn began(running: &Running) -> ListMessage {
    ListMessage::Began {
        game: running.game,
        players: running.players,
        visibility: running.visibility,
    }
}

fn featured((kind, chosen): Choice, now: Millis) -> ListMessage {
    ListMessage::Featured {
        kind: kind.to_owned(),
        game: chosen.map(|it| it.game),
        on_for: chosen.map_or(Millis(0), |it| now - it.since),
    }
}

/// Forgets what a program has said about its games.
pub(super) fn forget(services: &Services, node: Incarnation, now: Millis) {
    services.presence.forget_program(node);
    services.live.forget_program(node, now);
}
