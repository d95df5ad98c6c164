//! One game of a bot, from its beginning or from where it stands to its end.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use qiguan_client::text::{cut, printable};
use qiguan_protocol::{
    ids::{GameId, Millis},
    names::{EndReason, Outcome, Seat, Status},
    view::GameView,
};
use qiguan_server::computers::thinking::{Choice, Task};
use serde_json::json;
use tokio::sync::Notify;

use super::{
    Bot,
    own_stream::follow_game,
    show,
    thinking::{StopOnDrop, Thinker, Thought},
};

/// How often a program may fail at one move before the game is resigned.
const MOST_FAILURES: u32 = 5;
/// How long it is left alone after it has failed; twice as long after each more.
const BACK_OFF: Duration = Duration::from_millis(500);
/// How long a bot waits before it looks at a game again in which the server has refused something.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// How a game was for a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameResult {
    Won,
    Lost,
    Drawn,
    /// Broken off.
    Void,
}

/// What became of a game.
pub(super) struct Report {
    pub(super) game: GameId,
    /// None if the bot could not stay in it.
    pub(super) result: Option<GameResult>,
    /// What there is to say of it.
    pub(super) text: String,
    /// How often the engine answered what is not legal, ended or did not answer.
    pub(super) faults: u32,
}

/// A game under way.
struct Playing<'a> {
    bot: &'a Bot,
    game: GameId,
    changed: &'a Notify,
    stop: &'a Arc<AtomicBool>,
    /// None while it thinks.
    thinker: Option<Thinker>,
    faults: u32,
    /// How often the engine has failed at this move.
    failures: u32,
}

/// Plays a game to its end.
pub(super) async fn play(bot: Arc<Bot>, game: GameId) -> Report {
    let (changed, stop) = (Notify::new(), Arc::new(AtomicBool::new(false)));
    let _stop = StopOnDrop(Arc::clone(&stop));
    let mut playing = Playing {
        bot: &bot,
        game,
        changed: &changed,
        stop: &stop,
        thinker: Some(Thinker::of(&bot)),
        faults: 0,
        failures: 0,
    };
    let (result, text) = tokio::select! {
        biased;
        done = playing.plays_on() => done,
        why = follow_game(&bot, game, &changed, &stop) => (None, format!("can't be followed: {why}")),
    };
    let (thinker, faults) = (playing.thinker.take(), playing.faults);
    // A program is given some time to end: nothing else waits for that.
    drop(tokio::task::spawn_blocking(move || drop(thinker)));
    Report {
        game,
        result,
        text,
        faults,
    }
}

