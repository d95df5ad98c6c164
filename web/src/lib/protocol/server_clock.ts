/** One comparison of the two clocks. */
interface Sample {
  /** What to add to the local clock to get the server's. */
  offset: number;
  /** How far off that can be: half of the way there and back. */
  error: number;
  /** When it was taken, by the local clock. */
  at: number;
}

/** How many comparisons are kept. */
const KEPT = 12;
/** How fast two quartz clocks may drift apart, in milliseconds for each one. */
const DRIFT = 0.0001;

/**
 * The server's time, estimated from answers that tell it. The answer was made somewhere between question and arrival, so half of
 * the way there and back is the best guess, and the shortest way gives the best one.
 */
export class ServerClock {
  #samples: Sample[] = [];
  #offset: number | null = null;

  /** Takes in an answer with `server` time: asked at `sent` and here at `arrived`, both by the local clock. */
  sample(sent: number, arrived: number, server: number): void {
    const error = Math.max(0, arrived - sent) / 2;
    this.#samples.push({ offset: server - (sent + error), error, at: arrived });
    if (this.#samples.length > KEPT) this.#samples.shift();
    const uncertainty = (sample: Sample) => sample.error + (arrived - sample.at) * DRIFT;
    const best = this.#samples.reduce((best, sample) => (uncertainty(sample) < uncertainty(best) ? sample : best));
    this.#offset = best.offset;
  }

  /** Forgets what was compared so far: the local clock has stood still, or the machine has slept. */
  distrust(): void {
    this.#samples = [];
  }

  /** How far off the estimate can be, in milliseconds; infinite while nothing is known. */
  get error(): number {
    return Math.min(Infinity, ...this.#samples.map((sample) => sample.error));
  }

  /** Whether anything is known of the server's clock. */
  get known(): boolean {
    return this.#offset !== null;
  }

  /** Server time at a local time. Before the first answer the `wall` clock of this machine has to do. */
  at(local: number, wall: number): number {
    return this.#offset === null ? wall : local + this.#offset;
  }
}
