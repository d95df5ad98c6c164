import { describe, expect, it } from 'vitest';
import { aspect, beside, parts, pointOf, rows, size, squareAt, squares } from './geometry';

describe.each(['doushouqi', 'luzhanqi', 'xiangqi'] as const)('the board of %s', (game) => {
  it('has each square once, and inside the drawing', () => {
    const all = squares(game);
    expect(new Set(all).size).toBe(all.length);
    expect(all).toHaveLength({ doushouqi: 63, luzhanqi: 60, xiangqi: 90 }[game]);
    for (const square of all) {
      const { x, y } = pointOf(game, square, 'first');
      expect(x > 0 && x < size(game).width && y > 0 && y < size(game).height, square).toBe(true);
    }
  });

  it('is turned by half a turn for the second seat', () => {
    const { width, height } = size(game);
    for (const square of squares(game)) {
      const [one, other] = [pointOf(game, square, 'first'), pointOf(game, square, 'second')];
      expect([one.x + other.x, one.y + other.y], square).toEqual([width, height]);
    }
  });

  it.each(['first', 'second'] as const)('finds the square below a pointer, seen from the %s seat', (seat) => {
    for (const square of squares(game)) expect(squareAt(game, pointOf(game, square, seat), seat)).toBe(square);
    expect(squareAt(game, { x: -5, y: 20 }, seat)).toBeNull();
  });

  it('lists its rows as they are seen', () => {
    expect(rows(game, 'first')[0]?.[0]).toBe(squares(game)[0]);
    expect(rows(game, 'second').flat()).toEqual(squares(game).toReversed());
  });

  it('is not wider than high', () => {
    expect(aspect(game)).toBeLessThan(1);
    expect(aspect(game)).toBeGreaterThan(0.5);
  });
});

it('goes from square to square as the arrow keys point', () => {
  expect(beside('xiangqi', 'a1', 1, 0, 'first')).toBe('b1');
  expect(beside('xiangqi', 'a1', 0, -1, 'first')).toBe('a2');
  expect(beside('xiangqi', 'a1', 1, 0, 'second')).toBe('a1');
  expect(beside('xiangqi', 'i10', 0, -1, 'second')).toBe('i9');
  expect(beside('luzhanqi', 'c6', 20, 0, 'first')).toBe('e6');
});

it('takes moves apart', () => {
  expect(parts('a3a10')).toEqual({ from: 'a3', to: 'a10' });
  expect(parts('b10h8')).toEqual({ from: 'b10', to: 'h8' });
  for (const text of ['', 'a3', 'a3a', 'z1a1', 'a3a4x']) expect(parts(text)).toBeNull();
});
