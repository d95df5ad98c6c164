//! A game, a channel of featured games, or what a player receives, passed on over plain HTTP: a stream is a connection with another transport
//! than a socket. It has the texts that connections share, and what holds for these; one that is not read is cut off.

use std::{
    future::{pending, poll_fn},
    io, mem,
    sync::Arc,
    time::Duration,
};

use axum::{
    body::{Body, Bytes},
    extract::ws::Utf8Bytes,
};
use qiguan_game::{audience, refusal::Refusal};
use qiguan_protocol::{
    answer::Answer,
    error::ApiError,
    event::{ServerNotice, ServerNoticeKind},
    ids::{Cursor, GameId, Millis},
    limits,
    live::{ChannelNotice, ChannelNow, OwnStreamNotice, OwnStreamNow},
    lobby::{LobbyNotice, LobbyNoticeKind},
    names::Status,
};
use serde::Serialize;
use tokio::{
    sync::{mpsc, watch},
    time::{sleep, sleep_until, timeout},
};

use crate::{
    live::{
        course::{Course, FrameKind, FrameSummary},
        form::{Form, Place},
        own_games,
        watcher::{Viewer, Watcher},
    },
    lobby::challenging,
    net::{connection_limit::ConnectionSlot, cut::Cut},
    peer::{self, outbox::Taken},
    room::{hub::Hub, message::Read},
};

/// How long a stream is silent at most.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);
/// How long a channel waits for the end of a game that is featured no more.
const FAREWELL: Millis = Millis(5_000);
/// How long what was sent last may take at a restart.
const LAST_BYTES: Duration = Duration::from_millis(500);

/// What a stream runs on.
pub struct Wire {
    /// How it is written.
    pub form: Form,
    /// Ends the connection.
    pub cut: Cut,
    /// Its place among those of its address, if the connection has none of its own.
    pub place: Option<ConnectionSlot>,
}

/// A stream that is not read yet.
pub struct Stream {
    watcher: Watcher,
    wire: Wire,
    subject: Subject,
    /// How far the game is; none while a channel has none, and of what a player receives.
    course: Option<Course>,
    /// What has not been sent yet.
    out: Vec<u8>,
}

/// What a stream passes on.
enum Subject {
    /// One game, until it is over.
    Game,
    /// The featured games of a kind.
    Channel(Following),
    /// What a player receives who watches no game.
    Player,
}

/// Why a stream ends.
enum End {
    /// Nothing more is to come.
    Over,
    /// Nobody reads it any more.
    Gone,
    /// It was not read in time, or can't go on: the reader is to see that it broke off.
    Broken,
    /// The server restarts.
    Restart,
}

/// A channel and what it has shown last.
struct Following {
    kind: String,
    now: watch::Receiver<Option<GameId>>,
    shown: Option<GameId>,
    /// Whether it has shown anything.
    begun: bool,
}

impl Following {
    /// When another game is featured.
    async fn changed(&mut self) {
        if self.now.changed().await.is_err() {
            pending::<()>().await;
        }
    }

    /// Whether something else is to be shown than what is. Shortly after a start it need not be known yet (`is_known`) that there is nothing.
    fn has_changed(&self, is_known: bool) -> bool {
        let now = *self.now.borrow();
        if self.begun {
            self.shown != now
        } else {
            is_known || now.is_some()
        }
    }
}

impl Stream {
    /// Of a game, from where it was seen last or from a snapshot: as a seat of the viewer sees it, or as spectators do. None if the reader has
    /// all of a game that is over.
    ///
    /// # Errors
    /// As `watch`; `not_a_player` for a viewer without a seat.
    pub async fn of_game(
        hub: Hub,
        game: GameId,
        viewer: Option<Viewer>,
        since: Option<Cursor>,
        wire: Wire,
    ) -> Result<Option<Self>, ApiError> {
        let mut commitments = false;
        if since.is_some() || viewer.is_some() {
            let player = viewer.as_ref().map(Viewer::player);
            let snapshot = hub.read(game, player, Read::Snapshot).await?;
            let view = snapshot.view_without_moves();
            if player.is_some() && view.you.is_none() {
                return Err(Refusal::NotAPlayer.into());
            }
            if view.status == Status::Ended && since == Some(view.cursor) {
                return Ok(None);
            }
            let setup = view.setup.as_ref();
            commitments = setup.is_some_and(|setup| setup.commitments.is_some());
        }
        let mut watcher = Watcher::new(hub, viewer)?;
        let answer = watcher.watch(game, since).await?;
        let mut stream = Self {
            watcher,
            wire,
            subject: Subject::Game,
            course: None,
            out: Vec::new(),
        };
        stream.begin(&answer, commitments);
        Ok(Some(stream))
    }

