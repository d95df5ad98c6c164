//! The words of previews, in the languages of the web client. Names of games, rule sets and ends are the client's own texts.

use std::{collections::HashMap, sync::LazyLock};

use axum::http::{HeaderMap, header};
use qiguan_protocol::{
    ids::Millis,
    names::{EndReason, Outcome},
    time_control::{Clock, TimeControl},
};

/// A language of the web client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Locale {
    En,
    De,
    ZhHans,
    ZhHant,
    Vi,
}

/// The sentences of one language. What stands in braces is replaced.
pub struct Sentences {
    /// What the house is.
    pub house: &'static str,
    /// What one can do there.
    pub house_text: &'static str,
    /// A game goes on: `terms`.
    pub playing: &'static str,
    /// A game is over: `outcome`.
    pub over: &'static str,
    /// An invitation: `name`, `game`.
    pub invites: &'static str,
    /// What it takes to accept it: `terms`.
    pub join: &'static str,
    /// The same of a rated game.
    pub join_rated: &'static str,
    /// A puzzle of `game` that is to be won.
    pub puzzle_win: &'static str,
    /// A puzzle of `game` that is not to be lost.
    pub puzzle_save: &'static str,
    /// What one does with a puzzle.
    pub puzzle_text: &'static str,
    /// An analysis of `game` by `name`.
    pub analysis: &'static str,
    /// What one does with an analysis.
    pub analysis_text: &'static str,
    /// The rules of `game`.
    pub rules: &'static str,
    /// What they tell of `game`.
    pub rules_text: &'static str,
    /// A player's page.
    pub player_text: &'static str,
    /// A game that counts for ratings, and one that does not.
    pub rated: &'static str,
    pub casual: &'static str,
    /// What the picture shows: `title`.
    pub picture: &'static str,
    /// Days, hours, minutes and seconds after a number.
    units: [&'static str; 4],
}

const EN: Sentences = Sentences {
    house: "Qiguan: Xiangqi, Dou Shou Qi and Luzhanqi online",
    house_text: "Play Xiangqi, Dou Shou Qi and Luzhanqi online: free, without an account, provably fair. Against the computer, a friend or the world.",
    playing: "Being played now: {terms}. Watch it live on Qiguan.",
    over: "{outcome}. Play through the game move by move on Qiguan.",
    invites: "{name} invites you to a game of {game}",
    join: "{terms}. Open the link and play at once: free, without an account.",
    join_rated: "{terms}. Open the link, sign in and play.",
    puzzle_win: "{game} puzzle: find the move that wins",
    puzzle_save: "{game} puzzle: find the move that saves the game",
    puzzle_text: "Only one move works. Open the link and try it on the board: free, no account needed.",
    analysis: "{game}: analysis by {name}",
    analysis_text: "Step through the moves, variations and comments on Qiguan, and try your own.",
    rules: "The rules of {game}",
    rules_text: "How {game} is played: the pieces, their moves and the special rules, with diagrams.",
    player_text: "Ratings, games and results on Qiguan.",
    rated: "rated",
    casual: "casual",
    picture: "The board: {title}",
    units: [" d", " h", " min", " s"],
};

const DE: Sentences = Sentences {
    house: "Qiguan: Xiangqi, Dou Shou Qi und Luzhanqi online",
    house_text: "Spiel Xiangqi, Dou Shou Qi und Luzhanqi online: kostenlos, ohne Konto, nachweislich fair. Gegen den Computer, Freunde oder die ganze Welt.",
    playing: "Läuft gerade: {terms}. Schau auf Qiguan live zu.",
    over: "{outcome}. Spiel die Partie auf Qiguan Zug für Zug nach.",
    invites: "{name} fordert dich zu einer Partie {game} heraus",
    join: "{terms}. Öffne den Link und spiel sofort: kostenlos und ohne Konto.",
    join_rated: "{terms}. Öffne den Link, melde dich an und spiel.",
    puzzle_win: "{game}-Aufgabe: Finde den Gewinnzug",
    puzzle_save: "{game}-Aufgabe: Finde den rettenden Zug",
    puzzle_text: "Nur ein Zug führt zum Ziel. Öffne den Link und probier ihn auf dem Brett: kostenlos und ohne Konto.",
    analysis: "{game}: Analyse von {name}",
    analysis_text: "Geh auf Qiguan die Züge, Varianten und Kommentare durch und probier eigene Ideen aus.",
    rules: "Die Regeln von {game}",
    rules_text: "So spielt man {game}: die Figuren, ihre Züge und die besonderen Regeln, mit Diagrammen.",
    player_text: "Wertungen, Partien und Ergebnisse auf Qiguan.",
    rated: "gewertet",
    casual: "ungewertet",
    picture: "Das Brett: {title}",
    units: [" T.", " Std.", " Min.", " Sek."],
};

const ZH_HANS: Sentences = Sentences {
    house: "棋馆：在线下象棋、斗兽棋、军棋",
    house_text: "在线下象棋、斗兽棋、军棋：免费，无需注册，公平可验证。可与电脑、好友或各地棋友对弈。",
    playing: "正在对局：{terms}。来棋馆观战。",
    over: "{outcome}。来棋馆逐步回放这盘棋。",
    invites: "{name}邀请你下一盘{game}",
    join: "{terms}。打开链接即可开局，免费，无需注册。",
    join_rated: "{terms}。打开链接，登录后即可开局。",
    puzzle_win: "{game}残局题：找出制胜的一步",
    puzzle_save: "{game}残局题：找出唯一的解救之着",
    puzzle_text: "只有一步正确。打开链接，直接在棋盘上试走：免费，无需注册。",
    analysis: "{name}的{game}拆解",
    analysis_text: "来棋馆逐步查看着法、变着和评注，并试走你自己的想法。",
    rules: "{game}规则",
    rules_text: "{game}怎么下：棋子、走法和特殊规则，配有图解。",
    player_text: "在棋馆的等级分、对局和战绩。",
    rated: "排位赛",
    casual: "友谊赛",
    picture: "棋盘：{title}",
    units: ["天", "小时", "分", "秒"],
};

const ZH_HANT: Sentences = Sentences {
    house: "棋館：線上下象棋、鬥獸棋、軍棋",
    house_text: "線上下象棋、鬥獸棋、軍棋：免費、免註冊、公平可驗證。可與電腦、好友或各地棋友對弈。",
    playing: "正在對局：{terms}。來棋館觀戰。",
    over: "{outcome}。來棋館逐步重播這盤棋。",
    invites: "{name}邀請你下一盤{game}",
    join: "{terms}。打開連結就能開局，免費、免註冊。",
    join_rated: "{terms}。打開連結，登入後就能開局。",
    puzzle_win: "{game}殘局題：找出致勝的一步",
    puzzle_save: "{game}殘局題：找出唯一的解救之著",
    puzzle_text: "只有一步正確。打開連結，直接在棋盤上試走：免費、免註冊。",
    analysis: "{name}的{game}拆解",
    analysis_text: "來棋館逐步查看著法、變著和評註，並試走你自己的想法。",
    rules: "{game}規則",
    rules_text: "{game}怎麼下：棋子、走法和特殊規則，附有圖解。",
    player_text: "在棋館的積分、對局和戰績。",
    rated: "積分賽",
    casual: "友誼賽",
    picture: "棋盤：{title}",
    units: ["天", "小時", "分", "秒"],
};

const VI: Sentences = Sentences {
    house: "Qiguan: chơi cờ tướng, cờ thú và cờ lục chiến trực tuyến",
    house_text: "Chơi cờ tướng, cờ thú và cờ lục chiến trực tuyến: miễn phí, không cần tài khoản, công bằng có thể kiểm chứng. Đấu với máy, bạn bè hoặc người chơi khắp nơi.",
    playing: "Đang diễn ra: {terms}. Vào Qiguan xem trực tiếp.",
    over: "{outcome}. Vào Qiguan xem lại ván cờ từng nước.",
    invites: "{name} mời bạn chơi một ván {game}",
    join: "{terms}. Mở liên kết là chơi được ngay: miễn phí, không cần tài khoản.",
    join_rated: "{terms}. Mở liên kết, đăng nhập rồi chơi.",
    puzzle_win: "Câu đố {game}: tìm nước thắng",
    puzzle_save: "Câu đố {game}: tìm nước cứu thua",
    puzzle_text: "Chỉ có một nước đúng. Mở liên kết và thử ngay trên bàn cờ: miễn phí, không cần tài khoản.",
    analysis: "{game}: bài phân tích của {name}",
    analysis_text: "Xem từng nước đi, biến và lời bình trên Qiguan, rồi thử ý tưởng của bạn.",
    rules: "Luật chơi {game}",
    rules_text: "Cách chơi {game}: quân cờ, nước đi và các luật đặc biệt, có hình minh họa.",
    player_text: "Điểm xếp hạng, ván cờ và kết quả trên Qiguan.",
    rated: "xếp hạng",
    casual: "giao hữu",
    picture: "Bàn cờ: {title}",
    units: [" ngày", " giờ", " phút", " giây"],
};

/// What follows `zh` where Chinese is written in traditional characters.
const TRADITIONAL: [&str; 4] = ["hant", "tw", "hk", "mo"];

impl Locale {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::En, Self::De, Self::ZhHans, Self::ZhHant, Self::Vi];

