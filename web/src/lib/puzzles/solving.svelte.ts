/** A puzzle that somebody solves: the server judges each move, and answers it. */
import { boardAfter } from '$lib/game/line';
import type {
  Judgement,
  KeptAttempt,
  Puzzle,
  PuzzleAnswer,
  PuzzleAttempt,
  PuzzleResult,
  Seat
} from '$lib/protocol/protocol';
import type { Sound } from '$lib/sound';

/** What a puzzle needs of the world. */
export interface SolvingWorld {
  attempt(id: string, body: PuzzleAttempt): Promise<PuzzleAnswer>;
  play(sound: Sound): void;
  /** The puzzle is over, or a mistake was made: what is kept of it has changed. */
  kept(): void;
}

/** A move that is not the right one, and what answers it. */
export interface Mistake {
  move: string;
  answer: string | null;
  position: Judgement;
}

/** See the top of the file. */
export class Solving {
  readonly puzzle: Puzzle;
  /** The solver's side. */
  readonly seat: Seat;
  /** The moves since the start of the puzzle, the opponent's first. */
  line: readonly string[] = $state.raw([]);
  /** What the rules say at the end of the line. */
  judged: Judgement;
  /** A move that the server is asked about. */
  pending: string | null = $state(null);
  mistake: Mistake | null = $state.raw(null);
  /** What became of it; null while it is solved. */
  result: PuzzleResult | null = $state.raw(null);
  /** What is kept of it since this page was opened. */
  change: KeptAttempt | null = $state.raw(null);
  fault: unknown = $state.raw(null);
  /** How much of the line is shown. */
  ply = $state(0);

  readonly #world: SolvingWorld;
  #tried: readonly string[] = [];
  #erred = false;

  /** With `again` a puzzle that was solved before is solved once more. */
  constructor(puzzle: Puzzle, world: SolvingWorld, again: boolean) {
    this.puzzle = puzzle;
    this.#world = world;
    this.seat = puzzle.position.turn;
    this.judged = $state.raw(puzzle.position);
    this.#begin();
    if (!again && puzzle.solution !== null) this.#end(puzzle.result ?? 'solved', puzzle.solution);
  }

  /** The position on the board. */
  get fen(): string {
    if (this.mistake) return this.mistake.position.fen;
    if (this.ply === this.line.length && this.result === null) return this.judged.fen;
    return boardAfter(this.puzzle.start, this.line, this.ply);
  }

  /** The move that led to it. */
  get lastMove(): string | null {
    if (this.mistake) return this.mistake.answer ?? this.mistake.move;
    return this.line[this.ply - 1] ?? null;
  }

  /** Whose General is in check on the board. */
  get check(): Seat | null {
    const judged = this.mistake ? this.mistake.position : this.judged;
    const isShown = this.mistake !== null || (this.result === null && this.ply === this.line.length);
    return isShown && judged.check ? judged.turn : null;
  }

  /** Whether the solver is to move. */
  get isAsked(): boolean {
    return this.result === null && this.mistake === null && this.pending === null;
  }

  /** How many moves are still to be found. */
  get left(): number {
    return this.puzzle.moves - this.#tried.length;
  }

  /** Tries a move. */
  async play(move: string): Promise<void> {
    if (!this.isAsked) return;
    this.pending = move;
    const answer = await this.#ask({ moves: [...this.#tried, move], show: false });
    this.pending = null;
    if (!answer) return;
    if (answer.verdict === 'wrong') {
      this.#erred = true;
      this.mistake = { move, answer: answer.answer, position: answer.position };
      this.#world.play('refused');
      return;
    }
    this.#tried = [...this.#tried, move];
    this.line = [...this.line, move, ...(answer.answer === null ? [] : [answer.answer])];
    this.ply = this.line.length;
    this.judged = answer.position;
    if (answer.solution !== null) this.#end(this.#erred ? 'found' : 'solved', answer.solution);
    this.#world.play(answer.solution === null ? 'move' : 'end');
  }

  /** Takes a mistake back. */
  again(): void {
    this.mistake = null;
    this.fault = null;
  }

  /** Gives up. */
  async show(): Promise<void> {
    if (this.pending !== null || this.result !== null) return;
    const answer = await this.#ask({ moves: [], show: true });
    if (!answer?.solution) return;
    const found = this.line.length;
    this.mistake = null;
    this.#end('shown', answer.solution);
    // It begins where the solver was.
    this.ply = found;
  }

  /** Solves it once more. */
  restart(): void {
    this.#begin();
  }

  /** Looks at a move of the solution. */
  go(ply: number): void {
    if (this.result !== null) this.ply = Math.max(1, Math.min(ply, this.line.length));
  }

  #begin(): void {
    this.#tried = [];
    this.#erred = false;
    this.result = null;
    this.mistake = null;
    this.fault = null;
    this.judged = this.puzzle.position;
    this.line = [this.puzzle.opponent];
    this.ply = 1;
  }

  #end(result: PuzzleResult, solution: readonly string[]): void {
    this.line = [this.puzzle.opponent, ...solution];
    this.ply = this.line.length;
    this.result = result;
  }

  async #ask(body: PuzzleAttempt): Promise<PuzzleAnswer | null> {
    this.fault = null;
    try {
      const answer = await this.#world.attempt(this.puzzle.id, body);
      if (answer.kept) {
        this.change = answer.kept;
        this.#world.kept();
      }
      return answer;
    } catch (fault) {
      this.fault = fault;
      return null;
    }
  }
}
