/** The clocks of two who share a device: a budget, and some time back with each move. Values and functions; the time is an argument. */
import type { Left } from '$lib/game/clock';
import type { BySeat, Seat } from '$lib/protocol/protocol';

/** What both begin with, and get back with each move, in milliseconds. */
export interface HotSeatTime {
  initial: number;
  increment: number;
}

/** Both clocks. */
export interface HotSeatClocks {
  /** What each had left when the running clock began to run, in milliseconds. */
  left: BySeat<number>;
  /** Since when a clock runs; null while both stand. */
  since: number | null;
}

/** Both clocks before the first move: they stand. */
export function wound({ initial }: HotSeatTime): HotSeatClocks {
  return { left: { first: initial, second: initial }, since: null };
}

/** What a seat has left; `turn` is the seat whose clock runs if any does. */
export function leftOf(clocks: HotSeatClocks, seat: Seat, turn: Seat, now: number): Left {
  const running = clocks.since !== null && seat === turn;
  const gone = running && clocks.since !== null ? Math.max(0, now - clocks.since) : 0;
  return { ms: Math.max(0, clocks.left[seat] - gone), running };
}

/** Both clocks once a seat has moved: they stand, and its own has the increment. */
export function pressed(clocks: HotSeatClocks, seat: Seat, { increment }: HotSeatTime, now: number): HotSeatClocks {
  const { ms } = leftOf(clocks, seat, seat, now);
  return { left: { ...clocks.left, [seat]: ms + increment }, since: null };
}

/** Both clocks standing. */
export function paused(clocks: HotSeatClocks, turn: Seat, now: number): HotSeatClocks {
  const { ms } = leftOf(clocks, turn, turn, now);
  return { left: { ...clocks.left, [turn]: ms }, since: null };
}

/** Both clocks with the one of the seat to move running. */
export function resumed(clocks: HotSeatClocks, now: number): HotSeatClocks {
  return { ...clocks, since: now };
}
