/**
 * Time controls as people choose them, and as they travel.
 *
 * A draft keeps the values of every kind of clock, so that looking at another kind loses nothing; what does not belong to
 * the chosen kind is left out when it travels. The ranges are those of the protocol.
 */
import type { Clock, Pools, TimeControl } from '$lib/protocol/protocol';

/** The kinds of clocks, in the order in which they are offered. */
export const CLOCKS = ['fischer', 'byoyomi', 'per_move', 'none'] as const;

/** A kind of clock. */
export type ClockKind = (typeof CLOCKS)[number];

/** A time control that is being chosen; spans in milliseconds, null for what the server takes by itself. */
export interface TimeDraft {
  kind: ClockKind;
  initial: number;
  increment: number;
  main: number;
  period: number;
  periods: number;
  move: number;
  absence: number | null;
  setup: number | null;
}

/** The spans and counts of a draft. */
export type TimeField = Exclude<keyof TimeDraft, 'kind'>;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What is offered of each field, in steps that grow with the value. The first and the last are the protocol's limits, or well inside of them. */
export const STEPS: Readonly<Record<TimeField, readonly number[]>> = {
  initial: [
    ...[15, 30, 45].map((n) => n * SECOND),
    ...[1, 1.5, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 45, 60, 90, 120, 150, 180].map((n) => n * MINUTE)
  ],
  increment: [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 45, 60, 90, 120, 180].map((n) => n * SECOND),
  main: [0, 1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 40, 45, 60, 90, 120, 150, 180].map((n) => n * MINUTE),
  period: [5, 10, 15, 20, 25, 30, 40, 45, 60, 90, 120, 180, 300, 600].map((n) => n * SECOND),
  periods: [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25],
  move: [
    ...[10, 20, 30].map((n) => n * SECOND),
    ...[1, 2, 3, 5, 10, 30].map((n) => n * MINUTE),
    ...[1, 3, 6, 12].map((n) => n * HOUR),
    ...[1, 2, 3, 5, 7, 10, 14].map((n) => n * DAY)
  ],
  absence: [...[10, 20, 30, 45].map((n) => n * SECOND), ...[1, 2, 3, 5, 10, 15, 30, 60].map((n) => n * MINUTE)],
  setup: [
    ...[30].map((n) => n * SECOND),
    ...[1, 2, 3, 5, 10, 15, 30].map((n) => n * MINUTE),
    ...[1, 6, 12].map((n) => n * HOUR),
    ...[1, 2, 3, 7, 14].map((n) => n * DAY)
  ]
};

/** What the protocol takes, both ends included. */
const LIMITS: Readonly<Record<TimeField, readonly [least: number, most: number]>> = {
  initial: [SECOND, 3 * HOUR],
  increment: [0, 3 * MINUTE],
  main: [0, 3 * HOUR],
  period: [SECOND, 10 * MINUTE],
  periods: [1, 100],
  move: [10 * SECOND, 14 * DAY],
  absence: [5 * SECOND, HOUR],
  setup: [10 * SECOND, 14 * DAY]
};

/** Ten minutes and five seconds for each move: what most strangers agree on. */
export const DEFAULT_TIME: Readonly<TimeDraft> = {
  kind: 'fischer',
  initial: 10 * MINUTE,
  increment: 5 * SECOND,
  main: 10 * MINUTE,
  period: 30 * SECOND,
  periods: 3,
  move: DAY,
  absence: null,
  setup: null
};

/** As much time as one likes, for games against a computer, which does not mind waiting. */
export const CLOCKLESS: Readonly<TimeDraft> = { ...DEFAULT_TIME, kind: 'none', setup: HOUR };

/** The step nearest to a value. */
export function nearestStep(steps: readonly number[], value: number): number {
  let best = 0;
  steps.forEach((step, index) => {
    if (Math.abs(step - value) < Math.abs((steps[best] ?? 0) - value)) best = index;
  });
  return best;
}

/** Whether absence is anything that this clock waits for. */
export function knowsAbsence(kind: ClockKind): boolean {
  return kind !== 'per_move';
}

function clockOf(draft: TimeDraft): Clock {
  switch (draft.kind) {
    case 'fischer':
      return { type: 'fischer', initial_ms: draft.initial, increment_ms: draft.increment };
    case 'byoyomi':
      return { type: 'byoyomi', main_ms: draft.main, period_ms: draft.period, periods: draft.periods };
    case 'per_move':
      return { type: 'per_move', move_ms: draft.move };
    case 'none':
      return { type: 'none' };
  }
}

/** The time control as it travels; `setups` says whether the game begins with setups. */
export function toTimeControl(draft: TimeDraft, setups: boolean): TimeControl {
  return {
    clock: clockOf(draft),
    ...(draft.absence !== null && knowsAbsence(draft.kind) ? { absence_ms: draft.absence } : {}),
    ...(draft.setup !== null && setups ? { setup_ms: draft.setup } : {})
  };
}

/** A draft from something that was kept: invalid values become the usual ones. */
export function readDraft(kept: unknown, usual: Readonly<TimeDraft>): TimeDraft {
  const draft: TimeDraft = { ...usual };
  if (typeof kept !== 'object' || kept === null) return draft;
  const values = kept as Record<string, unknown>;
  const kind = CLOCKS.find((clock) => clock === values['kind']);
  if (kind) draft.kind = kind;
  for (const field of Object.keys(LIMITS) as TimeField[]) {
    const value = values[field];
    const [least, most] = LIMITS[field];
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) draft[field] = value;
    if (value === null && (field === 'absence' || field === 'setup')) draft[field] = null;
  }
  return draft;
}

/** How long a game with this clock takes a player, roughly: to put the fastest first. */
export function speed(clock: Clock): number {
  switch (clock.type) {
    case 'fischer':
      return clock.initial_ms + 40 * clock.increment_ms;
    case 'byoyomi':
      return clock.main_ms + (40 + clock.periods) * clock.period_ms;
    case 'per_move':
      return 40 * clock.move_ms;
    case 'none':
      return Number.POSITIVE_INFINITY;
  }
}

/** The names of the time controls of a rule set's pools, the fastest first. */
export function poolTimes({ times, pools }: Pools, ruleset: string): string[] {
  const speedOf = (name: string) => speed(times[name]?.clock ?? { type: 'none' });
  const names = pools.filter((pool) => pool.ruleset === ruleset).map(({ time }) => time);
  return [...new Set(names)].sort((a, b) => speedOf(a) - speedOf(b));
}
