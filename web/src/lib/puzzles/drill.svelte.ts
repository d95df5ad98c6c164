/** An ending that is played out against the tables, which hold out as long as they can. */
import { boardAfter } from '$lib/game/line';
import type { Drill, Ending, Judgement, JudgeRequest, EndingQuery } from '$lib/protocol/protocol';
import type { Sound } from '$lib/sound';

/** What a drill needs of the world. */
export interface DrillWorld {
  judge(asked: JudgeRequest, signal: AbortSignal): Promise<Judgement>;
  ending(query: EndingQuery, signal: AbortSignal): Promise<Ending>;
  play(sound: Sound): void;
  /** It was won in so many moves. */
  won(moves: number): void;
}

/** What is on the board, and what the tables say of it. */
interface DrillPosition {
  judged: Judgement;
  /** Null when the game is over. */
  ending: Ending | null;
}

/** See the top of the file. */
export class DrillGame {
  readonly drill: Drill;
  /** The moves of both sides. */
  moves: readonly string[] = $state.raw([]);
  now: DrillPosition | null = $state.raw(null);
  pending: string | null = $state(null);
  /** A move that has given the win away. */
  lost: string | null = $state(null);
  fault: unknown = $state.raw(null);

  readonly #world: DrillWorld;
  readonly #ruleset: string;
  #stop = new AbortController();

  constructor(ruleset: string, drill: Drill, world: DrillWorld) {
    this.drill = drill;
    this.#ruleset = ruleset;
    this.#world = world;
    void this.restart();
  }

  get fen(): string {
    const { now } = this;
    return now ? now.judged.fen : boardAfter(this.drill.position, this.moves, this.moves.length);
  }

  /** Whether the player is to move. */
  get isAsked(): boolean {
    return this.pending === null && this.now?.judged.outcome === null && this.now.judged.turn === 'first';
  }

  /** How many moves the player has made. */
  get made(): number {
    return Math.ceil(this.moves.length / 2);
  }

  /** How many more moves it takes with best play; null when it is not won any more. */
  get left(): number | null {
    const ending = this.now?.ending;
    return ending?.value === 'win' ? Math.ceil(ending.line.length / 2) : null;
  }

  get isWon(): boolean {
    return this.now?.judged.outcome?.winner === 'first';
  }

  get isOver(): boolean {
    return this.now !== null && this.now.judged.outcome !== null;
  }

  /** From the beginning. */
  async restart(): Promise<void> {
    await this.#to([]);
  }

  /** Takes the last move back, with its answer. */
  async takeBack(): Promise<void> {
    const whole = this.moves.length - (this.moves.length % 2);
    const kept = this.moves.length % 2 === 1 ? whole : Math.max(0, whole - 2);
    await this.#to(this.moves.slice(0, kept));
  }

  /** Makes a move; the tables answer it. */
  async play(move: string): Promise<void> {
    if (!this.isAsked) return;
    const keeps = this.now?.ending?.moves.find((known) => known.move === move)?.value === 'win';
    const wasWon = this.now?.ending?.value === 'win';
    this.pending = move;
    const begun = this.#stop;
    try {
      const after = await this.#after([...this.moves, move], begun.signal);
      if (begun.signal.aborted) return;
      this.#show([...this.moves, move], after);
      if (wasWon && !keeps && after.judged.outcome?.winner !== 'first') this.lost = move;
      if (after.judged.outcome === null) await this.#answer(after, begun.signal);
    } catch (fault) {
      if (!begun.signal.aborted) this.fault = fault;
    } finally {
      if (!begun.signal.aborted) this.pending = null;
    }
    if (this.isWon) this.#world.won(this.made);
    this.#world.play(this.isOver ? 'end' : this.lost === move ? 'refused' : 'move');
  }

  close(): void {
    this.#stop.abort();
  }

  /** The defender's best move that no ban forbids. */
  async #answer({ judged, ending }: DrillPosition, signal: AbortSignal): Promise<void> {
    const best = ending?.moves.find(({ move }) => judged.legal.includes(move))?.move ?? judged.legal[0];
    if (best === undefined) return;
    const moves = [...this.moves, best];
    const after = await this.#after(moves, signal);
    if (!signal.aborted) this.#show(moves, after);
  }

  async #to(moves: readonly string[]): Promise<void> {
    this.#stop.abort();
    const begun = (this.#stop = new AbortController());
    this.fault = this.lost = null;
    this.pending = null;
    try {
      const after = await this.#after(moves, begun.signal);
      if (!begun.signal.aborted) this.#show(moves, after);
    } catch (fault) {
      if (!begun.signal.aborted) this.fault = fault;
    }
  }

  #show(moves: readonly string[], after: DrillPosition): void {
    this.moves = moves;
    this.now = after;
    this.fault = null;
    // From here on the move stands on the board.
    if (this.pending !== null) this.pending = null;
  }

  async #after(moves: readonly string[], signal: AbortSignal): Promise<DrillPosition> {
    const ruleset = this.#ruleset;
    const asked = { ruleset, start: this.drill.position, moves: [...moves] };
    const judged = await this.#world.judge(asked, signal);
    const ending = judged.outcome ? null : await this.#world.ending({ ruleset, position: judged.fen }, signal);
    return { judged, ending };
  }
}
