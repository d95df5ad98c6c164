//! `qiguan play`: a game in the terminal.

use qiguan_environment::{Clock, Random};
use qiguan_protocol::{
    answer::Answer,
    catalog::Catalog,
    error::{ApiError, ErrorCode},
    event::{GameEvent, GameNoticeKind},
    ids::{GameId, Millis, Ply, Token},
    limits,
    names::Status,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    sync::mpsc,
};

use self::{looking::Looking, opening::Opening, secrets::Drafts};
use crate::{
    address::Address,
    identity::{Identity, WhoArgs},
    link::{self, LinkRequest, News},
    notation::{self, NotationArgs},
    runtime::block_on,
    screen::{BEGINS, SET_UP, Screen},
    server::{Server, answer::refused},
    table::Table,
    text::{announced, printable},
    tls::TrustArgs,
    unencrypted,
};

mod arriving;
mod challenges;
mod lists;
mod looking;
mod opening;
mod practice;
mod ratings;
mod secrets;
mod typing;

/// Plays in the terminal: opens a game, joins one, or comes back to one.
///
/// While playing, type a move such as a3a4, in Xiangqi also C2=5, H2-E2 or 炮二平五. Besides: legal (and a SQUARE), banned, board,
/// moves, pieces, address; draw, takeback, accept, decline, resign yes, abort, claim, rematch; say TEXT; help, quit. In practice games: hint.
///
/// In Luzhanqi: swap a1 b2, setup (and a TEXT), setups, save NAME, load NAME, ready; then note SQUARE LETTER, note clear
/// SQUARE, notes.
#[derive(clap::Args, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub struct PlayArgs {
    /// The server (with --new or --seek), or the address or id of a game. The default server is QIGUAN_SERVER, or else the one
    /// on this machine.
    url: Option<String>,
    /// Open a game of this rule set.
    #[arg(long, value_name = "RULESET")]
    new: Option<String>,
    /// Play against the server's computer of this level, from 1 (a beginner) to 8: Xiangqi, or the rule set of --new.
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(1..=i64::from(limits::COMPUTER_LEVELS)),
          conflicts_with_all = ["seek", "challenge", "rated", "link"])]
    computer: Option<u8>,
    /// With --computer: a practice game. Take moves back, ask for hints, and be warned before a mistake.
    #[arg(long, requires = "computer")]
    practice: bool,
    /// Look for an opponent with this rule set: accept a matching seek, or open one and wait.
    #[arg(long, value_name = "RULESET", conflicts_with_all = ["new", "link", "option", "setup_time", "challenge"])]
    seek: Option<String>,
    /// With --seek: let the server find an opponent of similar rating. The time is then 3+2 (Dou Shou Qi alone), 5+3, 10+5 or 15+10 (not for Dou Shou Qi).
    #[arg(long, requires = "seek")]
    quick: bool,
    /// Play a rated game; requires an account.
    #[arg(long)]
    rated: bool,
    /// With --new: challenge the player with this name; only they can join.
    #[arg(long, value_name = "NAME", requires = "new")]
    challenge: Option<String>,
    /// The time control: 5+3 (minutes and increment), 10+3x30 (minutes and periods), 12h or 3d for each
    /// move, none. Default: 10+5, and none against a computer.
    #[arg(long)]
    time: Option<String>,
    /// The setup time of a new Luzhanqi game: 90s, 3m, 12h, 3d; default: 3 minutes.
    #[arg(long, value_name = "SPAN")]
    setup_time: Option<String>,
    /// The seat to take in the new game: first, second or random.
    #[arg(long, default_value = "random")]
    seat: String,
    /// The spectator delay during the game: 3p (plies, at most 15) or 10m (minutes, at most 60).
    #[arg(long, value_name = "DELAY", conflicts_with = "quick")]
    spectator_delay: Option<String>,
    /// Don't list the new game; anybody with its address can join.
    #[arg(long)]
    link: bool,
    /// Change an option of the rule set for the new game; repeatable.
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
    /// Begin the new game with this position (FEN) in place of the usual one: Xiangqi and Dou Shou Qi. It is neither rated nor listed.
    #[arg(long, value_name = "FEN", conflicts_with_all = ["seek", "rated"])]
    position: Option<String>,
    /// Decline the challenge at this address instead of joining.
    #[arg(long, conflicts_with_all = ["new", "seek"])]
    decline: bool,
    /// Play as a new guest for this run only: nothing is saved, and you can't come back after quitting.
    #[arg(long, conflicts_with = "as_name")]
    guest: bool,
    /// Print lines instead of redrawing the screen; the default when the output is not a terminal.
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    notation: NotationArgs,
    #[command(flatten)]
    who: WhoArgs,
    #[command(flatten)]
    trust: TrustArgs,
}

