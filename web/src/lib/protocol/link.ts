import { backoff, retryIn } from './backoff';
import type { Environment, Socket } from './environment';
import { CLOSE, type AnswerFrame, type ServerMessage, type Welcome } from './protocol';
import { ServerClock } from './server_clock';

/** How the connection stands. */
export type LinkState =
  | { kind: 'connecting' }
  | { kind: 'online' }
  /** The next attempt is made at `until`, by the local clock (`Environment.now`). */
  | { kind: 'waiting'; until: number; why: 'lost' | 'restart' | 'refused' }
  /** No attempt is made any more, unless somebody asks for one. */
  | { kind: 'ended'; why: 'signed_out' | 'banned' | 'policy' | 'closed' };

/** The listeners. */
export interface LinkEvents {
  /** The state is another one. */
  changed(state: LinkState): void;
  /** The server has greeted: from now on messages go both ways. `changed` follows. */
  welcomed(welcome: Welcome): void;
  /** A message that is not the link's own affair. */
  received(message: ServerMessage): void;
  /** Whether no answer is on its way. */
  idle(): boolean;
}

/** The id of `hello`. Those of `ping` begin above all that requests ever reach. */
const HELLO = 0;
const FIRST_PING = 4_000_000_000;
const LAST_PING = 4_294_967_295;

/** How long opening and greeting may take together. */
const GREETING_MS = 12_000;
/** How often the link looks after itself. */
const TICK_MS = 5_000;
/** How often it asks for the time, and so for a sign of life. */
const PING_EVERY_MS = 20_000;
/** How well the server's clock has to be known, how soon it is asked again until then, and how often at most. */
const KNOWN_MS = 25;
const COMPARE_MS = 350;
const COMPARISONS = 8;
/** How long the answer may take. */
const PONG_MS = 8_000;
/** The same when the page has woken up, and when the browser says that it is offline. */
const PROBE_MS = 3_000;
/** Ticks that are so much too late say that the machine has slept. */
const SLEPT_MS = 4_000;
/** A connection that held for so long was a good one. */
const GOOD_MS = 5_000;
/** How long a move to another connection waits for answers on their way, and how often it looks. */
const ANSWERS_MS = 1_000;
const LOOK_MS = 50;
/** The connection before is closed so much later: others at the board do not see the player go. */
const OVERLAP_MS = 1_500;
/** A client that was sent away reconnects no sooner. */
const REFUSED_MS = 10_000;

/**
 * One connection to the server that is always there or on its way: it greets, gives signs of life, notices when the other side has
 * gone, and comes back by itself. What is said over it is not its affair.
 */
export class Link {
  readonly clock = new ServerClock();
  readonly #environment: Environment;
  readonly #events: LinkEvents;
  #state: LinkState = { kind: 'ended', why: 'closed' };
  #socket: Socket | null = null;
  /** The next attempt, or the end of patience with this one. */
  #cancelTimer: (() => void) | null = null;
  #cancelTick: (() => void) | null = null;
  #cancelProbe: (() => void) | null = null;
  #failures = 0;
  #onlineSince = 0;
  #lastHeard = 0;
  #lastPing = 0;
  #helloSent = 0;
  #pings = new Map<number, number>();
  #compared = 0;
  #cancelCompare: (() => void) | null = null;
  #nextPing = FIRST_PING;
  #retryIn: number | null = null;
  /** Ends the second connection that is being opened while this one ends, or the one before that is still open. */
  #endOther: (() => void) | null = null;

  constructor(environment: Environment, events: LinkEvents) {
    this.#environment = environment;
    this.#events = events;
  }

  get state(): LinkState {
    return this.#state;
  }

