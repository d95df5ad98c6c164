import { expect, it } from 'vitest';
import { continues, withOlder } from './lines';

const lines = (...numbers: number[]) => numbers.map((number) => ({ number }));

it('brings older lines before those that are known, and none twice', () => {
  expect(withOlder(lines(1, 2, 3), lines(3, 4))).toEqual(lines(1, 2, 3, 4));
  expect(withOlder([], lines(4))).toEqual(lines(4));
  // The messages of two pages overtake each other.
  expect(withOlder(lines(5), lines(4, 6))).toEqual(lines(4, 5, 6));
});

it('does not put lines together between which some may be missing', () => {
  expect(continues(lines(1, 2, 3), lines(3, 4))).toBe(true);
  expect(continues(lines(1, 2, 3), lines(104, 105))).toBe(false);
  expect(continues([], lines(1))).toBe(false);
  expect(continues(lines(1), [])).toBe(false);
});
