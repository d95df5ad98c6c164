import { expect, it } from 'vitest';
import { agoText, signedText } from './dates';

const now = Date.UTC(2026, 10, 21);

it('says how long ago something was in its largest unit', () => {
  expect(agoText(now - 30_000, now)).toBe('this minute');
  expect(agoText(now - 3 * 3_600_000 - 1, now)).toBe('3 hours ago');
  expect(agoText(now - 86_400_000, now)).toBe('yesterday');
  expect(agoText(now + 40 * 86_400_000, now)).toBe('next month');
});

it('signs numbers', () => {
  expect([12, -3, 0].map(signedText)).toEqual(['+12', '-3', '±0']);
});
