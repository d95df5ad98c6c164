import { expect, it } from 'vitest';
import { spread } from './spread';

it('is the mean and the deviation from it', () => {
  expect(spread([])).toEqual({ mean: 0, deviation: 0 });
  expect(spread([3_000])).toEqual({ mean: 3_000, deviation: 0 });
  expect(spread([1_000, 3_000])).toEqual({ mean: 2_000, deviation: 1_000 });
});
