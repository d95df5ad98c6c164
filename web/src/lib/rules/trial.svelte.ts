/** What a visitor tries in a diagram: one move, as the program has judged it beforehand. */
import { hideSecond } from '$lib/board/covered';
import { ends, plies } from '$lib/game/plies';
import type { Reason } from '$lib/learn/lesson';
import type { BanReason } from '$lib/protocol/protocol';
import type { Diagram } from './diagrams';
import { impossible } from './marks';
import type { Verdict } from './verdicts';

/** What came of the last move that was tried. */
export type Tried =
  { kind: 'made'; move: string } | { kind: 'refused'; reason: Reason } | { kind: 'banned'; reason: BanReason };

/** See the top of the file. */
export class Trial {
  readonly #diagram: Diagram;
  readonly #said: Verdict;
  /** Where it begins. */
  readonly start: string;
  tried: Tried | null = $state.raw(null);
  /** How many moves were tried: the same answer is said again. */
  count = $state(0);

  constructor(diagram: Diagram, said: Verdict) {
    this.#diagram = diagram;
    this.#said = said;
    this.start = diagram.hidden ? hideSecond(said.fen) : said.fen;
  }

  /** The move that was made; null until one is. */
  readonly made: string | null = $derived.by(() => (this.tried?.kind === 'made' ? this.tried.move : null));
  /** Who was removed by it. */
  readonly removed = $derived.by(() => (this.made === null ? null : (this.#said.removed[this.made] ?? null)));
  /** The position on the board. */
  readonly fen: string = $derived.by(() => {
    if (this.made === null) return this.start;
    const played = { ply: 1, move: this.made, spent_ms: 0, ...(this.removed ? { removed: this.removed } : {}) };
    return plies(this.start, [played]).at(-1)?.fen ?? this.start;
  });
  /** How the game ends by the move, `WINNER REASON`; null for a move by which the diagram ends nothing. */
  readonly end: string | null = $derived.by(() =>
    this.made !== null && this.made === this.#diagram.ends?.move ? this.#said.end : null
  );

  /** Whether anything can be tried. */
  get canTry(): boolean {
    return this.#said.legal.length > 0;
  }

  /** The moves that only a ban forbids, as the board takes them. */
  get banned(): { move: string; reason: BanReason }[] {
    return Object.entries(this.#diagram.banned ?? {}).map(([move, reason]) => ({ move, reason }));
  }

  make(move: string): void {
    this.#tell({ kind: 'made', move });
  }

  refuse(move: string): void {
    const known = impossible(this.#diagram).get(move);
    // A place that is full of the same: what is said of one way is said of the piece.
    const own = [...impossible(this.#diagram)].filter(([one]) => ends(one)[0] === ends(move)[0]);
    const only = own.length > 0 && own.every(([, reason]) => reason === 'never_moves') ? 'never_moves' : undefined;
    this.#tell({ kind: 'refused', reason: known ?? only ?? 'cannot' });
  }

  ban(reason: BanReason): void {
    this.#tell({ kind: 'banned', reason });
  }

  /** Everything stands as before. */
  putBack(): void {
    this.tried = null;
  }

  #tell(tried: Tried): void {
    this.tried = tried;
    this.count += 1;
  }
}
