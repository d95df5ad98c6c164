import { describe, expect, it } from 'vitest';
import type { TimeControl } from '$lib/protocol/protocol';
import { face, isLow, span, spoken, took } from './clock_face';

const fischer: TimeControl = { clock: { type: 'fischer', initial_ms: 300_000, increment_ms: 0 } };
const bullet: TimeControl = { clock: { type: 'fischer', initial_ms: 60_000, increment_ms: 0 } };
const byoyomi: TimeControl = { clock: { type: 'byoyomi', main_ms: 60_000, period_ms: 30_000, periods: 3 } };
const perMove: TimeControl = { clock: { type: 'per_move', move_ms: 3 * 86_400_000 } };
const left = (ms: number, periods?: number) => ({ ms, running: true, ...(periods === undefined ? {} : { periods }) });

it('shows minutes, tenths, and days in words', () => {
  expect(face(left(125_400))).toBe('2:06');
  expect(face(left(9_400))).toBe('0:09.4');
  expect(face(left(2 * 86_400_000 + 5 * 3_600_000))).toBe('2d 5h');
});

describe('little time', () => {
  it('is a tenth of the budget, but 10 seconds at least and 30 at most', () => {
    expect(isLow(left(29_000), fischer)).toBe(true);
    expect(isLow(left(31_000), fischer)).toBe(false);
    expect(isLow(left(11_000), bullet)).toBe(false);
    expect(isLow(left(9_000), bullet)).toBe(true);
    expect(isLow(left(3_599_000), perMove)).toBe(true);
    expect(isLow(left(9_000), { clock: { type: 'none' } })).toBe(false);
  });

  it('is the end of a period, not of the main time', () => {
    expect(isLow(left(45_000, 3), byoyomi)).toBe(false);
    expect(isLow(left(9_000, 2), byoyomi)).toBe(true);
    expect(isLow(left(12_000, 2), byoyomi)).toBe(false);
  });
});

it('tells spans as people read them', () => {
  expect(span(44_200)).toBe('0:45');
  expect(span(3_000)).toBe('0:03');
  expect(span(0)).toBe('0:00');
  expect(spoken(260_000)).toBe('4 minutes 20 seconds');
  expect(spoken(0)).toBe('0 seconds');
  expect(took(400)).toBe('0.4s');
  expect(took(12_300)).toBe('12s');
  expect(took(65_000)).toBe('1:05');
});
