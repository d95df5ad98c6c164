import { expect, it } from 'vitest';
import { follow, place } from './diff';
import { parse } from './fen';

const START = 'l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w';

function keys(placed: readonly { key: number; square: string }[]): Map<string, number> {
  return new Map(placed.map(({ key, square }) => [square, key]));
}

it('keeps the key of a piece that moves', () => {
  const before = place(parse('doushouqi', START));
  const after = follow(before, parse('doushouqi', 'l5t/1d3c1/r1p1w1e/7/7/E6/2W1P1R/1C3D1/T5L b'), 'a3a4');
  expect(keys(after).get('a4')).toBe(keys(before).get('a3'));
  expect(after).toHaveLength(16);
});

it('takes the captured piece away, not the one that captures', () => {
  const before = place(parse('doushouqi', '7/7/7/7/3e3/3E3/7/7/7 w'));
  const after = follow(before, parse('doushouqi', '7/7/7/7/3E3/7/7/7/7 b'), 'd4d5');
  expect(after.map(({ letter, square }) => letter + square)).toEqual(['Ed5']);
  expect(after[0]?.key).toBe(keys(before).get('d4'));
});

it('does not confuse two pieces of one letter', () => {
  const before = place(parse('xiangqi', '9/9/9/9/9/9/9/9/9/R7R w'));
  const after = follow(before, parse('xiangqi', '9/9/9/9/9/9/9/9/8R/R8 b'), 'i1i2');
  expect(keys(after).get('a1')).toBe(keys(before).get('a1'));
  expect(keys(after).get('i2')).toBe(keys(before).get('i1'));
});

it('finds the way back without being told the move', () => {
  const one = parse('doushouqi', START);
  const other = parse('doushouqi', 'l5t/1d3c1/r1p1w1e/7/7/E6/2W1P1R/1C3D1/T5L b');
  const there = follow(place(one), other, 'a3a4');
  const back = follow(there, one, null);
  expect(keys(back).get('a3')).toBe(keys(there).get('a4'));
});

it('keeps the key of a hidden piece that is shown where it stands', () => {
  const before = place(parse('luzhanqi', '5/5/5/5/5/1u3/5/5/5/5/5/5 w'));
  const after = follow(before, parse('luzhanqi', '5/5/5/5/5/1f3/5/5/5/5/5/5 w'), null);
  expect(after).toEqual([{ key: before[0]?.key, letter: 'f', square: 'b7' }]);
});

it('gives new pieces keys that nobody had', () => {
  const after = follow(place(parse('doushouqi', '7/7/7/7/7/7/7/7/T6 w')), parse('doushouqi', START), null);
  expect(new Set(after.map(({ key }) => key)).size).toBe(16);
});
