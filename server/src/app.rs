//! The state that every request can reach.

use std::{
    path::Path,
    sync::{Arc, atomic::AtomicBool},
};

use anyhow::Context;
use qiguan_engine::tables::Endings;
use qiguan_environment::{Clock, Random};
use qiguan_protocol::ids::Millis;
use qiguan_store::{
    journal::{self, Journal},
    store::Store,
};
use tokio::sync::Semaphore;

use crate::{
    abroad::Abroad,
    accounts::{Accounts, passwords::Hasher},
    aside::{Aside, in_background},
    cluster::{
        links::Links,
        nats::{self, Nats},
        place::Place,
        seal::Seal,
        wire::Wire,
    },
    computers::{
        self,
        pool::Pool,
        reviews::Reviews,
        tables::{files::TableFolder, making::TableMaker},
    },
    config::ServeArgs,
    drawings::Drawings,
    lobby::{handle::Lobby, state::Limits, visiting},
    net::{
        address::Proxies, connection_limit::ConnectionLimit, growth_limit::GrowthLimit,
        opening_limits::OpeningLimits, origin::Origins, rate_limit::RateLimit,
        request_limits::RequestLimits, scrape_access::ScrapeAccess, sharing_limits::SharingLimits,
        sign_in_limits::SignInLimits,
    },
    packed_pages::Pages,
    peer::{presence::Presence, registry::Sockets},
    room::{
        chat_limit,
        hub::{self, Hub},
    },
    services::{
        Services,
        announced::Announced,
        computing::Computers,
        connection_log::writer::{self, ConnectionLog},
        live_list::LiveList,
        online::OnlineList,
        own_pairings::OwnPairings,
        programs::Programs,
        push::Push,
        running_positions::RunningPositions,
        storage::Storage,
        unheld::Unheld,
        waking::Waking,
    },
};

/// So many downloads of games an address has at once.
const EXPORTS_PER_ADDRESS: u32 = 4;
/// So many KiB of games written whole wait for their readers at once.
pub const WAITING_KIB: u32 = 4 * 1024;
/// So many games are replayed at once to verify them.
const REPLAYS: usize = 2;

/// The fewest characters of a secret that programs share.
const LEAST_SECRET: usize = 32;

/// Room for the endings of each rule set that are in use, in MiB.
const ENDINGS_MIB: usize = 16;

/// The running server, as requests share it.
pub type App = Arc<Server>;

/// The running server.
pub struct Server {
    /// The records, time, chance, who is connected, and running games.
    pub services: Arc<Services>,
    /// All rooms.
    pub hub: Hub,
    /// The ways to other programs on the record, if there are any.
    pub abroad: Option<Arc<Abroad>>,
    /// Which pages may use this server.
    pub origins: Origins,
    /// The settings.
    pub settings: ServeArgs,
    /// Where players look for each other.
    pub lobby: Lobby,
    /// Signing in, and changing accounts.
    pub accounts: Arc<Accounts>,
    /// What visitors may ask for.
    pub people: People,
    /// The threads on which computers think.
    pub computers: Arc<Pool>,
    /// The reviews under way.
    pub reviews: Arc<Reviews>,
    /// The tables of endings.
    pub endings: Arc<Endings>,
    /// Where answers are made that take as long as a game is long.
    pub reads: Aside,
    /// The room for long answers that are not taken yet, in KiB.
    pub waiting: Arc<Semaphore>,
    /// The pages of the client that were sent last.
    pub pages: Pages,
    /// Renders the metrics.
    pub metrics: metrics_exporter_prometheus::PrometheusHandle,
    /// Who may read them.
    pub scrape_access: ScrapeAccess,
}

/// What people who are not known yet come up against.
pub struct People {
    /// How much each player and each address may ask for.
    pub request_limits: RequestLimits,
    /// The proxies that are believed.
    pub proxies: Proxies,
    /// How many downloads of games each address has.
    pub exports: ConnectionLimit,
    /// How many games may be replayed at once to verify them.
    pub replays: Arc<Semaphore>,
    /// Games as moving pictures.
    pub drawings: Drawings,
}

/// The tasks that write to the records.
pub struct Writers {
    journal: journal::Writer,
    connection_log: writer::Writer,
}

