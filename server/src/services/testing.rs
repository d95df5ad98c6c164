//! What rooms share, for tests: over a record, and nothing else.

use std::sync::{Arc, atomic::AtomicBool};

use qiguan_environment::{Clock, Random};
use qiguan_store::{
    journal::{Journal, Writer},
    store::Store,
};
use tokio::sync::mpsc::UnboundedReceiver;

use crate::{
    aside::Aside,
    cluster::place::Place,
    net::{
        connection_limit::ConnectionLimit,
        growth_limit::GrowthLimit,
        opening_limits::OpeningLimits,
        rate_limit::RateLimit,
        sharing_limits::SharingLimits,
        sign_in_limits::{Allowed, SignInLimits},
    },
    peer::{presence::Presence, registry::Sockets},
    room::chat_limit,
    services::{
        ROOM_IDLE, Services,
        announced::Announced,
        computing::Computers,
        connection_log::writer::ConnectionLog,
        live_list::LiveList,
        online::OnlineList,
        own_pairings::OwnPairings,
        programs::Programs,
        push::Push,
        running_positions::RunningPositions,
        storage::Storage,
        unheld::Unheld,
        waking::{Wake, Waking},
    },
};

/// Over this record, with these games as the program's own.
pub fn services(
    store: Arc<Store>,
    place: Place,
    clock: Clock,
) -> (Arc<Services>, Writer, UnboundedReceiver<Wake>) {
    let (journal, writer) = Journal::start(Arc::clone(&store), clock);
    let (connection_log, _) = ConnectionLog::start(journal.clone());
    let (waking, asked) = Waking::new();
    let storage = Storage::new(Arc::clone(&store), clock);
    let services = Services {
        push: Push::off(),
        store,
        journal,
        clock,
        random: Random::system(),
        sockets: Arc::new(Sockets::new(Random::system())),
        place,
        programs: Programs::default(),
        presence: Presence::default(),
        online: OnlineList::default(),
        own_pairings: OwnPairings::default(),
        live: LiveList::default(),
        running_positions: RunningPositions::default(),
        unheld: Unheld::default(),
        announced: Announced::default(),
        storage,
        connection_log,
        folds: Aside::new(),
        chat: RateLimit::new(chat_limit::rate_in_all()),
        growth: GrowthLimit::new((0, 0)),
        sharing: SharingLimits::default(),
        sign_in_limits: SignInLimits::new(Allowed {
            guests: 0,
            registrations: 0,
            attempts_by_name: 0,
            attempts_by_address: 0,
            attempts: 0,
        }),
        connections: ConnectionLimit::new(0),
        games_per_player: 50,
        openings: OpeningLimits::new(0, 0),
        guests_may_challenge: false,
        room_idle: ROOM_IDLE,
        computers: Computers::new(0).0,
        draining: AtomicBool::new(false),
        leaving: AtomicBool::new(false),
        waking,
    };
    (Arc::new(services), writer, asked)
}
