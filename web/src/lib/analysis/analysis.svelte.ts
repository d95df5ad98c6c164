/**
 * An analysis: a tree of moves, where one is in it, and what the rules say of that. The rules are the server's: it judges each position
 * with all moves that led there, since bans depend on them. What was judged once is not asked again.
 */
import type { Removed } from '$lib/board/config';
import { plies, type Ply } from '$lib/game/plies';
import { gameOf, type GameKind } from '$lib/game/rulesets';
import { removedBy } from '$lib/hotseat/record';
import type { BySeat, Judgement, JudgeRequest, PlayedMove, Seat } from '$lib/protocol/protocol';
import { Refusal } from '$lib/protocol/refusal';
import { captures } from '$lib/table/table_state.svelte';
import { isCovered } from './covered';
import type { Subject } from './subject';
import {
  added,
  beside,
  childBy,
  commented,
  drawn,
  endOf,
  lineTo,
  MOST_NODES,
  MOST_PLIES,
  movesTo,
  nodeOf,
  planted,
  promoted,
  removed,
  ROOT,
  variationOf,
  wiped,
  type Made,
  type Shape,
  type Tree
} from './tree';

/** What an analysis needs of the world around it. */
export interface AnalysisPort {
  judge(asked: JudgeRequest, signal: AbortSignal): Promise<Judgement>;
  /** Keeps the analysis for when the page is opened again. */
  keep(tree: Tree, at: number): void;
  /** Calls once after so many milliseconds; what comes back takes that back. */
  after(ms: number, then: () => void): () => void;
}

/** Where one is, and what there is. */
export interface Moment {
  tree: Tree;
  at: number;
}

/** An attack whose end has to be chosen, since not every piece is known (Luzhanqi). */
export interface OpenAttack {
  move: string;
  /** Who could be removed by it. */
  removed: readonly Removed[];
}

/** How long a position stands until the rules are asked: who steps through a game does not ask about every position. */
const WAIT_MS = 150;
/** How many changes can be undone. */
const MOST_UNDONE = 200;
/** How many answers of the rules are kept. */
const MOST_KNOWN = 1_000;

/** See the top of the file. */
export class Analysis {
  readonly subject: Subject;
  readonly game: GameKind;
  tree: Tree = $state.raw(planted([]));
  /** The node on the board. */
  at = $state(ROOT);
  flipped = $state(false);
  /** Whether pieces are covered at the beginning, so that attacks may end in several ways. */
  readonly isCovered: boolean;
  /** The attack whose end is to be chosen; null for none. */
  asking: OpenAttack | null = $state.raw(null);
  /** A move that is being judged. */
  pending: string | null = $state(null);
  /** Why the rules could not be asked; null while they could. */
  fault: unknown = $state.raw(null);
  /** Whether a move was not made because the tree is full. */
  full = $state(false);
  #past: readonly Moment[] = $state.raw([]);
  #future: readonly Moment[] = $state.raw([]);
  #known: ReadonlyMap<string, Judgement> = $state.raw(new Map<string, Judgement>());
  /** The board after each move: a move that was made stays where it is in the tree. */
  readonly #boards = new WeakMap<Made, string>();
  readonly #port: AnalysisPort;
  #stop = new AbortController();
  #cancel: (() => void) | null = null;

  constructor(
    subject: Subject,
    port: AnalysisPort,
    /** What was kept of it before; null for nothing. */
    before: Moment | null = null
  ) {
    this.subject = subject;
    this.game = gameOf(subject.ruleset);
    this.isCovered = this.game === 'luzhanqi' && isCovered(subject.start);
    this.#port = port;
    this.tree = before?.tree ?? planted(subject.moves);
    this.at = before?.at ?? lineTo(this.tree, endOf(this.tree, ROOT))[subject.ply - 1] ?? ROOT;
    this.#look();
  }

