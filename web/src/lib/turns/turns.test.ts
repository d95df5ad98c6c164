import { expect, it } from 'vitest';
import type { OwnGame } from '$lib/protocol/protocol';
import { afterAnswer, beginsToWait, ownTime, waiting, withGame, type OwnGames } from './turns';

const NONE: OwnGames = new Map();

function game(id: string, seq: number, ms: number | null, more: Partial<OwnGame> = {}): OwnGame {
  return {
    game: id,
    seq,
    ruleset: 'xiangqi/standard',
    time_control: { clock: { type: 'fischer', initial_ms: 600_000, increment_ms: 0 } },
    you: 'first',
    opponent: { id: 'ben', name: 'Ben' },
    status: 'playing',
    your_turn: true,
    clocks: {
      at: 1_000,
      ...(ms === null ? {} : { left: { first: { ms }, second: { ms } }, running: 'first' as const })
    },
    ...more
  };
}

it('keeps the newer of two descriptions, whichever comes first', () => {
  const over = game('a', 5, 0, { status: 'ended', your_turn: false });
  const since = withGame(NONE, over);
  expect(withGame(since, game('a', 4, 100))).toBe(since);
  expect(waiting(afterAnswer([game('a', 4, 100), game('b', 1, 100)], since), 1_000).map(({ game }) => game)).toEqual([
    'b'
  ]);
});

it('shows the game with the least time first, and games without a clock last', () => {
  const games = afterAnswer(
    [game('a', 1, null), game('b', 1, 9_000), game('c', 1, 5_000), game('d', 1, 1, { your_turn: false })],
    NONE
  );
  expect(waiting(games, 1_000).map(({ game }) => game)).toEqual(['c', 'b', 'a']);
});

it('counts on what is left, and counts down to the end of a setup', () => {
  expect(ownTime(game('a', 1, 9_000), 3_000)).toEqual({ ms: 7_000, running: true });
  expect(ownTime(game('a', 1, 9_000, { setup_until: 5_000 }), 3_000)).toEqual({ ms: 2_000, running: true });
  expect(ownTime(game('a', 1, null), 3_000)).toBeNull();
});

it('goes from the main time of byo-yomi into its periods', () => {
  const byoyomi = game('a', 1, 2_000, {
    time_control: { clock: { type: 'byoyomi', main_ms: 60_000, period_ms: 10_000, periods: 3 } },
    clocks: {
      at: 1_000,
      running: 'first',
      left: { first: { ms: 2_000, periods: 3 }, second: { ms: 2_000, periods: 3 } }
    }
  });
  expect(ownTime(byoyomi, 4_000)).toMatchObject({ ms: 9_000, periods: 3 });
});

it('calls once for each turn', () => {
  const [theirs, yours] = [game('a', 1, 1, { your_turn: false }), game('a', 2, 1)];
  expect([
    beginsToWait(undefined, yours),
    beginsToWait(theirs, yours),
    beginsToWait(yours, yours),
    beginsToWait(yours, theirs)
  ]).toEqual([true, true, false, false]);
});
