import { expect, it } from 'vitest';
import type { Clocks, EventFrame } from '$lib/protocol/protocol';
import { clocksByPly, fileName, numbered, plainRecord, plyAt, resultSign, spentBy } from './record';

it('numbers moves in pairs', () => {
  expect(numbered(['a3a4', 'g7g6', 'a4a5'])).toEqual(['1. a3a4 g7g6', '2. a4a5']);
  expect(numbered([])).toEqual([]);
});

it('writes a record whose lines no name can break', () => {
  const text = plainRecord(
    [
      ['First', 'An\nna: x'],
      ['Second', ''],
      ['Rules', 'Booklet']
    ],
    ['a3a4'],
    'Anna wins'
  );
  expect(text).toBe('First: An na: x\nRules: Booklet\n\n1. a3a4\n\nAnna wins\n');
});

it('names files after the game alone', () => {
  expect(fileName({ game: '../a-1' }, 'json')).toBe('qiguan-a-1.json');
});

it('knows the signs of results', () => {
  expect(resultSign({ outcome: null })).toBe('*');
  expect(resultSign({ outcome: { winner: null, reason: 'aborted' } })).toBe('*');
  expect(resultSign({ outcome: { winner: null, reason: 'agreement' } })).toBe('1/2-1/2');
  expect(resultSign({ outcome: { winner: 'second', reason: 'den' } })).toBe('0-1');
});

it('tells the clocks after each ply', () => {
  const at = (ms: number): Clocks => ({
    left: { first: { ms }, second: { ms } },
    at: 0
  });
  const frame = (seq: number, event: EventFrame['event']): EventFrame => ({ game: 'g', seq, at: 0, event });
  const moved = { type: 'moved', seat: 'first', move: 'a1a2', spent_ms: 1, lag_ms: 0 } as const;
  const clocks = clocksByPly([
    frame(1, { type: 'started', clocks: at(9) }),
    frame(2, { ...moved, ply: 1, clocks: at(8) }),
    frame(3, { type: 'withheld' }),
    frame(4, { ...moved, ply: 2, clocks: at(7) }),
    frame(5, { type: 'ended', outcome: { winner: 'first', reason: 'timeout' }, clocks: at(0) })
  ]);
  expect([...clocks].map(([ply, { left }]) => [ply, left?.first.ms])).toEqual([
    [0, 9],
    [1, 8],
    [2, 0]
  ]);
});

it('goes back with moves that were taken back', () => {
  const at = (ms: number): Clocks => ({ left: { first: { ms }, second: { ms } }, at: 0 });
  const frame = (seq: number, event: EventFrame['event']): EventFrame => ({ game: 'g', seq, at: 0, event });
  const moved = { type: 'moved', seat: 'first', move: 'a1a2', spent_ms: 1, lag_ms: 0 } as const;
  const events = [
    frame(1, { type: 'started', clocks: at(9) }),
    frame(2, { ...moved, ply: 1, clocks: at(8) }),
    frame(3, { ...moved, ply: 2, clocks: at(7) }),
    frame(4, { ...moved, ply: 3, clocks: at(6) }),
    frame(5, { type: 'taken_back', seat: 'second', plies: 2, clocks: at(5) }),
    frame(6, { ...moved, ply: 2, clocks: at(4) })
  ];
  expect([...clocksByPly(events)].map(([ply, { left }]) => [ply, left?.first.ms])).toEqual([
    [0, 9],
    [1, 5],
    [2, 4]
  ]);
  expect([4, 5, 6].map((seq) => plyAt(events, seq))).toEqual([3, 1, 2]);
});

it('adds up what each has spent', () => {
  const moves = [{ spent_ms: 1 }, { spent_ms: 20 }, { spent_ms: 300 }];
  expect(spentBy(moves, 3, 'first')).toEqual({ first: 301, second: 20 });
  expect(spentBy(moves, 1, 'first')).toEqual({ first: 1, second: 0 });
  expect(spentBy(moves, 3, 'second')).toEqual({ first: 20, second: 301 });
});

it('knows where the game was when something happened', () => {
  const clocks: Clocks = { at: 0 };
  const frame = (seq: number, event: EventFrame['event']): EventFrame => ({ game: 'g', seq, at: 0, event });
  const moved = { type: 'moved', move: 'a1a2', spent_ms: 1, lag_ms: 0, clocks } as const;
  const events = [
    frame(2, { type: 'started', clocks }),
    frame(3, { ...moved, seat: 'first', ply: 1 }),
    frame(4, { type: 'withheld' }),
    frame(5, { ...moved, seat: 'second', ply: 2 })
  ];
  expect([1, 2, 3, 4, 5, 99].map((seq) => plyAt(events, seq))).toEqual([0, 0, 1, 1, 2, 2]);
});
