//! The settings of the server: the flags override the environment, and the environment overrides the file.

pub mod file;
pub mod names;
pub mod source;
pub mod values;

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
};

use clap::{Arg, Args, Command};
use ipnet::IpNet;
use qiguan_environment::Clock;
use qiguan_protocol::limits;

use self::{
    file::SettingsFile,
    values::{database, listen, log_filter, net, truth, whole},
};
use crate::{
    accounts::passwords,
    net::{
        origin::{Embedders, Origin},
        request_limits::RequestRates,
        sign_in_limits::Allowed,
    },
    services::{
        self,
        push::{self, Contact, device::Reach},
    },
};

/// The longest time for which anything is kept that is not kept for ever: about a century.
const MOST_DAYS: u32 = 36_500;
/// The longest time after which games are packed, in seconds: a year.
const MOST_SECONDS: u32 = 31_536_000;

/// People follow a game more easily in which moves don't come at once.
const COMPUTER_PAUSE_MS: i64 = 700;

/// Every address of the machine itself: proxies that are believed unless the operator names others.
const LOOPBACK: [&str; 2] = ["127.0.0.0/8", "::1/128"];

/// The settings of `qiguan serve`. Each can stand in the file under the flag's name (`listen = "0.0.0.0:8080"`), in the
/// environment as `QIGUAN_` and the name (`QIGUAN_LISTEN`), or on the command line, which wins.
#[derive(Args, Clone, Debug)]
#[command(mut_args = in_environment)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "every combination is allowed"
)]
pub struct ServeArgs {
    /// A TOML file with settings. Every subcommand that needs one of them reads it.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// The address and port to listen on, such as 127.0.0.1:8080, `[::]:8080` or localhost:8080. 8080 alone is that port of this machine, :8080
    /// that of every IPv4 address; port 0 picks a free one. The server speaks plain HTTP: on a public address put a
    /// reverse proxy with TLS in front of it, and set --public-url.
    #[arg(long, default_value = "127.0.0.1:8080", value_parser = listen, value_name = "ADDRESS")]
    pub listen: SocketAddr,

