import { expect, it } from 'vitest';
import { readBest, withWin } from './best';

it('keeps the fewest moves', () => {
  const best = withWin(withWin({}, 'one', 9), 'other', 4);
  expect(withWin(best, 'one', 11)).toEqual({ one: 9, other: 4 });
  expect(withWin(best, 'one', 7)).toEqual({ one: 7, other: 4 });
});

it.each([null, '{', '[]', '7', '"x"', '{"one":"9","two":-1,"three":1.5}'])('reads nothing of %s', (text) => {
  expect(readBest(text)).toEqual({});
});

it('reads what it wrote', () => {
  expect(readBest(JSON.stringify({ one: 9 }))).toEqual({ one: 9 });
});
