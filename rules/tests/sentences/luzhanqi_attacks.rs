//! Luzhanqi: who stands where after an attack, what players learn of it, and how games end.

use crate::support::{reference::Board, ruleset, written};
use qiguan_rules::{EndReason, Game, Outcome, Played, Seat, Viewer, luzhanqi::attack::Removed};

const REFEREE: &str = "luzhanqi/referee";
const SHOWDOWN: &str = "luzhanqi/showdown";
const NORTHERN: &str = "luzhanqi/northern";
const MODERN: &str = "luzhanqi/modern";
const RULESETS: [&str; 4] = [REFEREE, SHOWDOWN, NORTHERN, MODERN];

/// The kinds that are attacked, in the order of the columns below.
const ATTACKED: &str = "MGDBKJCLENXF";

/// What becomes of the attacking kind at the left: `+` it stays, `-` the attacked piece does, `=` neither, `n` neither but the
/// Landmine in the northern rules.
const TABLE: [(char, &str); 10] = [
    ('M', "=++++++++=n+"),
    ('G', "-=+++++++=n+"),
    ('D', "--=++++++=n+"),
    ('B', "---=+++++=n+"),
    ('K', "----=++++=n+"),
    ('J', "-----=+++=n+"),
    ('C', "------=++=n+"),
    ('L', "-------=+=n+"),
    ('E', "--------==++"),
    ('N', "===========+"),
];

/// A board on which the piece on b11 can attack the one on b12, and both sides can go on afterwards.
fn facing(attacker: char, attacked: char) -> (Board, &'static str) {
    let mut board = Board::from([
        ((2, 11), attacker),
        ((2, 12), attacked.to_ascii_lowercase()),
    ]);
    board.extend([((2, 1), 'F'), ((3, 4), 'L'), ((3, 9), 'l')]);
    if attacked != 'F' {
        board.insert((4, 12), 'f');
    }
    (board, "b11b12")
}

/// The same board turned by 180°: the second seat attacks on d1 from d2.
fn turned(board: &Board) -> Board {
    let turned = board.iter().map(|((file, rank), letter)| {
        let letter = if letter.is_ascii_uppercase() {
            letter.to_ascii_lowercase()
        } else {
            letter.to_ascii_uppercase()
        };
        ((6 - file, 13 - rank), letter)
    });
    turned.collect()
}

fn game(id: &str, fen: &str) -> Game {
    Game::from_fen(&ruleset(id, &[]), fen).expect(fen)
}

/// A game after one move, and what players learn of it.
fn after(id: &str, fen: &str, mv: &str) -> (Game, Played) {
    let mut game = game(id, fen);
    let played = game.play(mv.parse().expect("a move")).expect(mv);
    (game, played)
}

/// The end of a game as `winner reason`; `-` while it goes on.
fn end(game: &Game) -> String {
    match game.outcome() {
        None => String::from("-"),
        Some(Outcome { winner, reason }) => {
            let winner = winner.map_or("nobody", Seat::as_str);
            format!("{winner} {}", reason.as_str())
        }
    }
}

#[test]
fn every_kind_attacks_every_kind_in_every_rule_set() {
    for id in RULESETS {
        for (attacker, row) in TABLE {
            for (attacked, told) in ATTACKED.chars().zip(row.chars()) {
                let told = match told {
                    'n' if id == NORTHERN => '-',
                    'n' => '=',
                    told => told,
                };
                assert_fight(id, attacker, attacked, told);
            }
        }
    }
}

fn assert_fight(id: &str, attacker: char, attacked: char, told: char) {
    let (before, mv) = facing(attacker, attacked);
    let mut expected = before.clone();
    expected.remove(&(2, 11));
    let removed = match told {
        '+' => {
            expected.insert((2, 12), attacker);
            Removed::Defender
        }
        '-' => Removed::Attacker,
        _ => {
            expected.remove(&(2, 12));
            Removed::Both
        }
    };
    for (before, expected, mv, turn, next) in [
        (before.clone(), expected.clone(), mv, 'w', "b - - 0 20"),
        (
            turned(&before),
            turned(&expected),
            "d2d1",
            'b',
            "w - - 0 21",
        ),
    ] {
        let place = format!("{id}: {attacker} attacks {attacked} by {mv}");
        let (game, played) = after(id, &format!("{} {turn} - - 9 20", written(&before)), mv);
        assert_eq!(
            game.fen(),
            format!("{} {next}", written(&expected)),
            "{place}"
        );
        let letters = if turn == 'w' {
            [attacker, attacked.to_ascii_lowercase()]
        } else {
            [attacker.to_ascii_lowercase(), attacked]
        };
        let told = Played {
            captured: None,
            removed: Some(removed),
            revealed: (id == SHOWDOWN).then_some(letters),
        };
        assert_eq!(played, told, "{place}");
        let mover = if turn == 'w' { "first" } else { "second" };
        let ended = if attacked == 'F' {
            format!("{mover} flag")
        } else {
            String::from("-")
        };
        assert_eq!(end(&game), ended, "{place}");
    }
}

