//! Xiangqi: how games end, and what becomes of positions that come back.

use crate::support::ruleset;
use qiguan_rules::{Game, Outcome, Seat};

const STANDARD: &str = "xiangqi/standard";
const GRUNFELD: &str = "xiangqi/grunfeld";

/// A Chariot and a General that can give check for ever, and walk about for ever.
const CHARIOT: &str = "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1";

/// The first seat's General is in check, and f7d7 is the only move. It gives check itself.
const ONE_MOVE: &str = "3r1k3/9/9/5C3/5c3/4r4/9/3K5/9/3A1C3 w - - 0 1";

/// The same with a Soldier that can step between too.
const TWO_MOVES: &str = "3r1k3/9/9/5C3/2P2c3/4r4/9/3K5/9/3A1C3 w - - 0 1";

/// Each of these moves answers a check and gives one.
const MUTUAL_CHECK: (&str, &str) = (
    "9/3c5/4k4/4n4/2c6/9/9/3C5/3K5/4R4 w - - 0 1",
    "d3e3 e7d5 e3d3 d5e7",
);

/// A game after moves from a position.
fn after(id: &str, options: &[(&str, &str)], fen: &str, moves: &str) -> Game {
    let mut game = Game::from_fen(&ruleset(id, options), fen).expect("a position");
    for mv in moves.split_whitespace() {
        let played = game.play(mv.parse().expect("a move"));
        assert!(played.is_ok(), "{mv}: {played:?} in {}", game.fen());
    }
    game
}

/// A game after the same moves again and again.
fn rounds(id: &str, fen: &str, moves: &str, times: usize) -> Game {
    after(id, &[], fen, &[moves].repeat(times).join(" "))
}

/// The end of a game as `winner reason`; `-` while it goes on.
fn end(game: &Game) -> String {
    match game.outcome() {
        None => String::from("-"),
        Some(Outcome { winner, reason }) => {
            let winner = match winner {
                Some(Seat::First) => "first",
                Some(Seat::Second) => "second",
                None => "nobody",
            };
            format!("{winner} {}", reason.as_str())
        }
    }
}

/// The banned moves with their reasons.
fn bans(game: &Game) -> String {
    let bans = game.banned_moves().iter();
    let mut bans: Vec<_> = bans
        .map(|ban| format!("{} {}", ban.mv, ban.reason.as_str()))
        .collect();
    bans.sort();
    bans.join(", ")
}

#[test]
fn a_player_in_check_without_a_legal_move_is_checkmated() {
    for id in [STANDARD, GRUNFELD] {
        let game = after(id, &[], "3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 0 1", "b8b10");
        assert_eq!(end(&game), "first checkmate");
        assert!(game.in_check() && game.legal_moves().is_empty());
    }
}

#[test]
fn a_player_without_a_legal_move_loses_by_stalemate_too() {
    for id in [STANDARD, GRUNFELD] {
        let game = after(id, &[], "3k5/9/R8/9/9/9/9/9/9/4K4 w - - 0 1", "a8a9");
        assert_eq!(end(&game), "first stalemate");
        assert!(!game.in_check());
    }
}

#[test]
fn the_start_is_judged_as_after_a_move() {
    let start = |fen| end(&after(STANDARD, &[], fen, ""));
    assert_eq!(
        start("1R1k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1"),
        "first checkmate"
    );
    assert_eq!(
        start("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 120 70"),
        "nobody quiet_limit"
    );
}

#[test]
fn in_grunfeld_the_third_occurrence_of_a_position_is_banned() {
    let round = "a2a3 d10d9 a3a2 d9d10";
    let game = rounds(GRUNFELD, CHARIOT, round, 1);
    assert_eq!(bans(&game), "", "the second occurrence is no offence");
    let game = after(GRUNFELD, &[], CHARIOT, &format!("{round} a2a3 d10d9 a3a2"));
    assert_eq!(bans(&game), "d9d10 repetition");
    assert_eq!(game.legal_moves().len(), 1, "and d9d8 is left");
}

