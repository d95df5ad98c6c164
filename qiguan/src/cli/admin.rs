//! `qiguan admin`: the operator's changes to accounts, games and announcements, in the record.

mod announcements;
mod audit;
mod game;
mod games;
mod place;
mod results;
mod sanctions;

use anyhow::Context;
use qiguan_client::{commands::password_prompt, text::say};
use qiguan_environment::{Clock, Random};
use qiguan_game::{
    audit_entry::AuditEntry,
    people::{
        name::Name,
        name_keys::NameKeys,
        permission::{self, Who},
    },
};
use qiguan_protocol::{error::ApiError, ids::GameId, limits, names::Role, operation::Operation};
use qiguan_server::accounts::{
    moderating::{check_promotion, told_roles},
    passwords::{self, Hasher},
};
use qiguan_store::{
    accounts::{Account, AccountLookup, Change, ChangeResult, PasswordHash, Purpose, Registration},
    store::Store,
};

use self::{
    announcements::{MaintenanceArgs, NoticeArgs},
    audit::AuditArgs,
    games::AdjudicateArgs,
    place::PlaceArgs,
    sanctions::{SanctionKind, decide},
};
use super::records::{RecordsArgs, block_on};

/// The memory and the passes of a hash: the server's defaults. One that wants more makes them again at the next sign-in.
const HASH: (u32, u32) = (19_456, 2);

/// Changes accounts and games in the record. A running server closes the affected connections within five seconds.
///
/// Moderation commands can be sent to a running server with `--server`; then the record itself need not be accessible.
/// Passwords are read from the terminal, or as a line from standard input.
#[derive(clap::Args, Debug)]
pub(crate) struct AdminArgs {
    #[command(subcommand)]
    what: AdminCommand,
}

#[derive(clap::Subcommand, Debug)]
enum AdminCommand {
    /// Creates an admin account, or gives an existing account the admin role.
    Create(AccountArgs),
    /// Changes the role of an account. All its sessions end.
    Role {
        #[command(flatten)]
        named: AccountArgs,
        /// player, bot, moderator or admin.
        #[arg(value_parser = role)]
        role: Role,
        #[command(flatten)]
        why: WhyArgs,
    },
    /// Changes the password of an account. All its sessions and API tokens end.
    Password {
        #[command(flatten)]
        named: AccountArgs,
        /// Keep the API tokens.
        #[arg(long)]
        keep_tokens: bool,
    },
    /// Bans an account.
    Ban(SanctionArgs),
    /// Lifts the ban of an account.
    Unban(LiftArgs),
    /// Mutes a player in games and spectator chat.
    Mute(SanctionArgs),
    /// Lifts the mute of a player.
    Unmute(LiftArgs),
    /// Shadowbans a player: they are only matched with other shadowbanned players, their chat is shown to nobody else, and they
    /// are not notified. Open seeks stay.
    Limit {
        #[command(flatten)]
        named: NamedArgs,
        /// Why, for the audit log.
        reason: String,
    },
    /// Lifts the shadowban of a player.
    Unlimit(LiftArgs),
    /// Renames an account. All its sessions end; a server updates the name in its games within a minute or at its next start.
    Rename {
        #[command(flatten)]
        named: NamedArgs,
        /// The new name; default: a random one.
        #[arg(long = "to", value_name = "NAME")]
        to: Option<String>,
        #[command(flatten)]
        why: WhyArgs,
    },
    /// Withdraws the result of a rated game; all later ratings are recomputed.
    Withdraw {
        #[command(flatten)]
        game: GameArgs,
        /// Why.
        reason: String,
    },
    /// Restores a withdrawn result.
    Restore {
        #[command(flatten)]
        game: GameArgs,
        #[command(flatten)]
        why: WhyArgs,
    },
    Adjudicate(AdjudicateArgs),
    /// Shows a game as the referee sees it: every piece, the time of each move, and when the players were connected. Recorded in the
    /// audit log.
    Game(GameArgs),
    /// Shows the chat of a game's players, including messages that nobody else could see. Recorded in the audit log.
    Chat(GameArgs),
    /// Shows a player's role, bans and mutes.
    Player(NamedArgs),
    /// Starts or ends maintenance: no new games can be started, and running games go on. Servers on the record apply it within
    /// seconds and notify everybody.
    #[command(subcommand)]
    Maintenance(MaintenanceArgs),
    /// Shows a notice to everybody, or removes it. Servers on the record apply it within seconds.
    #[command(subcommand)]
    Notice(NoticeArgs),
    /// Shows the audit log of moderators, admins and the operator, newest first.
    Audit(AuditArgs),
}