#[test]
fn a_ride_of_any_length_ends_with_the_same_attack() {
    for (before, mv, afterwards) in [
        (
            "1f3/m4/5/5/2l2/5/5/5/2L2/5/B4/1F3 w - - 3 8",
            "a2a11",
            "1f3/m4/5/5/2l2/5/5/5/2L2/5/5/1F3 b - - 0 8",
        ),
        (
            "1f3/4m/5/5/2l2/5/5/5/2L2/5/E4/1F3 w - - 3 8",
            "a2e11",
            "1f3/4m/5/5/2l2/5/5/5/2L2/5/5/1F3 b - - 0 8",
        ),
    ] {
        let (game, played) = after(REFEREE, before, mv);
        assert_eq!(game.fen(), afterwards);
        assert_eq!(played.removed, Some(Removed::Attacker));
    }
}

#[test]
fn a_step_tells_nothing() {
    for id in RULESETS {
        let (game, played) = after(id, "1f3/5/5/5/2l2/5/5/5/2L2/5/5/1F3 w - - 3 8", "c4c5");
        assert_eq!(played, Played::default());
        assert_eq!(game.fen(), "1f3/5/5/5/2l2/5/5/2L2/5/5/5/1F3 b - - 4 8");
    }
}

/// The Field Marshals can meet.
const MARSHALS: &str = "1f1l1/2n2/5/5/5/4m/4M/5/5/5/5/1F1L1 w - - 0 1";

#[test]
fn the_loss_of_a_field_marshal_shows_the_flag_in_the_rule_set_that_says_so() {
    let views = |game: &Game| {
        [
            Viewer::Spectator,
            Viewer::Seat(Seat::First),
            Viewer::Seat(Seat::Second),
        ]
        .map(|viewer| game.view(viewer).fen)
    };
    for id in RULESETS {
        let before = game(id, MARSHALS);
        assert_eq!(
            views(&before),
            [
                "1u1u1/2u2/5/5/5/4u/4U/5/5/5/5/1U1U1 w - - 0 1",
                "1u1u1/2u2/5/5/5/4u/4M/5/5/5/5/1F1L1 w - - 0 1",
                "1f1l1/2n2/5/5/5/4m/4U/5/5/5/5/1U1U1 w - - 0 1",
            ]
        );
        let (both, _) = after(id, MARSHALS, "e6e7");
        let (own, enemy) = if id == MODERN { ('F', 'f') } else { ('U', 'u') };
        assert_eq!(
            views(&both),
            [
                format!("1{enemy}1u1/2u2/5/5/5/5/5/5/5/5/5/1{own}1U1 b - - 0 1"),
                format!("1{enemy}1u1/2u2/5/5/5/5/5/5/5/5/5/1F1L1 b - - 0 1"),
                format!("1f1l1/2n2/5/5/5/5/5/5/5/5/5/1{own}1U1 b - - 0 1"),
            ],
            "{id}"
        );
        // One Field Marshal alone, lost to a Grenade: the other side's Flag stays hidden.
        let (one, _) = after(id, "1f1l1/n4/5/5/5/4m/M4/5/5/5/5/1F1L1 w - - 0 1", "a6a11");
        assert_eq!(
            views(&one)[0],
            format!("1u1u1/5/5/5/5/4u/5/5/5/5/5/1{own}1U1 b - - 0 1"),
            "{id}"
        );
    }
}

#[test]
fn a_shown_flag_stays_shown() {
    let mut game = game(MODERN, "1f3/n4/5/5/5/4m/M4/5/2L2/5/5/1F3 w - - 0 1");
    for mv in ["a6a11", "e7e8", "c4c5", "e8e9"] {
        game.play(mv.parse().expect("a move")).expect(mv);
        let shown = game.view(Viewer::Spectator).fen;
        assert!(
            shown.contains("/1F3 ") && shown.starts_with("1u3/"),
            "{mv}: {shown}"
        );
    }
}

#[test]
fn any_piece_that_takes_the_flag_wins() {
    for id in RULESETS {
        for letter in "MGDBKJCLEN".chars() {
            // Even on the last quiet ply, and though the loser could not move either.
            let fen = format!("3f1/3{letter}1/5/5/5/5/5/5/5/5/5/1F3 w - - 119 60");
            let (game, played) = after(id, &fen, "d11d12");
            assert_eq!(end(&game), "first flag", "{id}: {letter}");
            assert_eq!(played.removed, Some(Removed::Defender), "{id}: {letter}");
            assert!(game.legal_moves().is_empty());
        }
    }
}

