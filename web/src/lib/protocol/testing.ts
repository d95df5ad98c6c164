/** A world for tests: its time is passed by hand, and its server says what the test lets it say. */
import type { Environment, Socket } from './environment';
import type { Answer, ApiError, Player } from './protocol';

interface Sent {
  id: number;
  type: string;
  data: Record<string, unknown>;
}

/** The server's side of one socket. */
export class FakeSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((text: string) => void) | null = null;
  onclose: ((code: number, reason: string) => void) | null = null;
  /** Everything that the client has sent, but for `ping`. */
  readonly sent: Sent[] = [];
  /** The pings that have no answer. */
  readonly pings: Sent[] = [];
  /** Whether the client has closed it. */
  closed = false;

  send(text: string): void {
    const message = JSON.parse(text) as Sent;
    (message.type === 'ping' ? this.pings : this.sent).push(message);
  }

  close(): void {
    this.closed = true;
  }

  /** Says something to the client. */
  says(message: unknown): void {
    this.onmessage?.(JSON.stringify(message));
  }

  /** Opens, and greets the client. */
  welcomes(player: Player | null, server_time = 1_000_000): void {
    this.onopen?.();
    const hello = this.sent[0];
    this.says({ re: hello?.id, ok: { type: 'welcome', player, server: '1', server_time } });
  }

  /** The last request of a type. */
  last(type: string): Sent {
    const found = this.sent.findLast((message) => message.type === type);
    if (!found) throw new Error(`no ${type} was sent; there are ${this.sent.map((each) => each.type).join(', ')}`);
    return found;
  }

  /** How many requests of a type have come. */
  count(type: string): number {
    return this.sent.filter((message) => message.type === type).length;
  }

  /** Answers the last request of a type. */
  answers(type: string, ok: Answer): void {
    this.says({ re: this.last(type).id, ok });
  }

  /** Refuses the last request of a type. */
  refuses(type: string, error: Partial<ApiError> & Pick<ApiError, 'code'>): void {
    this.says({ re: this.last(type).id, error: { message: 'no', ...error } });
  }

  /** Answers all pings. */
  pongs(server_time: number): void {
    for (const { id } of this.pings.splice(0)) this.says({ re: id, ok: { type: 'pong', server_time } });
  }

  /** The connection is closed by the server, or breaks off. */
  ends(code = 1006, reason = ''): void {
    this.onclose?.(code, reason);
  }
}

/** Time, chance, and the sockets that have been opened. */
export class FakeWorld implements Environment {
  readonly sockets: FakeSocket[] = [];
  #time = 1_000;
  #asleep = 0;
  #timers = new Set<{ at: number; then: () => void }>();
  #uuids = 0;

  connect(): FakeSocket {
    const socket = new FakeSocket();
    this.sockets.push(socket);
    return socket;
  }

  now(): number {
    return this.#time;
  }

  wall(): number {
    return 1_700_000_000_000 + this.#time + this.#asleep;
  }

  after(ms: number, then: () => void): () => void {
    const timer = { at: this.#time + ms, then };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  random(): number {
    return 1;
  }

  uuid(): string {
    this.#uuids += 1;
    return `command-${this.#uuids}`;
  }

  /** The newest socket. */
  get socket(): FakeSocket {
    const socket = this.sockets.at(-1);
    if (!socket) throw new Error('nobody has connected');
    return socket;
  }

  /** Lets time pass; timers go off in their order. */
  passes(ms: number): void {
    const end = this.#time + ms;
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#timers.delete(due);
      this.#time = Math.max(this.#time, due.at);
      due.then();
    }
    this.#time = end;
  }

  /** The lid is closed: the clock on the wall goes on, no timer does. */
  sleeps(ms: number): void {
    this.#asleep += ms;
  }
}

/** Lets promises that have been settled call back. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}