    /// Of the featured games of a kind, one after the other; none if there is no such kind.
    pub fn of_channel(hub: Hub, kind: String, wire: Wire) -> Option<Self> {
        let now = hub.services().live.follow(&kind)?;
        Some(Self {
            watcher: Watcher::nobody(hub),
            wire,
            subject: Subject::Channel(Following {
                kind,
                now,
                shown: None,
                begun: false,
            }),
            course: None,
            out: Vec::new(),
        })
    }

    /// Of what a player receives: first the running games, the challenges, and the games that have ended since a time, as if all that were
    /// just happening; then that this is all, and from then on what happens.
    ///
    /// # Errors
    /// `busy` when the record can't be read, or when the session may have ended.
    pub async fn of_player(
        hub: Hub,
        viewer: Viewer,
        since: Option<Millis>,
        wire: Wire,
    ) -> Result<Self, ApiError> {
        let who = Arc::clone(&viewer.who);
        let watcher = Watcher::new(hub.clone(), Some(viewer))?;
        let services = hub.services();
        services.sockets.follow_own_games(&watcher.peer, who.id);
        // Once all programs know, what happens while this is read comes as a notice, and later than this.
        services.programs.catch_up().await;
        let mut stream = Self {
            watcher,
            wire,
            subject: Subject::Player,
            course: None,
            out: Vec::new(),
        };
        let mut games = own_games::running(&hub, who.id).await?;
        if let Some(since) = since {
            games.extend(own_games::ended_since(&hub, who.id, since).await?);
        }
        for game in games.into_iter().map(Box::new) {
            let notice = ServerNoticeKind::OwnGame { game };
            stream.say(&ServerNotice { notice });
        }
        for game in challenging::received(services, who.id).await? {
            let game = Box::new(game);
            let lobby = LobbyNoticeKind::Challenged { game };
            stream.say(&LobbyNotice { lobby });
        }
        let me = OwnStreamNow {
            player: audience::player(&who.player()),
            server_time: services.clock.now(),
        };
        stream.say(&OwnStreamNotice { me });
        Ok(stream)
    }

    /// What the reader gets, from now on.
    pub fn into_body(self) -> Body {
        let (sender, mut receiver) = mpsc::channel(1);
        let tasks = self.watcher.hub.services().sockets.tasks.clone();
        tasks.spawn(self.run(sender));
        Body::from_stream(futures_util::stream::poll_fn(move |context| {
            receiver.poll_recv(context)
        }))
    }

    async fn run(mut self, sender: mpsc::Sender<io::Result<Bytes>>) {
        let end = match self.pass_on(&sender).await {
            Ok(never) => match never {},
            Err(end) => end,
        };
        let Cut(cut) = self.wire.cut.clone();
        match end {
            End::Over | End::Gone => {}
            End::Broken => {
                // The end of the body would look like the end of the game.
                drop(sender.try_send(Err(io::ErrorKind::TimedOut.into())));
                cut.cancel();
            }
            End::Restart => drop(tokio::spawn(async move {
                drop(timeout(LAST_BYTES, cut.cancelled()).await);
                cut.cancel();
            })),
        }
    }

    async fn pass_on(
        &mut self,
        sender: &mpsc::Sender<io::Result<Bytes>>,
    ) -> Result<std::convert::Infallible, End> {
        let services = Arc::clone(self.watcher.hub.services());
        let clock = services.clock;
        let peer = Arc::clone(&self.watcher.peer);
        let mut frames = Vec::new();
        let mut farewell = None;
        loop {
            let is_over = self.course.is_none_or(|course| course.is_over());
            let is_known = services.unheld.are_all_opened();
            let is_dropped = self.course.is_some_and(|course| course.is_dropped());
            if let Subject::Channel(channel) = &self.subject {
                if is_dropped {
                    // The game goes on at another program, or the way there was lost for a moment: it is shown again from a snapshot.
                    self.move_on().await?;
                } else if !channel.has_changed(is_known) {
                    farewell = None;
                } else if is_over || farewell.is_some_and(|at| at <= clock.now()) {
                    self.move_on().await?;
                } else {
                    farewell.get_or_insert(clock.now() + FAREWELL);
                }
            }
            if !self.out.is_empty() {
                self.send(sender).await?;
            }
            let subject = &mut self.subject;
            if is_over && matches!(subject, Subject::Game) {
                return Err(End::Over);
            }
            let changed = async {
                match subject {
                    Subject::Channel(channel) => channel.changed().await,
                    Subject::Game | Subject::Player => pending().await,
                }
            };
            tokio::select! {
                biased;
                () = sender.closed() => return Err(End::Gone),
                taken = poll_fn(|context| peer.outbox.poll_take(context, &mut frames)) => {
                    self.take(taken, &mut frames)?;
                }
                () = changed => {}
                () = services.unheld.all_were_opened(), if !is_known => {}
                () = sleep_until(clock.instant(farewell.unwrap_or_default())), if farewell.is_some() => {}
                () = sleep(SIGN_OF_LIFE) => self.out.extend_from_slice(self.wire.form.sign_of_life()),
            }
        }
    }

