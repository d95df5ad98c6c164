import { expect, it } from 'vitest';
import type { Catalog } from '$lib/protocol/protocol';
import { ARMY } from './army';
import file from './catalog.fixture.json';
import { verdict } from './verdicts';

it('has as many men of each kind as the program puts on the board', () => {
  const fen = verdict('armies_setup', 'luzhanqi/referee')?.fen.split(' ')[0] ?? '';
  for (const { letter, count } of ARMY) expect([...fen].filter((sign) => sign === letter).length, letter).toBe(count);
  expect(ARMY.reduce((sum, man) => sum + man.count, 0)).toBe(25);
});

it('names the strongest first, and those without a rank last', () => {
  const catalog = file as unknown as Catalog;
  const strengths = catalog.games.find((game) => game.id === 'luzhanqi')?.rulesets[0]?.strengths ?? {};
  expect(ARMY.map((man) => strengths[man.letter])).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
});
