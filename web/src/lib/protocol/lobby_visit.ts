import type { ApiError, Lobby, LobbyNoticeKind } from './protocol';

/** Clients in the lobby receive all of this. */
export interface LobbySink {
  /** The lobby as it stands; forget what you knew. */
  snapshot(lobby: Lobby): void;
  /** Something has changed. */
  notice(notice: LobbyNoticeKind): void;
  /** The lobby can't be entered. */
  refused(error: ApiError): void;
}

/** What a visit needs of the connection. */
export interface LobbyPort {
  online(): boolean;
  /** Enters. The callback is not called when the connection is lost before the answer. */
  enter(then: (answer: Lobby | ApiError) => void): void;
  leave(): void;
  after(ms: number, then: () => void): () => void;
}

/** Pages change from one look at the lobby to another; own seeks should live through that. */
const GRACE_MS = 500;
const AGAIN_MS = 2_000;
const PASSING: ReadonlySet<string> = new Set(['rate_limited', 'busy', 'internal', 'restarting']);

/** The one visit to the lobby, however many parts of a page look at it. */
export class LobbyVisit {
  readonly #port: LobbyPort;
  readonly #sinks = new Set<LobbySink>();
  readonly #fresh = new Set<LobbySink>();
  #asked: symbol | null = null;
  #cancel: (() => void) | null = null;

  constructor(port: LobbyPort) {
    this.#port = port;
  }

  /** Enters the lobby. What comes back leaves it. */
  add(sink: LobbySink): () => void {
    this.#sinks.add(sink);
    this.#fresh.add(sink);
    this.#enter();
    return () => {
      if (!this.#sinks.delete(sink)) return;
      this.#fresh.delete(sink);
      if (this.#sinks.size === 0) this.#after(GRACE_MS, () => this.#leave());
    };
  }

  /** The connection is there. */
  resume(): void {
    for (const sink of this.#sinks) this.#fresh.add(sink);
    if (this.#sinks.size > 0) this.#enter();
  }

  /** The connection is gone. */
  lost(): void {
    this.#asked = null;
    this.#cancel?.();
    this.#cancel = null;
  }

  notice(notice: LobbyNoticeKind): void {
    // Changes sent before the lobby itself are contained in the answer that is still to come.
    for (const sink of [...this.#sinks]) if (!this.#fresh.has(sink)) sink.notice(notice);
    if (notice.type === 'reset') this.resume();
  }

  #after(ms: number, then: () => void): void {
    this.#cancel?.();
    this.#cancel = this.#port.after(ms, () => {
      this.#cancel = null;
      then();
    });
  }

  #leave(): void {
    this.#asked = null;
    if (this.#port.online()) this.#port.leave();
  }

  #enter(): void {
    this.#cancel?.();
    this.#cancel = null;
    if (!this.#port.online()) return;
    const question = Symbol('lobby');
    this.#asked = question;
    this.#port.enter((answer) => {
      if (this.#asked !== question) return;
      this.#asked = null;
      if (!('code' in answer)) {
        this.#fresh.clear();
        for (const sink of [...this.#sinks]) sink.snapshot(answer);
      } else if (PASSING.has(answer.code)) {
        this.#after(AGAIN_MS, () => this.#enter());
      } else {
        for (const sink of [...this.#sinks]) sink.refused(answer);
      }
    });
  }
}
