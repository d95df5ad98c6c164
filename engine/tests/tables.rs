//! The tables of Dou Shou Qi: every value follows from the rules' moves, positions that are alike have the same, and who follows them gives
//! nothing away.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::sync::{Arc, LazyLock, atomic::AtomicBool};

use qiguan_engine::{
    Draws, Level, Limits, Player, Score,
    tables::{Endings, Tables, Value},
};
use qiguan_rules::{
    Game, Move, RuleSet, Seat,
    doushouqi::{Piece, Position, board},
};

static GO_ON: AtomicBool = AtomicBool::new(false);

/// Enough where tables settle everything but draws.
const FEW: Limits = Limits {
    nodes: 2_000,
    depth: 12,
};

/// Made once for all tests.
static ENDINGS: LazyLock<Arc<Endings>> = LazyLock::new(|| Arc::new(Endings::new(1)));

fn tables(ruleset: &RuleSet) -> &'static Tables {
    let tables = ENDINGS.of_ruleset(ruleset).unwrap();
    // Another test may be making them.
    while !tables.prepare(&GO_ON) {
        std::thread::yield_now();
    }
    tables
}

fn rulesets() -> impl Iterator<Item = RuleSet> {
    Endings::RULE_SETS
        .into_iter()
        .map(|id| RuleSet::named(id).unwrap())
}

/// A position with at most so many animals, both sides having one, in which nobody has won.
fn drawn_position(draws: &mut Draws, animals: usize) -> Position {
    loop {
        let turn = Seat::ALL[draws.below(2)];
        let mut placed: Vec<(Seat, Piece, u8)> = Vec::new();
        for number in 0..animals.max(2) {
            let seat = Seat::ALL[if number < 2 { number } else { draws.below(2) }];
            let piece = Piece::ALL[draws.below(8)];
            let square = draws.below(board::SQUARES) as u8;
            let closed =
                board::DEN[0] | board::DEN[1] | if piece == Piece::Rat { 0 } else { board::RIVER };
            let taken = placed
                .iter()
                .any(|(side, other, at)| *at == square || (*side, *other) == (seat, piece));
            if !taken && closed & board::bit(square) == 0 {
                placed.push((seat, piece, square));
            }
        }
        let both = Seat::ALL
            .into_iter()
            .all(|seat| placed.iter().any(|(side, ..)| *side == seat));
        if both {
            return Position::placed(turn, placed);
        }
    }
}

fn game(ruleset: &RuleSet, fen: &str) -> Game {
    Game::from_fen(ruleset, fen).unwrap()
}

fn value(ruleset: &RuleSet, fen: &str) -> Option<Value> {
    let Game::DouShouQi(play) = game(ruleset, fen) else {
        return None;
    };
    tables(ruleset).probe(play.position())
}

#[test]
fn every_value_of_two_animals_and_of_some_classes_of_three_follows_from_the_rules() {
    for ruleset in rulesets() {
        let tables = tables(&ruleset);
        let classes: Vec<_> = tables.classes().collect();
        let two = classes.iter().filter(|class| class.pieces == 2);
        let three = classes.iter().filter(|class| class.pieces == 3).step_by(9);
        for class in two.chain(three) {
            let bytes = tables.make(class.id, &GO_ON).unwrap();
            let checked = tables.check(class.id, Box::new(bytes), &GO_ON);
            let checked = checked.unwrap_or_else(|fault| panic!("{}: {fault}", class.name));
            assert!(checked.unwrap().positions > 0, "{}", class.name);
        }
    }
}

#[test]
fn materials_that_behave_alike_share_a_class() {
    let counted = rulesets().map(|ruleset| {
        let of = |pieces| {
            let tables = ENDINGS.of_ruleset(&ruleset).unwrap();
            tables
                .classes()
                .filter(|class| class.pieces == pieces)
                .count()
        };
        [of(2), of(3), of(4)]
    });
    let expected = [[10, 42, 134], [10, 42, 134], [15, 72, 255]];
    assert_eq!(counted.collect::<Vec<_>>(), expected);
}

