import type { Environment } from './environment';

/** So many messages at once: well below what the server takes. */
const BURST = 60;
/** And so many a second in the long run. */
const A_SECOND = 15;
/** After the server has said `slow_down`. */
const A_SECOND_SLOW = 3;
const SLOW_FOR_MS = 15_000;

/** Lets messages through no faster than the server takes them; what is too early waits its turn. */
export class Pacer {
  readonly #environment: Environment;
  readonly #send: (text: string) => void;
  #waiting: string[] = [];
  #tokens = BURST;
  #counted: number;
  #slowUntil = -Infinity;
  #cancel: (() => void) | null = null;

  constructor(environment: Environment, send: (text: string) => void) {
    this.#environment = environment;
    this.#send = send;
    this.#counted = environment.now();
  }

  /** Sends a message, now or when its turn comes. */
  push(text: string): void {
    this.#waiting.push(text);
    this.#drain();
  }

  /** The server has asked for fewer messages. */
  slowDown(): void {
    this.#count();
    this.#tokens = 0;
    this.#slowUntil = this.#environment.now() + SLOW_FOR_MS;
  }

  /** The connection is gone: what has not been sent never will be. */
  clear(): void {
    this.#waiting = [];
    this.#tokens = BURST;
    this.#slowUntil = -Infinity;
    this.#cancel?.();
    this.#cancel = null;
  }

  get #rate(): number {
    return this.#environment.now() < this.#slowUntil ? A_SECOND_SLOW : A_SECOND;
  }

  #count(): void {
    const now = this.#environment.now();
    this.#tokens = Math.min(BURST, this.#tokens + ((now - this.#counted) / 1000) * this.#rate);
    this.#counted = now;
  }

  #drain(): void {
    this.#count();
    while (this.#tokens >= 1) {
      const text = this.#waiting.shift();
      if (text === undefined) return;
      this.#tokens -= 1;
      this.#send(text);
    }
    if (this.#waiting.length > 0 && !this.#cancel) {
      this.#cancel = this.#environment.after(Math.ceil(1000 / this.#rate), () => {
        this.#cancel = null;
        this.#drain();
      });
    }
  }
}
