import type { ApiError, Answer, Cursor, EventFrame, GameNotice, GameNoticeKind, GameView, LiveState } from './protocol';

/** Watchers of a game receive all of this, in order, without gaps and without repetitions. */
export interface GameSink {
  /** The game as it stands; forget what you knew. */
  snapshot(view: GameView): void;
  /** What happened while the connection was away, and how things are now. */
  missed(events: readonly EventFrame[], live: LiveState, cursor: Cursor): void;
  /** Something has happened. */
  event(frame: EventFrame): void;
  /** Something around the game. */
  notice(kind: GameNoticeKind): void;
  /** The game can't be watched. */
  refused(error: ApiError): void;
}

/** What watching needs of the connection. */
export interface WatchPort {
  /** Whether something can be sent. */
  online(): boolean;
  /** Asks for a game; a preview is not counted as a spectator. The callback is not called when the connection is lost before the answer. */
  ask(game: string, since: Cursor | null, preview: boolean, then: (answer: Answer | ApiError) => void): void;
  /** Ends a watch. */
  unwatch(game: string): void;
  after(ms: number, then: () => void): () => void;
}

/** A game that nobody looks at any more is kept for so long: pages change from one look at it to another. */
const GRACE_MS = 500;
/** How long to wait before asking again. */
const AGAIN_MS = 1_500;
/** Refusals that pass by themselves. */
const PASSING: ReadonlySet<string> = new Set(['rate_limited', 'busy', 'internal', 'not_stored', 'restarting']);

interface Watched {
  sinks: Set<GameSink>;
  /** Those who have not received the game yet. */
  fresh: Set<GameSink>;
  /** Those who show the game as one of many. */
  previews: Set<GameSink>;
  cursor: Cursor | null;
  /** The question that is on its way; answers to earlier ones are stale. */
  asked: symbol | null;
  cancel: (() => void) | null;
}

function isPreview({ sinks, previews }: Watched): boolean {
  return previews.size > 0 && previews.size === sinks.size;
}

/** The games that are being watched, each once however many look at it, and how far each has been seen. */
export class Watches {
  readonly #port: WatchPort;
  #games = new Map<string, Watched>();

  constructor(port: WatchPort) {
    this.#port = port;
  }

  /** Begins to look at a game, `preview` as one of many. What comes back ends that. */
  add(game: string, sink: GameSink, preview = false): () => void {
    let watched = this.#games.get(game);
    if (!watched) {
      watched = { sinks: new Set(), fresh: new Set(), previews: new Set(), cursor: null, asked: null, cancel: null };
      this.#games.set(game, watched);
    }
    watched.cancel?.();
    watched.cancel = null;
    watched.sinks.add(sink);
    watched.fresh.add(sink);
    if (preview) watched.previews.add(sink);
    // A question without cursor is answered with the whole game, which a new watcher needs.
    this.#ask(game, watched, null);
    return () => this.#remove(game, sink);
  }

  /** The connection is there; as somebody else, if `another`: then nothing that was seen counts any more. */
  resume(another: boolean): void {
    for (const [game, watched] of this.#games) {
      if (another) this.#forget(watched);
      if (watched.sinks.size === 0) this.#drop(game, watched);
      else this.#ask(game, watched, watched.fresh.size > 0 ? null : watched.cursor);
    }
  }

  /** The connection is gone. */
  lost(): void {
    for (const watched of this.#games.values()) watched.asked = null;
  }

  event(frame: EventFrame): void {
    const watched = this.#games.get(frame.game);
    if (!watched?.cursor || frame.seq <= watched.cursor.seq) return;
    if (frame.seq === watched.cursor.seq + 1) {
      watched.cursor = { ...watched.cursor, seq: frame.seq };
      for (const sink of [...watched.sinks]) if (!watched.fresh.has(sink)) sink.event(frame);
    } else if (!watched.asked) {
      this.#ask(frame.game, watched, watched.cursor);
    }
  }

  notice({ game, notice }: GameNotice): void {
    const watched = this.#games.get(game);
    if (!watched) return;
    // Mostly the game goes on elsewhere, and can be watched again at once.
    if (notice.type === 'dropped') this.#ask(game, watched, watched.fresh.size > 0 ? null : watched.cursor);
    else for (const sink of [...watched.sinks]) if (!watched.fresh.has(sink)) sink.notice(notice);
  }

  #remove(game: string, sink: GameSink): void {
    const watched = this.#games.get(game);
    if (!watched?.sinks.delete(sink)) return;
    watched.fresh.delete(sink);
    const wasPreview = watched.previews.delete(sink);
    if (watched.sinks.size > 0) {
      // Where only previews are left, nobody follows the game any more.
      if (!wasPreview && isPreview(watched)) this.#ask(game, watched, watched.cursor);
      return;
    }
    watched.cancel?.();
    watched.cancel = this.#port.after(GRACE_MS, () => {
      this.#drop(game, watched);
      if (this.#port.online()) this.#port.unwatch(game);
    });
  }

  #drop(game: string, watched: Watched): void {
    watched.cancel?.();
    watched.asked = null;
    this.#games.delete(game);
  }

  #forget(watched: Watched): void {
    watched.cursor = null;
    for (const sink of watched.sinks) watched.fresh.add(sink);
  }

  #ask(game: string, watched: Watched, since: Cursor | null): void {
    if (!this.#port.online()) return;
    const question = Symbol(game);
    watched.asked = question;
    this.#port.ask(game, since, isPreview(watched), (answer) => {
      if (watched.asked !== question) return;
      watched.asked = null;
      if ('code' in answer) this.#refused(game, watched, answer);
      else if (answer.type === 'snapshot') this.#snapshot(game, watched, answer.view);
      else if (answer.type === 'missed') this.#missed(game, watched, answer.events, answer.live, answer.cursor);
    });
  }

  #later(game: string, watched: Watched): void {
    watched.cancel?.();
    watched.cancel = this.#port.after(AGAIN_MS, () => {
      watched.cancel = null;
      this.#ask(game, watched, watched.fresh.size > 0 ? null : watched.cursor);
    });
  }

  #snapshot(game: string, watched: Watched, view: GameView): void {
    const known = watched.cursor?.epoch === view.cursor.epoch ? watched.cursor.seq : -1;
    if (view.cursor.seq < known) return this.#later(game, watched);
    // Those who have seen as much need no update.
    const behind = view.cursor.seq > known;
    if (behind) watched.cursor = view.cursor;
    for (const sink of [...watched.sinks]) {
      if (behind || watched.fresh.has(sink)) sink.snapshot(view);
      watched.fresh.delete(sink);
    }
  }

  #missed(game: string, watched: Watched, events: readonly EventFrame[], live: LiveState, cursor: Cursor): void {
    const seen = watched.cursor;
    if (!seen || cursor.epoch !== seen.epoch) return this.#ask(game, watched, null);
    const news = events.filter((frame) => frame.seq > seen.seq);
    const whole = news.every((frame, index) => frame.seq === seen.seq + 1 + index);
    if (!whole || seen.seq + news.length < cursor.seq) return this.#ask(game, watched, null);
    // Live events that came before this answer have shown more than it tells.
    if (seen.seq > cursor.seq) return;
    watched.cursor = cursor;
    for (const sink of [...watched.sinks]) if (!watched.fresh.has(sink)) sink.missed(news, live, cursor);
    if (watched.fresh.size > 0) this.#ask(game, watched, null);
  }

  #refused(game: string, watched: Watched, error: ApiError): void {
    if (PASSING.has(error.code)) return this.#later(game, watched);
    for (const sink of [...watched.sinks]) sink.refused(error);
  }
}