  /** Connects, and stays connected. */
  open(): void {
    if (this.#state.kind === 'ended') this.#attempt();
  }

  /** Reconnects with the identity of the browser's current cookie. */
  reopen(): void {
    this.#failures = 0;
    this.#drop();
    this.#attempt();
  }

  /** Ends the connection, until `open`. */
  close(): void {
    this.#drop();
    this.#become({ kind: 'ended', why: 'closed' });
  }

  /** Sends a text. Only while online. */
  send(text: string): void {
    this.#socket?.send(text);
  }

  /** The page has woken up, or the network is back: find out at once how things stand. */
  wake(): void {
    if (this.#state.kind === 'waiting' && this.#state.why !== 'refused') this.#attempt();
    else if (this.#state.kind === 'online') {
      this.clock.distrust();
      this.probe();
    }
  }

  /** Asks for a sign of life, with little patience. */
  probe(): void {
    if (this.#state.kind !== 'online' || this.#cancelProbe) return;
    this.#expectPong(PROBE_MS);
  }

  #become(state: LinkState): void {
    this.#state = state;
    this.#events.changed(state);
  }

  #drop(): void {
    this.#cancelTimer?.();
    this.#cancelTick?.();
    this.#cancelProbe?.();
    this.#endOther?.();
    this.#cancelTimer = this.#cancelTick = this.#cancelProbe = this.#endOther = null;
    this.#pings.clear();
    this.#cancelCompare?.();
    this.#cancelCompare = null;
    this.#compared = 0;
    const socket = this.#socket;
    this.#socket = null;
    if (socket) end(socket);
  }

  #attempt(): void {
    this.#drop();
    this.#become({ kind: 'connecting' });
    this.#socket = this.#connect();
    this.#hearFrom(this.#socket);
    this.#cancelTimer = this.#environment.after(GREETING_MS, () => this.#wait('lost'));
  }