    /// Where the records are: `sqlite:` and a path (a missing folder or file is created), or
    /// `postgres://USER:PASSWORD@HOST/DATABASE`, an existing database in Postgres 15 or newer. `DATABASE_URL` in the environment is
    /// also read.
    #[arg(
        long,
        hide_env_values = true,
        default_value = "sqlite:data/qiguan.db",
        value_parser = database,
        value_name = "URL"
    )]
    pub database: String,

    /// A PEM file of certificate authorities to trust for Postgres, in addition to the system's. Unless the URL has an
    /// sslmode, the certificate must be for the host in the URL (verify-full).
    #[arg(long, value_name = "FILE")]
    pub database_ca: Option<PathBuf>,

    /// A file with the password for Postgres, in place of one in the URL: the whole file, but for a line break at its end.
    #[arg(long, value_name = "FILE")]
    pub database_password_file: Option<PathBuf>,

    /// The NATS servers over which several programs on one Postgres reach each other: `nats://HOST:4222`, or `tls://`; several with commas between
    /// them. Without any, a game can be played and watched through the program alone that owns it.
    #[arg(long, hide_env_values = true, value_name = "URLS")]
    pub nats: Option<String>,

    /// A PEM file of certificate authorities to trust for NATS, in addition to the system's.
    #[arg(long, value_name = "FILE")]
    pub nats_ca: Option<PathBuf>,

    /// A file with the seed of this program's nkey, if NATS asks for one.
    #[arg(long, value_name = "FILE")]
    pub nats_nkey: Option<PathBuf>,

    /// A file with the secret that all programs on the record share, at least 32 characters: what they say to each other is sealed with it. With
    /// several lines the first seals and the others still open, so that it can be changed while they run.
    #[arg(long, value_name = "FILE")]
    pub cluster_key: Option<PathBuf>,

    /// How long to wait at start for Postgres to answer, in seconds.
    #[arg(
        long,
        default_value_t = 60,
        value_name = "SECONDS",
        value_parser = whole::<u64>(0..=86_400)
    )]
    pub database_wait_seconds: u64,

    /// The maximum size of an SQLite file, in MiB; 0 for no limit. At the limit moves are refused as not stored, and the rest
    /// of the disk stays free.
    #[arg(
        long,
        default_value_t = 0,
        value_name = "MIB",
        value_parser = whole::<u64>(0..=u64::from(u32::MAX))
    )]
    pub database_max_mib: u64,

    /// The address that players type, such as `https://qiguan.example.org`. Browsers can open sockets only from pages of
    /// this origin, with https cookies are marked secure, and previews of links name it. Default: the host named in each request.
    #[arg(long, value_name = "URL")]
    pub public_url: Option<Origin>,

    /// Another origin whose pages can use this server, such as `https://play.example.org`. Repeatable.
    #[arg(long, value_name = "URL", value_delimiter = ',')]
    pub allow_origin: Vec<Origin>,

    /// Which sites can show games in frames of their pages (/embed/GAME): `*` for all, `none`, or origins with commas between them.
    /// No other page can be framed.
    #[arg(long, default_value = "*", value_name = "SITES")]
    pub embed: Embedders,

    /// How many connections can be open; more get 503. The limit of open files is raised to match; if the system
    /// allows less, this limit is lower too.
    #[arg(
        long,
        default_value_t = 10_000,
        value_name = "N",
        value_parser = whole::<usize>(1..=1_000_000)
    )]
    pub max_connections: usize,

    /// How many messages and requests one player can send at once, over sockets and HTTP together; 0 for no limit. Above it the
    /// answer is rate_limited; at twice the limit sockets are closed, and answers over HTTP are delayed.
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = whole::<u32>(0..=u32::MAX))]
    pub message_burst: u32,

    /// How many messages and requests per second one player can send on average; 0 for no limit.
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = whole::<u32>(0..=u32::MAX))]
    pub messages_per_second: u32,

    /// How many messages and requests one address can send at once, from all players and visitors together; 0 for no limit.
    /// IPv6 is counted by /64. Raise it if many players share an address.
    #[arg(
        long,
        default_value_t = 1_000,
        value_name = "N",
        value_parser = whole::<u32>(0..=u32::MAX)
    )]
    pub request_burst_per_address: u32,

    /// How many messages and requests per second one address can send on average; 0 for no limit.
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = whole::<u32>(0..=u32::MAX))]
    pub requests_per_second_per_address: u32,

    /// How many open and running games one player can have.
    #[arg(long, default_value_t = 50, value_name = "N", value_parser = whole::<u32>(0..=u32::MAX))]
    pub games_per_player: u32,

    /// On how many threads computer players think, at the lowest priority. 0 switches them off. Default: one less than there are cores,
    /// but at least 1.
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=256))]
    pub engine_threads: Option<u32>,

    /// The folder of the tables of endings. Default: `tables` beside the SQLite file; with Postgres, `data/tables`.
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,

    /// Whether missing tables of endings with four animals are made while no computer player thinks: once, in some ten minutes of one
    /// core at the lowest priority, and 180 MB on the disk.
    #[arg(
        long,
        default_value_t = true,
        action = clap::ArgAction::Set,
        value_name = "BOOL",
        value_parser = truth
    )]
    pub make_tables: bool,

    /// How many games one player can open per hour, including rematches and pairings. They can be opened all at once. 0 for
    /// no limit.
    #[arg(
        long,
        default_value_t = 1_000,
        value_name = "N",
        value_parser = whole::<u32>(0..=u32::MAX)
    )]
    pub games_per_hour: u32,

    /// How many games all players of one address can open per hour. They can be opened all at
    /// once. 0 for no limit. IPv6 is counted by /64. Raise it if many players share an address.
    #[arg(
        long,
        default_value_t = 5_000,
        value_name = "N",
        value_parser = whole::<u32>(0..=u32::MAX)
    )]
    pub games_per_hour_per_address: u32,

    /// Whether players without an account can challenge others by name. Everybody can open games by link.
    #[arg(
        long,
        default_value_t = false,
        action = clap::ArgAction::Set,
        value_name = "BOOL",
        value_parser = truth
    )]
    pub guests_may_challenge: bool,

    /// How many open seeks one player can have, including places in pools.
    #[arg(
        long,
        default_value_t = 5,
        value_name = "N",
        value_parser = whole::<usize>(0..=1_000_000)
    )]
    pub seeks_per_player: usize,

    /// How many open seeks one address can have. Raise it if many players share an address, as in a school.
    #[arg(
        long,
        default_value_t = 10,
        value_name = "N",
        value_parser = whole::<usize>(0..=1_000_000)
    )]
    pub seeks_per_address: usize,

    /// How many open connections one address can have; more get 503. 0 for no limit. IPv6 is counted by /64.
    #[arg(long, default_value_t = 500, value_name = "N", value_parser = whole::<u32>(0..=u32::MAX))]
    pub connections_per_address: u32,

    /// An address or network of this server's proxies, such as 10.0.0.0/8. For requests from them, the right-most address in
    /// X-Forwarded-For outside these networks is the caller's. From other addresses X-Forwarded-For is ignored. Repeatable.
    #[arg(
        long,
        default_values = LOOPBACK,
        value_parser = net,
        value_name = "NET",
        value_delimiter = ','
    )]
    pub trusted_proxy: Vec<IpNet>,

    /// How many guest identities one address can open per hour; 0 for no limit.
    #[arg(long, default_value_t = 300, value_name = "N", value_parser = whole::<u32>(0..=u32::MAX))]
    pub guests_per_hour: u32,

    /// How many accounts one address can create per hour; 0 for no limit.
    #[arg(long, default_value_t = 30, value_name = "N", value_parser = whole::<u32>(0..=u32::MAX))]
    pub registrations_per_hour: u32,

    /// How many wrong passwords are allowed per name and hour; 0 for no limit. Signed-in sessions continue.
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = whole::<u32>(0..=u32::MAX))]
    pub attempts_per_name: u32,

    /// How many wrong passwords are allowed per address and hour, and how many sign-in attempts per minute; 0 for no limit.
    #[arg(long, default_value_t = 60, value_name = "N", value_parser = whole::<u32>(0..=u32::MAX))]
    pub attempts_per_address: u32,

    /// How many wrong passwords are allowed per minute in all; 0 for no limit.
    #[arg(long, default_value_t = 600, value_name = "N", value_parser = whole::<u32>(0..=u32::MAX))]
    pub attempts_per_minute: u32,

    /// The memory for hashing a password, in KiB. More makes stolen hashes harder to crack and signing in slower. Existing
    /// hashes are replaced at the next sign-in.
    #[arg(
        long,
        default_value_t = 19_456,
        value_name = "KIB",
        value_parser = whole::<u32>(passwords::LEAST_KIB..=1_048_576)
    )]
    pub password_memory_kib: u32,

    /// The number of passes over that memory for hashing a password.
    #[arg(
        long,
        default_value_t = 2,
        value_name = "N",
        value_parser = whole::<u32>(passwords::FEWEST_PASSES..=100)
    )]
    pub password_passes: u32,

    /// Whether devices are told of turns, challenges and pairings by Web Push, if their players ask for it. The server then connects by https
    /// to the push services of the makers of browsers.
    #[arg(
        long,
        default_value_t = true,
        action = clap::ArgAction::Set,
        value_name = "BOOL",
        value_parser = truth
    )]
    pub push: bool,

    /// How the makers of browsers can reach you about messages to devices, such as mailto:games@example.org. Default: --public-url if
    /// that is https.
    #[arg(long, value_name = "URL")]
    pub push_contact: Option<Contact>,

    /// How long clocks stay stopped after a restart while players reconnect, in milliseconds.
    #[arg(
        long,
        default_value_t = 30_000,
        value_name = "MS",
        value_parser = whole::<i64>(0..=86_400_000)
    )]
    pub restart_grace_ms: i64,

    /// After how many days without an event an endless game is deleted, unless somebody is watching it: one that waits for an
    /// opponent, or is played by guests without a clock. 0 for never.
    #[arg(
        long,
        default_value_t = 0,
        value_name = "DAYS",
        value_parser = whole::<u32>(0..=MOST_DAYS)
    )]
    pub keep_unfinished_guest_games_days: u32,

    /// After how many days a game is deleted that was aborted before both players had moved, unless somebody is watching it, or
    /// a report, the audit log or a rating refers to it. A game with chat stays 30 days. 0 for never.
    #[arg(
        long,
        default_value_t = 1,
        value_name = "DAYS",
        value_parser = whole::<u32>(0..=MOST_DAYS)
    )]
    pub keep_aborted_games_days: u32,

    /// After how many days the chat text of finished games is deleted; who wrote when stays. 0 for
    /// never.
    #[arg(
        long,
        default_value_t = 0,
        value_name = "DAYS",
        value_parser = whole::<u32>(0..=MOST_DAYS)
    )]
    pub keep_chat_days: u32,

    /// Packs each game so many seconds after it has ended and nothing more was said in it, and one that goes on after twelve times as long
    /// without an event. Packed games take a twentieth of the space; of their commands the ids of the newest are kept.
    #[arg(
        long,
        default_value_t = 300,
        value_name = "SECONDS",
        value_parser = whole::<u32>(0..=MOST_SECONDS)
    )]
    pub pack_after_secs: u32,

    /// Finishes an upgrade of several programs on one Postgres after so many seconds without a program of the older release: only then is
    /// anything stored that the older one could not read, and the older one refuses the record. 0: not by itself, but by `qiguan migrate --finish`.
    #[arg(
        long,
        default_value_t = 86_400,
        value_name = "SECONDS",
        value_parser = whole::<u32>(0..=MOST_SECONDS)
    )]
    pub finish_upgrade_after_secs: u32,

    /// The log level on standard error: error, warn, info, debug, or a filter such as `info,qiguan_server=debug`.
    #[arg(long, default_value = "info", value_parser = log_filter, value_name = "FILTER")]
    pub log: String,

    /// Log as JSON lines, for machines.
    #[arg(long, value_parser = truth)]
    pub log_json: bool,

    /// A second address and port that answers `GET /metrics`, for Prometheus, and nothing else; then the first one does not. Listen where only
    /// the operator's machines reach it. Without it, and without --metrics-token-file, metrics are for programs on this machine that ask
    /// without a proxy, and only as long as there is no --public-url.
    #[arg(long, value_parser = listen, value_name = "ADDRESS")]
    pub metrics_listen: Option<SocketAddr>,

    /// A file with a token of at least 16 characters, which is required in every request for metrics: `Authorization: Bearer TOKEN`. With a token
    /// the first address answers as well, unless there is --metrics-listen.
    #[arg(long, value_name = "FILE")]
    pub metrics_token_file: Option<PathBuf>,

    /// How long a room that nobody needs stays open, in milliseconds (shorter for tests).
    #[arg(
        long,
        default_value_t = services::ROOM_IDLE.0,
        hide = true,
        value_parser = whole::<i64>(1..=86_400_000)
    )]
    pub room_idle_ms: i64,

    /// How long a computer player takes to answer a move, on average, in milliseconds (shorter for tests).
    #[arg(
        long,
        default_value_t = COMPUTER_PAUSE_MS,
        hide = true,
        value_parser = whole::<i64>(0..=60_000)
    )]
    pub computer_pause_ms: i64,

    /// How often a socket is pinged, in milliseconds (shorter for tests). The times for `hello` and for silence change in proportion.
    #[arg(
        long,
        default_value_t = limits::PING_MS as i64,
        hide = true,
        value_parser = whole::<i64>(100..=600_000)
    )]
    pub ping_ms: i64,

    /// Sends messages to devices also by plain HTTP, and to addresses that are not public (tests with a push service of their own).
    #[arg(
        long,
        default_value_t = false,
        action = clap::ArgAction::Set,
        hide = true,
        value_parser = truth
    )]
    pub push_anywhere: bool,

    /// Reads the machine's clock wrong by so much (tests of jumping clocks; debug builds alone).
    #[cfg(debug_assertions)]
    #[arg(
        long,
        default_value_t = 0,
        allow_negative_numbers = true,
        hide = true,
        value_parser = whole::<i64>(i64::MIN..=i64::MAX)
    )]
    pub clock_offset_ms: i64,

    /// Lets the server's clock go so many times as fast (tests of long waits; debug builds alone).
    #[cfg(debug_assertions)]
    #[arg(long, default_value_t = 1, hide = true, value_parser = whole::<u32>(1..=1_000))]
    pub clock_speed: u32,
}

