import { expect, it } from 'vitest';
import type { LiveGame } from '$lib/protocol/protocol';
import { nextRound, type Shown } from './running';

function games(...ids: string[]): LiveGame[] {
  return ids.map((game) => ({ game }) as LiveGame);
}

function told(shown: readonly Shown[]): string[] {
  return shown.map(({ game, over }) => game.game + (over ? ' over' : ''));
}

it('keeps places, puts new games before the weaker ones and lets an end be seen for one round', () => {
  const one = nextRound([], games('b', 'd'));
  expect(told(one)).toEqual(['b', 'd']);
  const two = nextRound(one, games('a', 'c', 'd', 'e'));
  expect(told(two)).toEqual(['b over', 'a', 'c', 'd', 'e']);
  const three = nextRound(two, games('a', 'c', 'd', 'e'));
  expect(told(three)).toEqual(['a', 'c', 'd', 'e']);
});

it('leaves in their places what has only changed its rank', () => {
  expect(told(nextRound(nextRound([], games('a', 'b', 'c')), games('c', 'x', 'b', 'a')))).toEqual(['x', 'a', 'b', 'c']);
});

it('takes back a game that was only missing from one answer', () => {
  const gone = nextRound(nextRound([], games('a')), []);
  expect(told(gone)).toEqual(['a over']);
  expect(told(nextRound(gone, games('a')))).toEqual(['a']);
});