/// The rule set that is played against a computer unless another is asked for.
const AGAINST_COMPUTER: &str = "xiangqi/standard";

impl PlayArgs {
    /// The rule set of a new game, if one is to be opened.
    fn new_game(&self) -> Option<&str> {
        let against_computer = self.computer.map(|_| AGAINST_COMPUTER);
        self.new.as_deref().or(against_computer)
    }

    /// The time control as it is written.
    fn time(&self) -> &str {
        let usual = if self.computer.is_some() {
            "none"
        } else {
            "10+5"
        };
        self.time.as_deref().unwrap_or(usual)
    }
}

/// Plays until the player quits or there is nothing left to play.
///
/// # Errors
/// When the server can't be reached or refuses, or the terminal is closed.
pub fn run(args: &PlayArgs) -> anyhow::Result<()> {
    block_on(play(args))
}

async fn play(args: &PlayArgs) -> anyhow::Result<()> {
    let address = Address::named(args.url.as_deref())?;
    let server = Server::new(address.server, &args.trust)?;
    let mut identity = if args.guest {
        Identity::Guest
    } else {
        Identity::of(&args.who, server.origin())?
    };
    if args.decline {
        return challenges::decline(&server, address.game, &identity).await;
    }
    let (opening, looking) = match opening::wanted(args, address.game.is_some())? {
        Some(Opening::Create(data)) => (Some(data), None),
        Some(Opening::Look(looking)) => (None, Some(*looking)),
        None => (None, None),
    };
    unencrypted::warn(server.origin());
    let catalog = server.get("/api/catalog", None).await?;
    if let Some(game) = address.game {
        identity = arriving::who(&server, game, identity).await?;
    }
    let token = identity.token()?;
    let (requests, asked) = mpsc::channel(16);
    let (told, news) = mpsc::channel(64);
    let link = link::run(server.clone(), token.clone(), true, asked, told);
    tokio::spawn(link);
    let player = Player {
        screen: Screen::new(args.plain, args.notation).of_server(server.origin()),
        catalog,
        clock: Clock::system(),
        ahead: Millis(0),
        requests,
        table: None,
        identity,
        token,
        server,
        opening,
        looking,
        game: address.game,
        challenge: None,
        joining: false,
        begun: None,
        warned_of: None,
        drafts: Drafts::default(),
    };
    player.run(news).await
}

struct Player {
    screen: Screen,
    catalog: Catalog,
    clock: Clock,
    /// How far the server's clock is ahead of this one.
    ahead: Millis,
    requests: mpsc::Sender<LinkRequest>,
    table: Option<Table>,
    identity: Identity,
    token: Option<Token>,
    server: Server,
    opening: Option<Value>,
    /// The opponent who is looked for.
    looking: Option<Looking>,
    game: Option<GameId>,
    /// The last challenge that has come, as long as it stands.
    challenge: Option<GameId>,
    joining: bool,
    /// The game whose beginning has been shown.
    begun: Option<GameId>,
    /// The bad move of a practice game that was typed and not played: typed again, it is meant.
    warned_of: Option<(Ply, String)>,
    /// What was sent last and is not answered yet: the next line that is typed builds on it.
    drafts: Drafts,
}

