/** A stored game that is gone through: where one is, from whose perspective, and whether the game goes on by itself. */
import type { Left } from '$lib/game/clock';
import type { Clocks, EventFrame, Perspective, GameView, PositionAtPly, Seat } from '$lib/protocol/protocol';
import { addressOf } from './perspective';
import { seenAs, turnIn } from '$lib/game/plies';
import { clocksByPly } from './record';
import { clamp, pause, type Speed } from '$lib/game/stepping';
import { allPlies, captures } from './table_state.svelte';
import { gameOf, other } from '$lib/game/rulesets';
import { GameReview, type ReviewPort } from '$lib/review/review.svelte';
import type { Lesson } from '$lib/review/lesson.svelte';
import { attackTakenBack } from '$lib/game/takebacks';

/** What a replay is made of. */
export interface Stored {
  view: GameView;
  positions: readonly PositionAtPly[];
  /** From whose perspective these positions are. */
  perspective: Perspective;
  events: readonly EventFrame[];
}

/** See the top of the file. */
export class ReplayState {
  readonly view: GameView;
  readonly game;
  readonly last: number;
  /** Whether an attack was taken back, which is against the rules of Luzhanqi. */
  readonly attackTakenBack: boolean;
  /** Where one is. */
  ply = $state(0);
  flipped = $state(false);
  /** Whether the game goes on by itself. */
  playing = $state(false);
  speed = $state<Speed>('normal');
  /** Whether the review is looked at. */
  reviewed = $state(false);
  /** What is learned from mistakes just now; null if nothing is. */
  lesson = $state.raw<Lesson | null>(null);
  readonly review: GameReview;
  #perspective = $state<Perspective>('referee');
  #positions = $state.raw<readonly PositionAtPly[]>([]);
  readonly #clocks: ReadonlyMap<number, Clocks>;

  constructor({ view, positions, perspective, events }: Stored, ply: number, flipped: boolean, port: ReviewPort) {
    this.view = view;
    this.review = new GameReview(view, port);
    this.game = gameOf(view.ruleset);
    this.#positions = positions;
    this.#perspective = perspective;
    this.#clocks = clocksByPly(events);
    this.last = view.moves.length;
    this.attackTakenBack = attackTakenBack(
      [],
      events.map(({ event }) => event)
    );
    this.ply = clamp(ply, this.last);
    this.flipped = flipped;
  }

  /** From whose perspective the game is seen. */
  readonly perspective = $derived.by(() => this.#perspective);
  readonly plies = $derived.by(() =>
    this.#perspective === 'referee' ? allPlies(this.view) : seenAs(this.#positions, this.view.moves)
  );
  readonly bottom: Seat = $derived.by(() => {
    const own = this.view.you ?? 'first';
    return this.flipped ? other(own) : own;
  });
  /** The server's own position; where it gave none, the one that follows from the moves. */
  readonly fen = $derived.by(
    () => this.#positions[this.ply]?.fen ?? this.plies[this.ply]?.fen ?? this.view.position.fen
  );
  readonly lastMove = $derived.by(() => this.plies[this.ply]?.move ?? null);
  readonly captured = $derived.by(() => captures(this.game, this.plies, this.ply));
  readonly turn: Seat = $derived.by(() => turnIn(this.plies[this.ply]?.fen ?? ''));
  /** The seat that is in check, which the server knows. */
  readonly check: Seat | null = $derived.by(() => (this.#positions[this.ply]?.check === true ? this.turn : null));
  readonly atEnd = $derived.by(() => this.ply >= this.last);
  /** Where one is, as an address. */
  readonly address = $derived.by(() =>
    addressOf({
      game: this.view.game,
      ply: this.ply,
      perspective: this.#perspective,
      bottom: this.bottom,
      reviewed: this.reviewed
    })
  );

  /** Shows the game from another perspective; that of a seat sits on its side of the board. */
  lookAs(perspective: Perspective, positions: readonly PositionAtPly[]): void {
    this.#perspective = perspective;
    this.#positions = positions;
    if (perspective === 'first' || perspective === 'second') this.flipped = perspective !== (this.view.you ?? 'first');
  }

  /** What a seat had left at this ply; null without a clock. */
  left(seat: Seat): Left | null {
    const left = this.#clocks.get(this.ply)?.left?.[seat];
    return left ? { ...left, running: !this.atEnd && this.turn === seat } : null;
  }

  /** Begins to learn from mistakes, or ends it. */
  learn(lesson: Lesson | null): void {
    this.lesson?.close();
    this.lesson = lesson;
  }

  /** Ends what is under way. */
  close(): void {
    this.learn(null);
    this.review.close();
  }

  /** Goes to a ply; this pauses the replay. */
  go(ply: number): void {
    this.playing = false;
    this.ply = clamp(ply, this.last);
  }

  /** Lets the game go on by itself, from the start if it is at its end; or stops it. */
  toggle(): void {
    if (this.last === 0) return;
    if (!this.playing && this.atEnd) this.ply = 0;
    this.playing = !this.playing;
  }

  /** How long this position stands while the game goes on by itself. */
  wait(): number {
    return pause(this.speed, this.view.moves[this.ply]?.spent_ms);
  }

  /** One ply on; at the end the game stops. */
  advance(): void {
    this.ply = clamp(this.ply + 1, this.last);
    if (this.atEnd) this.playing = false;
  }
}
