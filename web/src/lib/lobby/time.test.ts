import { describe, expect, it } from 'vitest';
import {
  CLOCKLESS,
  DEFAULT_TIME,
  nearestStep,
  poolTimes,
  readDraft,
  speed,
  STEPS,
  toTimeControl,
  type TimeField
} from './time';

describe('a time control', () => {
  it('travels with the fields of its own clock alone', () => {
    expect(toTimeControl(DEFAULT_TIME, false)).toEqual({
      clock: { type: 'fischer', initial_ms: 600_000, increment_ms: 5_000 }
    });
    expect(toTimeControl({ ...DEFAULT_TIME, kind: 'none', absence: 60_000 }, false)).toEqual({
      clock: { type: 'none' },
      absence_ms: 60_000
    });
    expect(toTimeControl({ ...DEFAULT_TIME, kind: 'byoyomi', periods: 5 }, false)).toEqual({
      clock: { type: 'byoyomi', main_ms: 600_000, period_ms: 30_000, periods: 5 }
    });
  });

  it('names no absence where the clock of each move decides', () => {
    const draft = { ...DEFAULT_TIME, kind: 'per_move' as const, absence: 60_000 };
    expect(toTimeControl(draft, false)).toEqual({ clock: { type: 'per_move', move_ms: 86_400_000 } });
  });

  it('names a time for setups only in games that have some', () => {
    const draft = { ...DEFAULT_TIME, setup: 120_000 };
    expect(toTimeControl(draft, false).setup_ms).toBeUndefined();
    expect(toTimeControl(draft, true).setup_ms).toBe(120_000);
  });
});

describe('what was kept', () => {
  it('is taken where it is in range, and is the default elsewhere', () => {
    const kept = {
      kind: 'byoyomi',
      main: 0,
      period: 999,
      periods: '3',
      move: 1.5,
      initial: 10_800_000,
      absence: 5_000
    };
    expect(readDraft(kept, DEFAULT_TIME)).toEqual({
      ...DEFAULT_TIME,
      kind: 'byoyomi',
      main: 0,
      initial: 10_800_000,
      absence: 5_000
    });
    for (const nonsense of [null, 7, 'fischer', [], { kind: 'sand' }])
      expect(readDraft(nonsense, DEFAULT_TIME)).toEqual(DEFAULT_TIME);
  });
});

describe('the steps', () => {
  it('rise, stay within the limits and hold the default', () => {
    for (const [field, steps] of Object.entries(STEPS) as [TimeField, readonly number[]][]) {
      expect(steps, field).toEqual([...steps].sort((a, b) => a - b));
      for (const step of steps) expect(readDraft({ [field]: step }, DEFAULT_TIME)[field], field).toBe(step);
      for (const usual of [DEFAULT_TIME[field], CLOCKLESS[field]]) {
        if (usual !== null) expect(steps, field).toContain(usual);
      }
    }
  });

  it('are found by the nearest', () => {
    expect(nearestStep([0, 10, 30], 19)).toBe(1);
    expect(nearestStep([0, 10, 30], 21)).toBe(2);
    expect(nearestStep([0, 10, 30], 1000)).toBe(2);
  });
});

it('stands before slower ones', () => {
  const clocks = [
    { type: 'fischer', initial_ms: 60_000, increment_ms: 0 },
    { type: 'fischer', initial_ms: 180_000, increment_ms: 2_000 },
    { type: 'byoyomi', main_ms: 600_000, period_ms: 30_000, periods: 3 },
    { type: 'per_move', move_ms: 86_400_000 },
    { type: 'none' }
  ] as const;
  const order = [...clocks].reverse().sort((a, b) => speed(a) - speed(b));
  expect(order).toEqual(clocks);
});

it('knows the times of a rule set’s pools, each once, the fastest first', () => {
  const fischer = (minutes: number, seconds: number) => ({
    clock: { type: 'fischer' as const, initial_ms: minutes * 60_000, increment_ms: seconds * 1000 }
  });
  const pool = (ruleset: string, time: string, rated: boolean) => ({ ruleset, time, rated, waiting: 0 });
  const pools = {
    times: { '10+5': fischer(10, 5), '3+2': fischer(3, 2), '5+3': fischer(5, 3) },
    pools: ['10+5', '5+3'].flatMap((time) => [pool('a/b', time, true), pool('a/b', time, false)])
  };
  pools.pools.push(pool('a/c', '3+2', false));
  expect(poolTimes(pools, 'a/b')).toEqual(['5+3', '10+5']);
});