    /// The tag, as the client's texts are named.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::De => "de",
            Self::ZhHans => "zh-Hans",
            Self::ZhHant => "zh-Hant",
            Self::Vi => "vi",
        }
    }

    /// What this language says.
    pub const fn sentences(self) -> &'static Sentences {
        match self {
            Self::En => &EN,
            Self::De => &DE,
            Self::ZhHans => &ZH_HANS,
            Self::ZhHant => &ZH_HANT,
            Self::Vi => &VI,
        }
    }

    /// The language that an address names (`?lang=de`), else the one that a browser likes best; English if it likes none of them.
    pub fn wanted(query: Option<&str>, headers: &HeaderMap) -> Self {
        let query = query.unwrap_or_default().as_bytes();
        let named = form_urlencoded::parse(query).find(|(word, _)| word == "lang");
        let named = named.and_then(|(_, tag)| Self::of_tag(&tag));
        named.unwrap_or_else(|| {
            let liked = headers.get(header::ACCEPT_LANGUAGE);
            Self::liked(
                liked
                    .and_then(|liked| liked.to_str().ok())
                    .unwrap_or_default(),
            )
        })
    }

    /// The first of a list with weights.
    fn liked(list: &str) -> Self {
        let mut best = (Self::En, 0.0);
        for item in list.split(',') {
            let (tag, weight) = item.split_once(';').unwrap_or((item, "q=1"));
            let weight = weight.trim().strip_prefix("q=").unwrap_or_default();
            let weight: f32 = weight.parse().unwrap_or(0.0);
            if let Some(locale) = Self::of_tag(tag.trim())
                && weight > best.1
            {
                best = (locale, weight);
            }
        }
        best.0
    }

    fn of_tag(tag: &str) -> Option<Self> {
        let tag = tag.to_ascii_lowercase();
        let mut parts = tag.split('-');
        match parts.next()? {
            "en" => Some(Self::En),
            "de" => Some(Self::De),
            "vi" => Some(Self::Vi),
            "zh" if parts.next().is_some_and(|next| TRADITIONAL.contains(&next)) => {
                Some(Self::ZhHant)
            }
            "zh" => Some(Self::ZhHans),
            _ => None,
        }
    }

    /// The name of a rule set's game, or of a game.
    pub fn game(self, ruleset: &str) -> String {
        let game = ruleset.split('/').next().unwrap_or_default();
        self.text(&format!("game_{game}"))
            .unwrap_or(game)
            .to_owned()
    }

    /// The name of a rule set without its game's.
    pub fn ruleset(self, ruleset: &str) -> String {
        let key = format!("ruleset_{}", ruleset.replace('/', "_"));
        self.text(&key).unwrap_or(ruleset).to_owned()
    }

    /// The names of a game and its rule set together.
    pub fn ruleset_title(self, ruleset: &str) -> String {
        format!("{} · {}", self.game(ruleset), self.ruleset(ruleset))
    }

    /// How a game ended, with the names of the players.
    pub fn outcome(self, outcome: Outcome, winner: &str, loser: &str) -> Option<String> {
        let key = match (outcome.reason, outcome.winner) {
            (EndReason::Adjudication, None) => "adjudication_draw",
            (reason, _) => word(reason),
        };
        let text = self.text(&format!("outcome_{key}"))?;
        Some(filled(text, &[("winner", winner), ("loser", loser)]))
    }

    /// A time control as short as players write it.
    pub fn time(self, control: &TimeControl) -> String {
        match control.clock {
            Clock::Fischer {
                initial_ms,
                increment_ms,
            } => format!("{}+{}", minutes(initial_ms), increment_ms.0 / 1_000),
            Clock::Byoyomi {
                main_ms,
                period_ms,
                periods,
            } => format!(
                "{} + {periods} × {}",
                self.span(main_ms),
                self.span(period_ms)
            ),
            Clock::PerMove { move_ms } => {
                let span = self.span(move_ms);
                let text = self.text("time_per_move").unwrap_or("{span}");
                filled(text, &[("span", &span)])
            }
            Clock::None => self.text("time_none").unwrap_or("–").to_owned(),
        }
    }

    /// A span in its largest unit that is whole, such as 3 min.
    fn span(self, span: Millis) -> String {
        let units = [86_400_000, 3_600_000, 60_000, 1_000].into_iter();
        let mut units = units.zip(self.sentences().units);
        let whole = units.find(|(unit, _)| span.0 >= *unit && span.0 % unit == 0);
        let (unit, name) = whole.unwrap_or((1_000, self.sentences().units[3]));
        format!("{}{name}", span.0 / unit)
    }

    /// A text of the web client.
    fn text(self, key: &str) -> Option<&'static str> {
        type Texts = HashMap<&'static str, HashMap<String, String>>;
        static ALL: LazyLock<Texts> = LazyLock::new(|| {
            let of = |locale: Locale| {
                let spaces = ["common", "game"].into_iter();
                let files = spaces.filter_map(|space| qiguan_web::texts(locale.tag(), space));
                files
                    .filter_map(|file| serde_json::from_str::<HashMap<_, _>>(file).ok())
                    .flatten()
                    .collect()
            };
            Locale::ALL.map(|locale| (locale.tag(), of(locale))).into()
        });
        ALL.get(self.tag())?.get(key).map(String::as_str)
    }
}

