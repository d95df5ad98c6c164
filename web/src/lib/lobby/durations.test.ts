import { expect, it } from 'vitest';
import { duration, elapsed } from './durations';

it('names spans by their largest unit', () => {
  expect(duration(600_000, 'en')).toBe('10 minutes');
  expect(duration(90_000, 'en')).toBe('1.5 minutes');
  expect(duration(15_000, 'de')).toBe('15 Sekunden');
  expect(duration(86_400_000, 'zh-Hans')).toBe('1天');
  expect(duration(0, 'en')).toBe('0 seconds');
});

it('counts what has passed, never less than nothing', () => {
  expect([-5, 999, 61_000, 3_661_000].map(elapsed)).toEqual(['0:00', '0:00', '1:01', '1:01:01']);
});
