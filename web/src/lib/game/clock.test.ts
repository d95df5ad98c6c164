// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { Clocks, TimeLeft } from '$lib/protocol/protocol';
import { claimAt, nextLow, overtime, remaining, text, untilChange } from './clock';
import { aView } from './testing';

function clocks(first: TimeLeft, changes: Partial<Clocks> = {}): Clocks {
  return { left: { first, second: { ms: 60_000 } }, running: 'first', at: 1_000, ...changes };
}

describe('what is left', () => {
  it('is less by the time that has gone, for the clock that runs', () => {
    expect(remaining(clocks({ ms: 60_000 }), 'first', 11_000)).toEqual({ ms: 50_000, running: true });
    expect(remaining(clocks({ ms: 60_000 }), 'second', 11_000)).toEqual({ ms: 60_000, running: false });
  });

  it('is never below zero, and never more than was told', () => {
    expect(remaining(clocks({ ms: 60_000 }), 'first', 99_000)?.ms).toBe(0);
    expect(remaining(clocks({ ms: 60_000 }), 'first', 900)?.ms).toBe(60_000);
  });

  it('stands while the clocks are held', () => {
    const held = clocks({ ms: 60_000 }, { held: { reason: 'restart', until: 30_000 } });
    expect(remaining(held, 'first', 20_000)).toEqual({ ms: 60_000, running: false });
  });

  it('is nothing without a clock', () => {
    expect(remaining({ running: 'first', at: 1_000 }, 'first', 5_000)).toBeNull();
  });

  it('goes from main time into the periods, as the server counts them', () => {
    const main = { periodMs: 5_000, inMain: true };
    const at = (now: number) => remaining(clocks({ ms: 10_000, periods: 3 }), 'first', now, main);
    expect(at(10_999)).toMatchObject({ ms: 1, periods: 3 });
    expect(at(11_000)).toMatchObject({ ms: 5_000, periods: 3 });
    expect(at(13_000)).toMatchObject({ ms: 3_000, periods: 3 });
    expect(at(16_000)).toMatchObject({ ms: 5_000, periods: 2 });
    expect(at(26_000)).toMatchObject({ ms: 0, periods: 0 });
  });

  it('uses up a period that is running', () => {
    const inPeriod = { periodMs: 5_000, inMain: false };
    const at = (now: number) => remaining(clocks({ ms: 3_000, periods: 3 }), 'first', now, inPeriod);
    expect(at(3_999)).toMatchObject({ ms: 1, periods: 3 });
    expect(at(4_000)).toMatchObject({ ms: 5_000, periods: 2 });
    expect(at(14_000)).toMatchObject({ ms: 0, periods: 0 });
  });

  it('knows from the moves whether the main time is used up', () => {
    const clock = { type: 'byoyomi', main_ms: 10_000, period_ms: 5_000, periods: 3 } as const;
    const move = (ply: number, spent_ms: number) => ({ ply, move: 'a1a2', spent_ms });
    const moves = [move(1, 9_000), move(2, 12_000), move(3, 500)];
    const position = { ...aView().position, turn: 'second' } as const;
    const view = aView({ time_control: { clock }, moves, position });
    expect(overtime(view, 'first')).toEqual({ periodMs: 5_000, inMain: true });
    expect(overtime(view, 'second')).toEqual({ periodMs: 5_000, inMain: false });
    // The second seat began.
    const other = { ...view, position: { ...position, turn: 'first' } } as const;
    expect(overtime(other, 'second')).toEqual({ periodMs: 5_000, inMain: true });
    expect(overtime(other, 'first')).toEqual({ periodMs: 5_000, inMain: false });
    expect(overtime(aView(), 'first')).toBeNull();
  });
});

describe('a clock shows', () => {
  it.each([
    [300_000, '5:00'],
    [299_999, '5:00'],
    [299_000, '4:59'],
    [3_661_000, '1:01:01'],
    [10_001, '0:11'],
    [10_000, '0:10'],
    [9_999, '0:10'],
    [9_900, '0:09.9'],
    [501, '0:00.6'],
    [1, '0:00.1'],
    [0, '0:00.0'],
    [-5, '0:00.0']
  ])('%i ms as %s', (ms, shown) => expect(text(ms)).toBe(shown));

  it.each([300_000, 299_999, 11_000, 10_050, 10_000, 9_999, 9_901, 350, 100, 1])(
    'the same until the change that is foretold, from %i ms on',
    (ms) => {
      const wait = untilChange(ms) ?? NaN;
      expect(text(ms - wait)).not.toBe(text(ms));
      expect(wait).toBeLessThanOrEqual(1_001);
      for (let gone = 0; gone < wait - 1; gone += 7) expect(text(ms - gone)).toBe(text(ms));
    }
  );

  it('nothing new once it has run out', () => expect(untilChange(0)).toBeNull());
});

it('warns at a minute, half of it, and ten seconds', () => {
  expect(nextLow(300_000)).toBe(60_000);
  expect(nextLow(60_000)).toBe(30_000);
  expect(nextLow(20_000)).toBe(10_000);
  expect(nextLow(10_000)).toBeNull();
});

it('lets a game be claimed only while the opponent is away', () => {
  const { presence } = aView();
  expect(claimAt(presence, 'second')).toBeNull();
  const away = { ...presence, players: { ...presence.players, second: { connected: false, claim_at: 7 } } };
  expect(claimAt(away, 'second')).toBe(7);
});
