/**
 * A game of two who share a device. The rules are the server's: each move is judged there with all moves before it, and nothing is
 * stored there. What the players decide by themselves (to resign, to agree on a draw, to take moves back) is decided here.
 */
import type { Removed } from '$lib/board/config';
import { captures } from '$lib/table/table_state.svelte';
import { parse } from '$lib/board/fen';
import { parts } from '$lib/board/geometry';
import { plies, type Ply } from '$lib/game/plies';
import { gameOf, other, type GameKind } from '$lib/game/rulesets';
import type { BySeat, Judgement, JudgeRequest, Outcome, PlayedMove, Seat } from '$lib/protocol/protocol';
import type { Sound } from '$lib/sound';
import { leftOf, paused, pressed, resumed, type HotSeatClocks } from './clock';
import { removedBy, seenBy, type HotSeatRecord } from './record';

/** What a shared game needs of the world around it. */
export interface HotSeatPort {
  judge(asked: JudgeRequest, signal: AbortSignal): Promise<Judgement>;
  /** Keeps the game for when the page is opened again. */
  keep(record: HotSeatRecord): void;
  play(sound: Sound): void;
  /** The time of a clock that never goes back, in milliseconds. */
  now(): number;
  /** Calls once after so many milliseconds; what comes back takes that back. */
  after(ms: number, then: () => void): () => void;
}

/** An attack and what became of it. */
export interface Attack {
  square: string;
  removed: Removed;
  attacker: string;
  defender: string;
}

/** How often shown clocks change. */
const TICK_MS = 100;

/** See the top of the file. */
export class HotSeat {
  record: HotSeatRecord = $state.raw() as HotSeatRecord;
  /** What the rules say of the game as it stands; null until they have been asked. */
  judged: Judgement | null = $state.raw(null);
  /** A move that is being judged. */
  pending: string | null = $state(null);
  /** Why the last question failed. */
  fault: unknown = $state.raw(null);
  /** The ply that is looked back at; null for the game as it stands. */
  back: number | null = $state(null);
  /** Whether the screen is covered until the player to move has the device (Luzhanqi). */
  covered = $state(false);
  clocks: HotSeatClocks | null = $state.raw(null);
  /** The time as of the last moment at which a shown clock changed. */
  now = $state(0);
  readonly #port: HotSeatPort;
  readonly #start: string;
  #stop = new AbortController();
  #cancelTick: (() => void) | null = null;
  #known: readonly Ply[] = [];

  constructor(
    record: HotSeatRecord,
    /** The position at the beginning; with setups these say it. */
    start: string,
    port: HotSeatPort
  ) {
    this.#port = port;
    this.#start = record.setups ? `${record.setups.second}/${record.setups.first} w` : start;
    this.record = record;
    this.clocks = record.left && { left: record.left, since: null };
    // Nobody knows who holds the device.
    this.covered = gameOf(record.ruleset) === 'luzhanqi';
    this.now = port.now();
    port.keep(record);
    this.retry();
  }

