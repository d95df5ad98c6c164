import { describe, expect, it } from 'vitest';
import type { GameSummary, Lobby, Seek } from '$lib/protocol/protocol';
import { EMPTY, fold, ownPlace, waitingIn, waitingPools, withOwnPool, withoutSeek } from './fold';

function seek(id: string, since: number, player = 'anna'): Seek {
  return {
    id,
    player: { id: player, name: player },
    ruleset: 'xiangqi/standard',
    options: {},
    time_control: { clock: { type: 'none' } },
    seat: 'random',
    since
  };
}

const lobby: Lobby = { ...EMPTY, seeks: [seek('a', 1), seek('b', 2)], counts: { players: 3, games: 1 } };
const pool = { ruleset: 'xiangqi/standard', time: '5+3' };

describe('the board of seeks', () => {
  it('takes new ones in the order of their age, and known ones once', () => {
    const after = fold(lobby, { type: 'changed', added: [seek('b', 2), seek('d', 4), seek('c', 3)] }, null);
    expect(after.seeks.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(after.counts).toEqual(lobby.counts);
  });

  it('loses what is removed, also in the notice that adds it', () => {
    const after = fold(lobby, { type: 'changed', added: [seek('c', 3)], removed: ['a', 'c'] }, null);
    expect(after.seeks.map(({ id }) => id)).toEqual(['b']);
  });

  it('counts those it never saw', () => {
    const many = { ...lobby, more: 1 };
    expect(fold(many, { type: 'changed', removed: ['a'] }, null).more).toBe(1);
    expect(fold(many, { type: 'changed', removed: ['x', 'y'] }, null).more).toBe(0);
  });

  it('knows its own', () => {
    const after = fold(lobby, { type: 'changed', added: [seek('c', 3, 'me')] }, 'me');
    expect(after.own_seeks.map(({ id }) => id)).toEqual(['c']);
    expect(fold(after, { type: 'changed', removed: ['c'] }, 'me').own_seeks).toEqual([]);
    const error = { code: 'paused', message: 'wait' } as const;
    expect(fold(after, { type: 'seek_ended', seek: 'c', error }, 'me')).toEqual(lobby);
  });

  it('keeps the counts until others are told', () => {
    expect(fold(lobby, { type: 'changed', counts: { players: 9, games: 4 } }, null).counts.players).toBe(9);
  });
});

describe('the pools', () => {
  it('are those in which somebody waits', () => {
    const one = fold(lobby, { type: 'changed', pools: [{ ...pool, waiting: 2 }] }, null);
    expect(waitingIn(one, pool)).toBe(2);
    expect(waitingIn(one, { ...pool, rated: true })).toBe(0);
    const none = fold(one, { type: 'changed', pools: [{ ...pool, waiting: 0 }] }, null);
    expect(none.pools).toEqual([]);
  });

  it('do not count oneself among the others', () => {
    const place = { id: 's', ...pool, since: 5 };
    const alone = withOwnPool(fold(lobby, { type: 'changed', pools: [{ ...pool, waiting: 1 }] }, 'me'), place);
    expect(waitingPools(alone)).toEqual([]);
    const both = fold(alone, { type: 'changed', pools: [{ ...pool, waiting: 2 }] }, 'me');
    expect(waitingPools(both)).toHaveLength(1);
    expect(ownPlace(both, { ...pool, rated: false })).toEqual(place);
    expect(ownPlace(withoutSeek(both, 's'), pool)).toBeUndefined();
  });
});

it('a game that has begun ends all other search', () => {
  const searching = withOwnPool(
    { ...lobby, seeks: [...lobby.seeks, seek('c', 3, 'me')] },
    { id: 's', ...pool, since: 5 }
  );
  const after = fold(searching, { type: 'paired', game: 'g', seek: 's' }, 'me');
  expect([after.own_seeks, after.own_pools, after.playing]).toEqual([[], [], ['g']]);
  expect(after.seeks.map(({ id }) => id)).toEqual(['a', 'b']);
});

it('challenges come once and go', () => {
  const game = { game: 'g', ruleset: 'xiangqi/standard' } as GameSummary;
  const once = fold(fold(lobby, { type: 'challenged', game }, 'me'), { type: 'challenged', game }, 'me');
  expect(once.challenges).toHaveLength(1);
  expect(fold(once, { type: 'challenge_closed', game: 'g' }, 'me').challenges).toEqual([]);
});

it('is empty after a reset, but the games go on', () => {
  const after = fold({ ...lobby, playing: ['g'], own_seeks: [seek('c', 3)] }, { type: 'reset' }, 'me');
  expect([after.seeks, after.own_seeks, after.pools]).toEqual([[], [], []]);
  expect(after.playing).toEqual(['g']);
});