    /// Leaves the game that was featured, and begins the one that is.
    async fn move_on(&mut self) -> Result<(), End> {
        self.watcher.unwatch().await;
        let mut frames = Vec::new();
        let peer = Arc::clone(&self.watcher.peer);
        let rest = poll_fn(|context| {
            let taken = peer.outbox.poll_take(context, &mut frames);
            std::task::Poll::Ready(taken)
        });
        if let std::task::Poll::Ready(taken) = rest.await {
            self.take(taken, &mut frames)?;
        }
        let Subject::Channel(channel) = &mut self.subject else {
            return Ok(());
        };
        let game = *channel.now.borrow_and_update();
        channel.shown = game;
        channel.begun = true;
        self.course = None;
        let notice = peer::text(&ChannelNotice {
            tv: ChannelNow {
                kind: channel.kind.clone(),
                game,
            },
        });
        self.wire.form.write(&mut self.out, None, &notice);
        if let Some(game) = game {
            let answer = self.watcher.watch(game, None).await;
            let answer = answer.map_err(|_| End::Broken)?;
            self.begin(&answer, false);
        }
        Ok(())
    }

    /// Writes a message of its own.
    fn say(&mut self, message: &impl Serialize) {
        let at = self.resumes_at();
        self.wire
            .form
            .write(&mut self.out, at, &peer::text(message));
    }

    /// Writes where a game stands.
    fn begin(&mut self, answer: &Answer, commitments: bool) {
        self.course = Course::begun_by(answer, commitments);
        self.say(answer);
    }

    /// Writes what has come.
    fn take(&mut self, taken: Taken, frames: &mut Vec<Utf8Bytes>) -> Result<(), End> {
        match taken {
            Taken::Frames => {}
            Taken::Close(closing) if closing.code == limits::close::RESTART => {
                return Err(End::Restart);
            }
            Taken::Close(_) => return Err(End::Broken),
        }
        for frame in frames.drain(..) {
            let said = FrameSummary::in_text(&frame);
            let is_of_player = matches!(self.subject, Subject::Player);
            match said.what {
                FrameKind::Restarting(retry) => {
                    self.wire.form.write_retry(&mut self.out, retry);
                }
                // Whose game this is reads that elsewhere.
                FrameKind::Lobby if !is_of_player => continue,
                FrameKind::Lobby
                | FrameKind::Started { .. }
                | FrameKind::Ended
                | FrameKind::Revealed
                | FrameKind::Dropped
                | FrameKind::Other => {}
            }
            if let Some(course) = &mut self.course {
                course.hears(said);
            }
            let is_numbered = said.seq.is_some() || is_of_player;
            let at = self.resumes_at().filter(|_| is_numbered);
            self.wire.form.write(&mut self.out, at, &frame);
        }
        Ok(())
    }

    /// From where the reader may go on later: in a game, and in what a player receives; not in a channel, where another game may be on by then.
    fn resumes_at(&self) -> Option<Place> {
        match &self.subject {
            Subject::Game => self.course.map(|course| Place::Cursor(course.at)),
            Subject::Channel(_) => None,
            Subject::Player => {
                let clock = self.watcher.hub.services().clock;
                Some(Place::Time(clock.now()))
            }
        }
    }

    async fn send(&mut self, sender: &mpsc::Sender<io::Result<Bytes>>) -> Result<(), End> {
        let bytes = Bytes::from(mem::take(&mut self.out));
        let patience = Duration::from_millis(limits::WRITE_MS);
        match timeout(patience, sender.send(Ok(bytes))).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Gone),
            Err(_elapsed) => Err(End::Broken),
        }
    }
}