#[test]
fn a_position_its_mirror_image_and_the_same_from_the_other_side_have_one_value() {
    for ruleset in rulesets() {
        let mut draws = Draws::new(7);
        for _ in 0..3_000 {
            let position = drawn_position(&mut draws, 3);
            let animals = |change: &dyn Fn(u8) -> u8| {
                let all = Seat::ALL
                    .into_iter()
                    .flat_map(|seat| Piece::ALL.into_iter().map(move |piece| (seat, piece)));
                let placed = all.filter_map(|(seat, piece)| {
                    Some((seat, piece, change(position.square_of(seat, piece)?)))
                });
                Position::placed(position.turn(), placed)
            };
            let image = animals(&|square| square - square % 7 + 6 - square % 7);
            let tables = tables(&ruleset);
            let value = tables.probe(&position);
            assert!(value.is_some(), "{}", position.fen());
            assert_eq!(value, tables.probe(&image), "{}", position.fen());
            assert_eq!(
                value,
                tables.probe(&position.turned()),
                "{}",
                position.fen()
            );
        }
    }
}

#[test]
fn known_endings_have_their_values() {
    let booklet = RuleSet::named("doushouqi/booklet").unwrap();
    // One step from the den.
    let wins = "7/3C3/7/7/7/7/7/7/6r w - - 0 1";
    assert_eq!(value(&booklet, wins), Some(Value::Win(1)));
    let loses = "7/3C3/7/7/7/7/7/7/r6 b - - 0 1";
    assert_eq!(value(&booklet, loses), Some(Value::Loss(2)));
    // Five animals are in no table, and without tables nothing is known.
    assert_eq!(value(&booklet, "7/3C3/7/7/7/7/7/1L1T3/le5 w - - 0 1"), None);
}

/// Plays on to the end, with the first seat's moves by one and the second's by the other; who wins.
fn winner(mut game: Game, mut choose: impl FnMut(&Game) -> Move) -> Option<Seat> {
    while game.outcome().is_none() {
        let mv = choose(&game);
        game.play(mv).unwrap();
    }
    game.outcome()?.winner
}

/// Half points, from the view of a seat.
fn halves(winner: Option<Seat>, seat: Seat) -> u32 {
    match winner {
        None => 1,
        Some(winner) if winner == seat => 2,
        Some(_) => 0,
    }
}

/// The best move of a player with tables, after making sure that no legal move is worth more half points.
fn best_of(player: &Player, tables: &Tables, game: &Game) -> Move {
    let Game::DouShouQi(play) = game else {
        panic!("another game");
    };
    let found = player.best(game, &[], FEW, &GO_ON, |_| {});
    let chosen = found.unwrap().moves[0];
    let moves = tables.moves(play).unwrap();
    let (_, value) = moves.iter().find(|(mv, _)| *mv == chosen).unwrap();
    // What would be decided after the quiet limit is drawn.
    let quiet = play.history().quiet_plies();
    let promised = |value| match value {
        Value::Win(plies) | Value::Loss(plies) if quiet + u32::from(plies) > 120 => 1,
        value => due(value),
    };
    let most = promised(moves[0].1);
    assert!(promised(*value) >= most, "{} {chosen}", game.fen());
    chosen
}

/// The half points of a value.
fn due(value: Value) -> u32 {
    match value {
        Value::Win(_) => 2,
        Value::Draw => 1,
        Value::Loss(_) => 0,
    }
}

#[test]
fn a_player_with_tables_gives_no_half_point_away() {
    for ruleset in rulesets() {
        let tables = tables(&ruleset);
        let player = Player::new(1).with_endings(Arc::clone(&ENDINGS));
        let mut draws = Draws::new(11);
        for number in 0..150 {
            let position = drawn_position(&mut draws, 3);
            let start = game(&ruleset, &position.fen());
            if start.outcome().is_some() {
                continue;
            }
            let seat = position.turn();
            let value = tables.probe(&position).unwrap();
            let against_best = winner(start.clone(), |game| best_of(&player, tables, game));
            // What neither side can force is decided by bans, now and then.
            if value != Value::Draw {
                let got = halves(against_best, seat);
                assert_eq!(got, due(value), "{number}: {}", position.fen());
            }
            let against_any = winner(start, |game| {
                if game.turn() == seat {
                    best_of(&player, tables, game)
                } else {
                    let legal = game.legal_moves();
                    legal[draws.below(legal.len())]
                }
            });
            if let Value::Win(_) = value {
                assert_eq!(against_any, Some(seat), "{number}: {}", position.fen());
            }
        }
    }
}

