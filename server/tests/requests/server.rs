//! The server's router on a record of its own, in this process: no listener, no network.

use std::net::Ipv4Addr;

use axum::{Extension, Router};
use clap::{CommandFactory, FromArgMatches, Parser};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use qiguan_environment::Random;
use qiguan_game::people::name_keys::NameKeys;
use qiguan_protocol::names::Role;
use qiguan_server::{
    app::{App, Server as Running, Writers},
    config::{ServeArgs, with_file},
    http::extract::Peer,
    router,
};
use qiguan_store::accounts::{AccountLookup, Change, ChangeResult};
use qiguan_tests::{
    Cluster, Folder,
    http::{HOST, Server},
    program,
};

/// Somebody who sends requests to the router.
pub(crate) type Http = qiguan_tests::Http<Router>;

/// What the command line of `qiguan serve` says.
#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    serve: ServeArgs,
}

/// How the server is started.
#[derive(Default)]
pub(crate) struct Start {
    flags: Vec<String>,
    /// The URL of the records; a file of their own if none is set.
    database: Option<String>,
    /// What gathers its metrics.
    gathers: Option<PrometheusHandle>,
}

impl Start {
    /// With another flag and its value.
    pub(crate) fn with(mut self, flag: &str, value: impl std::fmt::Display) -> Self {
        self.flags.extend([flag.to_owned(), value.to_string()]);
        self
    }

    /// With room for clients that play faster than people.
    pub(crate) fn for_machines(self) -> Self {
        self.with("--messages-per-second", 100_000)
            .with("--message-burst", 100_000)
    }

    /// With its records in a new database of the Postgres that all tests share.
    pub(crate) fn on_postgres() -> Self {
        Self::default().at_database(Cluster::shared().database())
    }

    /// With its records at a URL.
    pub(crate) fn at_database(mut self, url: impl Into<String>) -> Self {
        self.database = Some(url.into());
        self
    }

    /// With its metrics in the hands of a test.
    pub(crate) fn gathering(mut self, gathers: PrometheusHandle) -> Self {
        self.gathers = Some(gathers);
        self
    }

    /// Starts.
    pub(crate) async fn start(self) -> TestServer {
        let folder = Folder::new();
        let file = format!("sqlite:{}", folder.path().join("qiguan.db").display());
        let random = Random::system();
        let url = self.database.unwrap_or(file);
        let store = qiguan_store::open(&url, None, random.epoch())
            .await
            .expect("records");
        let command = with_file(CommandLine::command(), &program::settings()).expect("settings");
        let words = ["serve".to_owned()].into_iter().chain(self.flags);
        let matches = command.get_matches_from(words);
        let settings = CommandLine::from_arg_matches(&matches)
            .expect("flags")
            .serve;
        let clock = settings.clock();
        // Usually nothing gathers: what is measured belongs to the process, which all tests share.
        let nothing = || PrometheusBuilder::new().build_recorder().handle();
        let metrics = self.gathers.unwrap_or_else(nothing);
        let (app, writers) = Running::start(settings, store, None, clock, random, metrics)
            .await
            .expect("the server starts");
        let here = Peer(Ipv4Addr::LOCALHOST.into());
        TestServer {
            router: router::router(app.clone()).layer(Extension(here)),
            app,
            _writers: writers,
            _folder: folder,
        }
    }
}

/// A server that answers requests until it goes out of scope.
pub(crate) struct TestServer {
    router: Router,
    app: App,
    _writers: Writers,
    _folder: Folder,
}

impl TestServer {
    /// Starts with everything as it is by default.
    pub(crate) async fn start() -> Self {
        Start::default().start().await
    }

    /// The same server, asked from another address.
    pub(crate) fn asked_from(mut self, address: [u8; 4]) -> Self {
        let there = Peer(Ipv4Addr::from(address).into());
        self.router = router::router(self.app.clone()).layer(Extension(there));
        self
    }

    /// The origin of the server's own pages.
    pub(crate) fn origin() -> String {
        format!("http://{HOST}")
    }
}

impl Server for TestServer {
    type Transport = Router;

    fn transport(&self) -> Router {
        self.router.clone()
    }

    async fn gives_role(&self, name: &str, role: Role) {
        let store = &self.app.services.store;
        let key = NameKeys::of(name).first().to_owned();
        let account = store
            .account(AccountLookup::Key(key))
            .await
            .expect("it is read");
        let account = account.expect("an account");
        let change = Change::Role {
            player: account.id,
            before: account.role,
            role,
            audit_entry: None,
        };
        let changed = store.change(change).await.expect("it is stored");
        assert_eq!(changed, ChangeResult::Done);
    }
}