  #connect(): Socket {
    const socket = this.#environment.connect();
    socket.onopen = () => {
      this.#helloSent = this.#environment.now();
      socket.send(JSON.stringify({ id: HELLO, type: 'hello', data: {} }));
    };
    return socket;
  }

  #hearFrom(socket: Socket): void {
    socket.onmessage = (text) => this.#hear(text);
    socket.onclose = (code, reason) => this.#closed(code, reason);
  }

  /** This connection ends soon, and others would be served: opens one of them first, and then goes over to it at once. */
  #move(): void {
    const world = this.#environment;
    const next = this.#connect();
    const heard: string[] = [];
    let cancel = world.after(GREETING_MS, () => this.#endOther?.());
    this.#endOther = () => {
      cancel();
      end(next);
      this.#endOther = null;
    };
    next.onclose = () => this.#endOther?.();
    next.onmessage = (text) => {
      heard.push(text);
      const message = JSON.parse(text) as ServerMessage;
      if (!('re' in message)) return;
      if (message.error) return this.#endOther?.();
      cancel();
      let looks = ANSWERS_MS / LOOK_MS;
      const look = () => {
        looks -= 1;
        if (looks > 0 && !this.#events.idle()) cancel = world.after(LOOK_MS, look);
        else this.#goOver(next, heard);
      };
      look();
    };
  }

  #goOver(next: Socket, heard: readonly string[]): void {
    const before = this.#socket;
    this.#endOther = this.#socket = null;
    this.#drop();
    if (before) {
      before.onopen = before.onmessage = before.onclose = null;
      const cancel = this.#environment.after(OVERLAP_MS, () => this.#endOther?.());
      this.#endOther = () => {
        cancel();
        before.close();
        this.#endOther = null;
      };
    }
    this.#socket = next;
    this.#hearFrom(next);
    this.#become({ kind: 'connecting' });
    this.#cancelTimer = this.#environment.after(GREETING_MS, () => this.#wait('lost'));
    for (const text of heard) this.#hear(text);
  }

  #wait(why: 'lost' | 'restart' | 'refused', asked: number | null = null): void {
    const world = this.#environment;
    if (this.#state.kind === 'online' && world.now() - this.#onlineSince >= GOOD_MS) this.#failures = 0;
    const usual = backoff(this.#failures, world.random());
    this.#failures += 1;
    this.#drop();
    const span = asked ?? (why === 'refused' ? Math.max(REFUSED_MS, usual) : usual);
    this.#cancelTimer = world.after(span, () => this.#attempt());
    this.#become({ kind: 'waiting', until: world.now() + span, why });
  }

  #end(why: 'signed_out' | 'banned' | 'policy'): void {
    this.#drop();
    this.#become({ kind: 'ended', why });
  }

  #closed(code: number, reason: string): void {
    const retry = this.#retryIn;
    this.#retryIn = null;
    if (code === CLOSE.SIGNED_OUT) this.#end('signed_out');
    else if (code === CLOSE.BANNED) this.#end('banned');
    else if (code >= 4500) this.#end('policy');
    else if (code === CLOSE.RESTART || retry !== null) this.#wait('restart', retryIn(reason) ?? retry);
    else if (REFUSALS.has(code)) this.#wait('refused');
    else this.#wait('lost');
  }

  #hear(text: string): void {
    this.#lastHeard = this.#environment.now();
    let message: ServerMessage;
    try {
      message = JSON.parse(text) as ServerMessage;
    } catch {
      // Not from our server. What it wanted to say will be missing in the sequence, and asked for again.
      return;
    }
    if ('re' in message && this.#own(message)) return;
    // Announcements come before the welcome.
    const early = 'notice' in message && !('game' in message) && message.notice.type === 'announcements';
    if (this.#state.kind !== 'online' && !early) return;
    if ('notice' in message && !('game' in message) && message.notice.type === 'restarting') {
      this.#retryIn = message.notice.retry_in_ms;
      if (message.notice.elsewhere) {
        this.#endOther?.();
        this.#endOther = this.#environment.after(this.#retryIn, () => this.#move());
      }
    }
    this.#events.received(message);
  }

  /** Takes in the answers to the link's own requests. */
  #own(answer: AnswerFrame): boolean {
    if (this.#state.kind === 'connecting' && answer.re === HELLO) {
      if (answer.ok?.type === 'welcome') this.#greeted(answer.ok);
      else if (answer.error?.code === 'banned') this.#end('banned');
      else this.#wait(answer.error?.code === 'restarting' ? 'restart' : 'refused');
      return true;
    }
    const sent = answer.re === null ? undefined : this.#pings.get(answer.re);
    if (sent === undefined || answer.re === null) return false;
    this.#pings.delete(answer.re);
    if (answer.ok?.type === 'pong') {
      this.clock.sample(sent, this.#lastHeard, answer.ok.server_time);
      this.#compareAgain();
    }
    return true;
  }

  #greeted(welcome: Welcome): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#retryIn = null;
    this.#onlineSince = this.#lastHeard;
    this.clock.sample(this.#helloSent, this.#lastHeard, welcome.server_time);
    this.#tick();
    this.#ping();
    this.#state = { kind: 'online' };
    // Who one is has to be known before others see that one is online.
    this.#events.welcomed(welcome);
    this.#become(this.#state);
  }

  #tick(): void {
    const world = this.#environment;
    const [at, wallAt] = [world.now(), world.wall()];
    this.#cancelTick = world.after(TICK_MS, () => {
      const slept = Math.max(world.now() - at, world.wall() - wallAt) > TICK_MS + SLEPT_MS;
      this.#tick();
      if (slept) this.wake();
      else if (world.now() - this.#lastPing >= PING_EVERY_MS && !this.#cancelProbe) this.#expectPong(PONG_MS);
    });
  }

  /** While a page is still loading, answers come late, and tell little of the time: some more are asked for. */
  #compareAgain(): void {
    if (this.clock.error <= KNOWN_MS || this.#compared >= COMPARISONS || this.#cancelCompare) return;
    this.#compared += 1;
    this.#cancelCompare = this.#environment.after(COMPARE_MS, () => {
      this.#cancelCompare = null;
      this.#ping();
    });
  }

  #ping(): void {
    const id = this.#nextPing;
    this.#nextPing = id === LAST_PING ? FIRST_PING : id + 1;
    this.#lastPing = this.#environment.now();
    this.#pings.set(id, this.#lastPing);
    this.send(JSON.stringify({ id, type: 'ping', data: {} }));
  }

  /** Any message is a sign of life; without one in time the other side has gone, though nobody has said so. */
  #expectPong(within: number): void {
    this.#ping();
    const since = this.#lastPing;
    this.#cancelProbe = this.#environment.after(within, () => {
      this.#cancelProbe = null;
      if (this.#lastHeard < since || (this.#lastHeard === since && this.#pings.size > 0)) this.#wait('lost', 0);
    });
  }
}

function end(socket: Socket): void {
  socket.onopen = socket.onmessage = socket.onclose = null;
  socket.close();
}

/** Closes after which a client that is not mended, or not slower, would be sent away again. */
const REFUSALS: ReadonlySet<number> = new Set([
  CLOSE.PROTOCOL,
  CLOSE.UNSUPPORTED,
  CLOSE.NOT_UTF8,
  CLOSE.POLICY,
  CLOSE.TOO_BIG
]);
