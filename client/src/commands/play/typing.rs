//! What a player types.

use qiguan_protocol::{ids::GameId, limits, names::Status};
use serde_json::json;

use super::{Player, lists};
use crate::{notation, table::Offered, text::printable};

impl Player {
    /// Does what was typed.
    pub(super) async fn typed(&mut self, line: &str) -> anyhow::Result<()> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, self.game) {
            ("help" | "?", _) => return self.tell(HELP),
            ("address", Some(game)) => return self.tell(&self.address(game)),
            ("decline", _) if self.challenge.is_some() && !self.is_offered_something() => {
                return self.decline().await;
            }
            _ => {}
        }
        let Some(table) = &self.table else {
            return self.tell("there is no game yet");
        };
        let offered = table.offered();
        match word {
            "" => {}
            "board" | "b" => self.screen.draw(table, self.now(), &[])?,
            "legal" => self.legal(table, rest)?,
            "banned" => self.banned(table)?,
            "moves" => self
                .screen
                .say(&lists::moves(table, self.screen.spelling()))?,
            "pieces" => {
                let game = self.screen.game();
                self.screen
                    .say(&game.map_or_else(String::new, lists::pieces))?
            }
            "draw" => self.command("offer_draw", json!({})).await?,
            "hint" => self.hint(rest.trim()).await?,
            "takeback" => self.command("request_takeback", json!({})).await?,
            "accept" => match offered {
                Some(Offered::Takeback(request)) => {
                    self.command("accept_takeback", json!({"offer": request}))
                        .await?
                }
                Some(Offered::Draw(offer)) => {
                    self.command("accept_draw", json!({"offer": offer})).await?
                }
                None => self.screen.say(NOTHING_OFFERED)?,
            },
            "decline" => match offered {
                Some(Offered::Takeback(request)) => {
                    self.command("decline_takeback", json!({"offer": request}))
                        .await?
                }
                Some(Offered::Draw(offer)) => {
                    self.command("decline_draw", json!({"offer": offer}))
                        .await?
                }
                None => self.screen.say(NOTHING_OFFERED)?,
            },
            "resign" if rest == "yes" => self.command("resign", json!({})).await?,
            "resign" => self.screen.say("type: resign yes")?,
            "abort" => self.command("abort", json!({})).await?,
            "claim" => self.command("claim_victory", json!({})).await?,
            "rematch" => self.command("rematch", json!({})).await?,
            "ready" => self.command("ready", json!({})).await?,
            "swap" | "setup" | "setups" | "save" | "load" => {
                self.sets_up(word, rest.trim()).await?
            }
            "note" => self.notes(rest.trim()).await?,
            "notes" => self.screen.say(&self.guesses(table))?,
            "say" => match limits::check_chat(rest) {
                Ok(()) => self.command("chat", json!({"text": rest})).await?,
                Err(error) => self.screen.say(&error.message)?,
            },
            _ => match notation::typed(&table.view, line) {
                Ok(mv) => {
                    let ply = table.next_ply();
                    if self.is_meant(ply, &mv).await? {
                        self.command("move", json!({"ply": ply, "move": mv}))
                            .await?;
                    }
                }
                Err(why) => self.screen.say(&printable(&why))?,
            },
        }
        Ok(self.screen.prompt()?)
    }

    fn tell(&self, text: &str) -> anyhow::Result<()> {
        self.screen.say(text)?;
        Ok(self.screen.prompt()?)
    }

    fn is_offered_something(&self) -> bool {
        let table = self.table.as_ref();
        table.is_some_and(|table| table.offered().is_some())
    }

    /// Where this game is, and what an opponent who is waited for types.
    fn address(&self, game: GameId) -> String {
        let table = self.table.as_ref();
        if table.is_none_or(|table| table.view.status == Status::Open) {
            self.screen.invitation(game)
        } else {
            format!("this game: {}/games/{game}", self.server)
        }
    }
}

const NOTHING_OFFERED: &str = "nothing is offered or asked for";

const HELP: &str = "a3a4              move from a3 to a4; in Xiangqi also C2=5, H2-E2, 炮二平五\n\
                    legal [a3]        the legal moves, or those of one piece\n\
                    banned            moves that are banned, and why\n\
                    board, moves      the board, the moves so far\n\
                    pieces            what the letters on the board stand for\n\
                    draw              offer a draw; accept, decline (also a challenge)\n\
                    takeback          take your last move back, or ask the opponent for it; accept, decline\n\
                    hint [a3a4]       in a practice game: the best move, or what to think of this one\n\
                    address           the address of this game, for an opponent or to watch it\n\
                    resign yes        give up; abort before both have moved\n\
                    claim             claim the game of an opponent who stays away\n\
                    rematch           another game, the seats changed\n\
                    say TEXT          to the opponent\n\
                    in Luzhanqi, before play:\n\
                    swap a1 b2        exchange what stands on two points of your half\n\
                    setup [TEXT]      your setup as text: six ranks from the top of the board; with TEXT: set up so\n\
                    setups            the setups that you have saved; save NAME, load NAME\n\
                    ready             finish setting up\n\
                    and while playing:\n\
                    note e7 G         what you guess a hidden piece to be, shown with a ?; note clear e7, note clear all\n\
                    notes             all your guesses\n\
                    quit              leave; the game goes on, come back with the same address";
