//! Which games a bot takes on: challenges as its boards are free, and those that it opens itself.

use std::{
    collections::{BTreeSet, HashSet, VecDeque},
    sync::Arc,
    time::Duration,
};

use qiguan_client::{
    server::Refused,
    text::{excerpt, named, printable},
    time_control,
};
use qiguan_game::rulesets;
use qiguan_protocol::{
    ids::GameId,
    names::{Player, Status},
    option::AskedOptions,
    own_game::OwnGame,
    view::GameSummary,
};
use tokio::{
    sync::mpsc,
    task::{JoinError, JoinSet},
};

use super::{
    Bot, OwnOffers,
    counts::Counts,
    own_games::OwnGames,
    own_stream::{self, News},
    playing::{Report, play},
    show,
};

/// How often the bot looks whether what it has opened still stands, and opens again what does not. A seek without a socket lives for a minute.
const LOOK: Duration = Duration::from_secs(15);

/// How many games a bot plays.
pub(super) struct Limits {
    pub(super) at_a_time: usize,
    pub(super) in_all: Option<u32>,
}

/// A bot at work.
struct Serving {
    bot: Arc<Bot>,
    limits: Limits,
    /// Whether everything that was there at the beginning is known.
    is_ready: bool,
    /// Whether it takes no new games.
    is_closing: bool,
    games: JoinSet<Report>,
    running: BTreeSet<GameId>,
    /// Games that are over for this bot: what is told of them late does not begin them again.
    finished: HashSet<GameId>,
    /// Challenges that wait for a board.
    waiting: VecDeque<GameId>,
    own: OwnGames,
    counts: Counts,
}

/// Serves until it is interrupted or has played enough; games that run then are played to their end, unless it is interrupted again. Runs in a
/// `LocalSet`.
pub(super) async fn serve(bot: Arc<Bot>, offers: OwnOffers, limits: Limits) -> anyhow::Result<()> {
    let (tell, mut news) = mpsc::channel(256);
    let reader = Arc::clone(&bot);
    tokio::task::spawn_local(async move { own_stream::follow(&reader, tell).await });
    let own = OwnGames::new(Arc::clone(&bot), offers, limits.in_all.is_some());
    let mut serving = Serving {
        bot,
        limits,
        is_ready: false,
        is_closing: false,
        games: JoinSet::new(),
        running: BTreeSet::new(),
        finished: HashSet::new(),
        waiting: VecDeque::new(),
        own,
        counts: Counts::default(),
    };
    let mut looks = tokio::time::interval(LOOK);
    loop {
        if serving.is_closing && serving.running.is_empty() {
            break;
        }
        tokio::select! {
            heard = news.recv() => serving.hears(heard).await?,
            Some(report) = serving.games.join_next() => serving.ends(report),
            _ = looks.tick() => serving.own.looks_after_seek().await,
            _ = tokio::signal::ctrl_c() => {
                if serving.is_closing {
                    show("the running games go on when the bot is started again");
                    break;
                }
                serving.closes().await;
            }
        }
        serving.takes_on().await?;
    }
    show(&serving.counts.to_string());
    Ok(())
}

impl Serving {
    async fn hears(&mut self, news: Option<News>) -> anyhow::Result<()> {
        match news {
            None => anyhow::bail!("the stream of the bot has ended by a fault of this program"),
            Some(News::Over(refused)) => anyhow::bail!("{}: {refused}", self.bot.server),
            Some(News::Me(player)) => self.begins(&player)?,
            Some(News::Game(game)) => self.plays(&game),
            Some(News::Challenged(challenge)) => self.is_challenged(&challenge).await,
            Some(News::ChallengeClosed(game)) => {
                self.waiting.retain(|waiting| *waiting != game);
                if self.own.challenge_closed(game).await {
                    self.sits_down(game);
                }
            }
            Some(News::SeekEnded(seek)) => self.own.seek_ended(seek),
        }
        Ok(())
    }

    fn begins(&mut self, player: &Player) -> anyhow::Result<()> {
        anyhow::ensure!(
            player.bot,
            "{} is no bot's account: a program may play with a bot's account alone; docs/bots.md says how to open one",
            printable(&player.name)
        );
        if !self.is_ready {
            let (name, server) = (printable(&player.name), &self.bot.server);
            show(&format!("{name} plays on {server}"));
        }
        self.is_ready = true;
        Ok(())
    }

