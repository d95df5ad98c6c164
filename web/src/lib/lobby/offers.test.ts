import { describe, expect, it } from 'vitest';
import type { GameSummary, Me, Seek } from '$lib/protocol/protocol';
import { hindrance, inOrder, ofGame, ofSeek } from './offers';

const seek: Seek = {
  id: 's',
  player: { id: 'anna', name: 'Anna' },
  ruleset: 'xiangqi/standard',
  options: {},
  time_control: { clock: { type: 'none' } },
  seat: 'first',
  since: 5
};
const game = {
  game: 'g',
  ruleset: 'luzhanqi/modern',
  options: {},
  time_control: { clock: { type: 'none' } },
  visibility: 'public',
  status: 'open',
  players: { first: null, second: { id: 'bao', name: 'Bao' } },
  outcome: null,
  plies: null,
  created_at: 7,
  ended_at: null
} satisfies GameSummary;
const member: Me = { id: 'me', name: 'me', role: 'player', guest: false, scopes: [] };
const guest: Me = { ...member, role: 'guest', guest: true };

describe('an offer', () => {
  it('says which seat is left', () => {
    expect(ofSeek(seek).free).toBe('second');
    expect(ofSeek({ ...seek, seat: 'random' }).free).toBeNull();
    expect(ofGame(game)?.free).toBe('first');
  });

  it('tells by how much spectators will see the game later', () => {
    expect(ofSeek({ ...seek, spectator_delay: { plies: 3 } }).delay).toEqual({ plies: 3 });
    expect(ofSeek(seek).delay).toBeNull();
  });

  it('is no game that is full, over, or meant for somebody', () => {
    const full = { ...game, players: { first: { id: 'c', name: 'C' }, second: { id: 'd', name: 'D' } } };
    expect(ofGame(full)).toBeNull();
    expect(ofGame({ ...game, status: 'ended' })).toBeNull();
    expect(ofGame({ ...game, invited: { id: 'e', name: 'E' } })).toBeNull();
  });

  it('is not for oneself', () => {
    expect(hindrance(ofSeek(seek), { ...guest, id: 'anna' }, undefined)).toBe('own');
    expect(hindrance(ofSeek(seek), guest, undefined)).toBeNull();
    expect(hindrance(ofSeek(seek), null, undefined)).toBeNull();
  });

  it('needs an account where results count or a rating is asked for', () => {
    expect(hindrance(ofSeek({ ...seek, rated: true }), guest, undefined)).toBe('account');
    expect(hindrance(ofSeek({ ...seek, rating: { min: 1 } }), null, undefined)).toBe('account');
    expect(hindrance(ofSeek({ ...seek, rated: true }), member, undefined)).toBeNull();
  });

  it('takes both ends of its range, and everybody begins with 1500', () => {
    const ranged = ofSeek({ ...seek, rating: { min: 1500, max: 1600 } });
    expect(hindrance(ranged, member, undefined)).toBeNull();
    expect(hindrance(ranged, member, 1600)).toBeNull();
    expect(hindrance(ranged, member, 1601)).toBe('rating');
    expect(hindrance(ofSeek({ ...seek, rating: { max: 1499 } }), member, undefined)).toBe('rating');
  });
});

it("one's own come first, then those that can be taken, of the chosen rule set and game before others", () => {
  const offers = [
    ofSeek({ ...seek, id: 'rated', rated: true }),
    ofSeek({ ...seek, id: 'older' }),
    ofSeek({ ...seek, id: 'newer', since: 9 }),
    ofSeek({ ...seek, id: 'other', ruleset: 'luzhanqi/modern' }),
    ofSeek({ ...seek, id: 'near', ruleset: 'xiangqi/grunfeld' }),
    ofSeek({ ...seek, id: 'own', ruleset: 'luzhanqi/modern', player: guest })
  ];
  const order = inOrder(offers, 'xiangqi/standard', (offer) => hindrance(offer, guest, undefined));
  expect(order.map(({ offer }) => offer.id)).toEqual(['own', 'newer', 'older', 'near', 'other', 'rated']);
});