#[derive(clap::Args, Debug)]
struct WhyArgs {
    /// Why, for the audit log.
    #[arg(
        long,
        default_value = "",
        hide_default_value = true,
        value_name = "TEXT"
    )]
    why: String,
}

#[derive(clap::Args, Debug)]
struct SanctionArgs {
    #[command(flatten)]
    named: NamedArgs,
    /// The reason, shown to the player.
    reason: String,
    /// The number of days; default: permanently.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=36_500))]
    days: Option<u32>,
}

#[derive(clap::Args, Debug)]
struct LiftArgs {
    #[command(flatten)]
    named: NamedArgs,
    #[command(flatten)]
    why: WhyArgs,
}

#[derive(clap::Args, Debug)]
struct GameArgs {
    /// The game's id.
    game: GameId,
    #[command(flatten)]
    place: PlaceArgs,
}

/// What is done to an account, in the record or by a server.
#[derive(clap::Args, Debug)]
struct NamedArgs {
    /// The account's name.
    name: String,
    #[command(flatten)]
    place: PlaceArgs,
}

/// What is done to an account in the record alone.
#[derive(clap::Args, Debug)]
struct AccountArgs {
    /// The account's name.
    name: String,
    #[command(flatten)]
    records: RecordsArgs,
}

/// Changes what is asked for.
///
/// # Errors
/// When there is no such account, the name or the password is not allowed, or the record can't be written.
pub(crate) fn run(args: &AdminArgs) -> anyhow::Result<()> {
    block_on(async {
        match &args.what {
            AdminCommand::Create(named) => create(named).await,
            AdminCommand::Role { named, role, why } => set_role(named, *role, why.read()?).await,
            AdminCommand::Password { named, keep_tokens } => {
                set_password(named, !keep_tokens).await
            }
            AdminCommand::Ban(args) => sanction(args, SanctionKind::Ban).await,
            AdminCommand::Unban(args) => lift(args, SanctionKind::Ban).await,
            AdminCommand::Mute(args) => sanction(args, SanctionKind::Mute).await,
            AdminCommand::Unmute(args) => lift(args, SanctionKind::Mute).await,
            AdminCommand::Limit { named, reason } => {
                decide(named, &SanctionKind::Limit.imposed(reason, None)?).await
            }
            AdminCommand::Unlimit(args) => lift(args, SanctionKind::Limit).await,
            AdminCommand::Rename { named, to, why } => {
                sanctions::rename(named, to.as_deref(), why.read()?).await
            }
            AdminCommand::Withdraw { game, reason } => {
                results::rule(game, Operation::Withdraw, sanctions::required(reason)?).await
            }
            AdminCommand::Restore { game, why } => {
                results::rule(game, Operation::Restore, why.read()?).await
            }
            AdminCommand::Adjudicate(args) => games::adjudicate(args).await,
            AdminCommand::Game(asked) => game::show(asked).await,
            AdminCommand::Chat(asked) => games::chat(asked).await,
            AdminCommand::Player(named) => sanctions::show(named).await,
            AdminCommand::Maintenance(args) => announcements::maintenance(args).await,
            AdminCommand::Notice(args) => announcements::notice(args).await,
            AdminCommand::Audit(args) => audit::audit(args).await,
        }
    })
}

async fn sanction(args: &SanctionArgs, sanction: SanctionKind) -> anyhow::Result<()> {
    decide(&args.named, &sanction.imposed(&args.reason, args.days)?).await
}

async fn lift(args: &LiftArgs, sanction: SanctionKind) -> anyhow::Result<()> {
    decide(&args.named, &sanction.lifted(args.why.read()?)).await
}

async fn create(named: &AccountArgs) -> anyhow::Result<()> {
    let store = named.records.open().await?;
    if let Some(account) = found(store.as_ref(), &named.name).await? {
        return promote(store.as_ref(), &account, Role::Admin, String::new()).await;
    }
    let name = Name::read(&named.name).map_err(|error| told(error.into()))?;
    let password = new_password(name.text()).await?;
    let player = Random::system().player_id();
    let register = Change::Register(Registration {
        player,
        is_new: true,
        name: name.text().to_owned(),
        keys: name.keys().clone().into_all(),
        role: Role::Admin,
        password,
        session: None,
        audit_entry: Some(audit_entry(Operation::CreateAdmin, String::new())?.to_player(player)),
        at: Clock::system().now(),
    });
    match store.change(register).await? {
        ChangeResult::Done => say(&format!("{} is an admin now", name.text())),
        ChangeResult::NameTaken => anyhow::bail!("this name looks like one that is taken"),
        ChangeResult::Stale | ChangeResult::Full | ChangeResult::More => {
            anyhow::bail!("could not create the account")
        }
    }
}