impl Writers {
    /// Waits until everything that they have received is stored.
    pub async fn close(self) {
        // It writes through the journal.
        self.connection_log.close().await;
        self.journal.close().await;
    }
}

impl Server {
    /// Starts the server on these records, with the ways to other programs if there are any: rooms, lobby and accounts, without a listener.
    ///
    /// # Errors
    /// When the records can't be read, or the settings do not let passwords be hashed.
    pub async fn start(
        settings: ServeArgs,
        store: Arc<Store>,
        ways: Option<Ways>,
        clock: Clock,
        random: Random,
        metrics: metrics_exporter_prometheus::PrometheusHandle,
    ) -> anyhow::Result<(App, Writers)> {
        let (journal, journal_writer) = Journal::start(Arc::clone(&store), clock);
        let (connection_log, attendance_writer) = ConnectionLog::start(journal.clone());
        let writers = Writers {
            journal: journal_writer,
            connection_log: attendance_writer,
        };
        let (waking, asked) = Waking::new();
        let threads = settings.engine_threads();
        let (computers, calls) = Computers::new(threads);
        let push = match settings.push_settings() {
            Some(push) => Push::start(Arc::clone(&store), clock, random, push).await?,
            None => Push::off(),
        };
        let services = Services {
            push,
            storage: Storage::new(Arc::clone(&store), clock),
            store: Arc::clone(&store),
            journal,
            clock,
            random,
            sockets: Arc::new(Sockets::new(random)),
            place: if store.is_shared() {
                Place::shared()
            } else {
                Place::alone()
            },
            programs: Programs::default(),
            presence: Presence::default(),
            online: OnlineList::default(),
            own_pairings: OwnPairings::default(),
            live: LiveList::default(),
            running_positions: RunningPositions::default(),
            unheld: Unheld::default(),
            announced: Announced::default(),
            connection_log,
            folds: Aside::new(),
            chat: RateLimit::new(chat_limit::rate_in_all()),
            growth: GrowthLimit::new(settings.request_rates().player),
            sharing: SharingLimits::default(),
            sign_in_limits: SignInLimits::new(settings.allowed()),
            connections: ConnectionLimit::new(settings.connections_per_address),
            games_per_player: settings.games_per_player,
            openings: OpeningLimits::new(
                settings.games_per_hour,
                settings.games_per_hour_per_address,
            ),
            guests_may_challenge: settings.guests_may_challenge,
            room_idle: Millis(settings.room_idle_ms),
            draining: AtomicBool::new(false),
            leaving: AtomicBool::new(false),
            computers,
            waking,
        };
        if !store.is_shared() {
            for running in store.who_plays().await? {
                services.presence.began(running);
            }
        }
        services.read_announcements().await?;
        if services.computers.are_playing() {
            computers::add_missing(&services.store, clock.now()).await?;
        }
        let services = Arc::new(services);
        let (links, hearing) = ways
            .map(|ways| Links::new(ways.wire, ways.seal, clock))
            .unzip();
        let abroad = links.map(|links| Arc::new(Abroad::new(links, services.place.clone(), clock)));
        let rooms = abroad.clone().map(|abroad| abroad as Arc<dyn hub::Abroad>);
        let hub = Hub::new(services, rooms, asked);
        let endings = Arc::new(Endings::new(ENDINGS_MIB));
        let tables = Arc::new(TableMaker::new(
            Arc::clone(&endings),
            TableFolder::new(settings.tables_folder()),
            settings.make_tables,
        ));
        if threads == 0 {
            let tables = Arc::clone(&tables);
            drop(in_background(move || tables.look()));
        }
        let pool = Arc::new(Pool::new(threads, Arc::clone(&endings), tables, clock));
        tokio::spawn(computers::playing::run(
            hub.downgrade(),
            calls,
            Arc::clone(&pool),
            Millis(settings.computer_pause_ms),
        ));
        let server = Self::new(hub, abroad.clone(), settings, metrics, pool, endings)?;
        if let Some((abroad, hearing)) = abroad.zip(hearing) {
            let hub = server.hub.downgrade();
            tokio::spawn(abroad.run(hub, server.lobby.clone(), hearing));
        }
        Ok((Arc::new(server), writers))
    }

