//! What one player alone may read of a game is kept for sure, or refused and not kept.

use qiguan_protocol::error::ErrorCode;
use qiguan_rules::Seat;
use qiguan_tests::{
    Seats, Start,
    random::Random,
    secrets::{FIRST, SECOND, a_game, random_setup},
};

#[tokio::test(flavor = "multi_thread")]
async fn a6_a_paper_whose_commit_fails_without_saying_how_is_answered_by_what_is_stored() {
    for (point, stored) in [("before_commit", false), ("after_commit", true)] {
        let faults = format!("{point}/save_draft=error@2;{point}/save_draft=error@5");
        let program = Start::default().faults(faults).start().await;
        let mut seats = Seats::setting_up(&program, &a_game("luzhanqi/referee")).await;
        let game = seats.game;
        let other = random_setup(Seat::First, &mut Random::new(1));
        seats.first.sets_up(game, FIRST).await.unwrap();
        let second_try = seats.first.sets_up(game, &other).await;
        let stands = if stored {
            second_try.unwrap();
            other.as_str()
        } else {
            assert_eq!(second_try.err().unwrap().code, ErrorCode::NotStored);
            FIRST
        };
        assert_eq!(seats.first.own_setup(&program, game).await, stands);
        seats.second.sets_up(game, SECOND).await.unwrap();

        seats.first.notes(game, "one").await.unwrap();
        let second_try = seats.first.notes(game, "other").await;
        assert_eq!(second_try.is_ok(), stored, "{point}");
        let notes = if stored { "other" } else { "one" };
        let noted = seats.first.looks(&program, game).await.notes;
        assert_eq!(noted.as_deref(), Some(notes));

        // Another program on the record finds the same, and so does the one that play begins in.
        seats.are_ready().await;
        seats.start().await;
        let fen = seats.first.looks(&program, game).await.position.fen;
        assert!(fen.contains(&format!("/{stands} ")), "{fen}");
        let program = program.kill().await.restart().await;
        let view = seats.first.looks(&program, game).await;
        assert_eq!(view.notes.as_deref(), Some(notes));
        let fen = view.position.fen;
        assert!(fen.contains(&format!("/{stands} ")), "{fen}");
    }
}