async fn set_role(named: &AccountArgs, role: Role, why: String) -> anyhow::Result<()> {
    let store = named.records.open_existing().await?;
    let account = known(store.as_ref(), &named.name).await?;
    promote(store.as_ref(), &account, role, why).await
}

async fn promote(store: &Store, account: &Account, role: Role, why: String) -> anyhow::Result<()> {
    if account.role == role {
        return say(&format!("{} has this role already", account.name));
    }
    check_promotion(account, role, Clock::system().now()).map_err(told)?;
    let audit_entry = audit_entry(Operation::ChangeRole, why)?.to_player(account.id);
    let change = Change::Role {
        player: account.id,
        before: account.role,
        role,
        audit_entry: Some(audit_entry.with(told_roles(account.role, role))),
    };
    done(store.change(change).await?)?;
    say(&format!(
        "{} is now {}; all sessions have ended",
        account.name,
        role.as_str()
    ))
}

async fn set_password(named: &AccountArgs, revoke_tokens: bool) -> anyhow::Result<()> {
    let store = named.records.open_existing().await?;
    let account = known(store.as_ref(), &named.name).await?;
    let change = Change::Password {
        player: account.id,
        tried: None,
        password: new_password(&account.name).await?,
        session: None,
        revoke_tokens,
        audit_entry: Some(
            audit_entry(Operation::SetPassword, String::new())?.to_player(account.id),
        ),
    };
    let sessions = store.sessions_of(vec![account.id]).await?;
    let tokens = sessions
        .iter()
        .filter(|of| matches!(of.session.purpose, Purpose::Program { .. }))
        .count();
    done(store.change(change).await?)?;
    let ended = if revoke_tokens { tokens } else { 0 };
    say(&format!(
        "{} has a new password; all sessions and {ended} of {tokens} API tokens have ended",
        account.name
    ))
}

impl WhyArgs {
    fn read(&self) -> anyhow::Result<String> {
        limits::check_reason(&self.why).map_err(told)?;
        Ok(self.why.clone())
    }
}

/// The entry of the audit log of what is done now.
fn audit_entry(operation: Operation, reason: String) -> anyhow::Result<AuditEntry> {
    let permit = permission::permit(Who::Operator, operation).map_err(told)?;
    Ok(permit.audit_entry(Random::system().audit_id(), Clock::system().now(), reason))
}

/// Asks for a new password, and hashes it.
async fn new_password(name: &str) -> anyhow::Result<PasswordHash> {
    let password = password_prompt::new_password()?;
    passwords::check(&password, name).map_err(told)?;
    let salt = Random::system().salt()?;
    let (kib, passes) = HASH;
    let hasher = Hasher::new(kib, passes, &salt)?;
    let hash = hasher.hash(password, salt).await.map_err(told)?;
    Ok(PasswordHash(hash))
}

async fn found(store: &Store, name: &str) -> anyhow::Result<Option<Account>> {
    let key = NameKeys::of(name).first().to_owned();
    Ok(store.account(AccountLookup::Key(key)).await?)
}

async fn known(store: &Store, name: &str) -> anyhow::Result<Account> {
    found(store, name)
        .await?
        .with_context(|| format!("there is no account {name:?}"))
}

fn done(changed: ChangeResult) -> anyhow::Result<()> {
    anyhow::ensure!(
        changed == ChangeResult::Done,
        "the account was changed at the same time; nothing was done"
    );
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to map_err")]
fn told(error: ApiError) -> anyhow::Error {
    match &error.field {
        Some(field) => anyhow::anyhow!("{field}: {}", error.message),
        None => anyhow::anyhow!("{}", error.message),
    }
}

fn role(text: &str) -> Result<Role, String> {
    Role::from_name(text)
        .filter(|role| *role != Role::Guest)
        .ok_or_else(|| "expected player, bot, moderator or admin".to_owned())
}