    fn new(
        hub: Hub,
        abroad: Option<Arc<Abroad>>,
        settings: ServeArgs,
        metrics: metrics_exporter_prometheus::PrometheusHandle,
        computers: Arc<Pool>,
        endings: Arc<Endings>,
    ) -> anyhow::Result<Self> {
        let origins = Origins::new(settings.public_url.as_ref(), &settings.allow_origin);
        let scrape_access = ScrapeAccess::new(
            settings.metrics_token_file.as_deref(),
            settings.metrics_listen.is_some(),
            settings.public_url.is_some(),
        )?;
        let services = Arc::clone(hub.services());
        let limits = Limits {
            per_player: settings.seeks_per_player,
            per_address: settings.seeks_per_address,
        };
        let lobbies = abroad
            .clone()
            .map(|abroad| abroad as Arc<dyn visiting::Abroad>);
        let lobby = Lobby::start(Arc::clone(&services), limits, lobbies);
        let salt = services.random.salt()?;
        let accounts = Accounts {
            services: Arc::clone(&services),
            hub: hub.clone(),
            lobby: lobby.clone(),
            hasher: Hasher::new(
                settings.password_memory_kib,
                settings.password_passes,
                &salt,
            )?,
        };
        let people = People {
            request_limits: RequestLimits::new(settings.request_rates()),
            proxies: Proxies::new(&settings.trusted_proxy),
            exports: ConnectionLimit::new(EXPORTS_PER_ADDRESS),
            replays: Arc::new(Semaphore::new(REPLAYS)),
            drawings: Drawings::new(qiguan_environment::cores())?,
        };
        let threads = settings.engine_threads();
        let reviews = Reviews::new(
            Arc::clone(&services),
            Arc::clone(&computers),
            Arc::clone(&endings),
            threads,
        );
        Ok(Self {
            services,
            hub,
            abroad,
            origins,
            settings,
            lobby,
            accounts: Arc::new(accounts),
            people,
            computers,
            reviews: Arc::new(reviews),
            endings,
            reads: Aside::new(),
            waiting: Arc::new(Semaphore::new(WAITING_KIB as usize)),
            pages: Pages::default(),
            metrics,
            scrape_access,
        })
    }
}

/// How this program reaches the others on the record.
pub struct Ways {
    /// What carries frames to them.
    pub wire: Arc<dyn Wire>,
    /// What nobody else reads or forges.
    pub seal: Seal,
}

impl Ways {
    /// As the settings say; none without NATS.
    ///
    /// # Errors
    /// When the record is a file, which is one program's; when the secret can't be read or is too short; when NATS can't be reached.
    pub async fn over_nats(settings: &ServeArgs, store: &Store) -> anyhow::Result<Option<Self>> {
        let Some((secrets, nats)) = cluster_settings(settings)? else {
            return Ok(None);
        };
        anyhow::ensure!(
            store.can_be_shared(),
            "--nats is for several programs on one Postgres; on a file of SQLite there is one program"
        );
        Ok(Some(Self {
            wire: Nats::connect(nats).await?,
            seal: Seal::new(secrets.iter().map(String::as_bytes)),
        }))
    }
}

/// What the settings and the files that they name say of other programs: the secrets, and how NATS is reached; none without NATS.
///
/// # Errors
/// When a file can't be read, or a secret is missing or too short.
pub fn cluster_settings(
    settings: &ServeArgs,
) -> anyhow::Result<Option<(Vec<String>, nats::Settings<'_>)>> {
    let Some(servers) = &settings.nats else {
        return Ok(None);
    };
    let key = settings.cluster_key.as_ref();
    let key = key.context("nats requires cluster-key, which is not set")?;
    let read = |file: &Path| {
        std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))
    };
    let secrets = read(key)?;
    let secrets = secrets.lines().map(|line| line.trim().to_owned());
    let secrets: Vec<_> = secrets.filter(|it| !it.is_empty()).collect();
    anyhow::ensure!(
        !secrets.is_empty() && secrets.iter().all(|it| it.len() >= LEAST_SECRET),
        "{}: each line is a secret of at least {LEAST_SECRET} characters, and there is at least one",
        key.display()
    );
    let nkey = settings.nats_nkey.as_deref().map(read).transpose()?;
    let nats = nats::Settings {
        servers,
        ca: settings.nats_ca.as_deref(),
        nkey: nkey.map(|seed| seed.trim().to_owned()),
    };
    Ok(Some((secrets, nats)))
}
