//! What stands in the head of a page for those who show its address elsewhere, as Open Graph has it.

use percent_encoding::percent_decode_str;
use qiguan_pictures::card;
use qiguan_protocol::{
    analysis::SharedAnalysis,
    error::ApiError,
    ids::{AnalysisId, GameId, PlayerId},
    names::{self, BySeat, Seat, Status},
};
use qiguan_puzzles::Aim;
use qiguan_rules::RuleSet;

use super::{
    public_game::PublicGame,
    texts::{Locale, filled},
};
use crate::{
    accounts::analyses,
    app::App,
    http::{
        players,
        puzzles::{self, KnownPuzzle},
    },
    net::origin::Origin,
};

/// What the address of a page names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A game, live or stored.
    Game(GameId),
    /// A player, by id or name.
    Player(String),
    /// A rule set.
    Rules(RuleSet),
    /// A puzzle.
    Puzzle(KnownPuzzle),
    /// A shared analysis.
    Analysis(AnalysisId),
    /// The house itself.
    House,
}

impl Subject {
    /// What an address is about.
    pub fn of(path: &str) -> Self {
        let mut parts = path.trim_end_matches('/').split('/').skip(1);
        let found = match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some("game" | "replay"), Some(id), None, None) => id.parse().ok().map(Self::Game),
            (Some("player"), Some(name), None, None) => {
                let name = percent_decode_str(name).decode_utf8().ok();
                name.map(|name| Self::Player(name.into_owned()))
            }
            (Some("rules"), Some(game), Some(set), None) => {
                RuleSet::named(&format!("{game}/{set}"))
                    .ok()
                    .map(Self::Rules)
            }
            (Some("analysis"), Some(id), None, None) => id.parse().ok().map(Self::Analysis),
            (Some("puzzles"), Some(id), None, None) => puzzles::find(id).map(Self::Puzzle),
            _ => None,
        };
        found.unwrap_or(Self::House)
    }

    /// Whether the records have to be read for it.
    pub const fn is_recorded(&self) -> bool {
        match self {
            Self::Game(_) | Self::Player(_) | Self::Analysis(_) => true,
            Self::Rules(_) | Self::Puzzle(_) | Self::House => false,
        }
    }
}

/// What is shown where an address is pasted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// The address, in the one form that is handed on; none where the page has no preview of its own.
    address: Option<String>,
    title: String,
    text: String,
    /// Where the picture lies.
    picture: String,
    /// What it shows.
    alt: String,
}

impl Preview {
    /// The preview of a page; of the house, if what the page is about may not be told or can't be read.
    pub async fn of(app: &App, subject: Subject, locale: Locale) -> Self {
        let found = match subject {
            Subject::Game(game) => {
                let told = PublicGame::read(app, game).await.ok().flatten();
                told.map(|told| Self::of_game(game, &told, locale))
            }
            Subject::Player(name) => Self::of_player(app, &name, locale).await.ok(),
            Subject::Rules(ruleset) => Some(Self::of_rules(&ruleset, locale)),
            Subject::Puzzle(known) => Some(Self::of_puzzle(known, locale)),
            Subject::Analysis(id) => {
                let shared = analyses::get(&app.services, id).await.ok();
                shared.map(|shared| Self::of_analysis(&shared, locale))
            }
            Subject::House => None,
        };
        found.unwrap_or_else(|| Self::of_house(locale))
    }

    /// The preview of every page that is about nothing that has one of its own.
    pub fn of_house(locale: Locale) -> Self {
        let says = locale.sentences();
        Self {
            title: says.house.to_owned(),
            text: says.house_text.to_owned(),
            address: None,
            picture: "/api/preview.png".to_owned(),
            alt: filled(says.picture, &[("title", &locale.game("xiangqi"))]),
        }
    }

    fn of_rules(ruleset: &RuleSet, locale: Locale) -> Self {
        let (says, id) = (locale.sentences(), ruleset.id());
        let (title, game) = (locale.ruleset_title(id), locale.game(id));
        Self {
            address: Some(format!("/rules/{id}")),
            title: filled(says.rules, &[("game", &title)]),
            text: filled(says.rules_text, &[("game", &game)]),
            picture: format!("/api/preview.png?ruleset={id}"),
            alt: filled(says.picture, &[("title", &title)]),
        }
    }

