//! Who is connected where, and what players are told who are connected elsewhere.

use qiguan_game::people::identity::Identity;
use qiguan_protocol::ids::PlayerId;
use qiguan_store::nodes::Incarnation;

use crate::{
    abroad::{
        Abroad,
        node_message::{Ask, NodeMessage},
    },
    cluster::link::Message,
    net::connection_limit::ConnectionLimit,
    peer::{elsewhere::ForOthers, registry::Sockets},
};

impl Abroad {
    /// Tells other programs who is connected here, and players who are connected there.
    pub(super) fn say(&self, what: ForOthers<'_>) {
        match what {
            ForOthers::Connected {
                who,
                follows_own_games,
            } => {
                for link in self.links.all() {
                    link.send(&BorrowedMessage::Connected {
                        who,
                        follows_own_games,
                    });
                }
            }
            ForOthers::Gone(player) => self.say_to_everybody(&NodeMessage::Gone { player }),
            ForOthers::Ended { player, which } => {
                let which = which.clone();
                self.say_to_everybody(&NodeMessage::SessionsEnded { player, which });
            }
            ForOthers::Dismissed(player) => {
                self.say_to_everybody(&NodeMessage::Dismissed { player });
            }
            ForOthers::NamesChanged => self.say_to_everybody(&NodeMessage::NamesChanged {}),
            ForOthers::HidingChanged => self.say_to_everybody(&NodeMessage::HidingChanged {}),
            ForOthers::Tell {
                node,
                player,
                only_followers,
                text,
            } => {
                if let Some(link) = self.links.to(node) {
                    link.send(&BorrowedMessage::Tell {
                        player,
                        only_followers,
                        text,
                    });
                }
            }
        }
    }

    /// Tells other programs which addresses have many connections here. Comes back with whether there are any.
    pub(super) fn say_who_has_many(&self, connections: &ConnectionLimit, had_any: bool) -> bool {
        let many = connections.many(self.place.programs());
        let has_any = !many.is_empty();
        if has_any || had_any {
            self.say_to_everybody(&NodeMessage::Connections { many });
        }
        has_any
    }

    fn say_to_everybody(&self, message: &NodeMessage) {
        for link in self.links.all() {
            link.send(message);
        }
    }

    /// Tells a program who is connected here, from the beginning.
    pub(super) fn say_who_is_here(&self, sockets: &Sockets, to: Incarnation) {
        if let Some(link) = self.links.to_silent(to) {
            sockets.each_player(|who, follows_own_games| {
                link.send(&BorrowedMessage::Connected {
                    who,
                    follows_own_games,
                });
            });
        }
    }
}

/// The same as some of [`NodeMessage`], lent to be written.
#[derive(serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum BorrowedMessage<'a> {
    Ask(&'a Ask),
    Connected {
        who: &'a Identity,
        follows_own_games: bool,
    },
    Tell {
        player: PlayerId,
        only_followers: bool,
        text: &'a str,
    },
    Answer {
        call: u64,
        is_ok: bool,
        text: &'a str,
    },
    Text {
        watch: u64,
        text: &'a str,
    },
    GroupText {
        group: u64,
        text: &'a str,
    },
}

impl Message for BorrowedMessage<'_> {
    fn since(&self) -> u32 {
        match self {
            Self::Ask(_)
            | Self::Connected { .. }
            | Self::Tell { .. }
            | Self::Answer { .. }
            | Self::Text { .. }
            | Self::GroupText { .. } => 1,
        }
    }
}