#[test]
fn a_player_to_move_without_a_legal_move_loses() {
    for id in RULESETS {
        // The last soldiers remove each other, on the last quiet ply: a Flag and Landmines are left.
        let fen = "1f3/x2x1/5/5/5/2l2/2L2/5/5/5/5/L2F1 w - - 119 1";
        assert_eq!(end(&after(id, fen, "c6c7").0), "first no_moves", "{id}");
        // A soldier that its own side shuts in.
        let shut = "1f3/5/5/5/2l2/5/5/5/5/5/XX3/LFX2 w - - 0 1";
        assert_eq!(end(&game(id, shut)), "second no_moves", "{id}");
        // A side's last soldier dies: it loses when it is to move again.
        let last = "1f3/5/5/5/2m2/2L2/5/5/5/5/5/1F3 w - - 0 1";
        let (mut game, _) = after(id, last, "c7c8");
        assert_eq!(end(&game), "-", "{id}");
        let on = game.play("c8c9".parse().expect("a move"));
        assert!(on.is_ok() && end(&game) == "second no_moves", "{id}");
    }
}

#[test]
fn if_neither_can_move_the_side_to_move_loses() {
    for (turn, winner) in [('w', "second"), ('b', "first")] {
        let fen = format!("1f3/2x2/5/5/5/5/5/5/5/5/2X2/1F3 {turn} - - 0 1");
        for id in RULESETS {
            assert_eq!(end(&game(id, &fen)), format!("{winner} no_moves"), "{id}");
        }
    }
}

#[test]
fn a_side_whose_last_piece_is_held_in_a_headquarters_has_no_move() {
    let held = "1f1l1/5/5/5/5/5/5/5/2L2/5/5/1F3 b - - 0 1";
    assert_eq!(end(&game(REFEREE, held)), "-");
    assert_eq!(end(&game(MODERN, held)), "first no_moves");
}

#[test]
fn so_many_plies_without_an_attack_are_a_draw() {
    let fen = |quiet| format!("1f3/5/5/5/2l2/5/5/5/2L2/5/5/1F3 w - - {quiet} 8");
    for id in RULESETS {
        assert_eq!(end(&after(id, &fen(118), "c4c5").0), "-");
        let drawn = after(id, &fen(119), "c4c5").0;
        assert_eq!(end(&drawn), "nobody quiet_limit");
        assert!(drawn.legal_moves().is_empty());
        assert_eq!(
            end(&game(id, &fen(120))),
            "nobody quiet_limit",
            "at the start too"
        );
    }
}

#[test]
fn an_attack_restarts_the_quiet_count_whatever_it_removes() {
    for (attacker, victim, removed) in [
        ('M', 'g', Removed::Defender),
        ('G', 'm', Removed::Attacker),
        ('G', 'g', Removed::Both),
    ] {
        let fen = format!("1f3/5/5/{victim}4/2l2/{attacker}4/5/5/2L2/5/5/1F3 w - - 119 8");
        let (game, played) = after(REFEREE, &fen, "a7a9");
        assert_eq!(
            (end(&game), played.removed),
            (String::from("-"), Some(removed))
        );
        assert!(game.fen().ends_with(" b - - 0 8"), "{}", game.fen());
    }
}

#[test]
fn positions_may_come_back_without_a_ban() {
    let set = ruleset(REFEREE, &[("quiet_limit", "0")]);
    let mut game =
        Game::from_fen(&set, "1f3/5/5/5/2l2/5/5/5/2L2/5/5/1F3 w - - 0 1").expect("a position");
    for _ in 0..60 {
        for mv in ["c4c5", "c8c9", "c5c4", "c9c8"] {
            let played = game.play(mv.parse().expect("a move"));
            assert!(
                played.is_ok() && game.banned_moves().is_empty(),
                "{mv}: {played:?}"
            );
        }
    }
    assert_eq!(game.outcome(), None);
}

#[test]
fn a_position_without_one_of_the_flags_is_won_already() {
    let gone = game(REFEREE, "5/5/5/5/2l2/5/5/5/2L2/5/5/1F3 w - - 120 8");
    let first = Outcome {
        winner: Some(Seat::First),
        reason: EndReason::Flag,
    };
    assert_eq!(gone.outcome(), Some(first), "before the quiet limit");
    assert_eq!(
        end(&game(REFEREE, "3f1/5/5/5/5/5/5/5/5/5/5/5 w - - 0 8")),
        "second flag"
    );
}
