import { expect, it } from 'vitest';
import { shares } from './shares';

it('shares out a hundred', () => {
  expect(shares([1, 1, 1])).toEqual([34, 33, 33]);
  expect(shares([0, 0, 0])).toEqual([0, 0, 0]);
  expect(shares([999, 1, 0])).toEqual([100, 0, 0]);
});
