//! The machine and the program: open files, the files that settings name, and the web client.

use std::{fs::File, os::unix::fs::MetadataExt, path::Path};

use qiguan_server::{
    config::{
        ServeArgs,
        source::{Given, Source},
    },
    fd_limit,
    http::web,
};

use super::findings::Findings;

/// What others may do with a file.
const OTHERS: u32 = 0o007;

pub(super) fn look(
    findings: &mut Findings,
    settings: &ServeArgs,
    given: &[Given],
) -> anyhow::Result<()> {
    open_files(findings, settings)?;
    secrets(findings, settings, given)?;
    match web::missing() {
        None => findings.ok("program", "the web client is in the program"),
        Some(reason) => findings.warning(
            "program",
            &format!("the web client is not in the program: {reason}"),
            "build with Node 20.19 or newer and npm, or take a released program",
        ),
    }
}

fn open_files(findings: &mut Findings, settings: &ServeArgs) -> anyhow::Result<()> {
    let advice = "raise the limit: LimitNOFILE= in a unit of systemd, ulimits in a compose file, ulimit -n in a shell";
    let wanted = settings.max_connections;
    match fd_limit::room_for(wanted) {
        Ok(possible) if possible < wanted => findings.warning(
            "open files",
            &format!("there is room for {possible} connections of {wanted}"),
            advice,
        ),
        Ok(_) => findings.ok(
            "open files",
            &format!("there is room for {wanted} connections"),
        ),
        Err(error) => findings.problem("open files", &error.to_string(), advice),
    }
}

/// The files with secrets, and where else secrets stand.
fn secrets(findings: &mut Findings, settings: &ServeArgs, given: &[Given]) -> anyhow::Result<()> {
    let files = [
        ("metrics-token-file", &settings.metrics_token_file),
        ("cluster-key", &settings.cluster_key),
        ("nats-nkey", &settings.nats_nkey),
    ];
    for (setting, file) in files {
        if let Some(file) = file {
            secret_file(findings, setting, file)?;
        }
    }
    let urls = [
        ("database", Some(&settings.database)),
        ("nats", settings.nats.as_ref()),
    ];
    for (setting, url) in urls {
        if !url.is_some_and(|url| has_password(url)) {
            continue;
        }
        let from = given.iter().find(|given| given.name == setting);
        match from.map(|given| &given.source) {
            Some(Source::Flag(flag)) => findings.warning(
                setting,
                &format!("everybody on this machine can read the password in {flag} while the program runs"),
                "put it into the environment or into the file of settings",
            )?,
            Some(Source::File(_)) => {
                if let Some(file) = &settings.config {
                    secret_file(findings, "config", file)?;
                }
            }
            Some(Source::Variable(_)) | None => {}
        }
    }
    Ok(())
}

fn secret_file(findings: &mut Findings, setting: &str, file: &Path) -> anyhow::Result<()> {
    let shown = file.display();
    let about = match File::open(file).and_then(|file| file.metadata()) {
        Ok(about) => about,
        Err(error) => {
            return findings.problem(
                setting,
                &format!("{shown} can't be read: {error}"),
                "make it readable for the user that the server runs as",
            );
        }
    };
    if about.mode() & OTHERS == 0 {
        return findings.ok(setting, &format!("{shown} is closed to others"));
    }
    findings.warning(
        setting,
        &format!("{shown} holds a secret, and everybody on this machine can open it"),
        &format!("chmod 600 {shown}"),
    )
}

/// Whether there is a password in a URL, or in one of several.
fn has_password(url: &str) -> bool {
    let in_place = url.split("://").skip(1).any(|rest| {
        let place = rest.split(['/', '?']).next().unwrap_or_default();
        let who = place.rsplit_once('@');
        who.is_some_and(|(who, _)| who.contains(':'))
    });
    in_place || url.contains("password=")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_in_a_url_is_noticed() {
        for url in [
            "postgres://anna:secret@db/games",
            "postgres://db/games?user=anna&password=secret",
            "nats://a:4222,nats://u:p@b:4222",
        ] {
            assert!(has_password(url), "{url}");
        }
        for url in [
            "sqlite:data/qiguan.db",
            "postgres://anna@db:5432/games",
            "nats://a:4222,nats://b:4222",
        ] {
            assert!(!has_password(url), "{url}");
        }
    }
}
