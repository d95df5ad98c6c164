import { expect, it } from 'vitest';
import { withOlder } from './lines';

const lines = (...numbers: number[]) => numbers.map((number) => ({ number }));

it('brings older lines before those that are known, and none twice', () => {
  expect(withOlder(lines(1, 2, 3), lines(3, 4))).toEqual(lines(1, 2, 3, 4));
  expect(withOlder([], lines(4))).toEqual(lines(4));
  // What two pages have told overtakes each other.
  expect(withOlder(lines(5), lines(4, 6))).toEqual(lines(4, 5, 6));
});