  /** The nodes from the beginning to the one on the board, which is not among them at the beginning. */
  readonly line: readonly number[] = $derived.by(() => lineTo(this.tree, this.at));
  readonly ply: number = $derived.by(() => this.line.length);
  /** How long the line is that goes on from here. */
  readonly last: number = $derived.by(() => lineTo(this.tree, endOf(this.tree, this.at)).length);
  /** Every ply of the line up to the board, as far as it follows from the moves. */
  readonly plies: readonly Ply[] = $derived.by(() => this.#pliesOf(this.at));
  readonly judged: Judgement | null = $derived.by(() => this.#known.get(this.#keyOf(this.tree, this.at)) ?? null);
  readonly fen: string = $derived.by(() => this.judged?.fen ?? boardAt(this.subject.start, this.plies));
  readonly turn: Seat = $derived.by(() => this.judged?.turn ?? (this.fen.split(' ')[1] === 'b' ? 'second' : 'first'));
  readonly lastMove: string | null = $derived.by(() => nodeOf(this.tree, this.at).made?.move ?? null);
  readonly removed: Removed | null = $derived.by(() => nodeOf(this.tree, this.at).made?.removed ?? null);
  readonly shapes: readonly Shape[] = $derived.by(() => nodeOf(this.tree, this.at).shapes);
  readonly comment: string = $derived.by(() => nodeOf(this.tree, this.at).comment);
  readonly captured: BySeat<string[]> = $derived.by(() => captures(this.game, this.plies, this.ply));
  readonly bottom: Seat = $derived.by(() => (this.flipped ? 'second' : 'first'));
  readonly canUndo: boolean = $derived.by(() => this.#past.length > 0);
  readonly canRedo: boolean = $derived.by(() => this.#future.length > 0);
  /** Whether the move on the board lies in a variation, which can become the first choice. */
  readonly canPromote: boolean = $derived.by(() => variationOf(this.tree, this.at) !== null);

  /** The game up to the board, as the server is asked about it. */
  get request(): JudgeRequest {
    return this.#requestOf(movesTo(this.tree, this.at));
  }

  /** The board before a node's move, for writing it. */
  before(id: number): string {
    const { tree } = this;
    const line = lineTo(tree, nodeOf(tree, id).parent);
    const made = line.flatMap((one) => nodeOf(tree, one).made ?? []);
    // From the last board that is known.
    const known = made.findLastIndex((one) => this.#boards.has(one));
    let fen = (made[known] && this.#boards.get(made[known])) ?? this.subject.start;
    for (const one of made.slice(known + 1)) {
      fen = plies(fen, [{ ...one, ply: 1, spent_ms: 0 }]).at(-1)?.fen ?? fen;
      this.#boards.set(one, fen);
    }
    return fen;
  }

  /**
   * Makes a move: goes to it if it is in the tree, and adds it if the rules allow it. An attack that can end in several ways waits until
   * somebody chooses who is removed.
   */
  async play(move: string, told?: Removed): Promise<void> {
    const { tree, at, judged } = this;
    this.asking = null;
    const possible = judged?.attacks?.find((attack) => attack.move === move)?.removed ?? [];
    if (told === undefined && possible.length > 1) {
      this.asking = { move, removed: possible };
      return;
    }
    const removed = told ?? possible[0];
    const there = childBy(tree, at, move, removed);
    if (there !== null) return this.go(there);
    if (judged === null || this.pending !== null || !judged.legal.includes(move)) return;
    this.full = tree.nodes.size >= MOST_NODES || this.ply >= MOST_PLIES;
    if (this.full) return;
    this.pending = move;
    const asked: Made = removed === undefined ? { move } : { move, removed };
    const after = await this.#ask([...movesTo(tree, at), asked]);
    this.pending = null;
    // Who went elsewhere meanwhile has thought better of it.
    if (!after || this.tree !== tree || this.at !== at) return;
    const gone = removed ?? (this.game === 'luzhanqi' ? removedBy(judged.fen, after.fen, move) : null);
    const made: Made = gone === null ? { move } : { move, removed: gone };
    const grown = added(tree, at, made);
    if (grown) this.#become(...grown);
  }

  /** The attack is not made. */
  forget(): void {
    this.asking = null;
  }

  /** Goes to a node. */
  go(id: number): void {
    if (id === this.at || !this.tree.nodes.has(id)) return;
    this.at = id;
    this.#look();
  }

  /** Goes to a ply of the line that one is in, and that goes on from here. */
  goTo(ply: number): void {
    this.go(lineTo(this.tree, endOf(this.tree, this.at))[ply - 1] ?? ROOT);
  }

  /** Goes to the variation before or after this one. */
  goBeside(step: 1 | -1): void {
    const other = beside(this.tree, this.at, step);
    if (other !== null) this.go(other);
  }

  promote(): void {
    this.#become(promoted(this.tree, this.at), this.at);
  }

  /** Deletes the move on the board with all that follows it. */
  remove(): void {
    if (this.at !== ROOT) this.#become(removed(this.tree, this.at), nodeOf(this.tree, this.at).parent);
  }

  say(comment: string): void {
    if (comment !== this.comment) this.#become(commented(this.tree, this.at, comment), this.at);
  }

  draw(shape: Shape): void {
    this.#become(drawn(this.tree, this.at, shape), this.at);
  }

  wipe(): void {
    if (this.shapes.length > 0) this.#become(wiped(this.tree, this.at), this.at);
  }

  undo(): void {
    const before = this.#past.at(-1);
    if (!before) return;
    this.#future = [...this.#future, { tree: this.tree, at: this.at }];
    this.#past = this.#past.slice(0, -1);
    this.#return(before);
  }

  redo(): void {
    const next = this.#future.at(-1);
    if (!next) return;
    this.#past = [...this.#past, { tree: this.tree, at: this.at }];
    this.#future = this.#future.slice(0, -1);
    this.#return(next);
  }

  /** Asks the rules again, after a failure. */
  retry(): void {
    this.#look();
  }

  /** Has it kept where one is, unless nothing was changed. */
  keep(): void {
    if (this.canUndo || this.canRedo) this.#port.keep(this.tree, this.at);
  }

  /** Ends what is under way; the page is left. */
  close(): void {
    this.keep();
    this.#stop.abort();
    this.#cancel?.();
  }

  #become(tree: Tree, at: number): void {
    if (tree === this.tree) return;
    this.#past = [...this.#past, { tree: this.tree, at: this.at }].slice(-MOST_UNDONE);
    this.#future = [];
    this.#return({ tree, at });
  }

  #return({ tree, at }: Moment): void {
    this.tree = tree;
    this.at = at;
    this.full = false;
    this.#port.keep(tree, at);
    this.#look();
  }

  #keyOf(tree: Tree, id: number): string {
    return this.#keyFor(movesTo(tree, id));
  }

  #keyFor(moves: readonly Made[]): string {
    return moves.map(({ move, removed }) => (this.isCovered && removed ? `${move}=${removed}` : move)).join(' ');
  }

  #pliesOf(id: number): Ply[] {
    const moves = movesTo(this.tree, id).map((made, at): PlayedMove => ({ ...made, ply: at + 1, spent_ms: 0 }));
    return plies(this.subject.start, moves);
  }

  #requestOf(moves: readonly Made[]): JudgeRequest {
    const { ruleset, options, start } = this.subject;
    const asked = { ruleset, options, start, moves: moves.map(({ move }) => move) };
    // Where every piece is known the rules know how attacks end.
    return this.isCovered ? { ...asked, removed: moves.map(({ removed: gone }) => gone ?? null) } : asked;
  }

