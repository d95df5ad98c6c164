import { expect, it } from 'vitest';
import { boardAfter, isPlain, lineAddress, openingQuery, positionIn, readLine, type Line } from './line';

const START = 'l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w';
const read = (address: string) => readLine(new URL(address, 'http://localhost').searchParams, 'xiangqi/standard');
const line = (more: Partial<Line>): Line => ({ ruleset: 'doushouqi/booklet', moves: [], from: null, ...more });

it('comes back from the address as it went', () => {
  for (const one of [line({}), line({ moves: ['a3a4', 'g7g6'] }), line({ from: START, moves: ['a3a4'] })]) {
    expect(read(lineAddress(one))).toEqual(one);
  }
  expect(lineAddress(line({ moves: ['a3a4', 'g7g6'] }))).toBe('/openings?ruleset=doushouqi/booklet&moves=a3a4,g7g6');
});

it('takes nothing from an address that makes no sense', () => {
  expect(read('/openings?ruleset=<b>&moves=a3a4,drop,<script>&fen=nonsense')).toEqual({
    ruleset: 'xiangqi/standard',
    moves: ['a3a4'],
    from: null
  });
  expect(positionIn(`${START} - - 0 1`)).toBe(START);
  expect(positionIn('a b c')).toBeNull();
});

it('asks by moves where they tell the position, and by the position where they do not', () => {
  expect(openingQuery(line({}), null)).toEqual({ ruleset: 'doushouqi/booklet' });
  expect(openingQuery(line({ moves: ['a3a4', 'g7g6'] }), null)).toEqual({
    ruleset: 'doushouqi/booklet',
    moves: 'a3a4,g7g6'
  });
  const army = line({ ruleset: 'luzhanqi/modern', moves: ['a1a2'] });
  expect(openingQuery(army, null)).toBeNull();
  expect(openingQuery(army, 'u1/11/U1 w')).toEqual({ ruleset: 'luzhanqi/modern', fen: 'u1/U1/2 b' });
});

it('plays on from any position, no matter who is to move', () => {
  expect(boardAfter(START, ['a3a4', 'g7g6'], 0)).toBe(START);
  expect(boardAfter(START, ['a3a4', 'g7g6'], 1)).toBe('l5t/1d3c1/r1p1w1e/7/7/E6/2W1P1R/1C3D1/T5L b');
  expect(boardAfter('r1/2/R1 b', ['a3a2', 'a1a2'], 2)).toBe('2/R1/2 b');
});

it('knows which moves of covered pieces end in one way only', () => {
  expect(isPlain('luzhanqi/modern', 'u1/2/U1 w', 'a1a2')).toBe(true);
  expect(isPlain('luzhanqi/modern', 'u1/2/U1 w', 'a1a3')).toBe(false);
  expect(isPlain('xiangqi/standard', 'r1/2/R1 w', 'a1a3')).toBe(true);
});
