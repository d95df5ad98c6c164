import { expect, it } from 'vitest';
import { addressOf, perspectiveOf, fileAddress, hasSecrets } from './perspective';

const setup = { yours: null, until: null, ready: { first: true, second: true }, commitments: null };
const revealed = { first: { setup: 'A', salt: '' }, second: { setup: 'a', salt: '' } };

it('are offered where something was hidden, and is not any more', () => {
  expect(hasSecrets({ status: 'ended', setup: { ...setup, revealed } })).toBe(true);
  expect(hasSecrets({ status: 'ended', setup: { ...setup, revealed: null } })).toBe(false);
  expect(hasSecrets({ status: 'playing', setup: { ...setup, revealed: null } })).toBe(false);
  expect(hasSecrets({ status: 'ended' })).toBe(false);
});

it('come back from the address', () => {
  for (const perspective of ['referee', 'first', 'second', 'spectators'] as const) {
    const address = addressOf({ game: 'g', ply: 7, perspective, bottom: 'second' });
    const query = new URL(address, 'http://localhost').searchParams;
    expect(perspectiveOf(query.get('as'))).toBe(perspective);
    expect(query.get('ply')).toBe('7');
    expect(query.get('view')).toBe('second');
  }
  expect(perspectiveOf('root')).toBe('referee');
  expect(addressOf({ game: 'g', ply: 0, perspective: 'referee', bottom: 'first' })).toBe('/replay/g?ply=0');
});

it('look at what the server draws, too', () => {
  expect(fileAddress('g', 'fens', 'referee')).toBe('/api/games/g/fens');
  expect(fileAddress('g', 'animation.gif', 'second', { turned: true })).toBe(
    '/api/games/g/animation.gif?as=second&turned=true'
  );
  expect(fileAddress('g', 'position.svg', 'spectators', { ply: 3 })).toBe(
    '/api/games/g/position.svg?as=spectators&ply=3'
  );
});
