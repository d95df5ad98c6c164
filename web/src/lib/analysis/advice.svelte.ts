/** What the computer thinks of the position on an analysis board, while somebody wants to know. */
import type { JudgeRequest, PositionHint } from '$lib/protocol/protocol';
import { Refusal } from '$lib/protocol/refusal';

/** What advice needs of the world around it. */
export interface AdvicePort {
  ask(asked: JudgeRequest, signal: AbortSignal): Promise<PositionHint>;
  /** Ends after so many milliseconds, or fails when it is broken off. */
  rest(ms: number, signal: AbortSignal): Promise<void>;
}

/** How long a position stands until the computer is asked. */
const WAIT_MS = 400;
/** How often a computer that is busy is asked, and how long is waited in between. */
const TRIES = 5;
const BUSY_MS = 1_500;
/** How many answers are kept. */
const MOST_KNOWN = 300;

/** See the top of the file. */
export class Advice {
  /** Whether somebody wants to know. */
  on = $state(false);
  /** Why there is no answer; null while there may be one. */
  fault: unknown = $state.raw(null);
  #known: ReadonlyMap<string, PositionHint> = $state.raw(new Map<string, PositionHint>());
  /** What is asked about; null where there is nothing to ask. */
  #at: JudgeRequest | null = $state.raw(null);
  readonly #port: AdvicePort;
  #stop = new AbortController();

  constructor(port: AdvicePort) {
    this.#port = port;
  }

  /** What the computer thinks of the position; null while it is not known. */
  readonly answer: PositionHint | null = $derived.by(() => {
    const key = this.on && this.#at ? keyOf(this.#at) : null;
    return key === null ? null : (this.#known.get(key) ?? null);
  });
  /** Whether it is thinking. */
  readonly thinking: boolean = $derived.by(
    () => this.on && this.#at !== null && this.answer === null && this.fault === null
  );

  /** Another position is looked at, or none. */
  look(at: JudgeRequest | null): void {
    this.#stop.abort();
    this.fault = null;
    this.#at = at;
    if (!this.on || at === null || this.#known.has(keyOf(at))) return;
    this.#stop = new AbortController();
    void this.#ask(at, this.#stop.signal);
  }

  /** Ends what is under way. */
  close(): void {
    this.#stop.abort();
  }

  async #ask(at: JudgeRequest, signal: AbortSignal): Promise<void> {
    try {
      await this.#port.rest(WAIT_MS, signal);
      const answer = await this.#patiently(at, signal);
      if (!signal.aborted) this.#known = new Map([...[...this.#known].slice(1 - MOST_KNOWN), [keyOf(at), answer]]);
    } catch (fault) {
      if (!signal.aborted) this.fault = fault;
    }
  }

  /** One hint at a time is worked out for an address: what was asked a moment ago may still be waiting there. */
  async #patiently(at: JudgeRequest, signal: AbortSignal): Promise<PositionHint> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#port.ask(at, signal);
      } catch (fault) {
        const isBusy = fault instanceof Refusal && fault.code === 'busy';
        if (!isBusy || tries === TRIES) throw fault;
        await this.#port.rest(BUSY_MS, signal);
      }
    }
  }
}

function keyOf({ start, moves }: JudgeRequest): string {
  return `${start ?? ''}|${moves.join(' ')}`;
}
