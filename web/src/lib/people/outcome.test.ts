import { expect, it } from 'vitest';
import { outcomeFor, seatOf } from './outcome';

const players = { first: { id: 'a', name: 'Anna' }, second: null };

it('knows where somebody sits', () => {
  expect(seatOf({ players }, 'a')).toBe('first');
  expect(seatOf({ players: { first: null, second: players.first } }, 'a')).toBe('second');
  expect(seatOf({ players }, 'b')).toBeNull();
});

it('tells won from lost, and both from games without a winner', () => {
  const won = { outcome: { winner: 'first', reason: 'checkmate' } } as const;
  expect(outcomeFor(won, 'first')).toBe('won');
  expect(outcomeFor(won, 'second')).toBe('lost');
  expect(outcomeFor({ outcome: { winner: null, reason: 'agreement' } }, 'first')).toBe('drawn');
  expect(outcomeFor({ outcome: { winner: null, reason: 'aborted' } }, 'first')).toBe('aborted');
  expect(outcomeFor({ outcome: null }, 'first')).toBe('running');
});
