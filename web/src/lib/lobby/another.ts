/** The search for another opponent on the terms of a game that is over. */
import type { Catalog, GameView, Pools } from '$lib/protocol/protocol';
import { differing, offered } from './options';
import type { PoolName, SeekTerms } from './wanted';

/** A pool, or a seek where no pool has these terms. */
export type AnotherSearch = { pool: PoolName } | { seek: SeekTerms };

/** What a game was played on. */
export type PlayedTerms = Pick<GameView, 'ruleset' | 'options' | 'time_control' | 'rated'>;

/** Where another opponent is looked for. Results count only for those who have an account. */
export function another(game: PlayedTerms, catalog: Catalog, { times, pools }: Pools, account: boolean): AnotherSearch {
  const { ruleset, time_control } = game;
  const rated = account && game.rated === true;
  const options = differing(offered(catalog, ruleset), game.options);
  const plain = Object.keys(options).length === 0;
  const clock = JSON.stringify(time_control.clock);
  const pool = pools.find(
    (one) =>
      one.ruleset === ruleset && (one.rated ?? false) === rated && JSON.stringify(times[one.time]?.clock) === clock
  );
  const counts = rated ? { rated } : {};
  if (plain && pool) return { pool: { ruleset, time: pool.time, ...counts } };
  return { seek: { ruleset, ...(plain ? {} : { options }), time_control, ...counts } };
}