    fn of_puzzle((ruleset, id, puzzle): KnownPuzzle, locale: Locale) -> Self {
        let says = locale.sentences();
        let title = match puzzle.aim {
            Aim::Win => says.puzzle_win,
            Aim::Save => says.puzzle_save,
        };
        let title = filled(title, &[("game", &locale.game(ruleset))]);
        Self {
            address: Some(format!("/puzzles/{id}")),
            text: says.puzzle_text.to_owned(),
            picture: format!("/api/puzzles/{id}/preview.png"),
            alt: filled(says.picture, &[("title", &title)]),
            title,
        }
    }

    fn of_analysis(shared: &SharedAnalysis, locale: Locale) -> Self {
        let (says, id, content) = (locale.sentences(), shared.analysis, &shared.content);
        let title = filled(
            says.analysis,
            &[
                ("game", &locale.game(&content.ruleset)),
                ("name", &shared.by.name),
            ],
        );
        let called = match content.title.as_str() {
            "" => locale.ruleset_title(&content.ruleset),
            called => called.to_owned(),
        };
        Self {
            address: Some(format!("/analysis/{id}")),
            text: format!("{called}. {}", says.analysis_text),
            picture: format!("/api/analyses/{id}/preview.png"),
            alt: filled(says.picture, &[("title", &title)]),
            title,
        }
    }

    fn of_game(game: GameId, told: &PublicGame, locale: Locale) -> Self {
        let says = locale.sentences();
        let kind = if told.rated { says.rated } else { says.casual };
        let terms = [
            &locale.ruleset(&told.ruleset),
            &locale.time(&told.time_control),
            kind,
        ];
        let terms = terms.join(" · ");
        let BySeat { first, second } = &told.players;
        let creator = first.as_ref().or(second.as_ref());
        let title = if let (Status::Open, Some(creator)) = (told.status, creator) {
            let game = locale.game(&told.ruleset);
            filled(says.invites, &[("name", &creator.name), ("game", &game)])
        } else {
            let title = locale.ruleset_title(&told.ruleset);
            let (first, second) = (named(first.as_ref()), named(second.as_ref()));
            format!("{first} – {second} · {title}")
        };
        let text = match (told.status, told.outcome) {
            (_, Some(outcome)) => {
                let name = |seat: Seat| {
                    let player = match seat {
                        Seat::First => first,
                        Seat::Second => second,
                    };
                    player.as_ref().map_or("?", |player| player.name.as_str())
                };
                let (winner, loser) = match outcome.winner {
                    Some(Seat::Second) => (name(Seat::Second), name(Seat::First)),
                    Some(Seat::First) | None => (name(Seat::First), name(Seat::Second)),
                };
                let outcome = locale.outcome(outcome, winner, loser).unwrap_or_default();
                filled(says.over, &[("outcome", &outcome)])
            }
            (Status::Open, None) if told.rated => filled(says.join_rated, &[("terms", &terms)]),
            (Status::Open, None) => filled(says.join, &[("terms", &terms)]),
            (Status::Playing | Status::Ended, None) => filled(says.playing, &[("terms", &terms)]),
        };
        Self {
            address: Some(format!("/game/{game}")),
            alt: filled(says.picture, &[("title", &title)]),
            picture: format!("/api/games/{game}/preview.png"),
            title,
            text,
        }
    }

    async fn of_player(app: &App, name: &str, locale: Locale) -> Result<Self, ApiError> {
        let account = match name.parse::<PlayerId>() {
            Ok(id) => app.services.player(id).await?,
            Err(_) => players::account_named(app, name).await?,
        };
        if account.deleted_at.is_some() {
            return Err(ApiError::no_such_player());
        }
        let profile = players::profile(&app.services, account).await?;
        let ratings = profile.ratings.iter().take(3).map(|rated| {
            let title = locale.ruleset_title(&rated.ruleset);
            format!("{title}: {}. ", rated.rating.value)
        });
        let ratings: String = ratings.collect();
        Ok(Self {
            address: Some(format!("/player/{}", profile.id)),
            title: format!("{} · Qiguan", profile.name),
            text: ratings + locale.sentences().player_text,
            ..Self::of_house(locale)
        })
    }

    /// The same for a page at a fixed address.
    #[must_use]
    pub fn at(self, address: &str) -> Self {
        let address = Some(address.to_owned());
        Self { address, ..self }
    }

