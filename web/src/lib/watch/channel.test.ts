import { expect, it } from 'vitest';
import type { LiveGame } from '$lib/protocol/protocol';
import { END_MS, onAir } from './channel';

const game = (name: string, spectators = 0) => ({ game: name, spectators }) as LiveGame;

it('shows what is featured, as it is told last', () => {
  const first = onAir(null, game('a'), 0);
  expect(first).toEqual({ game: game('a'), over: null });
  expect(onAir(first, game('a', 9), 5)?.game.spectators).toBe(9);
});

it('leaves the end of a game to be seen, and then goes on to the next', () => {
  const ended = onAir(onAir(null, game('a'), 0), game('b'), 100);
  expect(ended).toEqual({ game: game('a'), over: 100 });
  expect(onAir(ended, game('b'), 100 + END_MS - 1)).toEqual(ended);
  expect(onAir(ended, game('b'), 100 + END_MS)).toEqual({ game: game('b'), over: null });
});

it('waits where nothing is on', () => {
  expect(onAir(null, null, 0)).toBeNull();
  const ended = onAir({ game: game('a'), over: null }, null, 100);
  expect(ended?.game.game).toBe('a');
  expect(onAir(ended, null, 100 + END_MS)).toBeNull();
});
