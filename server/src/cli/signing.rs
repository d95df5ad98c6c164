//! `qiguan register`, `qiguan login` and `qiguan logout`: accounts from the terminal.

use qiguan_protocol::{
    account::{Credentials, SignedIn},
    ids::Token,
};

use super::{
    asking,
    backup::say,
    client::{
        address::{self, Address},
        identity::Identities,
        text::printable,
    },
    records::block_on,
};

/// Opens an account on a server. Whoever has played there as a guest keeps the games.
///
/// The password is asked for on the terminal, or read as a line from standard input.
#[derive(clap::Args, Debug)]
pub struct RegisterArgs {
    /// The server, such as http://localhost:8080.
    url: String,
    /// The name: 3 to 20 letters and digits, with _ and - inside.
    name: String,
}

/// Signs in to an account on a server.
///
/// The password is asked for on the terminal, or read as a line from standard input.
#[derive(clap::Args, Debug)]
pub struct LoginArgs {
    /// The server, such as http://localhost:8080.
    url: String,
    /// The name.
    name: String,
}

/// Signs out of a server, and forgets who one was there.
#[derive(clap::Args, Debug)]
pub struct LogoutArgs {
    /// The server, such as http://localhost:8080.
    url: String,
}

/// Opens an account.
///
/// # Errors
/// When the server can't be reached or refuses.
pub fn register(args: &RegisterArgs) -> anyhow::Result<()> {
    let (server, identities) = server(&args.url)?;
    let password = asking::new_password()?;
    let name = args.name.clone();
    let guest = identities.token(&server)?;
    let asked = Credentials { name, password };
    sign_in(
        &server,
        &identities,
        "/api/register",
        guest.as_ref(),
        &asked,
    )
}

/// Signs in.
///
/// # Errors
/// When the server can't be reached or refuses.
pub fn login(args: &LoginArgs) -> anyhow::Result<()> {
    let (server, identities) = server(&args.url)?;
    let password = asking::password("Password: ")?;
    let name = args.name.clone();
    let asked = Credentials { name, password };
    sign_in(&server, &identities, "/api/login", None, &asked)
}

/// Signs out.
///
/// # Errors
/// When the server can't be reached or refuses. Then one is still signed in.
pub fn logout(args: &LogoutArgs) -> anyhow::Result<()> {
    let (server, identities) = server(&args.url)?;
    let Some(token) = identities.token(&server)? else {
        return say("you are not signed in there");
    };
    block_on(address::post(&server, "/api/logout", Some(&token), None))?;
    identities.forget(&server)?;
    say("signed out")
}

fn server(url: &str) -> anyhow::Result<(String, Identities)> {
    Ok((Address::parse(url)?.server, Identities::of_user()?))
}

fn sign_in(
    server: &str,
    identities: &Identities,
    path: &str,
    token: Option<&Token>,
    asked: &Credentials,
) -> anyhow::Result<()> {
    let body = serde_json::to_value(asked)?;
    let signed_in = block_on(async {
        let answer = address::post(server, path, token, Some(&body)).await?;
        anyhow::Ok(answer.json::<SignedIn>().await?)
    })?;
    identities.keep(server, &signed_in.token)?;
    say(&format!("you are {}", printable(&signed_in.player.name)))
}
