//! What others reach: the server on this machine, its public address, the proxy between, and NATS.

use std::time::Duration;

use hyper::Method;
use qiguan_client::{
    address::Address,
    server::{NOTHING, Server},
    text::causes,
    tls::TrustArgs,
};
use qiguan_server::{app, config::ServeArgs};
use tokio::time::timeout;

use super::findings::Findings;
use crate::cli::health::here;

/// How long a server gets to answer.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) async fn look(
    findings: &mut Findings,
    settings: &ServeArgs,
    trust: &TrustArgs,
) -> anyhow::Result<()> {
    let runs = on_this_machine(findings, settings, trust).await?;
    proxies(findings, settings)?;
    public(findings, settings, trust, runs).await?;
    nats(findings, settings).await
}

/// Whether a server answers on this machine.
async fn on_this_machine(
    findings: &mut Findings,
    settings: &ServeArgs,
    trust: &TrustArgs,
) -> anyhow::Result<bool> {
    let server = Server::new(Address::parse(&here(settings.listen))?.server, trust)?;
    match asked(&server, "/api/ready").await {
        Ok(()) => {
            findings.ok("server", &format!("{server} is ready"))?;
            Ok(true)
        }
        Err(error) => {
            let advice = "start it with `qiguan serve`; if it runs, its log says more";
            findings.note(
                "server",
                &format!("{server} is not ready: {}", causes(&error)),
                advice,
            )?;
            Ok(false)
        }
    }
}

async fn asked(server: &Server, path: &str) -> anyhow::Result<()> {
    let asked = server.ask(Method::GET, path, None, NOTHING);
    let answer = timeout(PATIENCE, asked).await;
    answer.unwrap_or_else(|_| anyhow::bail!("no answer within 5 s"))?;
    Ok(())
}

/// Who is believed about the addresses of visitors.
fn proxies(findings: &mut Findings, settings: &ServeArgs) -> anyhow::Result<()> {
    if settings.trusts_the_whole_machine() {
        findings.warning(
            "proxy",
            "any program on this machine can choose the address it is counted by, and a proxy elsewhere is not believed",
            "name the proxy alone, such as --trusted-proxy 127.0.0.1; it has to set X-Forwarded-For itself",
        )?;
    }
    if settings
        .trusted_proxy
        .iter()
        .any(|net| net.prefix_len() == 0)
    {
        findings.problem(
            "proxy",
            "everybody is believed to be a proxy (--trusted-proxy with /0): every visitor chooses the address they are counted by",
            "name the proxies alone",
        )?;
    }
    Ok(())
}

/// The address that players type, asked as a visitor would.
async fn public(
    findings: &mut Findings,
    settings: &ServeArgs,
    trust: &TrustArgs,
    runs: bool,
) -> anyhow::Result<()> {
    let Some(url) = &settings.public_url else {
        if settings.listen.ip().is_loopback() {
            return findings.ok("public address", "not set: only this machine can connect");
        }
        return findings.warning(
            "public address",
            &format!("other machines can connect to {}, without encryption", settings.listen),
            "for a public server put a proxy with TLS in front of it, listen on 127.0.0.1, and set --public-url https://…",
        );
    };
    let server = Server::new(Address::parse(url.as_str())?.server, trust)?;
    if !server.origin().is_encrypted() && !server.origin().is_here() {
        findings.warning(
            "public address",
            &format!("{server} is not encrypted: passwords can be read on the way, and cookies are not marked secure"),
            "put a proxy with TLS in front of the server, and set --public-url https://…",
        )?;
    }
    if !runs {
        return findings.note(
            "public address",
            &format!("{server} was not asked, since no server runs"),
            "run this command again when it does",
        );
    }
    let advice = "docs/examples has configurations of nginx, Caddy and HAProxy";
    if let Err(error) = asked(&server, "/api/health").await {
        return findings.problem("public address", &causes(&error), advice);
    }
    findings.ok("public address", &format!("{server} answers"))?;
    match timeout(PATIENCE, server.socket()).await {
        Ok(Ok(_)) => findings.ok("public address", "WebSockets pass")?,
        Ok(Err(error)) => {
            let what = format!("WebSockets do not pass: {error}");
            let advice = "let the proxy pass Upgrade and Connection on, as in docs/examples";
            findings.problem("public address", &what, advice)?;
        }
        Err(_) => {
            let what = "WebSockets do not pass: no answer within 5 s";
            findings.problem("public address", what, advice)?;
        }
    }
    if asked(&server, "/metrics").await.is_ok() {
        findings.problem(
            "metrics",
            &format!("everybody can read {server}/metrics"),
            "answer 404 there in the proxy, or set --metrics-listen or --metrics-token-file",
        )?;
    }
    Ok(())
}

async fn nats(findings: &mut Findings, settings: &ServeArgs) -> anyhow::Result<()> {
    let advice = "check --nats, --nats-ca, --nats-nkey and --cluster-key, and that NATS runs";
    let nats = match app::cluster_settings(settings) {
        Ok(None) => return Ok(()),
        Ok(Some((_, nats))) => nats,
        Err(error) => return findings.problem("nats", &causes(&error), advice),
    };
    if qiguan_store::file_of(&settings.database)?.is_some() {
        findings.problem(
            "nats",
            "NATS is for several programs on one Postgres, and the record is a file",
            "leave --nats out, or keep the records in Postgres",
        )?;
    }
    match timeout(PATIENCE, nats.check()).await {
        Ok(Ok(())) => findings.ok("nats", "NATS answers"),
        Ok(Err(error)) => findings.problem("nats", &format!("NATS: {}", causes(&error)), advice),
        Err(_) => findings.problem("nats", "NATS did not answer within 5 s", advice),
    }
}