  readonly game: GameKind = $derived.by(() => gameOf(this.record.ruleset));
  readonly last: number = $derived.by(() => this.record.moves.length);
  readonly ply: number = $derived.by(() => Math.min(this.back ?? this.last, this.last));
  readonly turn: Seat = $derived.by(() => (this.last % 2 === 0 ? 'first' : 'second'));
  readonly outcome: Outcome | null = $derived.by(() => this.record.ended ?? this.judged?.outcome ?? null);
  /** Whether clocks stand in the middle of the game, until the players go on. */
  readonly isPaused: boolean = $derived.by(
    () => this.clocks !== null && this.clocks.since === null && this.last > 0 && this.outcome === null
  );
  readonly #all: readonly Ply[] = $derived.by(() => {
    const played = this.record.moves.map((made, at): PlayedMove => ({ ...made, ply: at + 1, spent_ms: 0 }));
    return (this.#known = plies(this.#start, played, this.#known));
  });
  /** Every ply, as far as the player who holds the device may know it. */
  readonly plies: readonly Ply[] = $derived.by(() => {
    const all = this.#all;
    const hides = this.game === 'luzhanqi' && this.outcome === null;
    // Until the screen is uncovered the player who has moved may still look at it.
    const eyes = this.covered ? null : this.turn;
    return hides ? all.map((ply) => seenBy(ply, eyes)) : all;
  });
  readonly captured: BySeat<string[]> = $derived.by(() => captures(this.game, this.plies, this.ply));
  /** The board as it is shown. */
  readonly fen: string = $derived.by(() => {
    const { judged } = this;
    if (this.ply === this.last && judged) return (this.outcome === null && judged.views?.[this.turn]) || judged.fen;
    return this.plies[this.ply]?.fen ?? '';
  });
  readonly lastMove: string | null = $derived.by(() => this.plies[this.ply]?.move ?? null);
  /** The attack that led to the ply on the board, with the letters of both pieces; null if it was none (Luzhanqi). */
  readonly attack: Attack | null = $derived.by(() => {
    const made = this.record.moves[this.ply - 1];
    const before = this.#all[this.ply - 1];
    const ends = parts(made?.move ?? '');
    if (made?.removed === undefined || !before || !ends) return null;
    const pieces = parse('luzhanqi', before.fen);
    const [attacker, defender] = [pieces.get(ends.from), pieces.get(ends.to)];
    return attacker === undefined || defender === undefined
      ? null
      : { square: ends.to, removed: made.removed, attacker, defender };
  });
  readonly removed: Removed | null = $derived.by(() => this.record.moves[this.ply - 1]?.removed ?? null);
  /** Whose pieces can be moved now. */
  readonly movable: Seat | null = $derived.by(() =>
    this.judged !== null && this.outcome === null && this.ply === this.last && !this.covered && !this.isPaused
      ? this.turn
      : null
  );
  /** Whether the last move can be taken back: in Luzhanqi never behind an attack. */
  readonly canTakeBack: boolean = $derived.by(
    () =>
      this.last > 0 &&
      this.pending === null &&
      this.record.ended === null &&
      this.record.moves.at(-1)?.removed === undefined
  );

  /** What a seat has left; null without clocks. */
  left(seat: Seat) {
    return this.clocks && leftOf(this.clocks, seat, this.turn, this.now);
  }

  /** Makes a move. */
  async play(move: string): Promise<void> {
    const { record, judged, turn } = this;
    if (this.movable === null || judged === null || this.pending !== null) return;
    const at = this.#port.now();
    this.pending = move;
    const moves = [...record.moves, { move }];
    const after = await this.#ask({ ...record, moves });
    this.pending = null;
    if (!after || this.record !== record) {
      this.#tick();
      return;
    }
    this.judged = after;
    const removed = this.game === 'luzhanqi' ? removedBy(judged.fen, after.fen, move) : null;
    // What the rules took to answer is nobody's time.
    const clocks = record.time && this.clocks ? pressed(this.clocks, turn, record.time, at) : null;
    this.clocks = clocks && (after.outcome === null ? resumed(clocks, this.#port.now()) : clocks);
    this.#become({
      ...record,
      moves: removed === null ? moves : [...record.moves, { move, removed }],
      left: clocks?.left ?? null
    });
    this.covered = this.game === 'luzhanqi' && after.outcome === null;
    this.#tick();
    const isCapture = judged.fen.replace(/[^a-z]/gi, '').length > after.fen.replace(/[^a-z]/gi, '').length;
    this.#port.play(after.outcome ? 'end' : after.check ? 'check' : isCapture ? 'capture' : 'move');
  }

  /** Takes the last move back. The clocks keep their values. */
  async takeBack(): Promise<void> {
    if (!this.canTakeBack) return;
    const { record, turn } = this;
    const before = { ...record, moves: record.moves.slice(0, -1) };
    const judged = await this.#ask(before);
    if (!judged || this.record !== record) return;
    this.judged = judged;
    if (this.clocks) this.clocks = paused(this.clocks, turn, this.#port.now());
    this.#become({ ...before, left: this.clocks?.left ?? null });
    this.covered = this.game === 'luzhanqi';
    this.#resume();
  }

  /** Ends the game as its players decide. */
  end(outcome: Outcome): void {
    if (this.outcome !== null) return;
    if (this.clocks) this.clocks = paused(this.clocks, this.turn, this.#port.now());
    this.covered = false;
    this.#become({ ...this.record, ended: outcome, left: this.clocks?.left ?? null });
    this.#port.play('end');
  }

  /** The player to move has the device. */
  uncover(): void {
    this.covered = false;
  }

  /** Stops the clocks. */
  pause(): void {
    if (!this.clocks || this.outcome !== null) return;
    this.clocks = paused(this.clocks, this.turn, this.#port.now());
    this.#become({ ...this.record, left: this.clocks.left });
  }

  /** Has the clock of the player to move run again. */
  resume(): void {
    this.#resume();
  }

  /** Looks at a ply; at the last one the game goes on. */
  go(ply: number): void {
    this.back = ply >= this.last ? null : Math.max(0, ply);
  }

  /** Whether the board turns to the player who is to move. */
  setTurning(turning: boolean): void {
    this.#become({ ...this.record, turning });
  }

  /** Asks the rules again, after a failure. */
  retry(): void {
    const { record } = this;
    void this.#ask(record).then((judged) => {
      if (judged && this.record === record) this.judged = judged;
    });
  }

  /** Ends what is under way; the page is left. */
  close(): void {
    this.#stop.abort();
    this.#cancelTick?.();
    if (this.clocks?.since != null) this.pause();
  }

  /** What the rules say of a game; null if they could not be asked. */
  async #ask(record: HotSeatRecord): Promise<Judgement | null> {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.fault = null;
    try {
      const judged = await this.#port.judge(
        {
          ruleset: record.ruleset,
          moves: record.moves.map(({ move }) => move),
          ...(record.setups ? { setups: record.setups } : {})
        },
        signal
      );
      return signal.aborted ? null : judged;
    } catch (fault) {
      if (!signal.aborted) this.fault = fault;
      return null;
    }
  }

  #become(record: HotSeatRecord): void {
    this.record = record;
    this.back = null;
    this.#port.keep(record);
  }

  #resume(): void {
    if (this.clocks && this.clocks.since === null && this.outcome === null && this.last > 0) {
      this.clocks = resumed(this.clocks, this.#port.now());
    }
    this.#tick();
  }

  /** Follows the running clock until it has run out. */
  #tick(): void {
    this.#cancelTick?.();
    this.#cancelTick = null;
    this.now = this.#port.now();
    if (!this.clocks || this.clocks.since === null || this.outcome !== null) return;
    const { ms } = leftOf(this.clocks, this.turn, this.turn, this.now);
    // A move that was made in time and is being judged comes first.
    if (ms === 0 && this.pending === null) {
      this.end({ winner: other(this.turn), reason: 'timeout' });
      return;
    }
    this.#cancelTick = this.#port.after(Math.max(1, Math.min(TICK_MS, ms)), () => this.#tick());
  }
}