impl ServeArgs {
    /// Where the records are, with all that is set about it.
    ///
    /// # Errors
    /// When the certificates or the password can't be used.
    pub fn database_url(&self) -> anyhow::Result<String> {
        let (ca, password) = (&self.database_ca, &self.database_password_file);
        qiguan_store::whole_url(&self.database, ca.as_deref(), password.as_deref())
    }

    /// Whether the server is public, and every program on its machine may still choose the address that it is counted by.
    pub fn trusts_the_whole_machine(&self) -> bool {
        let local = |of: &str| self.trusted_proxy.iter().any(|net| net.to_string() == of);
        self.public_url.is_some() && LOOPBACK.into_iter().all(local)
    }

    /// What people may do who are not known yet.
    pub const fn allowed(&self) -> Allowed {
        Allowed {
            guests: self.guests_per_hour,
            registrations: self.registrations_per_hour,
            attempts_by_name: self.attempts_per_name,
            attempts_by_address: self.attempts_per_address,
            attempts: self.attempts_per_minute,
        }
    }

    /// How much players and addresses may ask for.
    pub const fn request_rates(&self) -> RequestRates {
        RequestRates {
            player: (self.message_burst, self.messages_per_second),
            address: (
                self.request_burst_per_address,
                self.requests_per_second_per_address,
            ),
        }
    }