/// A reason as the client's texts name it.
const fn word(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Den => "den",
        EndReason::Elimination => "elimination",
        EndReason::Flag => "flag",
        EndReason::NoMoves => "no_moves",
        EndReason::Checkmate => "checkmate",
        EndReason::Stalemate => "stalemate",
        EndReason::Repetition => "repetition",
        EndReason::QuietLimit => "quiet_limit",
        EndReason::LengthLimit => "length_limit",
        EndReason::Resignation => "resignation",
        EndReason::Timeout => "timeout",
        EndReason::Agreement => "agreement",
        EndReason::Abandonment => "abandonment",
        EndReason::Adjudication => "adjudication",
        EndReason::Aborted => "aborted",
    }
}

/// A number of minutes as short as players write it: 5, ½, 1.5.
fn minutes(span: Millis) -> String {
    match span.0 {
        15_000 => "¼".to_owned(),
        30_000 => "½".to_owned(),
        45_000 => "¾".to_owned(),
        // Hundredths of a minute are exact enough.
        other => ((other / 600) as f64 / 100.0).to_string(),
    }
}

/// A text with values in place of the names in braces. A value that has braces itself stays as it is.
pub fn filled(text: &str, values: &[(&str, &str)]) -> String {
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else {
            break;
        };
        made.push_str(before);
        let value = values.iter().find(|(known, _)| *known == name);
        made.push_str(value.map_or("", |(_, value)| value));
        rest = after;
    }
    made + rest
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use qiguan_protocol::names::Seat;
    use qiguan_rules::RuleSet;

    use super::*;

    #[test]
    fn every_language_names_all_games_rule_sets_and_ends() {
        for locale in Locale::ALL {
            for ruleset in RuleSet::ALL {
                let id = ruleset.id();
                assert!(!locale.game(id).contains('/'), "{locale:?} {id}");
                assert!(!locale.ruleset(id).contains('/'), "{locale:?} {id}");
            }
            for reason in [
                EndReason::Den,
                EndReason::Elimination,
                EndReason::Flag,
                EndReason::NoMoves,
                EndReason::Checkmate,
                EndReason::Stalemate,
                EndReason::Repetition,
                EndReason::QuietLimit,
                EndReason::LengthLimit,
                EndReason::Resignation,
                EndReason::Timeout,
                EndReason::Agreement,
                EndReason::Abandonment,
                EndReason::Adjudication,
                EndReason::Aborted,
            ] {
                for winner in [Some(Seat::First), None] {
                    let text = locale.outcome(Outcome { winner, reason }, "A", "B");
                    let text = text.unwrap_or_else(|| panic!("{locale:?} {reason:?}"));
                    assert!(!text.contains(['{', '}']), "{text}");
                }
            }
        }
    }

    #[test]
    fn the_address_names_the_language_or_else_the_browser() {
        for (query, list, locale) in [
            (None, "", Locale::En),
            (None, "fr, de;q=0.8, en;q=0.9", Locale::En),
            (None, "fr, de;q=0.9, en;q=0.8", Locale::De),
            (None, "zh-TW,zh;q=0.9", Locale::ZhHant),
            (None, "zh-CN", Locale::ZhHans),
            (None, "vi;q=x, *;q=0.1", Locale::En),
            (Some("lang=vi"), "de", Locale::Vi),
            (Some("ply=3&lang=zh-Hant"), "de", Locale::ZhHant),
            (Some("lang=tlh"), "de", Locale::De),
            (Some("lang=%ff&&="), ",;,q=", Locale::En),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(list));
            assert_eq!(Locale::wanted(query, &headers), locale, "{query:?} {list}");
        }
    }

    #[test]
    fn a_name_with_braces_stays_a_name() {
        let text = filled(
            "{name} – {game}",
            &[("name", "{game}"), ("game", "Xiangqi")],
        );
        assert_eq!(text, "{game} – Xiangqi");
        assert_eq!(filled("{", &[]), "{");
    }

    #[test]
    fn time_controls_are_as_short_as_players_write_them() {
        let time = |clock| {
            let control = TimeControl {
                clock,
                absence_ms: None,
                setup_ms: None,
            };
            Locale::En.time(&control)
        };
        let fischer = |initial, increment| {
            time(Clock::Fischer {
                initial_ms: Millis(initial),
                increment_ms: Millis(increment),
            })
        };
        assert_eq!(fischer(300_000, 3_000), "5+3");
        assert_eq!(fischer(30_000, 0), "½+0");
        assert_eq!(fischer(90_000, 0), "1.5+0");
        let byoyomi = Clock::Byoyomi {
            main_ms: Millis(600_000),
            period_ms: Millis(30_000),
            periods: 3,
        };
        assert_eq!(time(byoyomi), "10 min + 3 × 30 s");
        assert_eq!(
            time(Clock::PerMove {
                move_ms: Millis(172_800_000)
            }),
            "2 d a move"
        );
        assert_eq!(time(Clock::None), "no clock");
    }
}
