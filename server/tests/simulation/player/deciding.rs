//! What a client decides: which games it begins, joins and watches, and what it plays.

use qiguan_protocol::ids::{CommandId, Cursor, GameId};
use serde_json::{Value, json};

use super::{Command, LOOKS_EVERY, Player, Request, Role, Scene, Terms};

impl Player {
    pub(super) fn goes_on(&mut self, scene: &mut Scene<'_>) {
        let now = scene.now;
        if self.is_over && now >= self.left_at && scene.goes_on {
            self.leaves_game(scene);
        }
        if let (Role::Seeks, None, Some(game)) = (self.role, self.game, self.other_game) {
            // What is played in the other window is shown here, too, and nothing is sought any more.
            self.begins(game);
        }
        if self.command.is_none() {
            self.decides(scene);
        }
        let due = self
            .command
            .as_mut()
            .filter(|command| !command.is_sent && now >= command.send_at);
        if let Some(command) = due {
            command.is_sent = true;
            // Whatever is heard before the answer is not about this request.
            command.is_open = false;
            let (id, kind, data) = (command.id, command.kind, command.data.clone());
            if let Some(game) = command.game {
                scene.history.sends(game, id, &format!("{kind} {data}"));
            }
            self.note(scene, &format!("sends {kind} {id}"));
            if kind == "quick_pair"
                && let Some(who) = self.who.filter(|_| self.has_two_windows)
            {
                scene.history.seeks_with_two_windows(who, now);
            }
            let number = self.asks(scene, Request::Command(id), kind, &data);
            if kind == "move"
                && let Some(turn) = &mut self.turn
            {
                turn.message = number;
            }
        }
        let is_asking = self
            .asked
            .values()
            .any(|(asked, _)| matches!(asked, Request::Watch(..)));
        let looks_again = scene.habits.looks_again && matches!(self.role, Role::Watches(_));
        let is_due = if looks_again {
            // It does not wait for the answer to the last one.
            now >= self.looks_at && now >= self.watches_at
        } else {
            !self.is_watching && !is_asking && now >= self.watches_at
        };
        if let Some(game) = self.game
            && is_due
        {
            self.looks_at = now + LOOKS_EVERY;
            let newest = scene.history.newest(game);
            let data = match self.cursor.filter(|_| !looks_again) {
                Some(cursor) => json!({"game": game, "since": cursor}),
                None => json!({"game": game}),
            };
            self.asks(scene, Request::Watch(newest, self.begun), "watch", &data);
        }
        // Now and then somebody goes without a reason.
        let is_seeking = self.role == Role::Seeks && self.game.is_none();
        let goes_in = if is_seeking {
            scene.habits.seeks_for
        } else {
            scene.habits.goes_in
        };
        if self.random.below(goes_in) < scene.step && !looks_again {
            self.leaves(scene, "goes");
        }
    }

    fn leaves_game(&mut self, scene: &mut Scene<'_>) {
        let before = self.game.take();
        self.is_over = false;
        self.is_watching = false;
        self.command = None;
        if let Role::Opens(table) = self.role
            && scene.tables[table].game == before
        {
            scene.tables[table].game = None;
        }
    }

    /// What is to be done next, if there is anything.
    fn decides(&mut self, scene: &mut Scene<'_>) {
        if self.is_over {
            return;
        }
        match (self.role, self.game) {
            (Role::Opens(table), None) if scene.goes_on => {
                let terms = scene.tables[table].terms;
                let id = self.command_id();
                let data = json!({
                    "command": id, "ruleset": terms.ruleset, "seat": "first",
                    "time_control": {"clock": {"type": "fischer", "initial_ms": terms.initial_ms, "increment_ms": terms.increment_ms}},
                });
                self.wants(scene, id, "create_game", data, None);
            }
            (Role::Joins(table) | Role::Watches(table), None) => {
                if let Some(game) = scene.tables[table].game {
                    self.begins(game);
                    self.joins_at = scene.now + self.random.below(scene.habits.joins_within);
                }
            }
            (Role::Joins(table), Some(game)) if !self.has_joined => {
                if scene.now < self.joins_at {
                    return;
                }
                scene.tables[table].is_joined = true;
                let id = self.command_id();
                self.wants(
                    scene,
                    id,
                    "join",
                    json!({"game": game, "command": id}),
                    Some(game),
                );
            }
            (Role::Seeks, None) if scene.goes_on => {
                let id = self.command_id();
                let data = json!({"command": id, "ruleset": "doushouqi/booklet", "time": "3+2"});
                self.wants(scene, id, "quick_pair", data, None);
            }
            (_, Some(game)) => self.plays(scene, game),
            _ => {}
        }
    }

    fn plays(&mut self, scene: &mut Scene<'_>, game: GameId) {
        let terms = match self.role {
            Role::Opens(table) | Role::Joins(table) => scene.tables[table].terms,
            Role::Seeks => Terms {
                ruleset: "doushouqi/booklet",
                initial_ms: 0,
                increment_ms: 0,
                plies: 6,
            },
            Role::Watches(_) => return,
        };
        if terms.ruleset.starts_with("luzhanqi") && !self.is_ready && self.is_watching {
            // Created, joined, and the setup has begun.
            let sets_up = |cursor: Cursor| (3..6).contains(&cursor.seq.0);
            if self.turn.is_none() && self.cursor.is_some_and(sets_up) {
                self.is_ready = true;
                let id = self.command_id();
                self.wants(
                    scene,
                    id,
                    "ready",
                    json!({"game": game, "command": id}),
                    Some(game),
                );
                return;
            }
        }
        let Some(turn) = self
            .turn
            .as_ref()
            .filter(|turn| scene.now >= turn.moves_at && turn.measured.arrived.is_none())
        else {
            return;
        };
        let ply = turn.measured.ply;
        if ply > terms.plies || turn.legal.is_empty() {
            let id = self.command_id();
            self.ends_turn(scene);
            self.wants(
                scene,
                id,
                "resign",
                json!({"game": game, "command": id}),
                Some(game),
            );
            return;
        }
        let mv = self.random.pick(&turn.legal).clone();
        let id = self.command_id();
        let data = json!({"game": game, "command": id, "ply": ply, "move": mv});
        self.wants(scene, id, "move", data, Some(game));
    }

    fn wants(
        &mut self,
        scene: &Scene<'_>,
        id: CommandId,
        kind: &'static str,
        data: Value,
        game: Option<GameId>,
    ) {
        self.command = Some(Command {
            id,
            kind,
            data,
            game,
            since: scene.now,
            send_at: scene.now,
            is_sent: false,
            is_open: false,
        });
    }

    fn command_id(&mut self) -> CommandId {
        let (high, low) = (self.random.next(), self.random.next());
        CommandId(uuid::Builder::from_u128(u128::from(high) << 64 | u128::from(low)).into_uuid())
    }
}