    /// How devices are told of something; none if they are not.
    pub fn push_settings(&self) -> Option<push::Settings> {
        let public = || {
            let url = self.public_url.as_ref()?.as_str();
            url.parse().ok()
        };
        self.push.then(|| push::Settings {
            reach: if self.push_anywhere {
                Reach::Anywhere
            } else {
                Reach::Public
            },
            contact: self.push_contact.clone().or_else(public),
        })
    }

    /// On how many threads computer players think.
    pub fn engine_threads(&self) -> usize {
        let by_default = || qiguan_environment::cores().saturating_sub(1).max(1);
        self.engine_threads
            .map_or_else(by_default, |threads| threads as usize)
    }

    /// Where the tables of endings are.
    pub fn tables_folder(&self) -> PathBuf {
        tables_folder(self.tables.clone(), &self.database)
    }

    /// The server's clock.
    pub fn clock(&self) -> Clock {
        #[cfg(debug_assertions)]
        let clock = Clock::altered(
            qiguan_protocol::ids::Millis(self.clock_offset_ms),
            self.clock_speed,
        );
        #[cfg(not(debug_assertions))]
        let clock = Clock::system();
        clock
    }
}

/// A setting can also stand in the environment, under the name of its field.
fn in_environment(argument: Arg) -> Arg {
    let name = names::variable(argument.get_id().as_str());
    argument.env(name)
}

/// Makes the settings of a file the defaults of `serve`, so that the environment and the flags win over them.
///
/// # Errors
/// When the file is not TOML, or has a setting that does not exist.
pub fn with_file(serve: Command, text: &str) -> anyhow::Result<Command> {
    let file = SettingsFile::parse("the file".to_owned(), text, &serve)?;
    Ok(file.as_defaults(serve))
}

/// The folder of the tables of endings: the one that is set, or else `tables` beside the SQLite file; with Postgres, `data/tables`.
pub fn tables_folder(tables: Option<PathBuf>, database: &str) -> PathBuf {
    let beside = || {
        let file = database.strip_prefix("sqlite:")?;
        let file = file.strip_prefix("//").unwrap_or(file);
        Some(Path::new(file).parent()?.join("tables"))
    };
    let tables = tables.or_else(beside);
    tables.unwrap_or_else(|| PathBuf::from("data/tables"))
}

#[cfg(test)]
mod tests;
