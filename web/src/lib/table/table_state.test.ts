import { expect, it } from 'vitest';
import { ReplayState } from './replay_state.svelte';
import { captures, allPlies } from './table_state.svelte';
import type { GameView } from '$lib/protocol/protocol';
import { lookOf } from '$lib/game/rulesets';
import type { ReviewPort } from '$lib/review/review.svelte';

/** A server that is not asked. */
const unasked = () => Promise.reject(new Error('asked'));
const silent: ReviewPort = { begin: unasked, follow: unasked, attempt: unasked, legal: unasked };

const view: GameView = {
  game: 'g',
  cursor: { epoch: 1, seq: 6 },
  ruleset: 'doushouqi/ancientchess',
  options: { dog_outranks_wolf: true },
  time_control: { clock: { type: 'none' } },
  visibility: 'public',
  status: 'ended',
  players: { first: null, second: null },
  you: null,
  position: { fen: 'l5t/1d3c1/E1p1w2/6e/7/7/2W1P1R/1C3D1/T5L b - - 0 2', ply: 3, turn: 'second' },
  moves: [
    { ply: 1, move: 'a3a4', spent_ms: 100 },
    { ply: 2, move: 'g7g6', spent_ms: 200 },
    { ply: 3, move: 'a4a7', captured: 'r', spent_ms: 300 }
  ],
  clocks: { at: 0 },
  draw_offer: null,
  rematch_offer: null,
  next: null,
  outcome: { winner: 'first', reason: 'resignation' },
  chat: [],
  presence: {
    players: { first: { connected: false, claim_at: null }, second: { connected: false, claim_at: null } },
    spectators: 0
  },
  created_at: 0,
  server_time: 0
};

it('knows what each has captured up to a ply', () => {
  const all = allPlies(view);
  expect(all[0]?.fen).toMatch(/^l5t\/1d3c1\/r1p1w1e\/7\/7\/7\/E1W1P1R/);
  expect(captures('doushouqi', all, 2)).toEqual({ first: [], second: [] });
  expect(captures('doushouqi', all, 3)).toEqual({ first: ['r'], second: [] });
});

it('forgets the plies of moves that were taken back', () => {
  const before = allPlies(view);
  const back = { ...view, moves: view.moves.slice(0, 1), position: { ...view.position, ply: 1 } };
  const after = allPlies(back, before);
  expect(after).toEqual(before.slice(0, 2));
  expect(captures('doushouqi', after, 3)).toEqual({ first: [], second: [] });
  const other = { ...back, moves: [...back.moves, { ply: 2, move: 'a7a6', spent_ms: 5 }] };
  expect(allPlies(other, before).map(({ move }) => move)).toEqual([null, 'a3a4', 'a7a6']);
});

it('draws the animals with the ranks that the options give them', () => {
  expect(lookOf(view)).toMatchObject({ colours: { first: 'blue', second: 'red' }, strengths: { D: 4, W: 3 } });
  expect(lookOf({ ...view, options: {} }).strengths).toMatchObject({ D: 3, W: 4 });
});

it('goes through a stored game by itself and stops at its end', () => {
  const positions = allPlies(view).map(({ ply, move, fen }) => ({ ply, move, fen, check: ply === 2 }));
  const replay = new ReplayState({ view, positions, perspective: 'referee', events: [] }, 99, false, silent);
  expect(replay.ply).toBe(3);
  replay.toggle();
  expect([replay.playing, replay.ply]).toEqual([true, 0]);
  replay.speed = 'real';
  expect(replay.wait()).toBe(250);
  for (let step = 0; step < 3; step++) replay.advance();
  expect([replay.playing, replay.ply, replay.lastMove]).toEqual([false, 3, 'a4a7']);
  replay.toggle();
  replay.go(1);
  expect([replay.playing, replay.ply, replay.turn]).toEqual([false, 1, 'second']);
  expect(replay.fen).toBe(positions[1]?.fen);
  expect(replay.check).toBeNull();
  replay.go(2);
  expect(replay.check).toBe('first');
});