    /// The tags. Addresses are whole ones of this server, as those of others have to be.
    pub fn tags(&self, origin: Option<&Origin>) -> String {
        let (title, text) = (escaped(&self.title), escaped(&self.text));
        let mut tags = format!(
            "<title>{title}</title><meta name=\"description\" content=\"{text}\"/>\
             <meta property=\"og:title\" content=\"{title}\"/><meta property=\"og:description\" content=\"{text}\"/>\
             <meta property=\"og:type\" content=\"website\"/><meta property=\"og:site_name\" content=\"Qiguan\"/>"
        );
        // Others can fetch a picture by a whole address alone.
        if let Some(origin) = origin {
            let picture = escaped(&self.picture);
            let (alt, width, height) = (escaped(&self.alt), card::WIDTH, card::HEIGHT);
            tags.push_str(&format!(
                "<meta property=\"og:image\" content=\"{origin}{picture}\"/>\
                 <meta property=\"og:image:type\" content=\"image/png\"/><meta property=\"og:image:width\" content=\"{width}\"/>\
                 <meta property=\"og:image:height\" content=\"{height}\"/><meta property=\"og:image:alt\" content=\"{alt}\"/>\
                 <meta name=\"twitter:card\" content=\"summary_large_image\"/>"
            ));
            if let Some(address) = &self.address {
                let address = escaped(address);
                tags.push_str(&format!(
                    "<meta property=\"og:url\" content=\"{origin}{address}\"/>"
                ));
            }
        }
        tags
    }
}

/// A player with their rating; what stands for a free seat.
fn named(player: Option<&names::Player>) -> String {
    let Some(player) = player else {
        return "?".to_owned();
    };
    match player.rating {
        Some(rating) => format!("{} ({})", player.name, rating.value),
        None => player.name.clone(),
    }
}

/// A text that means nothing but itself between tags and in quotes.
fn escaped(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => made.push_str("&amp;"),
            '<' => made.push_str("&lt;"),
            '>' => made.push_str("&gt;"),
            '"' => made.push_str("&quot;"),
            '\'' => made.push_str("&#39;"),
            other => made.push(other),
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_about_what_its_page_shows() {
        let id = "01890000-0000-7000-8000-000000000001";
        let game = Subject::Game(id.parse().unwrap());
        assert_eq!(Subject::of(&format!("/game/{id}")), game);
        assert_eq!(Subject::of(&format!("/replay/{id}/")), game);
        assert_eq!(
            Subject::of("/player/%E6%A3%8B"),
            Subject::Player("棋".to_owned())
        );
        assert!(matches!(
            Subject::of("/rules/xiangqi/standard"),
            Subject::Rules(_)
        ));
        let (id, _) = &qiguan_puzzles::shipped::of("xiangqi/standard")[0];
        let puzzle = Subject::of(&format!("/puzzles/{id}"));
        assert!(matches!(puzzle, Subject::Puzzle((_, known, _)) if known == id));
        let id = "01890000-0000-4000-8000-000000000001";
        let analysis = Subject::Analysis(id.parse().unwrap());
        assert_eq!(Subject::of(&format!("/analysis/{id}")), analysis);
        for house in [
            "/",
            "/analysis",
            "/analysis/x",
            "/puzzles",
            "/puzzles/nothing",
            "/game/x",
            "/game",
            "/rules/chess/standard",
            "/games/1/2/3/4",
            "/player/%ff",
        ] {
            assert_eq!(Subject::of(house), Subject::House, "{house}");
        }
    }

    #[test]
    fn what_players_are_called_is_text_and_never_markup() {
        let hostile = "\"><script>alert('1')</script>&amp;";
        let preview = Preview {
            title: hostile.to_owned(),
            text: hostile.to_owned(),
            alt: hostile.to_owned(),
            address: Some("/\"><b>".to_owned()),
            ..Preview::of_house(Locale::En)
        };
        let origin = "https://qiguan.example.org".parse().unwrap();
        let tags = preview.tags(Some(&origin));
        assert!(!tags.contains("<script") && !tags.contains("<b>"), "{tags}");
        let kept = "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;";
        assert_eq!(tags.matches(kept).count(), 5, "{tags}");
        for tag in tags.split_inclusive('>') {
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        }
    }

    #[test]
    fn every_address_that_others_fetch_is_a_whole_one() {
        let origin = "https://qiguan.example.org".parse().unwrap();
        for locale in Locale::ALL {
            let house = Preview::of_house(locale).at("/games");
            let tags = house.tags(Some(&origin));
            let url = "<meta property=\"og:url\" content=\"https://qiguan.example.org/games\"/>";
            let image = "<meta property=\"og:image\" content=\"https://qiguan.example.org/api/preview.png\"/>";
            assert!(tags.contains(url) && tags.contains(image), "{tags}");
            assert!(!house.tags(None).contains("og:image"));
        }
    }
}