  /** Has the rules judge what is on the board, unless they have. */
  #look(): void {
    this.#stop.abort();
    this.#cancel?.();
    this.pending = null;
    this.asking = null;
    this.fault = null;
    const [tree, at] = [this.tree, this.at];
    if (this.#known.has(this.#keyOf(tree, at))) return;
    this.#cancel = this.#port.after(at === ROOT ? 0 : WAIT_MS, () => void this.#ask(movesTo(tree, at)));
  }

  /** What the rules say after some moves; null if they could not be asked, or somebody went elsewhere meanwhile. */
  async #ask(moves: readonly Made[]): Promise<Judgement | null> {
    this.#stop.abort();
    this.#cancel?.();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.fault = null;
    try {
      const judged = await this.#port.judge(this.#requestOf(moves), signal);
      if (signal.aborted) return null;
      const known = [...this.#known].slice(-(MOST_KNOWN - 1));
      this.#known = new Map([...known, [this.#keyFor(moves), judged] as const]);
      return judged;
    } catch (fault) {
      if (signal.aborted) return null;
      this.fault = fault;
      // Somebody who asks too fast is served again by itself.
      const wait = fault instanceof Refusal && fault.code === 'rate_limited' ? fault.retryInMs : undefined;
      if (wait !== undefined) this.#cancel = this.#port.after(wait, () => this.#look());
      return null;
    }
  }
}

/** The board at the end of some plies, without what was counted. */
function boardAt(start: string, all: readonly Ply[]): string {
  const last = all.at(-1);
  if (!last || last.ply === 0) return start;
  return last.fen.split(' ').slice(0, 2).join(' ');
}
