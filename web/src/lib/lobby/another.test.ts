import { expect, it } from 'vitest';
import type { Catalog, Pools } from '$lib/protocol/protocol';
import { another, type PlayedTerms } from './another';

const clock = { type: 'fischer', initial_ms: 300_000, increment_ms: 3_000 } as const;
const catalog = {
  games: [
    {
      id: 'xiangqi',
      options: { quiet_limit: { type: 'number', least: 0, most: 200 } },
      rulesets: [{ id: 'xiangqi/standard', options: { quiet_limit: 120 } }]
    }
  ]
} as unknown as Catalog;
const pools: Pools = {
  times: { '5+3': { clock } },
  pools: [
    { ruleset: 'xiangqi/standard', time: '5+3', rated: false, waiting: 0 },
    { ruleset: 'xiangqi/standard', time: '5+3', rated: true, waiting: 0 }
  ]
};
const game: PlayedTerms = {
  ruleset: 'xiangqi/standard',
  options: { quiet_limit: 120 },
  time_control: { clock, absence_ms: 60_000 },
  rated: true
};

it('waits in the pool of the same rules and pace, rated for those who have an account', () => {
  const pool = { ruleset: 'xiangqi/standard', time: '5+3' };
  expect(another(game, catalog, pools, true)).toEqual({ pool: { ...pool, rated: true } });
  expect(another(game, catalog, pools, false)).toEqual({ pool });
});

it('makes an offer where there is no such pool', () => {
  const slow = { ...game, time_control: { clock: { type: 'per_move', move_ms: 86_400_000 } as const } };
  expect(another(slow, catalog, pools, true)).toEqual({
    seek: { ruleset: game.ruleset, time_control: slow.time_control, rated: true }
  });
  const changed = { ...game, options: { quiet_limit: 0 }, rated: false };
  expect(another(changed, catalog, pools, true)).toEqual({
    seek: { ruleset: game.ruleset, options: { quiet_limit: 0 }, time_control: game.time_control }
  });
});