#[test]
fn in_grunfeld_perpetual_check_ends_by_the_ban() {
    let game = after(
        GRUNFELD,
        &[],
        CHARIOT,
        "a2a10 d10d9 a10a9 d9d10 a9a10 d10d9 a10a9 d9d10",
    );
    assert_eq!(bans(&game), "a9a10 repetition");
}

#[test]
fn a_player_whose_legal_moves_are_all_banned_has_none() {
    let fen = "4k4/9/9/9/9/9/9/r8/9/3K5 b - - 0 1";
    let limit = [("repetition_limit", "1")];
    let game = after(GRUNFELD, &limit, fen, "e10e9 d1d2 e9e10");
    assert_eq!(end(&game), "second stalemate");
    let game = after(GRUNFELD, &[], fen, "e10e9 d1d2 e9e10");
    assert_eq!(end(&game), "-", "with the limit 2 it is no ban yet");
}

#[test]
fn a_third_occurrence_without_an_offender_is_a_draw() {
    let round = "a2a3 d10d9 a3a2 d9d10";
    assert_eq!(end(&rounds(STANDARD, CHARIOT, round, 1)), "-");
    let game = rounds(STANDARD, CHARIOT, round, 2);
    assert_eq!(end(&game), "nobody repetition");
    assert!(game.legal_moves().is_empty() && game.banned_moves().is_empty());
}

#[test]
fn third_means_one_more_than_the_repetition_limit() {
    let round = "a2a3 d10d9 a3a2 d9d10";
    for (limit, times) in [("1", 1), ("3", 3)] {
        let options = [("repetition_limit", limit)];
        let before = [round].repeat(times - 1).join(" ");
        assert_eq!(end(&after(STANDARD, &options, CHARIOT, &before)), "-");
        let all = [round].repeat(times).join(" ");
        let game = after(STANDARD, &options, CHARIOT, &all);
        assert_eq!(end(&game), "nobody repetition", "{limit}");
    }
}

#[test]
fn the_only_side_that_checks_perpetually_has_to_change() {
    let game = after(
        STANDARD,
        &[],
        CHARIOT,
        "a2a10 d10d9 a10a9 d9d10 a9a10 d10d9 a10a9 d9d10",
    );
    assert_eq!(bans(&game), "a9a10 perpetual_check");
    assert!(
        !game
            .legal_moves()
            .contains(&"a9a10".parse().expect("a move"))
    );
}

#[test]
fn a_player_with_no_other_move_than_a_perpetual_check_loses() {
    let round = "f7d7 f6d6 d7f7 d6f6";
    let legal = |game: &Game| {
        let moves: Vec<_> = game.legal_moves().iter().map(ToString::to_string).collect();
        moves.join(" ")
    };
    assert_eq!(legal(&rounds(STANDARD, ONE_MOVE, round, 1)), "f7d7");
    let game = rounds(STANDARD, ONE_MOVE, round, 2);
    assert_eq!(end(&game), "second checkmate");
    let game = rounds(STANDARD, TWO_MOVES, round, 2);
    assert_eq!(
        (end(&game), bans(&game), legal(&game)),
        ("-".into(), "f7d7 perpetual_check".into(), "c6d6".into())
    );
}

#[test]
fn a_player_without_a_legal_move_loses_before_a_repetition_is_a_draw() {
    // In all the moves together neither side offends, so the start that comes back is a draw. The last four are checks of the
    // first seat alone: f7d7 is banned, and nothing else is left.
    let moves = "f7d7 e5f5 f1e1 f5e5 e1f1 f6d6 d7f7 d6f6";
    let limit = [("repetition_limit", "1")];
    let game = after(STANDARD, &limit, TWO_MOVES, moves);
    assert_eq!(end(&game), "nobody repetition");
    let game = after(STANDARD, &limit, ONE_MOVE, moves);
    assert_eq!(end(&game), "second checkmate");
}

