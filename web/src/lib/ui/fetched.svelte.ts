/** What the server answers to a question of a page, for as long as the page is shown. */
import { whenBack } from './when_back.svelte';

/** See the top of the file. To be made while a component is set up; ends with it. */
export class Fetched<T> {
  /** The last answer; null until there is one. */
  answer: T | null = $state.raw(null);
  /** Why there is no answer to the last question; null while there is. */
  fault: unknown = $state.raw(null);
  /** Whether an answer is awaited. */
  asking = $state(true);
  #round = $state(0);

  /**
   * Asks at once, again when what `ask` reads has changed, and after a failure when the connection is back. Answers to earlier
   * questions are dropped. Where there is nothing to ask yet, `ask` returns null. With `forget` the answer to an earlier question is
   * not shown while the next one is awaited.
   */
  constructor(ask: (signal: AbortSignal) => Promise<T> | null, { forget = false } = {}) {
    $effect(() => {
      void this.#round;
      const stop = new AbortController();
      this.asking = true;
      if (forget) this.answer = this.fault = null;
      ask(stop.signal)?.then(
        (answer) => {
          if (stop.signal.aborted) return;
          this.answer = answer;
          this.fault = null;
          this.asking = false;
        },
        (fault: unknown) => {
          if (stop.signal.aborted) return;
          this.fault = fault;
          this.asking = false;
        }
      );
      return () => stop.abort();
    });
    whenBack(() => {
      if (this.fault) this.again();
    });
  }

  /** Asks for the same once more. */
  again(): void {
    this.#round += 1;
  }
}