impl Playing<'_> {
    /// Plays to the end.
    async fn plays_on(&mut self) -> (Option<GameResult>, String) {
        let mut away = None;
        loop {
            tokio::select! {
                () = self.changed.notified() => {}
                () = over(away) => {}
            }
            self.stop.store(false, Ordering::Relaxed);
            let view = match self.bot.view(self.game).await {
                Ok(Ok(view)) => view,
                Ok(Err(error)) => return (None, error.to_string()),
                Err(refused) => return (None, refused.to_string()),
            };
            if let Some(outcome) = view.outcome {
                return result_of(outcome, view.you);
            }
            self.declines_takeback(&view).await;
            away = self.claims(&view).await;
            if view.status == Status::Playing
                && let Some(task) = Task::of(&view)
            {
                self.acts(view, task).await;
            }
        }
    }

    /// Claims the game of an opponent who has been away for too long, since the board is wanted for others; otherwise when to look again.
    async fn claims(&self, view: &GameView) -> Option<Millis> {
        let other = match view.you? {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        };
        let opponent = view.presence.players.get(other);
        let claim_at = opponent.claim_at.filter(|_| !opponent.connected)?;
        let left = Millis(claim_at.0 - view.server_time.0);
        if left > Millis(0) {
            return Some(left);
        }
        // Where it is refused, the opponent is back.
        let _ = self.bot.does(self.game, "claim_victory", json!({})).await;
        None
    }

    /// Nothing is taken back from a bot.
    async fn declines_takeback(&self, view: &GameView) {
        let request = view.takeback_request.as_ref();
        if let Some(request) = request.filter(|request| Some(request.seat) != view.you) {
            let data = json!({"offer": request.seq});
            // Where it is refused, the request does not stand any more.
            let _ = self.bot.does(self.game, "decline_takeback", data).await;
        }
    }

    async fn acts(&mut self, view: GameView, task: Task) {
        if task == Task::SetUp {
            let setup = self.thinker.as_ref().and_then(|it| it.setup(&view));
            if let Some(setup) = setup {
                // Where it is refused, the setup that was drawn stands.
                let _ = self.bot.sets_up(self.game, &setup).await;
            }
            return self.does("ready", json!({})).await;
        }
        let thought = self.thinks(view, task).await;
        if matches!(thought, Thought::Choice(_)) {
            self.failures = 0;
        }
        match thought {
            Thought::Choice(Choice::Move(ply, mv)) => {
                let data = json!({"ply": ply, "move": mv.to_string()});
                self.does("move", data).await;
            }
            Thought::Choice(Choice::AcceptDraw(offer)) => {
                self.does("accept_draw", json!({"offer": offer})).await;
            }
            Thought::Choice(Choice::DeclineDraw(offer)) => {
                self.does("decline_draw", json!({"offer": offer})).await;
            }
            Thought::Choice(Choice::Resign) | Thought::Resigns => {
                self.does("resign", json!({})).await;
            }
            Thought::Illegal(said) => {
                self.notes(&format!("{said}; resigning"));
                self.does("resign", json!({})).await;
            }
            Thought::Failed(why) => self.fails(&why).await,
            Thought::Unwanted => self.changed.notify_one(),
        }
    }

    /// Asks the engine, on a thread of its own.
    async fn thinks(&mut self, view: GameView, task: Task) -> Thought {
        let Some(mut thinker) = self.thinker.take() else {
            return Thought::Failed("the engine is gone".to_owned());
        };
        let (time, stop) = (thinker.time(&view), Arc::clone(self.stop));
        let thinking = tokio::task::spawn_blocking(move || {
            let thought = thinker.think(&view, task, &stop);
            (thinker, thought)
        });
        tokio::pin!(thinking);
        let ended = tokio::select! {
            ended = &mut thinking => ended,
            () = over(time) => {
                self.stop.store(true, Ordering::Relaxed);
                thinking.await
            }
        };
        let Ok((mut thinker, thought)) = ended else {
            self.thinker = Some(Thinker::of(self.bot));
            return Thought::Failed("a fault of this program".to_owned());
        };
        for said in thinker.forgiven() {
            self.notes(&format!("{said}; asking again"));
        }
        self.thinker = Some(thinker);
        thought
    }

    /// The program has ended or does not answer: it is left alone for a while, and asked again in a new process.
    async fn fails(&mut self, why: &str) {
        self.failures += 1;
        if self.failures >= MOST_FAILURES {
            self.notes(&format!(
                "{why}, {MOST_FAILURES} times for one move; resigning"
            ));
            return self.does("resign", json!({})).await;
        }
        self.notes(&format!("{why}; starting it again"));
        tokio::time::sleep(BACK_OFF * 2_u32.pow(self.failures - 1)).await;
        self.changed.notify_one();
    }

    /// A fault of the engine, which is counted and shown.
    fn notes(&mut self, fault: &str) {
        self.faults += 1;
        let (server, game) = (&self.bot.server, self.game);
        show(&format!("fault: {server}/games/{game}: {}", cut(fault)));
    }

    /// Sends a command. Where it is refused, the game has gone on: what there is to do now shows when it is looked at again.
    async fn does(&self, kind: &str, data: serde_json::Value) {
        if self.bot.does(self.game, kind, data).await.is_err() {
            tokio::time::sleep(LOOK_AGAIN).await;
            self.changed.notify_one();
        }
    }
}

/// Waits until a time is over; for ever without a time.
async fn over(time: Option<Millis>) {
    match time {
        Some(time) => {
            let time = Duration::from_millis(u64::try_from(time.0).unwrap_or(0));
            tokio::time::sleep(time).await;
        }
        None => std::future::pending().await,
    }
}

fn result_of(outcome: Outcome, you: Option<Seat>) -> (Option<GameResult>, String) {
    let reason = serde_json::to_value(outcome.reason).unwrap_or_default();
    let reason = reason.as_str().unwrap_or("the end").replace('_', " ");
    let (result, word) = match outcome.winner {
        None if outcome.reason == EndReason::Aborted => (GameResult::Void, "broken off"),
        None => (GameResult::Drawn, "drawn"),
        winner if winner == you => (GameResult::Won, "won"),
        Some(_) => (GameResult::Lost, "lost"),
    };
    (Some(result), format!("{word} ({})", printable(&reason)))
}