#[test]
fn the_side_that_is_checked_perpetually_may_come_back() {
    // The start itself is the position that comes back, and the side in check closes the cycle.
    let start = "3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1";
    let game = rounds(STANDARD, start, "a9a10 d10d9 a10a9 d9d10", 2);
    assert_eq!(end(&game), "-");
    assert_eq!(bans(&game), "a9a10 perpetual_check");
}

#[test]
fn two_sides_that_check_each_other_perpetually_draw() {
    let game = rounds(STANDARD, MUTUAL_CHECK.0, MUTUAL_CHECK.1, 2);
    assert_eq!(end(&game), "nobody repetition");
}

#[test]
fn the_cycle_reaches_back_to_the_latest_occurrence_only() {
    let (quiet, checks) = ("d10d9 a10a8 d9d10 a8a10", "d10d9 a10a9 d9d10 a9a10");
    let game = after(STANDARD, &[], CHARIOT, &format!("a2a10 {checks} {quiet}"));
    assert_eq!(end(&game), "nobody repetition", "a quiet move in the last");
    let all_but_one = format!("a2a10 {quiet} {}", &checks[..checks.len() - 5]);
    let game = after(STANDARD, &[], CHARIOT, &all_but_one);
    assert!(
        bans(&game).contains("a9a10 perpetual_check"),
        "only checks in the last"
    );
}

/// Judges two rounds of moves after which the first seat would begin a third: `-` and the bans, or the end.
fn third_round(fen: &str, round: &str) -> String {
    let game = rounds(STANDARD, fen, round, 2);
    match end(&game).as_str() {
        "-" => bans(&game),
        over => over.to_owned(),
    }
}

#[test]
fn a_perpetual_chase_of_an_unprotected_piece_is_banned() {
    let chase = "i4i5 c5e4 i5i4 e4c5";
    let unprotected = "3k5/9/9/9/9/2n6/8R/9/9/4K4 w - - 0 1";
    assert_eq!(third_round(unprotected, chase), "i4i5 perpetual_chase");
    let protected_once = "2rk5/9/9/9/9/2n6/8R/9/9/4K4 w - - 0 1";
    assert_eq!(third_round(protected_once, chase), "nobody repetition");
}

#[test]
fn a_horses_threat_on_a_chariot_counts_even_if_that_is_protected() {
    let round = "g5e4 f6f7 e4g5 f7f6";
    let chariot = "3k1r3/9/9/9/5r3/6N2/9/9/9/4K4 w - - 0 1";
    assert_eq!(third_round(chariot, round), "g5e4 perpetual_chase");
    let protected_cannon = "3k1r3/9/9/9/5c3/6N2/9/9/9/4K4 w - - 0 1";
    assert_eq!(third_round(protected_cannon, round), "nobody repetition");
    let cannon = "3k5/9/9/9/5c3/6N2/9/9/9/4K4 w - - 0 1";
    assert_eq!(third_round(cannon, round), "g5e4 perpetual_chase");
}

#[test]
fn a_cannons_threat_on_a_chariot_counts_even_if_that_is_protected() {
    let position = "2rk5/9/9/9/9/2r3P2/6P1C/9/9/4K4 w - - 0 1";
    let round = "i4i5 c5c4 i5i4 c4c5";
    assert_eq!(third_round(position, round), "i4i5 perpetual_chase");
}

#[test]
fn threats_on_a_soldier_that_has_not_crossed_never_count() {
    // The one Chariot threatens by going before the other, and the other when it goes away.
    let round = "h5h7 f10f9 h7h5 f9f10";
    let soldier = "5k3/9/9/4p3R/9/7R1/9/9/9/3K5 w - - 0 1";
    assert_eq!(third_round(soldier, round), "nobody repetition");
    let horse = "5k3/9/9/4n3R/9/7R1/9/9/9/3K5 w - - 0 1";
    assert_eq!(third_round(horse, round), "h5h7 perpetual_chase");
}

#[test]
fn threats_by_a_general_never_count() {
    let position = "5k3/9/9/9/9/9/9/4K4/3c5/9 w - - 0 1";
    let round = "e3e2 d2d3 e2e3 d3d2";
    assert_eq!(third_round(position, round), "nobody repetition");
}

