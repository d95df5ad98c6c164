//! Twin games: two games that differ in hidden identities alone, which have not mattered yet, look alike to everybody else.
//!
//! What has mattered is found by the rules alone: as long as the same moves can be played, and the public result of each
//! is the same, the opponent and the spectators must be given the same bytes, the commitments aside.

use qiguan_game::{
    audience::Audience,
    event::Body,
    referee::Command,
    setups::{Draw, SettingUp},
};
use qiguan_protocol::ids::Seq;
use qiguan_rules::{BySeat, Game, Move, Outcome, Played, RuleSet, Seat, Square, luzhanqi::Setup};

use super::{
    RULESETS, Random, for_each_seed, number,
    table::{MessageKind, Table},
};

/// Two games and how far they are alike.
pub(super) struct Twins {
    pub(super) ruleset: &'static str,
    /// Whose pieces are exchanged.
    pub(super) seat: Seat,
    pub(super) draws: [Draw; 2],
    pub(super) moves: Vec<Move>,
}

/// Everything public about a ply, and about the position after it.
#[derive(PartialEq, Eq)]
struct SeatStream {
    played: Played,
    outcome: Option<Outcome>,
    /// With it the Flags that are shown, and the quiet plies.
    fen: String,
}

impl Twins {
    /// Twins that are alike for some plies at least, with the same salts.
    pub(super) fn random(seed: u64) -> Self {
        let mut random = Random(seed ^ 0x7717_0000_0000);
        let ruleset = RULESETS[seed as usize % 4];
        let laws = RuleSet::named(ruleset).unwrap();
        loop {
            let draw = random.draw();
            let seat = *random.pick(&Seat::ALL);
            let moves = walk(&laws, &draw.setups.0, &mut random);
            for _ in 0..20 {
                let mut other = draw.clone();
                if !exchange(other.setups.0.get_mut(seat), seat, &mut random) {
                    continue;
                }
                let alike = plies_alike(&laws, [&draw.setups.0, &other.setups.0], &moves);
                if alike >= 4 {
                    return Self {
                        ruleset,
                        seat,
                        draws: [draw, other],
                        moves: moves[..alike].to_vec(),
                    };
                }
            }
        }
    }

    /// Plays one of the two, with the same looks and refused tries at the same places.
    fn play(&self, draw: &Draw, seed: u64) -> Table {
        let mut random = Random(seed);
        let mut table = Table::open(self.ruleset, draw);
        table.is_looked_at(Seq(0));
        table.does(self.seat, &Command::Ready);
        table.is_looked_at(Seq(0));
        table.does(self.seat.other(), &Command::Ready);
        for mv in &self.moves {
            let mover = table.state.game.turn();
            if random.below(4) == 0 {
                self.tries(&mut table, &mut random);
            }
            table.plays(mover, &mv.to_string());
            if random.below(16) == 0 {
                let since = Seq(random.below(table.state.seq().0 as usize) as u32);
                table.is_looked_at(since);
            }
        }
        table.is_looked_at(Seq(0));
        table
    }

    /// The opponent tries to move what cannot be moved, onto what may stand there.
    fn tries(&self, table: &mut Table, random: &mut Random) {
        let square =
            |random: &mut Random| Square::new(random.below(5) as u8, random.below(12) as u8);
        let (from, to) = (square(random).unwrap(), square(random).unwrap());
        let mv = Move { from, to };
        // Out of turn anything may be tried. The list of the owner's moves is not asked: it is what the twins differ in.
        let game = &table.state.game;
        if game.turn() == self.seat || !game.legal_moves().contains(&mv) {
            table.plays(self.seat.other(), &mv.to_string());
        }
    }
}

/// Plays a random game by the rules alone.
fn walk(laws: &RuleSet, setups: &BySeat<Setup>, random: &mut Random) -> Vec<Move> {
    let mut game = Game::set_up(laws, setups).unwrap();
    let most = 10 + random.below(150);
    let mut moves = Vec::new();
    while game.outcome().is_none() && moves.len() < most {
        let mv = *random.pick(game.legal_moves());
        game.play(mv).unwrap();
        moves.push(mv);
    }
    moves
}

/// Exchanges two different pieces of a setup, if that leaves it legal.
fn exchange(setup: &mut Setup, seat: Seat, random: &mut Random) -> bool {
    let before = setup.text();
    let rank = 6 * seat.index() as u8;
    let mut square = || Square::new(random.below(5) as u8, rank + random.below(6) as u8).unwrap();
    let (one, other) = (square(), square());
    setup.exchange(one, other).is_ok() && setup.text() != before
}

/// For how many plies two games look alike.
fn plies_alike(laws: &RuleSet, setups: [&BySeat<Setup>; 2], moves: &[Move]) -> usize {
    let [mut one, mut other] = setups.map(|setups| Game::set_up(laws, setups).unwrap());
    let told = |game: &mut Game, mv: Move| {
        let played = game.play(mv).ok()?;
        Some(SeatStream {
            played,
            outcome: game.outcome(),
            fen: game.view(qiguan_rules::Viewer::Spectator).fen,
        })
    };
    let alike = |mv: &&Move| told(&mut one, **mv) == told(&mut other, **mv);
    moves.iter().take_while(alike).count()
}

/// Everything that an audience was given before the setups were shown, the commitments made the same.
fn given(table: &Table, audience: Audience) -> Vec<(Seq, MessageKind, String)> {
    let revealed = table
        .state
        .log
        .iter()
        .find(|event| event.body == Body::Revealed);
    let before = revealed.map_or(Seq(u32::MAX), |event| event.seq);
    let commitments = table.state.setup.as_ref().and_then(SettingUp::commitments);
    let commitments = commitments.unwrap();
    table.sent[audience.index()]
        .iter()
        .take_while(|sent| sent.seq < before)
        .map(|sent| {
            let text = sent.text.replace(&commitments.first, "<first>");
            (
                sent.seq,
                sent.what,
                text.replace(&commitments.second, "<second>"),
            )
        })
        .collect()
}

#[test]
fn twin_games_are_the_same_to_the_opponent_and_to_spectators() {
    let pairs = number("QIGUAN_TWINS", 500);
    let alike = for_each_seed(pairs, |seed| {
        let twins = Twins::random(seed);
        let [one, other] = [0, 1].map(|twin| twins.play(&twins.draws[twin], seed));
        for audience in [Audience::Seat(twins.seat.other()), Audience::Spectators] {
            let (one, other) = (given(&one, audience), given(&other, audience));
            for (one, other) in one.iter().zip(&other) {
                assert_eq!(one, other, "pair {seed} ({}), {audience:?}", twins.ruleset);
            }
            assert_eq!(one.len(), other.len(), "pair {seed}, {audience:?}");
        }
        let owner = [&one, &other].map(|table| given(table, Audience::Seat(twins.seat)));
        assert!(
            owner[0] != owner[1],
            "pair {seed}: the owner sees the difference"
        );
        twins.moves.len()
    });
    let plies: usize = alike.iter().sum();
    eprintln!(
        "{pairs} pairs, alike for {} plies on average",
        plies / alike.len()
    );
    assert!(
        plies > 25 * alike.len(),
        "twins are alike for long enough to tell"
    );
}