#[test]
fn a_win_that_would_come_after_the_quiet_limit_is_not_claimed() {
    let booklet = RuleSet::named("doushouqi/booklet").unwrap();
    let far = "7/7/7/7/7/7/3E3/7/c6 w - - {} 1";
    let plies = match value(&booklet, &far.replace("{}", "0")) {
        Some(Value::Win(plies)) => u32::from(plies),
        other => panic!("{other:?}"),
    };
    assert!(plies > 3);
    for (quiet, is_claimed) in [(120 - plies, true), (121 - plies, false)] {
        let late = game(&booklet, &far.replace("{}", &quiet.to_string()));
        let limits = Limits {
            nodes: 20_000,
            depth: 8,
        };
        let player = Player::new(1).with_endings(Arc::clone(&ENDINGS));
        let found = player.best(&late, &[], limits, &GO_ON, |_| {}).unwrap();
        let claimed = matches!(found.score, Score::Hundredths(19_000..));
        assert_eq!(claimed, is_claimed, "{quiet}");
    }
}

#[test]
fn a_banned_move_of_the_tables_is_not_played_and_another_win_is_chosen() {
    let ruleset = RuleSet::named("doushouqi/ancientchess").unwrap();
    let player = Player::new(1).with_endings(Arc::clone(&ENDINGS));
    let mut banned = 0;
    for seed in 0..60 {
        let mut draws = Draws::new(seed);
        let position = drawn_position(&mut draws, 3);
        let mut game = game(&ruleset, &position.fen());
        // Both sides walk about first, so that positions are used up.
        for _ in 0..24 {
            let quiet: Vec<Move> = game.legal_moves().to_vec();
            let quiet = quiet.into_iter().filter(|mv| {
                let (after, played) = game.after(*mv).unwrap();
                played.captured.is_none() && after.outcome().is_none()
            });
            let quiet: Vec<Move> = quiet.collect();
            let Some(mv) = quiet.get(draws.below(quiet.len())) else {
                break;
            };
            game.play(*mv).unwrap();
        }
        if game.outcome().is_some() {
            continue;
        }
        winner(game, |game| {
            banned += game.banned_moves().len();
            let found = player.best(game, &[], FEW, &GO_ON, |_| {});
            found.unwrap().moves[0]
        });
    }
    assert!(banned > 0, "nothing was banned, so nothing was tried");
}

#[test]
fn the_search_sees_a_capture_into_a_won_ending() {
    // Four animals, one of which hangs: what is left is in the tables, and neither the den nor the last capture is near.
    let ruleset = RuleSet::named("doushouqi/booklet").unwrap();
    let start = game(&ruleset, "l6/7/7/7/7/7/c6/L6/6T w - - 0 1");
    let limits = Limits {
        nodes: 5_000,
        depth: 2,
    };
    tables(&ruleset);
    let with = Player::new(1).with_endings(Arc::clone(&ENDINGS));
    let found = with.best(&start, &[], limits, &GO_ON, |_| {}).unwrap();
    assert_eq!(found.moves[0].to_string(), "a2a3");
    assert!(
        matches!(found.score, Score::Hundredths(19_000..)),
        "{:?}",
        found.score
    );
    let without = Player::new(1)
        .best(&start, &[], limits, &GO_ON, |_| {})
        .unwrap();
    assert!(matches!(without.score, Score::Hundredths(..19_000)));
}

#[test]
fn the_two_strongest_levels_play_endings_by_the_tables() {
    let booklet = RuleSet::named("doushouqi/booklet").unwrap();
    let tables = tables(&booklet);
    let mut draws = Draws::new(3);
    // A win that no search of eight plies sees.
    let far = loop {
        let position = drawn_position(&mut draws, 3);
        if let Ok(game) = Game::from_fen(&booklet, &position.fen())
            && game.outcome().is_none()
            && matches!(tables.probe(&position), Some(Value::Win(25..)))
        {
            break game;
        }
    };
    let player = Player::new(1).with_endings(Arc::clone(&ENDINGS));
    for (level, knows) in [(6, false), (7, true), (8, true)] {
        let level = Level::try_from(level).unwrap();
        let found = player.play(&far, level, 1, &GO_ON).unwrap();
        let claims = matches!(
            found.score,
            Score::Hundredths(19_000..) | Score::Decided(1..)
        );
        assert_eq!(claims, knows, "{level:?}: {:?}", found.score);
    }
}

#[test]
fn making_tables_ends_when_it_is_stopped() {
    let endings = Endings::new(1);
    let ruleset = RuleSet::named("doushouqi/booklet").unwrap();
    let tables = endings.of_ruleset(&ruleset).unwrap();
    assert!(!tables.prepare(&AtomicBool::new(true)));
    assert_eq!(tables.make(0, &GO_ON), None);
}
