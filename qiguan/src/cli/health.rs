//! `qiguan health`: whether a server answers, for containers.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use anyhow::Context;
use hyper::Method;
use qiguan_client::{
    address::Address,
    server::{NOTHING, Server},
    text::say,
    tls::TrustArgs,
};
use qiguan_server::config::values::listen;
use tokio::time::timeout;

use super::records::block_on;

/// Asks a server whether it lives. The exit status is 0 if it does, and 1 if not.
///
/// Without a URL this is the server of this machine, at the address in the settings. For a container:
/// HEALTHCHECK CMD ["qiguan", "health"].
#[derive(clap::Args, Debug)]
pub(crate) struct HealthArgs {
    /// The server, such as http://127.0.0.1:8080.
    #[arg(value_name = "URL")]
    url: Option<String>,
    /// Ask whether it can serve: it reads and writes the records, and is not about to end.
    #[arg(long)]
    ready: bool,
    /// How long to wait for the answer, in seconds.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=600), value_name = "SECONDS")]
    wait_seconds: u64,
    /// The TOML file of the server's settings. The server's address is read from it.
    #[arg(long, env = "QIGUAN_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// The address at which the server of this machine listens.
    #[arg(long, env = "QIGUAN_LISTEN", default_value = "127.0.0.1:8080", value_parser = listen, value_name = "ADDRESS")]
    listen: SocketAddr,
    #[command(flatten)]
    trust: TrustArgs,
}

/// Asks.
///
/// # Errors
/// When the server does not answer in time, or says that it is not well.
pub(crate) fn run(args: &HealthArgs) -> anyhow::Result<()> {
    let address = match &args.url {
        Some(url) => Address::parse(url)?,
        None => Address::parse(&here(args.listen))?,
    };
    anyhow::ensure!(address.game.is_none(), "this is the address of a game");
    let server = Server::new(address.server, &args.trust)?;
    let (path, well) = if args.ready {
        ("/api/ready", "ready")
    } else {
        ("/api/health", "alive")
    };
    let seconds = args.wait_seconds;
    block_on(async {
        let asked = server.ask(Method::GET, path, None, NOTHING);
        let answer = timeout(Duration::from_secs(seconds), asked).await;
        answer
            .map_err(|_| anyhow::anyhow!("{server} did not answer within {seconds} s"))?
            .with_context(|| format!("{server} is not {well}"))
    })?;
    say(&format!("{server} is {well}"))
}

/// The URL of the server that listens at an address on this machine.
pub(super) fn here(mut address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        let loopback = match address {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        };
        address.set_ip(loopback);
    }
    format!("http://{address}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_listens_everywhere_is_asked_on_this_machine() {
        for (listens, asked) in [
            ("0.0.0.0:80", "http://127.0.0.1:80"),
            ("[::]:8080", "http://[::1]:8080"),
            ("10.0.0.7:8080", "http://10.0.0.7:8080"),
        ] {
            assert_eq!(here(listens.parse().unwrap()), asked);
        }
    }
}