impl Player {
    async fn run(mut self, mut news: mpsc::Receiver<News>) -> anyhow::Result<()> {
        let mut lines = BufReader::new(tokio::io::stdin()).split(b'\n');
        let mut listening = true;
        let mut seconds = tokio::time::interval(std::time::Duration::from_secs(1));
        loop {
            tokio::select! {
                heard = news.recv() => {
                    let Some(heard) = heard else { return Ok(()) };
                    self.heard(heard).await?;
                }
                line = lines.next_segment(), if listening => match line?.map(String::from_utf8) {
                    Some(Ok(line)) if matches!(line.trim(), "quit" | "q") => return self.leave(),
                    Some(Ok(line)) => self.typed(line.trim()).await?,
                    Some(Err(_)) => {
                        self.screen.say("not valid UTF-8")?;
                        self.screen.prompt()?;
                    }
                    None => listening = false,
                },
                _ = seconds.tick() => {
                    if let Some(table) = &self.table {
                        self.screen.tick(table, self.now())?;
                    }
                }
            }
            let over = self.table.as_ref().is_some_and(Table::is_over);
            if over && !listening {
                // Nobody types any more and nothing more happens.
                return Ok(());
            }
        }
    }

    fn now(&self) -> Millis {
        self.clock.now() + self.ahead
    }

    async fn ask_link(&self, request: LinkRequest) -> anyhow::Result<()> {
        self.requests
            .send(request)
            .await
            .map_err(|_| anyhow::anyhow!("the connection is closed"))
    }

    async fn command(&self, kind: &'static str, extra: Value) -> anyhow::Result<()> {
        let Some(game) = self.game else { return Ok(()) };
        let mut data = json!({"game": game, "command": Random::system().command_id()});
        if let (Value::Object(data), Value::Object(extra)) = (&mut data, extra) {
            data.extend(extra);
        }
        self.ask_link(LinkRequest::Ask(kind, data)).await
    }

    async fn heard(&mut self, news: News) -> anyhow::Result<()> {
        match news {
            News::Hello(answer) => {
                match *answer {
                    Answer::Guest(guest) => {
                        self.identity.keep(&guest.token)?;
                        self.token = Some(guest.token);
                        self.screen
                            .say(&arriving::greeting(&guest.player, &self.identity))?;
                    }
                    Answer::Welcome(welcome) => self.ahead = welcome.server_time - self.clock.now(),
                    _ => {}
                }
                match (self.opening.take(), self.game, &self.table) {
                    (Some(opening), ..) => {
                        self.ask_link(LinkRequest::Ask("create_game", opening))
                            .await?
                    }
                    (None, Some(game), None) => self.ask_link(LinkRequest::Watch(game)).await?,
                    (None, ..) => self.look().await?,
                }
            }
            News::Caught(answer) => self.caught(*answer).await?,
            News::Answered(kind, data, result) => self.answered(kind, &data, *result).await?,
            News::Event(event) => {
                if let GameEvent::Started { .. } = event.event {
                    self.begun = Some(event.game);
                }
                let Some(table) = &mut self.table else {
                    return Ok(());
                };
                self.ahead = Millis(self.ahead.0.max((event.at - self.clock.now()).0));
                let redraw =
                    event.position.is_some() || matches!(event.event, GameEvent::SetupBegan { .. });
                table.happened((*event).clone());
                let told = self.screen.told(&event, Some(&table.view));
                let next = table.next.take();
                self.show(redraw, told.as_deref())?;
                if let Some(next) = next {
                    self.game = Some(next);
                    self.table = None;
                    self.drafts = Drafts::default();
                    self.screen
                        .say(&format!("the next game: {}/games/{next}", self.server))?;
                    self.ask_link(LinkRequest::Watch(next)).await?;
                }
            }
            News::Notice(notice) => {
                let redraw = matches!(
                    notice,
                    GameNoticeKind::SetUp { .. } | GameNoticeKind::Notes { .. }
                );
                if let GameNoticeKind::Rated { ratings } = &notice {
                    self.screen.say(&ratings::line(&self.screen, ratings))?;
                }
                if let Some(table) = &mut self.table {
                    table.noticed(&notice);
                    self.show(redraw, None)?;
                }
            }
            News::Lobby(notice) => self.lobby_tells(*notice).await?,
            News::Announced(active) => {
                for line in announced(&active) {
                    self.screen.say(&line)?;
                }
            }
            News::Restarting { .. } => self
                .screen
                .say("the server is restarting; this client reconnects by itself")?,
            News::Lost => self.screen.say("the connection is lost; trying again")?,
            News::Over(why) => anyhow::bail!("{}", printable(&why)),
        }
        Ok(())
    }

