//! A game, or a channel of featured games, passed on over plain HTTP to its readers: with the texts that the spectators on sockets
//! share, and with what holds for these. A stream counts as a spectator, and one that is not read is cut off.

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
use qiguan_protocol::{
    answer::Answer,
    error::ApiError,
    ids::{Cursor, GameId, Millis},
    limits,
    live::{ChannelNotice, ChannelNow},
    names::Status,
};
use tokio::{
    sync::{mpsc, watch},
    time::{sleep, sleep_until, timeout},
};

use crate::{
    live::{
        course::{Course, FrameKind, FrameSummary},
        form::Form,
    },
    net::{connection_limit::ConnectionSlot, cut::Cut},
    peer::{self, Peer, outbox::Taken},
    room::{
        hub::Hub,
        message::{Read, Reply, RoomMessage, answered},
    },
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
    channel: Option<Following>,
    /// How far the game is; none while a channel has none.
    course: Option<Course>,
    /// What has not been sent yet.
    out: Vec<u8>,
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

/// A spectator without a socket, as long as this lives.
struct Watcher {
    hub: Hub,
    peer: Arc<Peer>,
    game: Option<GameId>,
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

impl Watcher {
    fn new(hub: Hub) -> Self {
        let peer = hub.services().sockets.enter();
        metrics::gauge!("qiguan_streams_open").increment(1.0);
        Self {
            hub,
            peer,
            game: None,
        }
    }

    async fn watch(&mut self, game: GameId, since: Option<Cursor>) -> Result<Answer, ApiError> {
        self.game = Some(game);
        let (reply, answer) = Reply::to_call();
        let watch = RoomMessage::Watch {
            peer: Arc::clone(&self.peer),
            player: None,
            since,
            preview: false,
            route: None,
            reply,
        };
        self.hub.send(game, watch).await;
        let answer = answered(answer).await;
        if answer.is_err() {
            self.game = None;
        }
        answer
    }

    async fn unwatch(&mut self) {
        let Some(game) = self.game else {
            return;
        };
        let (reply, answer) = Reply::to_call();
        let unwatch = RoomMessage::Unwatch {
            peer: self.peer.id,
            reply: Some(reply),
        };
        self.hub.send(game, unwatch).await;
        // Whatever the answer is, nothing more comes after it.
        drop(answer.await);
        self.game = None;
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        metrics::gauge!("qiguan_streams_open").decrement(1.0);
        self.hub.services().sockets.leave(&self.peer, None);
        let (Some(game), Ok(runtime)) = (self.game, tokio::runtime::Handle::try_current()) else {
            return;
        };
        let hub = self.hub.clone();
        let peer = self.peer.id;
        runtime.spawn(async move {
            hub.send(game, RoomMessage::Unwatch { peer, reply: None })
                .await;
        });
    }
}

impl Stream {
    /// Of a game, from where it was seen last or from a snapshot; none if the reader has all of a game that is over.
    ///
    /// # Errors
    /// As `watch`.
    pub async fn of_game(
        hub: Hub,
        game: GameId,
        since: Option<Cursor>,
        wire: Wire,
    ) -> Result<Option<Self>, ApiError> {
        let mut commitments = false;
        if let Some(since) = since {
            let snapshot = hub.read(game, None, Read::Snapshot).await?;
            let view = snapshot.view_without_moves();
            if view.status == Status::Ended && view.cursor == since {
                return Ok(None);
            }
            let setup = view.setup.as_ref();
            commitments = setup.is_some_and(|setup| setup.commitments.is_some());
        }
        let mut watcher = Watcher::new(hub);
        let answer = watcher.watch(game, since).await?;
        let mut stream = Self {
            watcher,
            wire,
            channel: None,
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
            watcher: Watcher::new(hub),
            wire,
            channel: Some(Following {
                kind,
                now,
                shown: None,
                begun: false,
            }),
            course: None,
            out: Vec::new(),
        })
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
            if let Some(channel) = &self.channel {
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
            let channel = self.channel.as_mut();
            if is_over && channel.is_none() {
                return Err(End::Over);
            }
            let changed = async {
                match channel {
                    Some(channel) => channel.changed().await,
                    None => pending().await,
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
        let Some(channel) = &mut self.channel else {
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

    /// Writes where a game stands.
    fn begin(&mut self, answer: &Answer, commitments: bool) {
        self.course = Course::begun_by(answer, commitments);
        let at = self.resumes_at();
        let text = peer::text(answer);
        self.wire.form.write(&mut self.out, at, &text);
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
            if let FrameKind::Restarting(retry) = said.what {
                self.wire.form.write_retry(&mut self.out, retry);
            }
            if let Some(course) = &mut self.course {
                course.hears(said);
            }
            let at = said.seq.and_then(|_| self.resumes_at());
            self.wire.form.write(&mut self.out, at, &frame);
        }
        Ok(())
    }

    /// From where the reader may go on later: in a game, not in a channel, where another game may be on by then.
    fn resumes_at(&self) -> Option<Cursor> {
        let course = self.course.filter(|_| self.channel.is_none());
        course.map(|course| course.at)
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
