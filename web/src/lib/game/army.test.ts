import { expect, it } from 'vitest';
import type { Catalog } from '$lib/protocol/protocol';
import { ARMY } from './army';
import file from '$lib/rules/catalog.fixture.json';
import { verdict } from '$lib/rules/verdicts';

it('has as many men of each kind as the program puts on the board', () => {
  const fen = verdict('armies_setup', 'luzhanqi/referee')?.fen.split(' ')[0] ?? '';
  for (const [letter, count] of Object.entries(ARMY))
    expect([...fen].filter((sign) => sign === letter).length, letter).toBe(count);
  expect(Object.values(ARMY).reduce((sum, count) => sum + count, 0)).toBe(25);
});

it('names the strongest first, and those without a rank last', () => {
  const catalog = file as unknown as Catalog;
  const strengths = catalog.games.find((game) => game.id === 'luzhanqi')?.rulesets[0]?.strengths ?? {};
  expect(Object.keys(ARMY).map((letter) => strengths[letter])).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
});
