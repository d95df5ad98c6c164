//! `qiguan doctor`: what is wrong with how a server is set up.

mod findings;
mod machine;
mod network;
mod record;

use qiguan_client::tls::TrustArgs;
use qiguan_server::config::{
    ServeArgs,
    source::{Given, Source},
};

use self::findings::Findings;
use super::records::block_on;

/// Looks at how a server is set up, and says what is wrong and what to do.
///
/// It reads the settings as `qiguan serve` does, and takes the same options: run it as the user that the server runs as. It looks at the record,
/// its disk and its database, at open files, certificates, proxies and NATS, and asks the server at --public-url as a visitor would. It changes
/// nothing, shows no secrets, and may run beside the server. The exit status is 1 if anything is wrong.
#[derive(clap::Args, Debug)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    settings: ServeArgs,
    #[command(flatten)]
    trust: TrustArgs,
    /// Write JSON lines: one for each finding.
    #[arg(long)]
    json: bool,
}

/// Looks, and prints what it finds. `given` are the settings that are not at their defaults.
///
/// # Errors
/// When anything is wrong, or standard output is closed.
pub(crate) fn run(args: &DoctorArgs, given: &[Given]) -> anyhow::Result<()> {
    let mut findings = Findings::new(args.json);
    block_on(async {
        settings(&mut findings, &args.settings, given)?;
        machine::look(&mut findings, &args.settings, given)?;
        record::look(&mut findings, &args.settings).await?;
        network::look(&mut findings, &args.settings, &args.trust).await?;
        findings.end()
    })
}

/// Which settings there are, and where they stand.
fn settings(findings: &mut Findings, settings: &ServeArgs, given: &[Given]) -> anyhow::Result<()> {
    if given.is_empty() {
        return findings.note(
            "settings",
            "every setting is at its default: no flag, no variable QIGUAN_… and no file says anything else",
            "name a file with --config or QIGUAN_CONFIG if there should be one",
        );
    }
    for Given {
        name,
        values,
        source,
    } in given
    {
        let shown = match values {
            Some(values) => values.join(","),
            None if name == "database" => qiguan_store::shown(&settings.database),
            None => "(not shown)".to_owned(),
        };
        let from = match source {
            Source::Flag(_) => "on the command line".to_owned(),
            Source::Variable(_) | Source::File(_) => format!("from {source}"),
        };
        findings.ok("settings", &format!("{name} = {shown}, {from}"))?;
    }
    Ok(())
}