    /// A game of the bot runs: it is played, however many there are.
    fn plays(&mut self, game: &OwnGame) {
        let id = game.game;
        if game.status != Status::Playing
            || self.running.contains(&id)
            || self.finished.contains(&id)
        {
            return;
        }
        let is_played = qiguan_rules::RuleSet::named(&game.ruleset)
            .is_ok_and(|ruleset| self.bot.engine.check(&ruleset).is_ok());
        let server = &self.bot.server;
        if !is_played {
            self.finished.insert(id);
            return show(&format!(
                "{server}/games/{id} is {}, which this engine does not play: it is left alone",
                excerpt(&game.ruleset)
            ));
        }
        show(&format!(
            "{server}/games/{id} begins: {} {}, against {}",
            excerpt(&game.ruleset),
            time_control::shown(&game.time_control.clock),
            named(&game.opponent)
        ));
        self.sits_down(id);
    }

    fn sits_down(&mut self, game: GameId) {
        if self.running.insert(game) {
            self.games.spawn_local(play(Arc::clone(&self.bot), game));
        }
    }

    fn ends(&mut self, report: Result<Report, JoinError>) {
        let report = match report {
            Ok(report) => report,
            // A game whose task has broken is not in the way of the others.
            Err(error) => return show(&format!("fault: {error}")),
        };
        let (game, server) = (report.game, &self.bot.server);
        show(&format!("{server}/games/{game} {}", report.text));
        self.running.remove(&game);
        self.finished.insert(game);
        self.counts.add(&report);
    }

    /// Whether another game may begin now.
    fn has_place(&self) -> bool {
        let begun = self.running.len() + usize::from(self.own.has_challenge());
        let is_free = begun < self.limits.at_a_time;
        let begun = u32::try_from(begun).unwrap_or(u32::MAX);
        let is_enough = |most: u32| self.counts.played().saturating_add(begun) >= most;
        self.is_ready && !self.is_closing && is_free && !self.limits.in_all.is_some_and(is_enough)
    }

    /// Whether a challenge can be played.
    fn is_acceptable(&self, challenge: &GameSummary) -> bool {
        let options = challenge.options.iter();
        let options = options.map(|(name, value)| (name.clone(), Some(value.clone())));
        let options = AskedOptions(options.collect());
        let ruleset = qiguan_rules::RuleSet::named(&challenge.ruleset);
        rulesets::from_wire(&challenge.ruleset, &options).is_ok()
            && ruleset.is_ok_and(|ruleset| self.bot.plays(&ruleset))
            && !(self.bot.casual_only && challenge.rated)
    }

    async fn is_challenged(&mut self, challenge: &GameSummary) {
        let game = challenge.game;
        if self.is_acceptable(challenge) && !self.is_closing {
            if !self.waiting.contains(&game) {
                self.waiting.push_back(game);
            }
            return;
        }
        show(&format!(
            "declines a challenge: {} {}",
            excerpt(&challenge.ruleset),
            if challenge.rated { "rated" } else { "casual" }
        ));
        // Where it can't be declined, it stays open.
        let _ = self.bot.tries(game, "decline").await;
    }

    /// Fills free boards: with challenges first, then with games that the bot opens itself.
    async fn takes_on(&mut self) -> anyhow::Result<()> {
        let most = self.limits.in_all;
        if most.is_some_and(|most| self.counts.played() >= most) && !self.is_closing {
            self.closes().await;
        }
        while self.has_place()
            && let Some(game) = self.waiting.pop_front()
        {
            match self.bot.tries(game, "join").await {
                Ok(()) => {
                    let server = &self.bot.server;
                    show(&format!("{server}/games/{game} is accepted"));
                    self.sits_down(game);
                }
                Err(error) if error.is::<Refused>() => show(&format!("challenge: {error}")),
                Err(_) => {
                    self.waiting.push_back(game);
                    break;
                }
            }
        }
        if self.has_place() {
            self.own.challenges().await?;
        }
        if self.has_place() {
            self.own.seeks().await?;
        }
        Ok(())
    }

    /// Takes no new games, declines those that wait, and takes back what is open.
    async fn closes(&mut self) {
        self.is_closing = true;
        for waiting in std::mem::take(&mut self.waiting) {
            let _ = self.bot.tries(waiting, "decline").await;
        }
        match self.running.len() {
            0 => {}
            1 => show("one game is still played to its end; Ctrl-C leaves it"),
            games => show(&format!(
                "{games} games are still played to their end; Ctrl-C leaves them"
            )),
        }
        self.own.takes_back().await;
    }
}