#[test]
fn threats_by_a_soldier_never_count() {
    let position = "5k3/9/9/2c6/3P5/9/9/9/9/4K4 w - - 0 1";
    let round = "d6c6 c7d7 c6d6 d7c7";
    assert_eq!(third_round(position, round), "nobody repetition");
}

#[test]
fn a_threat_that_was_there_before_is_not_new() {
    let position = "3k5/9/9/9/9/2n5R/9/9/9/4K4 w - - 0 1";
    let round = "i5h5 d10d9 h5i5 d9d10";
    assert_eq!(third_round(position, round), "nobody repetition");
}

#[test]
fn a_threat_that_is_not_legal_to_carry_out_does_not_count() {
    let held = "3kr4/9/9/9/9/2n6/4R4/9/9/4K4 w - - 0 1";
    let round = "e4e5 c5a4 e5e4 a4c5";
    assert_eq!(third_round(held, round), "nobody repetition");
    let free = "3k5/9/9/9/9/2n6/4R4/9/9/4K4 w - - 0 1";
    assert_eq!(third_round(free, round), "e4e5 perpetual_chase");
}

#[test]
fn a_threat_between_equal_kinds_is_an_offer_to_exchange() {
    let position = "3k5/9/9/9/9/2r6/8R/9/9/4K4 w - - 0 1";
    let round = "i4i5 c5c4 i5i4 c4c5";
    assert_eq!(third_round(position, round), "nobody repetition");
}

#[test]
fn so_many_plies_without_a_capture_are_a_draw() {
    let fen = "3k5/9/9/9/9/9/9/9/R8/4K3r w - - 118 80";
    assert_eq!(end(&after(STANDARD, &[], fen, "e1e2")), "-");
    let game = after(STANDARD, &[], fen, "e1e2 d10d9");
    assert_eq!(end(&game), "nobody quiet_limit");
    let off = [("quiet_limit", "0")];
    assert_eq!(end(&after(STANDARD, &off, fen, "e1e2 d10d9")), "-");
}

#[test]
fn a_capture_starts_the_count_of_quiet_plies_again() {
    let fen = "3k5/9/9/9/9/9/n8/9/R8/4K4 w - - 119 80";
    let game = after(STANDARD, &[], fen, "a2a4");
    assert_eq!(end(&game), "-");
    assert!(game.fen().ends_with(" b - - 0 80"));
}

#[test]
fn a_win_counts_before_the_quiet_limit_and_a_repetition_too() {
    let mate = "3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 119 80";
    assert_eq!(end(&after(STANDARD, &[], mate, "b8b10")), "first checkmate");
    let stalemate = "3k5/9/R8/9/9/9/9/9/9/4K4 w - - 119 80";
    let game = after(STANDARD, &[], stalemate, "a8a9");
    assert_eq!(end(&game), "first stalemate");
    let start = CHARIOT.replace("- - 0", "- - 112");
    let game = rounds(STANDARD, &start, "a2a3 d10d9 a3a2 d9d10", 2);
    assert_eq!(end(&game), "nobody repetition");
}

#[test]
fn options_change_a_private_game() {
    let round = "a2a3 d10d9 a3a2 d9d10 a2a3 d10d9 a3a2";
    let banned = [("repetition", "ban")];
    assert_eq!(
        bans(&after(STANDARD, &banned, CHARIOT, round)),
        "d9d10 repetition"
    );
    let drawn = [("repetition", "asian")];
    let game = after(GRUNFELD, &drawn, CHARIOT, &format!("{round} d9d10"));
    assert_eq!(end(&game), "nobody repetition");
    let no_screen = "5k3/9/9/9/9/4C4/9/9/9/3K5 w - - 0 1";
    let jumps = [("cannon", "always_jumps")];
    let game = after(STANDARD, &jumps, no_screen, "");
    assert_eq!(game.legal_moves().len(), 2, "d1d2 and d1e1");
}
