import { expect, it } from 'vitest';
import { banEnd } from './spans';

it('ends a ban after so many days, or never', () => {
  expect(banEnd('week', 1000.4)).toBe(1000 + 7 * 86_400_000);
  expect(banEnd('good', 1000)).toBeUndefined();
});
