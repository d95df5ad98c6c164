import { expect, it, vi } from 'vitest';
import type { GamePage, GamesQuery, GameSummary } from '$lib/protocol/protocol';
import { gather } from './gathering';

const game = (name: string) => ({ game: name }) as GameSummary;

/** A server that answers with these pages, one after the other. */
function server(...pages: [games: string, before: string | null][]) {
  const left = pages.map(([games, before]) => ({ games: games.split('').map(game), before }));
  return vi.fn<(query: GamesQuery) => Promise<GamePage>>(() =>
    Promise.resolve(left.shift() ?? { games: [], before: 'z' })
  );
}

it('takes a full page as it comes', async () => {
  const ask = server(['ab', 'b']);
  expect(await gather(ask, { limit: 2 })).toEqual({ games: [game('a'), game('b')], before: 'b' });
  expect(ask).toHaveBeenCalledOnce();
});

it('goes on where the server has stopped, for what is still wanted', async () => {
  const ask = server(['a', 'm'], ['', 'n'], ['bc', null]);
  const page = await gather(ask, { limit: 3, reason: 'stalemate' });
  expect(page).toEqual({ games: [game('a'), game('b'), game('c')], before: null });
  expect(ask.mock.calls.map(([query]) => query)).toEqual([
    { limit: 3, reason: 'stalemate' },
    { limit: 2, reason: 'stalemate', before: 'm' },
    { limit: 2, reason: 'stalemate', before: 'n' }
  ]);
});

it('does not go on for ever, and does not say then that there are no more', async () => {
  const ask = server();
  expect(await gather(ask, { limit: 3 })).toEqual({ games: [], before: 'z' });
  expect(ask).toHaveBeenCalledTimes(8);
});
