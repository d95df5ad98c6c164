import { expect, it } from 'vitest';
import type { Catalog } from '$lib/protocol/protocol';
import { hasOwnOptions, mayBeInTables } from './endings';
import { aView } from './testing';

const few = '7/3C3/7/7/7/7/7/7/6r w - - 0 1';

it('asks about few animals of both sides in a finished game of Dou Shou Qi alone', () => {
  const ended = aView({ ruleset: 'doushouqi/booklet', status: 'ended' });
  expect(mayBeInTables(ended, few)).toBe(true);
  expect(mayBeInTables(ended, '7/3C3/7/7/7/7/7/7/5er w - - 0 1')).toBe(true);
  expect(mayBeInTables(ended, '7/3C3/7/7/7/7/7/4LTP/5er w - - 0 1')).toBe(false);
  expect(mayBeInTables(ended, '7/3C3/7/7/7/7/7/7/7 b - - 0 1')).toBe(false);
  expect(mayBeInTables({ ...ended, status: 'playing' }, few)).toBe(false);
  expect(mayBeInTables({ ...ended, ruleset: 'xiangqi/standard' }, few)).toBe(false);
});

it('asks about no game with other options', () => {
  const catalog = {
    games: [{ rulesets: [{ id: 'doushouqi/booklet', options: { quiet_limit: 120 } }] }]
  } as unknown as Catalog;
  const view = aView({ ruleset: 'doushouqi/booklet', options: { quiet_limit: 120 } });
  expect(hasOwnOptions(catalog, view)).toBe(true);
  expect(hasOwnOptions(catalog, { ...view, options: { quiet_limit: 0 } })).toBe(false);
});
