import { expect, it } from 'vitest';
import { oneLine } from './one_line';

it('makes one line of several, and takes out what turns the direction', () => {
  expect(oneLine('  a\n\tb\u0007c \u2028 d ')).toBe('a b c d');
  expect(oneLine('abc\u202Edef\u2066')).toBe('abcdef');
  expect(oneLine('\u202E \n')).toBe('');
});

it('leaves emojis and every script alone', () => {
  expect(oneLine('👩‍👧 שלום 将军')).toBe('👩‍👧 שלום 将军');
});
