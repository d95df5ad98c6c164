import { expect, it } from 'vitest';
import type { GameSummary } from '$lib/protocol/protocol';
import { nextRound, type Shown } from './running';

function games(...ids: string[]): GameSummary[] {
  return ids.map((game) => ({ game }) as GameSummary);
}

function told(shown: readonly Shown[]): string[] {
  return shown.map(({ game, over }) => game.game + (over ? ' over' : ''));
}

it('keeps places, puts new games in front and lets an end be seen for one round', () => {
  const one = nextRound([], games('b', 'a'));
  expect(told(one)).toEqual(['b', 'a']);
  const two = nextRound(one, games('c', 'a'));
  expect(told(two)).toEqual(['c', 'b over', 'a']);
  const three = nextRound(two, games('c', 'a'));
  expect(told(three)).toEqual(['c', 'a']);
});

it('takes back a game that was only missing from one answer', () => {
  const gone = nextRound(nextRound([], games('a')), []);
  expect(told(gone)).toEqual(['a over']);
  expect(told(nextRound(gone, games('a')))).toEqual(['a']);
});
