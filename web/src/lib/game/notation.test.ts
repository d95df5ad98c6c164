import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { settings } from '$lib/settings.svelte';
import { written } from './notation';

/** The cases of the rules' own tests: positions, and below each its moves as squares ; WXF ; Chinese ; a comment. */
const file = readFileSync(`${import.meta.dirname}/../../../../rules/tests/data/xiangqi-notation.txt`, 'utf8');

const cases: [fen: string, move: string, wxf: string, chinese: string][] = [];
let fen = '';
for (const line of file.split('\n')) {
  if (line.trim() === '' || line.startsWith('#')) continue;
  const [move, wxf, chinese] = line.split(';').map((part) => part.trim());
  if (wxf !== undefined && chinese !== undefined && move !== undefined) cases.push([fen, move, wxf, chinese]);
  else fen = line;
}

// The cases are written in simplified characters, and all test files share the settings.
beforeEach(() => (settings.pieces.xiangqi = 'simplified'));
afterEach(() => (settings.pieces.xiangqi = 'carved'));

it('has cases to be tested with', () => {
  expect(cases.length).toBeGreaterThan(40);
});

it.each(cases)('in %s writes %s as %s and %s', (before, move, wxf, chinese) => {
  expect(written('wxf', before, move)).toBe(wxf);
  expect(written('chinese', before, move)).toBe(chinese);
  expect(written('squares', before, move)).toBe(move);
});

it('writes Chinese in the characters of the pieces', () => {
  settings.pieces.xiangqi = 'carved';
  const before = '4k4/9/7c1/9/4R4/9/4R4/9/7N1/3K5';
  expect(written('chinese', `${before} w - - 0 1`, 'e4d4')).toBe('後車平六');
  expect(written('chinese', `${before} w - - 0 1`, 'h2g4')).toBe('馬二進三');
  expect(written('chinese', `${before} b - - 0 1`, 'h8h4')).toBe('砲８進４');
});

it('leaves a move of nobody as it is', () => {
  expect(written('wxf', '9/9/9/9/9/9/9/9/9/9 w - - 0 1', 'a1a2')).toBe('a1a2');
});
