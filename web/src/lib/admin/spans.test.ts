import { expect, it } from 'vitest';
import { endOf } from './spans';

it('ends a ban after its minutes, in whole milliseconds, and one for good never', () => {
  expect(endOf(1_440, 1_000.4)).toBe(1_000 + 86_400_000);
  expect(endOf(10_080, 0)).toBe(7 * 86_400_000);
  expect(endOf(null, 1_000)).toBeUndefined();
});
