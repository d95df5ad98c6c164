//! Random sequences of what people do: nobody is in two games, nothing is lost, and readers receive what is there.

use std::collections::{BTreeSet, HashSet};

use proptest::prelude::*;

use super::*;

/// What somebody does, or what happens.
#[derive(Clone, Copy, Debug)]
enum Step {
    Enters(u128),
    Leaves(u128),
    Seeks(u128, Option<usize>, bool),
    Accepts(u128, usize),
    Cancels(usize),
    Pairs(bool),
    Opened(usize, u8),
    Ticks(i64),
    Reads,
}

fn step() -> impl Strategy<Value = Step> {
    let who = 0..9_u128;
    prop_oneof![
        1 => who.clone().prop_map(Step::Enters),
        1 => who.clone().prop_map(Step::Leaves),
        4 => (who.clone(), prop::option::of(0..3_usize), any::<bool>())
            .prop_map(|(who, pool, http)| Step::Seeks(who, pool, http)),
        2 => (who, 0..20_usize).prop_map(|(who, which)| Step::Accepts(who, which)),
        1 => (0..20_usize).prop_map(Step::Cancels),
        2 => any::<bool>().prop_map(Step::Pairs),
        3 => (0..5_usize, 0..4_u8).prop_map(|(which, how)| Step::Opened(which, how)),
        1 => (0..20_000_i64).prop_map(Step::Ticks),
        1 => Just(Step::Reads),
    ]
}

/// The state with what a reader of the board knows, and the games that are being opened.
struct Scene {
    state: LobbyState,
    now: Millis,
    next: u128,
    open: Vec<Opening>,
    paired: HashSet<SeekId>,
    known: BTreeSet<SeekId>,
}

impl Scene {
    fn new() -> Self {
        Self {
            state: LobbyState::new(LIMITS),
            now: Millis(0),
            next: 0,
            open: Vec::new(),
            paired: HashSet::new(),
            known: BTreeSet::new(),
        }
    }

    fn id(&mut self) -> u128 {
        self.next += 1;
        self.next
    }

    fn nth_seek(&self, which: usize) -> Option<(SeekId, PlayerId)> {
        let all: BTreeSet<SeekId> = self.state.seeks.keys().copied().collect();
        let id = *all.iter().nth(which)?;
        Some((id, self.state.get(id)?.owner.player()))
    }

    fn read(&mut self) {
        let changes = self.state.board().take_changes();
        self.known.extend(changes.shown);
        for gone in changes.hidden {
            self.known.remove(&gone);
        }
    }

    fn does(&mut self, step: Step) {
        let now = self.now;
        match step {
            Step::Enters(who) => self.state.enters(player(who), who as u64, now),
            Step::Leaves(who) => self.state.leaves(player(who), who as u64, now),
            Step::Seeks(who, where_to, http) => {
                let request = where_to.map_or_else(board, |at| pool(["5+3", "10+5", "15+10"][at]));
                let way = if http {
                    SeekLifetime::Http {
                        until: now + HTTP_SEEK,
                    }
                } else {
                    self.state.enters(player(who), who as u64, now);
                    SeekLifetime::Socket
                };
                let id = self.id();
                // Limits may be reached; what then stands is checked below.
                let _ = self
                    .state
                    .seek(seek_id(id), seeker(who), request, command(id), way, now);
            }
            Step::Accepts(who, which) => {
                let id = self.id();
                if let Some((seek, _)) = self.nth_seek(which)
                    && let Ok(Accepting::Opens(opening)) =
                        self.state.accept(seek, seeker(who), command(id), now)
                {
                    self.open.push(*opening);
                }
            }
            Step::Cancels(which) => {
                if let Some((seek, owner)) = self.nth_seek(which) {
                    let held = self.open.iter().any(|opening| {
                        [opening.owner.seek, opening.other.seek].contains(&Some(seek))
                    });
                    assert_eq!(self.state.cancel(owner, seek, now).is_err(), held);
                }
            }
            Step::Pairs(all) => self.open.extend(self.state.pair(all, now, strangers)),
            Step::Opened(which, how) => self.opened(which, how),
            Step::Ticks(ms) => {
                self.now = now + Millis(ms);
                self.state.tick(self.now);
                for seek in self.state.seeks.values() {
                    let held = self.state.matching.holds(seek.owner.player());
                    assert!(held || !self.state.is_over(seek, self.now), "{seek:?}");
                }
            }
            Step::Reads => self.read(),
        }
    }

    fn opened(&mut self, which: usize, how: u8) {
        if which >= self.open.len() {
            return;
        }
        let opening = self.open.swap_remove(which);
        let (owner, other) = (&opening.owner, &opening.other);
        let players = [owner.seeker.player(), other.seeker.player()];
        let before: Vec<SeekId> = players
            .iter()
            .flat_map(|player| self.state.seeks_of(*player).map(|seek| seek.id))
            .collect();
        let result = match how {
            0 => Err(Failure::NotStored),
            1 => Err(Failure::Unfit(owner.seeker.player())),
            _ => Ok(game(u128::from(opening.id.0))),
        };
        self.state.opened(opening.id, result, self.now);
        let after: Vec<SeekId> = players
            .iter()
            .flat_map(|player| self.state.seeks_of(*player).map(|seek| seek.id))
            .collect();
        match result {
            Ok(_) => {
                assert_eq!(after, []);
                for seek in [owner.seek, other.seek].into_iter().flatten() {
                    assert!(self.paired.insert(seek), "{seek} is paired twice");
                }
            }
            Err(Failure::NotStored) => assert_eq!(after, before),
            Err(Failure::Unfit(_)) => {
                let left = before.into_iter().filter(|seek| Some(*seek) != owner.seek);
                assert_eq!(after, left.collect::<Vec<_>>());
            }
        }
    }

    fn check(&mut self) {
        let mut seated = HashSet::new();
        for opening in &self.open {
            assert!(seated.insert(opening.owner.seeker.player()));
            assert!(seated.insert(opening.other.seeker.player()));
        }
        let mut addresses: HashMap<Group, usize> = HashMap::new();
        for seek in self.state.seeks.values() {
            *addresses.entry(seek.owner.address).or_default() += 1;
            assert!(!self.paired.contains(&seek.id), "a paired seek is open");
        }
        assert_eq!(addresses, self.state.addresses);
        assert!(addresses.values().all(|&there| there <= LIMITS.per_address));
        for (player, person) in &self.state.people {
            assert!(person.seeks.len() <= LIMITS.per_player);
            assert_eq!(self.state.seeks_of(*player).count(), person.seeks.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nobody_is_seated_twice_and_nothing_is_left_behind_whatever_people_do(
        steps in prop::collection::vec(step(), 1..120),
    ) {
        let mut scene = Scene::new();
        for step in steps {
            scene.does(step);
            scene.check();
        }
        while scene.state.board().has_changes() {
            scene.read();
        }
        let open: BTreeSet<SeekId> = scene.state.open(false).map(|seek| seek.id).collect();
        prop_assert_eq!(&scene.known, &open);
        while !scene.open.is_empty() {
            scene.opened(0, 0);
        }
        for who in 0..9 {
            scene.state.leaves(player(who), who as u64, scene.now);
        }
        scene.now = scene.now + Millis(200_000);
        scene.state.tick(scene.now);
        prop_assert!(scene.state.is_empty());
        scene.state.tick(scene.now + Millis(60_000));
        prop_assert!(scene.state.people.is_empty() && scene.state.commands.is_empty());
        prop_assert!(scene.state.recent_seeks.is_empty());
    }
}
