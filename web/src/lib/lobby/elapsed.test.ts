import { expect, it } from 'vitest';
import { elapsed } from './elapsed';

it('counts what has passed, never less than nothing', () => {
  expect([-5, 999, 61_000, 3_661_000].map(elapsed)).toEqual(['0:00', '0:00', '1:01', '1:01:01']);
});
