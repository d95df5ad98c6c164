//! The review of a stored game: asked for, waited for, and put into words.

use anyhow::Context;
use hyper::Method;
use qiguan_client::{notation::Spelling, server::Server};
use qiguan_protocol::{
    hint::Verdict,
    ids::{GameId, Token},
    move_text::MoveText,
    review::{MoveReview, Review, SideReview},
};

use crate::cli::progress::Progress;

/// Has a game reviewed, and waits until all of it is done, which is shown on standard error.
///
/// # Errors
/// What the server says when it refuses, or that it does not answer.
pub(super) async fn whole(
    server: &Server,
    game: GameId,
    token: Option<&Token>,
) -> anyhow::Result<Review> {
    let path = format!("/api/games/{game}/review");
    let begun = server.ask(Method::POST, &path, token, None::<&()>).await;
    let mut review: Review = begun.context("the game can't be reviewed")?.json()?;
    let mut progress = Progress::new("moves", Some(u64::from(review.plies.0)));
    while !review.complete {
        let before = review.reviewed;
        // Some moves at a time: a request for each would be too many.
        let path = format!("{path}?after={}", before + 3);
        review = server.get(&path, token).await?;
        progress.advance(u64::from(review.reviewed.saturating_sub(before)));
    }
    Ok(review)
}

/// What was thought of the move that led to a ply; none for the start, and where the review leaves it out.
pub(super) fn of_ply(
    review: &Review,
    ply: usize,
    before: &str,
    spelling: &Spelling,
) -> Option<String> {
    let reviewed = review
        .moves
        .iter()
        .find(|reviewed| reviewed.ply.0 as usize == ply)?;
    let told = |found: &MoveReview| {
        if found.best == reviewed.text {
            return verdict(found);
        }
        let best = spelling.possible(before, found.best.as_str());
        let line = found.line.iter().skip(1).map(MoveText::as_str);
        let line: Vec<&str> = line.collect();
        let on = if line.is_empty() {
            String::new()
        } else {
            format!(" ({})", line.join(" "))
        };
        format!("{}; best: {best}{on}", verdict(found))
    };
    let Some(judged) = &reviewed.judged else {
        return Some("review: left out while the position stands in a running game".to_owned());
    };
    let known = told(judged);
    Some(match &reviewed.open {
        None => format!("review: {known}"),
        Some(open) => format!("review: {known}\nwith all pieces open: {}", told(open)),
    })
}

fn verdict(found: &MoveReview) -> String {
    let word = match found.verdict {
        Verdict::Good => return "a good move".to_owned(),
        Verdict::Inaccuracy => "an inaccuracy",
        Verdict::Mistake => "a mistake",
        Verdict::Blunder => "a blunder",
    };
    format!(
        "{word}, which gives away {} % of the game",
        (found.loss + 5) / 10
    )
}

/// How a side played.
pub(super) fn of_side(seat: &str, side: &SideReview) -> Option<String> {
    let accuracy = (side.accuracy? + 5) / 10;
    let counted = |count: u32, one: &str, many: &str| {
        let word = if count == 1 { one } else { many };
        format!("{count} {word}")
    };
    Some(format!(
        "{seat}: accuracy {accuracy} %, {}, {}, {}",
        counted(side.inaccuracies, "inaccuracy", "inaccuracies"),
        counted(side.mistakes, "mistake", "mistakes"),
        counted(side.blunders, "blunder", "blunders")
    ))
}
