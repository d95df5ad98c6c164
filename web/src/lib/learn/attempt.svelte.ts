/** What a visitor does in a lesson: one position after the other, until the right move is found. */
import { parts } from '$lib/board/geometry';
import { rightMoves, type Lesson, type Reason, type Step } from './lesson';
import { verdictOf, type After, type StepVerdict } from './verdicts';

/** After so many wrong moves the right one is offered. */
const PATIENCE = 2;

/** See the top of the file. */
export class Attempt {
  readonly lesson: Lesson;
  /** The place of the position in the lesson, from 0. */
  at = $state(0);
  /** The move that has solved it; null until one has. */
  solved: string | null = $state(null);
  /** Why the last move was wrong; null if there was none. */
  reason: Reason | null = $state(null);
  /** Wrong moves here. */
  errors = $state(0);
  /** Whether the right move is shown. */
  shown = $state(false);
  /** Whether the opponent has answered. */
  answered = $state(false);

  constructor(lesson: Lesson, at: number) {
    this.lesson = lesson;
    this.at = Math.min(Math.max(at, 0), lesson.steps.length - 1);
  }

  readonly step: Step = $derived.by(() => {
    const step = this.lesson.steps[this.at];
    if (!step) throw new Error(`${this.lesson.ruleset} has no step ${this.at}`);
    return step;
  });
  readonly said: StepVerdict = $derived.by(() => verdictOf(this.lesson, this.step));
  readonly after: After | null = $derived.by(() =>
    this.solved === null ? null : (this.said.after[this.solved] ?? null)
  );
  /** The position on the board. */
  readonly fen: string = $derived.by(() => {
    const { after } = this;
    if (after === null) return this.said.fen;
    return this.answered && after.answered !== undefined ? after.answered : after.fen;
  });
  readonly lastMove: string | null = $derived.by(() => {
    if (this.solved === null) return this.step.moves?.at(-1) ?? null;
    return this.answered ? (this.step.answer ?? this.solved) : this.solved;
  });
  /** The first of the moves that solve it. */
  readonly way: { from: string; to: string } | null = $derived.by(() => {
    const [move] = rightMoves(this.step, this.said.legal);
    return move === undefined ? null : parts(move);
  });
  readonly canShow: boolean = $derived.by(() => this.solved === null && this.errors >= PATIENCE && !this.shown);
  readonly isLast: boolean = $derived.by(() => this.at === this.lesson.steps.length - 1);

  /** Makes a move, or tries one that is not possible. Whether it solves the position. */
  try(move: string): boolean {
    if (this.solved !== null) return false;
    // A ban is met before it is avoided.
    if (this.step.banned && this.errors === 0) {
      this.#wrong('try_ban', 0);
      return false;
    }
    if (this.said.after[move]) {
      this.solved = move;
      this.reason = null;
      return true;
    }
    const otherwise = this.said.legal.includes(move) ? this.step.otherwise : undefined;
    this.#wrong(this.step.wrong?.[move] ?? this.said.wrong[move] ?? otherwise ?? 'cannot');
    return false;
  }

  /** Lets two pieces of a setup change places. Whether that solves the position. */
  exchange(from: string, to: string): boolean {
    return this.try(from < to ? from + to : to + from);
  }

  /** A banned move was tried. */
  ban(): void {
    if (this.solved === null && this.step.banned) this.#wrong(this.step.banned.reason);
  }

  #wrong(reason: Reason, errors = 1): void {
    this.reason = reason;
    this.errors += errors;
  }

  /** The opponent's answer is shown. */
  answer(): void {
    this.answered = true;
  }

  /** Shows the right move. */
  show(): void {
    this.shown = true;
  }

  /** Goes to a position. */
  go(at: number): void {
    this.at = at;
    this.solved = this.reason = null;
    this.errors = 0;
    this.shown = this.answered = false;
  }
}
