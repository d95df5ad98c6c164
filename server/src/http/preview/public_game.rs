//! What everybody may know of a game before they have opened its address.

use qiguan_pictures::{
    card::{Card, Player, Words},
    diagram::Shown,
};
use qiguan_protocol::{
    error::ApiError,
    ids::GameId,
    names::{self, BySeat, Outcome, Status, Visibility},
    time_control::TimeControl,
    view::GameView,
};
use qiguan_rules::{self as rules, Game, RuleSet};

use super::texts::Locale;
use crate::{app::App, room::message::Read};

/// A game as its preview shows it.
#[derive(Clone, Debug)]
pub struct PublicGame {
    /// The rule set.
    pub ruleset: String,
    /// The players; none for a free seat.
    pub players: BySeat<Option<names::Player>>,
    /// Where it is in its life, as spectators know it.
    pub status: Status,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// The time control.
    pub time_control: TimeControl,
    /// Whether it counts for ratings.
    pub rated: bool,
    position: String,
    shown: Shown,
}

impl PublicGame {
    /// What spectators know of a game that is for everybody, or of an invitation that somebody handed on; none of any other: what
    /// two people have agreed upon, the address alone shall not tell.
    ///
    /// Reading it opens the game's room, as the page does that is about to come.
    ///
    /// # Errors
    /// `not_found`, and what the room answers that can't read it.
    pub async fn read(app: &App, game: GameId) -> Result<Option<Self>, ApiError> {
        let snapshot = app.hub.read(game, None, Read::Snapshot).await?;
        let last = snapshot.ply().0.checked_sub(1);
        let last = last.and_then(|last| snapshot.played(last as usize));
        let view = snapshot.view_without_moves();
        let last_move = last.and_then(|played| played.text.parse().ok());
        let told = may_be_told(&view).then(|| Self {
            shown: Shown {
                last_move,
                check: view.position.check.then(|| view.position.turn.into()),
                ..Shown::default()
            },
            ruleset: view.ruleset,
            players: view.players,
            status: view.status,
            outcome: view.outcome,
            time_control: view.time_control,
            rated: view.rated,
            position: view.position.fen,
        });
        Ok(told)
    }

    /// The picture of the game.
    pub fn card(&self) -> Card {
        let of = |player: &Option<names::Player>| {
            player.as_ref().map(|player| Player {
                name: player.name.clone(),
                rating: player.rating.map(|rating| rating.value),
            })
        };
        let english = Locale::En;
        Card {
            ruleset: self.ruleset.clone(),
            fen: self.position.clone(),
            shown: self.shown.clone(),
            words: Words::Players {
                players: rules::BySeat {
                    first: of(&self.players.first),
                    second: of(&self.players.second),
                },
                result: self.outcome.and_then(result),
                about: format!(
                    "{} · {}",
                    english.ruleset_title(&self.ruleset),
                    english.time(&self.time_control)
                ),
            },
        }
    }
}

/// Whether a preview may show a game.
fn may_be_told(view: &GameView) -> bool {
    match view.visibility {
        Visibility::Public => !view.damaged,
        Visibility::Link => view.status == Status::Open && view.invited.is_none() && !view.damaged,
    }
}

/// The result as it is written everywhere; none if the game was broken off.
fn result(outcome: Outcome) -> Option<String> {
    let result = match (outcome.winner, outcome.reason) {
        (_, names::EndReason::Aborted) => return None,
        (Some(names::Seat::First), _) => "1–0",
        (Some(names::Seat::Second), _) => "0–1",
        (None, _) => "½–½",
    };
    Some(result.to_owned())
}

/// The picture of a rule set: how its games begin.
pub fn card_of_rules(ruleset: &RuleSet) -> Card {
    let id = ruleset.id().to_owned();
    let english = Locale::En;
    Card {
        fen: Game::start(ruleset).fen(),
        shown: Shown::default(),
        words: Words::Heading {
            heading: english.game(&id),
            lines: vec![english.ruleset(&id), "Qiguan".to_owned()],
        },
        ruleset: id,
    }
}

/// The picture of the house; none if it has not the rules that it shows.
pub fn card_of_house() -> Option<Card> {
    let ruleset = RuleSet::named("xiangqi/standard").ok()?;
    let games = ["xiangqi", "doushouqi", "luzhanqi"];
    Some(Card {
        words: Words::Heading {
            heading: "Qiguan".to_owned(),
            lines: games.map(|game| Locale::En.game(game)).to_vec(),
        },
        ..card_of_rules(&ruleset)
    })
}
