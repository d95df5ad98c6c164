import { expect, it } from 'vitest';
import type { Tally } from '$lib/protocol/protocol';
import { byRuleset, games, total } from './results';

const results: Tally[] = [
  { ruleset: 'doushouqi/booklet', seat: 'first', won: 1, drawn: 0, lost: 0 },
  { ruleset: 'xiangqi/standard', seat: 'first', won: 3, drawn: 1, lost: 2 },
  { ruleset: 'xiangqi/standard', seat: 'second', won: 0, drawn: 2, lost: 4 }
];

it('sums the seats of a rule set, and puts the most played first', () => {
  const sets = byRuleset(results);
  expect(sets.map((set) => set.ruleset)).toEqual(['xiangqi/standard', 'doushouqi/booklet']);
  expect(sets[0]).toMatchObject({ all: { won: 3, drawn: 3, lost: 6 }, second: { won: 0, drawn: 2, lost: 4 } });
});

it('sums all', () => {
  expect(total(results)).toEqual({ won: 4, drawn: 3, lost: 6 });
  expect(games(total(results))).toBe(13);
  expect(byRuleset([])).toEqual([]);
});