    async fn caught(&mut self, answer: Answer) -> anyhow::Result<()> {
        let missed = if let Answer::Missed { events, .. } = &answer {
            events.clone()
        } else {
            Vec::new()
        };
        match (&mut self.table, answer) {
            (Some(table), answer) => table.catch_up(answer),
            (table @ None, Answer::Snapshot { view, .. }) => {
                let start = view.start.as_deref();
                self.screen.learn(&self.catalog, &view.ruleset, start);
                self.ahead = view.server_time - self.clock.now();
                let join = view.you.is_none() && view.status == Status::Open;
                if join {
                    self.screen
                        .say(&format!("you join a game of {}", self.screen.rules(&view)))?;
                }
                anyhow::ensure!(
                    join || view.you.is_some(),
                    "both seats are taken; watch it with: qiguan watch {}/games/{}",
                    self.server,
                    view.game
                );
                // The other may have come before this client watched: then no event tells of the beginning.
                let fresh = Table::new(*view);
                let view = &fresh.view;
                if fresh.is_setting_up() && view.you.is_some() {
                    self.screen.say(SET_UP)?;
                } else if view.status == Status::Playing
                    && view.moves.is_empty()
                    && self.begun.replace(view.game) != Some(view.game)
                {
                    self.screen.say(BEGINS)?;
                }
                *table = Some(fresh);
                if join && !self.joining {
                    self.joining = true;
                    self.command("join", json!({})).await?;
                    return Ok(());
                }
            }
            (None, _) => {}
        }
        let view = self.table.as_ref().map(|table| &table.view);
        for told in missed
            .iter()
            .filter_map(|event| self.screen.told(event, view))
        {
            self.screen.say(&told)?;
        }
        self.show(true, None)
    }

    async fn answered(
        &mut self,
        kind: &'static str,
        data: &Value,
        result: Result<Answer, ApiError>,
    ) -> anyhow::Result<()> {
        self.drafts.answered(kind, data);
        match result {
            Ok(Answer::Created { game }) => {
                self.game = Some(game);
                let address = format!("{}/games/{game}", self.server);
                if let Some(name) = data["to"].as_str() {
                    let told = format!("{} is challenged: {address}", printable(name));
                    self.screen.say(&told)?;
                    return self.ask_link(LinkRequest::Watch(game)).await;
                }
                self.screen.say(&format!("your game: {address}"))?;
                self.ask_link(LinkRequest::Watch(game)).await
            }
            Ok(Answer::Done { .. }) if kind == "decline" => {
                Ok(self.screen.say("the challenge is declined")?)
            }
            Ok(Answer::Done { .. }) => {
                if std::mem::take(&mut self.joining)
                    && let Some(game) = self.game
                {
                    // The seat is one's own now: the moves and the side from which the board is seen are sent again.
                    self.table = None;
                    self.ask_link(LinkRequest::Watch(game)).await?;
                }
                Ok(())
            }
            Ok(Answer::Kept { .. }) => self.kept(kind, data),
            Ok(answer) => self.answered_by_lobby(answer).await,
            Err(_) if kind == "accept_seek" => self.could_not_accept(data).await,
            Err(error) if kind == "decline" => Ok(self.screen.say(&refused(&error))?),
            Err(error) => {
                let Some(table) = &self.table else {
                    anyhow::bail!("{}", refused(&error))
                };
                if error.code == ErrorCode::IllegalMove {
                    self.screen.say(notation::illegal(&table.view))?;
                } else {
                    self.screen.say(&printable(&error.message))?;
                }
                Ok(self.screen.prompt()?)
            }
        }
    }

    /// Redraws, or tells in a line where lines follow each other.
    fn show(&self, board: bool, told: Option<&str>) -> anyhow::Result<()> {
        let Some(table) = &self.table else {
            return Ok(());
        };
        if self.screen.is_live() {
            self.screen.draw(table, self.now(), &[])?;
            if let Some(told) = told {
                self.screen.say(told)?;
            }
            return Ok(self.screen.prompt()?);
        }
        if let Some(told) = told {
            self.screen.say(told)?;
        }
        if board {
            self.screen.draw(table, self.now(), &[])?;
        }
        Ok(())
    }
}
