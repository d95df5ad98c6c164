//! `qiguan register`, `qiguan login` and `qiguan logout`: accounts from the terminal.

use anyhow::Context;
use hyper::{Method, StatusCode};
use qiguan_game::people::name::Name;
use qiguan_protocol::{
    account::{Credentials, Password, SignedIn},
    ids::Token,
    profile::Profile,
};

use super::password_prompt;
use crate::{
    address::Address,
    identity::{Identity, WhoArgs},
    runtime::block_on,
    server::{NOTHING, Refused, Server, segment},
    text::{printable, say},
    tls::TrustArgs,
    unencrypted::{self, UnencryptedArgs},
};

/// Creates an account on a server. A guest who registers keeps their games.
///
/// The password is read from the terminal, or as a line from standard input.
#[derive(clap::Args, Debug)]
pub struct RegisterArgs {
    #[command(flatten)]
    account: AccountArgs,
}

/// Signs in to an account on a server.
///
/// The password is read from the terminal, or as a line from standard input.
#[derive(clap::Args, Debug)]
pub struct LoginArgs {
    #[command(flatten)]
    account: AccountArgs,
}

/// Signs out of a server and deletes the saved identity.
#[derive(clap::Args, Debug)]
pub struct LogoutArgs {
    /// The server; by default QIGUAN_SERVER, or else the one on this machine.
    url: Option<String>,
    #[command(flatten)]
    who: WhoArgs,
    #[command(flatten)]
    trust: TrustArgs,
}

#[derive(clap::Args, Debug)]
struct AccountArgs {
    /// The server, such as https://HOST, and the name: 3 to 20 letters and digits, with _ and - inside. Without URL it is
    /// QIGUAN_SERVER, or else the server of this machine.
    #[arg(num_args = 1..=2, required = true, value_name = "[URL] NAME")]
    words: Vec<String>,
    #[command(flatten)]
    who: WhoArgs,
    #[command(flatten)]
    trust: TrustArgs,
    #[command(flatten)]
    unencrypted: UnencryptedArgs,
}

/// A server, who one is there, and the account that is meant.
struct Desk<'a> {
    server: Server,
    identity: Identity,
    name: &'a str,
}

/// Opens an account.
///
/// # Errors
/// When the server can't be reached or refuses.
pub fn register(args: &RegisterArgs) -> anyhow::Result<()> {
    let desk = args.account.desk()?;
    Name::read(desk.name).map_err(|error| anyhow::anyhow!("{error}"))?;
    anyhow::ensure!(
        block_on(desk.profile())?.is_none(),
        "{} is taken: choose another name, or sign in with qiguan login",
        printable(desk.name)
    );
    let password = password_prompt::new_password()?;
    let guest = desk.identity.token()?;
    desk.sign_in("/api/register", guest.as_ref(), password)
}

/// Signs in.
///
/// # Errors
/// When the server can't be reached or refuses.
pub fn login(args: &LoginArgs) -> anyhow::Result<()> {
    let desk = args.account.desk()?;
    let password = password_prompt::password("Password: ")?;
    desk.sign_in("/api/login", None, password)
}

/// Signs out.
///
/// # Errors
/// When the server can't be reached or refuses. Then one is still signed in.
pub fn logout(args: &LogoutArgs) -> anyhow::Result<()> {
    let server = Address::named(args.url.as_deref())?.server;
    let identity = Identity::of(&args.who, &server)?;
    let Some(token) = identity.token()? else {
        return say("you are not signed in there");
    };
    unencrypted::warn(&server);
    let server = Server::new(server, &args.trust)?;
    let ended = block_on(server.ask(Method::POST, "/api/logout", Some(&token), NOTHING));
    if let Err(error) = ended {
        // A token that the server does not know any more is of no use.
        let refused = error.downcast_ref::<Refused>();
        if refused.is_none_or(|refused| refused.status != StatusCode::UNAUTHORIZED) {
            return Err(error);
        }
    }
    identity.forget()?;
    say("signed out")
}

impl AccountArgs {
    fn desk(&self) -> anyhow::Result<Desk<'_>> {
        let (url, name) = match self.words.as_slice() {
            [url, name] => (Some(url.as_str()), name),
            [name] => (None, name),
            _ => anyhow::bail!("expected a name, or a server and a name"),
        };
        anyhow::ensure!(
            !name.contains("://"),
            "{name}: expected a name after the server"
        );
        let server = url.map_or_else(|| Address::named(None), Address::parse)?;
        let server = server.server;
        self.unencrypted.allow(&server)?;
        Ok(Desk {
            identity: Identity::of(&self.who, &server)?,
            server: Server::new(server, &self.trust)?,
            name,
        })
    }
}

impl Desk<'_> {
    /// The account of this name, if there is one.
    async fn profile(&self) -> anyhow::Result<Option<Profile>> {
        let path = format!("/api/players?name={}", segment(self.name));
        let found: anyhow::Result<Profile> = self.server.get(&path, None).await;
        match found {
            Ok(profile) => Ok(Some(profile)),
            Err(error) if error.is::<Refused>() => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn sign_in(&self, path: &str, token: Option<&Token>, password: Password) -> anyhow::Result<()> {
        let name = self.name.to_owned();
        let asked = Credentials { name, password };
        let answer = block_on(self.server.ask(Method::POST, path, token, Some(&asked)))?;
        let signed_in: SignedIn = answer.json()?;
        self.identity
            .keep(&signed_in.token)
            .context("saving the identity")?;
        say(&format!("you are {}", printable(&signed_in.player.name)))
    }
}
