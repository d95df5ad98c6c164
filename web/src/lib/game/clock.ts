import type { Clocks, GameView, Presence, Seat, TimeControl } from '$lib/protocol/protocol';

/** What a seat has left at an instant. */
export interface Left {
  /** Milliseconds of the budget, of the period or of the move; never below 0. */
  ms: number;
  /** Byo-yomi: the periods that are left, the running one included. */
  periods?: number;
  /** Whether this clock runs. */
  running: boolean;
}

/** Below this tenths are shown. */
const TENTHS_BELOW_MS = 10_000;

/** What has to be known of a byo-yomi clock to follow it past the end of the main time or of a period. */
export interface Overtime {
  periodMs: number;
  /** Whether the main time runs, and no period is being used up yet. */
  inMain: boolean;
}

/** The overtime of a seat; null in other time controls. */
export function overtime(view: Pick<GameView, 'time_control' | 'moves' | 'position'>, seat: Seat): Overtime | null {
  const { clock } = view.time_control;
  if (clock.type !== 'byoyomi') return null;
  // Who is on the move has not made the last one.
  const parity = (view.moves.length + (seat === view.position.turn ? 1 : 0)) % 2;
  const spent = view.moves.reduce((sum, { ply, spent_ms }) => (ply % 2 === parity ? sum + spent_ms : sum), 0);
  return { periodMs: clock.period_ms, inMain: spent < clock.main_ms };
}

/** What a seat has left at a server time; null without a clock. Byo-yomi needs its `overtime` to go on after a span has run out. */
export function remaining(
  clocks: Clocks,
  seat: Seat,
  serverNow: number,
  overtime: Overtime | null = null
): Left | null {
  const left = clocks.left?.[seat];
  if (!left) return null;
  const running = clocks.running === seat && !clocks.held;
  // An answer can be younger than the estimate of the server's time: a clock never gains by that.
  const gone = running ? Math.max(0, serverNow - clocks.at) : 0;
  if (left.periods === undefined) return { ms: Math.max(0, left.ms - gone), running };
  const over = gone - left.ms;
  if (over < 0 || !overtime) return { ms: Math.max(0, -over), periods: left.periods, running };
  const { periodMs, inMain } = overtime;
  // A span that is longer than a period can only be main time.
  const first = inMain || left.ms > periodMs ? 0 : 1;
  const periods = Math.max(0, left.periods - first - Math.floor(over / periodMs));
  return { ms: periods > 0 ? periodMs - (over % periodMs) : 0, periods, running };
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

/**
 * A span as clocks show it: `1:05:09`, `5:09`, `0:09.4`. A running clock shows the second that it is in, as a clock on the table
 * does: it stands at 0:10 until the tenth second before the end is over, and at 0:00.0 only when the time is up. Days and hours
 * of correspondence are for words.
 */
export function text(ms: number): string {
  const left = Math.max(0, ms);
  if (left < TENTHS_BELOW_MS) {
    const tenths = Math.ceil(left / 100);
    return tenths >= 100 ? '0:10' : `0:${two(Math.floor(tenths / 10))}.${tenths % 10}`;
  }
  const seconds = Math.ceil(left / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${tail}` : `${minutes}:${tail}`;
}

/** After how many milliseconds `text` of a running clock changes; null when it never will. */
export function untilChange(ms: number): number | null {
  if (ms <= 0) return null;
  const step = ms <= TENTHS_BELOW_MS ? 100 : 1000;
  // Just past the border, so that a timer that is a little early does not draw the same once more.
  return (ms % step || step) + 1;
}

/** The spans at which a player is warned that time runs out, in milliseconds. */
export const LOW = [60_000, 30_000, 10_000] as const;

/** The next of these that a running clock will come to; null if none is left. */
export function nextLow(ms: number): number | null {
  return LOW.find((span) => span < ms) ?? null;
}

/** When a running clock is heard to run out, in milliseconds left: below 10 seconds, in short games later. */
export function alarmAt({ clock }: TimeControl): number {
  switch (clock.type) {
    case 'fischer':
      return Math.min(10_000, clock.initial_ms / 6);
    case 'byoyomi':
      return Math.min(10_000, clock.period_ms / 3);
    case 'per_move':
      return Math.min(10_000, clock.move_ms / 6);
    case 'none':
      return 0;
  }
}

/** When an opponent who is away may be beaten for that, in server time; null while that is not so. */
export function claimAt(presence: Presence, opponent: Seat): number | null {
  const there = presence.players[opponent];
  return there.connected ? null : there.claim_at;
}
