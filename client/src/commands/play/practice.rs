//! Practice games: hints, and a warning before a move that gives much away.

use hyper::Method;
use qiguan_protocol::{
    hint::{Hint, HintRequest, JudgedMove, Verdict},
    ids::Ply,
    view::GameView,
};

use super::Player;
use crate::notation;

impl Player {
    /// Asks for a hint, or what to think of a move.
    pub(super) async fn hint(&self, line: &str) -> anyhow::Result<()> {
        let Some(table) = &self.table else {
            return Ok(());
        };
        let view = &table.view;
        let asked = match line {
            "" => None,
            line => match notation::typed(view, line) {
                Ok(mv) => Some(mv),
                Err(why) => return Ok(self.screen.say(&why)?),
            },
        };
        match self.advice(view, asked).await {
            Ok(hint) => {
                if let Some(judged) = &hint.asked {
                    self.screen.say(&self.judged(view, judged))?;
                }
                let best = &hint.best;
                let spelled = self.spelled(view, best.text.as_str());
                let chance = percent(best.chance);
                Ok(self
                    .screen
                    .say(&format!("best: {spelled} (chance to win {chance})"))?)
            }
            Err(why) => Ok(self.screen.say(&why.to_string())?),
        }
    }

    /// Whether a move may go out: in a practice game a bad one is named first, and is played when it is typed again.
    pub(super) async fn is_meant(&mut self, ply: Ply, mv: &str) -> anyhow::Result<bool> {
        let Some(table) = &self.table else {
            return Ok(true);
        };
        let view = &table.view;
        let legal = view.position.legal.iter().flatten();
        let is_legal = legal.into_iter().any(|legal| legal.as_str() == mv);
        let this = (ply, mv.to_owned());
        if !view.practice || !is_legal || self.warned_of.as_ref() == Some(&this) {
            return Ok(true);
        }
        // Without an answer the move is played: a warning is a help and no rule.
        let Ok(hint) = self.advice(view, Some(this.1.clone())).await else {
            return Ok(true);
        };
        let Some(judged) = hint
            .asked
            .filter(|judged| judged.verdict >= Verdict::Mistake)
        else {
            return Ok(true);
        };
        let warning = format!(
            "{}; type it again to play it, or hint for a better one",
            self.judged(view, &judged)
        );
        self.screen.say(&warning)?;
        self.warned_of = Some(this);
        Ok(false)
    }

    async fn advice(&self, view: &GameView, asked: Option<String>) -> anyhow::Result<Hint> {
        let path = format!("/api/games/{}/hint", view.game);
        let body = HintRequest { text: asked };
        let asked = self
            .server
            .ask(Method::POST, &path, self.token.as_ref(), Some(&body));
        asked.await?.json()
    }

    fn judged(&self, view: &GameView, judged: &JudgedMove) -> String {
        let spelled = self.spelled(view, judged.text.as_str());
        let verdict = match judged.verdict {
            Verdict::Good => "a good move",
            Verdict::Inaccuracy => "not the best move",
            Verdict::Mistake => "a mistake",
            Verdict::Blunder => "a blunder",
        };
        let (chance, loss) = (percent(judged.chance), percent(judged.loss));
        format!("{spelled} is {verdict} (chance to win {chance}, {loss} less than the best)")
    }

    fn spelled(&self, view: &GameView, text: &str) -> String {
        self.screen.spelling().possible(&view.position.fen, text)
    }
}

fn percent(thousandths: u32) -> String {
    format!("{} %", (thousandths + 5) / 10)
}
