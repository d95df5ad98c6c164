import { expect, it } from 'vitest';
import type { PlayedMove, Removed } from '$lib/protocol/protocol';
import { guesses, withGuess } from './guesses';

function moves(...played: [string, Removed?][]): PlayedMove[] {
  return played.map(([move, removed], index) => ({
    ply: index + 1,
    move,

    spent_ms: 0,
    ...(removed ? { removed } : {})
  }));
}

it('takes a guess along with its piece until that is removed', () => {
  let played = moves(['a6b6'], ['e7e6', 'defender']);
  const guessed = withGuess(undefined, played, 'e6', 'g');
  expect(guessed).toBe('{"guesses":{"e7":"G"}}');
  expect(guesses(guessed, played)).toEqual({ e6: 'G' });
  expect(guesses(guessed, [])).toEqual({ e7: 'G' });
  // An attacker that is removed changes nothing for the piece that it met.
  played = [...played, ...moves(['d6e6', 'attacker'], ['e6e5'])];
  expect(guesses(guessed, played)).toEqual({ e5: 'G' });
  const two = withGuess(guessed, played, 'a7', 'N');
  played = [...played, ...moves(['e4e5', 'both'])];
  expect(guesses(two, played)).toEqual({ a7: 'N' });
  expect(guesses(withGuess(two, played, 'a7', null), played)).toEqual({});
});

it('leaves what others keep among the notes alone', () => {
  expect(JSON.parse(withGuess('{"theme":"dark","guesses":3}', [], 'e7', 'M'))).toEqual({
    theme: 'dark',
    guesses: { e7: 'M' }
  });
  expect(guesses('{"guesses":{"e7":5,"z9":"M","a7":"?"}}', [])).toEqual({});
});
