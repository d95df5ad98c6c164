/** Learning from mistakes: the positions in which a side erred badly are played again, each until a good move is found. */
import type { JudgedMove, Seat } from '$lib/protocol/protocol';
import type { GameReview } from './review.svelte';

/** See the top of the file. */
export class Lesson {
  /** The mistake that is worked on, by its place among all. */
  at = $state(0);
  /** The moves that can be played here; empty while they are fetched. */
  legal: readonly string[] = $state.raw([]);
  /** What came of the last try; null before one. */
  tried: JudgedMove | null = $state.raw(null);
  /** A try is being judged. */
  judging = $state(false);
  /** The best move is shown. */
  shown = $state(false);
  fault: unknown = $state.raw(null);
  #stop = new AbortController();

  constructor(
    readonly review: GameReview,
    readonly seat: Seat,
    /** The plies of the mistakes. */
    readonly plies: readonly number[]
  ) {
    void this.#arrive();
  }

  /** The move that is to be improved on; null once all are done. */
  readonly ply: number | null = $derived.by(() => this.plies[this.at] ?? null);
  /** A good move was found. */
  readonly found: boolean = $derived.by(() => this.tried?.verdict === 'good');
  /** Whether a move can be tried now. */
  readonly open: boolean = $derived.by(() => this.ply !== null && !this.found && !this.judging);

  /** Tries a move. */
  async tries(move: string): Promise<void> {
    const { ply } = this;
    if (ply === null || !this.open) return;
    const { signal } = this.#stop;
    this.judging = true;
    this.fault = null;
    try {
      const tried = await this.review.port.attempt(this.review.view.game, ply, move, signal);
      if (!signal.aborted) this.tried = tried;
    } catch (fault) {
      if (!signal.aborted) this.fault = fault;
    } finally {
      this.judging = false;
    }
  }

  /** Shows the best move. */
  show(): void {
    this.shown = true;
  }

  /** Goes on to the next mistake. */
  next(): void {
    this.at += 1;
    void this.#arrive();
  }

  /** Ends the lesson. */
  close(): void {
    this.#stop.abort();
  }

  async #arrive(): Promise<void> {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.legal = [];
    this.tried = this.fault = null;
    this.shown = this.judging = false;
    const { ply } = this;
    if (ply === null) return;
    try {
      const legal = await this.review.port.legal(this.review.view, ply - 1, signal);
      if (!signal.aborted) this.legal = legal;
    } catch (fault) {
      if (!signal.aborted) this.fault = fault;
    }
  }
}
