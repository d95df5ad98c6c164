import { expect, it } from 'vitest';
import type { Catalog } from '$lib/protocol/protocol';
import { differing, offered, takes } from './options';
import { findRuleset, rulesetsOf } from '$lib/game/rulesets';

const catalog = {
  games: [
    {
      id: 'xiangqi',
      options: {
        cannon: { type: 'word', words: ['standard', 'always_jumps'] },
        quiet_limit: { type: 'number', least: 0, most: 100_000 },
        new_one: { type: 'bool' }
      },
      rulesets: [{ id: 'xiangqi/standard', options: { cannon: 'standard', quiet_limit: 120, new_one: false } }]
    }
  ]
} as unknown as Catalog;

it('finds a rule set and its options', () => {
  expect(findRuleset(catalog, 'xiangqi/standard')?.game.id).toBe('xiangqi');
  expect(offered(catalog, 'xiangqi/none')).toEqual([]);
  expect(offered(catalog, 'xiangqi/standard').map(({ name, usual }) => [name, usual])).toEqual([
    ['cannon', 'standard'],
    ['quiet_limit', 120],
    ['new_one', false]
  ]);
});

it('asks for nothing but what differs and is allowed', () => {
  const options = offered(catalog, 'xiangqi/standard');
  expect(differing(options, { cannon: 'standard', quiet_limit: 0 })).toEqual({ quiet_limit: 0 });
  expect(differing(options, { cannon: 'sideways', quiet_limit: -1, new_one: 1, other: true })).toEqual({});
});

it('knows the ends of a range', () => {
  const range = { type: 'number', least: 1, most: 100 } as const;
  expect([0, 1, 100, 101, 1.5, Number.NaN].map((value) => takes(range, value))).toEqual([
    false,
    true,
    true,
    false,
    false,
    false
  ]);
});

it('puts the usual rule set first', () => {
  const sets = [{ id: 'xiangqi/grunfeld' }, { id: 'xiangqi/standard' }];
  const some = { games: [{ id: 'xiangqi', rulesets: sets }] } as unknown as Catalog;
  expect(rulesetsOf(some, 'xiangqi')).toEqual(['xiangqi/standard', 'xiangqi/grunfeld']);
  expect(rulesetsOf(some, 'luzhanqi')).toEqual([]);
});
