/** A page of a search for what may be rare. */
import type { GamePage, GamesQuery } from '$lib/protocol/protocol';

/** How often a search goes on by itself before the reader is asked whether it should. */
const ROUNDS = 8;

/**
 * Asks until the page is full, since the server stops where it has looked at many games that do not fit. A page that stays short all the
 * same is not the last one as long as its `before` is not null.
 */
export async function gather(
  ask: (query: GamesQuery) => Promise<GamePage>,
  query: GamesQuery & { limit: number }
): Promise<GamePage> {
  let page = await ask(query);
  for (let round = 1; round < ROUNDS && page.before !== null && page.games.length < query.limit; round++) {
    const more = await ask({ ...query, before: page.before, limit: query.limit - page.games.length });
    page = { games: [...page.games, ...more.games], before: more.before };
  }
  return page;
}
