import { describe, expect, it } from 'vitest';
import { readRecord, removedBy, seenBy, type HotSeatRecord } from './record';

const KEPT: HotSeatRecord = {
  ruleset: 'luzhanqi/referee',
  setups: { first: 'one', second: 'other' },
  moves: [{ move: 'a6a7' }, { move: 'b7b8', removed: 'both' }],
  time: { initial: 60_000, increment: 0 },
  left: { first: 1_000, second: 2_000 },
  turning: false,
  ended: { winner: 'first', reason: 'resignation' }
};

describe('a kept game', () => {
  it('is read as it was written', () => {
    expect(readRecord(JSON.stringify(KEPT))).toEqual(KEPT);
  });

  it.each([
    ['nothing', null],
    ['what is no JSON', '{'],
    ['a list', '[]'],
    ['an unknown game', JSON.stringify({ ...KEPT, ruleset: 'go/chinese' })],
    ['Luzhanqi without setups', JSON.stringify({ ...KEPT, setups: null })],
    ['Xiangqi with setups', JSON.stringify({ ...KEPT, ruleset: 'xiangqi/standard' })]
  ])('is none for %s', (_, text) => {
    expect(readRecord(text)).toBeNull();
  });

  it('has no clocks where they are damaged', () => {
    expect(readRecord(JSON.stringify({ ...KEPT, left: { first: -1, second: 5 } }))).toMatchObject({
      time: null,
      left: null
    });
  });
});

describe('an attack', () => {
  it.each([
    ['attacker', '5/k4/5/5', '5/k4/5/5'],
    ['defender', '5/k4/M4/5', '5/M4/5/5'],
    ['both', '5/k4/M4/5', '5/5/5/5']
  ] as const)('loses the %s', (removed, before, after) => {
    expect(removedBy(`${before} w`, `${after} b`, 'a2a3')).toBe(removed);
  });

  it('needs somebody to be attacked', () => {
    expect(removedBy('5/5/M4/5 w', '5/M4/5/5 b', 'a2a3')).toBeNull();
  });
});

it('shows a seat only the backs of the other side', () => {
  const ply = { ply: 1, move: 'a2a3', fen: 'k4/M4 b', lost: ['g', 'K'] };
  expect(seenBy(ply, 'first')).toEqual({ ...ply, fen: 'u4/M4 b', lost: ['u', 'K'] });
  expect(seenBy(ply, 'second')).toEqual({ ...ply, fen: 'k4/U4 b', lost: ['g', 'U'] });
  expect(seenBy(ply, null)).toEqual({ ...ply, fen: 'u4/U4 b', lost: ['u', 'U'] });
});
