/**
 * Sends a value that is changed faster than it can be sent: only the newest one, and one at a time, so that an old one never
 * overtakes a new one.
 */
export class Latest<T> {
  readonly #send: (value: T) => Promise<unknown>;
  #waiting: { value: T } | null = null;
  #running: Promise<void> | null = null;

  constructor(send: (value: T) => Promise<unknown>) {
    this.#send = send;
  }

  /** Whether something is on its way. */
  get busy(): boolean {
    return this.#running !== null;
  }

  /** Sends this in place of whatever has not been sent. Rejects if the last value that was sent is refused. */
  push(value: T): Promise<void> {
    this.#waiting = { value };
    this.#running ??= this.#run().finally(() => (this.#running = null));
    return this.#running;
  }

  async #run(): Promise<void> {
    for (;;) {
      const next = this.#waiting;
      if (!next) return;
      this.#waiting = null;
      try {
        await this.#send(next.value);
      } catch (fault) {
        // What was refused does not matter any more once there is a newer value.
        if (!this.#waiting) throw fault;
      }
    }
  }
}
