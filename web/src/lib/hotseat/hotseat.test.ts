import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import type { JudgeRequest, Judgement } from '$lib/protocol/protocol';
import { HotSeat, type HotSeatPort } from './hotseat.svelte';
import type { HotSeatRecord } from './record';

const START = 'k8/9/R8 w - - 0 1';
const FRESH: HotSeatRecord = {
  ruleset: 'xiangqi/standard',
  setups: null,
  moves: [],
  time: { initial: 10_000, increment: 1_000 },
  left: { first: 10_000, second: 10_000 },
  turning: false,
  ended: null
};

/** What the rules would say after so many moves. */
function judgement(moves: number): Judgement {
  const turn = moves % 2 === 0 ? 'first' : 'second';
  const fen = moves === 0 ? START : 'k8/R8/9 b - - 1 1';
  return { fen, turn, check: false, legal: ['a1a2'], banned: [], outcome: null, views: null };
}

/** A game with a clock that the test moves, and questions that it answers. */
function shared(record: HotSeatRecord) {
  const world = { now: 0, asked: [] as JudgeRequest[], kept: null as HotSeatRecord | null, ring: () => {} };
  let refuse = false;
  const port: HotSeatPort = {
    judge: (asked) => {
      world.asked.push(asked);
      return refuse ? Promise.reject(new Error('away')) : Promise.resolve(judgement(asked.moves.length));
    },
    keep: (kept) => (world.kept = kept),
    play: vi.fn(),
    now: () => world.now,
    after: (_, then) => {
      world.ring = then;
      return () => (world.ring = () => {});
    }
  };
  const game = new HotSeat(record, START, port);
  return { game, world, port, goAway: () => (refuse = true) };
}

async function answered(): Promise<void> {
  await Promise.resolve();
  await Promise.resolve();
  flushSync();
}

it('plays moves in turn, keeps them, and runs the clock of the player to move', async () => {
  const { game, world } = shared(FRESH);
  await answered();
  expect(game.movable).toBe('first');
  world.now = 4_000;
  await game.play('a1a2');
  expect(world.kept?.moves).toEqual([{ move: 'a1a2' }]);
  expect(game.left('first')).toEqual({ ms: 11_000, running: false });
  world.now = 6_500;
  world.ring();
  expect(game.left('second')).toEqual({ ms: 7_500, running: true });
  expect(game.movable).toBe('second');
});

it('ends the game of a player whose time is over', async () => {
  const { game, world } = shared(FRESH);
  await answered();
  await game.play('a1a2');
  world.now = 10_000;
  world.ring();
  expect(game.outcome).toEqual({ winner: 'first', reason: 'timeout' });
  expect(game.movable).toBeNull();
  expect(world.kept?.ended).toEqual(game.outcome);
});

it('waits after a reload until the players go on', async () => {
  const { game, world } = shared({ ...FRESH, moves: [{ move: 'a1a2' }] });
  await answered();
  world.now = 60_000;
  expect(game.isPaused).toBe(true);
  expect(game.movable).toBeNull();
  game.resume();
  expect(game.movable).toBe('second');
  expect(game.left('second')).toEqual({ ms: 10_000, running: true });
});

it('takes a move back, and leaves the clocks as they are', async () => {
  const { game, world } = shared(FRESH);
  await answered();
  await game.play('a1a2');
  world.now = 3_000;
  await game.takeBack();
  expect(world.kept?.moves).toEqual([]);
  expect(world.kept?.left).toEqual({ first: 11_000, second: 7_000 });
  expect(game.turn).toBe('first');
});

it('never takes an attack back', async () => {
  const { game } = shared({
    ...FRESH,
    ruleset: 'luzhanqi/referee',
    setups: { first: 'R8', second: 'k8' },
    moves: [{ move: 'a1a2', removed: 'both' }]
  });
  await answered();
  expect(game.canTakeBack).toBe(false);
  expect(game.covered).toBe(true);
  expect(game.movable).toBeNull();
});

it('keeps the game as it was when the rules can’t be asked', async () => {
  const { game, world, goAway } = shared(FRESH);
  await answered();
  goAway();
  await game.play('a1a2');
  expect(game.fault).toBeInstanceOf(Error);
  expect(game.last).toBe(0);
  expect(world.kept?.moves).toEqual([]);
  expect(game.movable).toBe('first');
});
