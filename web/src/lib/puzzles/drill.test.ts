import { expect, it, vi } from 'vitest';
import type { Drill, Ending, Judgement, Outcome } from '$lib/protocol/protocol';
import { DrillGame } from './drill.svelte';

const DRILL: Drill = { position: 'C6/7/6r w - - 0 1', moves: 2, step: 0 };

function judgement(moves: number, outcome: Outcome | null): Judgement {
  const turn = moves % 2 === 0 ? 'first' : 'second';
  const fen = `${String(moves)} ${turn === 'first' ? 'w' : 'b'} - - 0 1`;
  return { fen, turn, check: false, legal: ['a1a2', 'g9g8', 'a2a3'], banned: [], outcome, views: null };
}

function ending(value: Ending['value'], line: number): Ending {
  const moves: Ending['moves'] = [
    // A ban forbids the best: it is not among the legal moves.
    { move: 'g9f9', value: 'loss', plies: 9 },
    { move: 'g9g8', value: 'loss', plies: 5 },
    { move: 'a1a2', value, plies: 3 },
    { move: 'a2a3', value: 'draw', plies: null }
  ];
  return {
    ruleset: 'doushouqi/booklet',
    position: '',
    turn: 'first',
    value,
    plies: 3,
    moves,
    line: Array<string>(line).fill('a1a2')
  };
}

/** A drill that is over after so many plies. */
async function drill(plies: number, value: Ending['value'] = 'win') {
  const won = vi.fn();
  const world = {
    judge: ({ moves }: { moves: readonly string[] }) => {
      const isOver = moves.length >= plies;
      return Promise.resolve(judgement(moves.length, isOver ? { winner: 'first', reason: 'den' } : null));
    },
    ending: () => Promise.resolve(ending(value, 3)),
    play: vi.fn(),
    won
  };
  const game = new DrillGame('doushouqi/booklet', DRILL, world);
  await vi.waitFor(() => expect(game.now).not.toBeNull());
  return { game, won };
}

it('answers with the best move that is not banned', async () => {
  const { game } = await drill(9);
  expect([game.left, game.isAsked]).toEqual([2, true]);
  await game.play('a1a2');
  expect(game.moves).toEqual(['a1a2', 'g9g8']);
  expect([game.made, game.lost, game.isAsked]).toEqual([1, null, true]);
});

it('tells of a move that gives the win away, and takes it back', async () => {
  const { game } = await drill(9);
  await game.play('a2a3');
  expect(game.lost).toBe('a2a3');
  await game.takeBack();
  expect([game.moves, game.lost]).toEqual([[], null]);
});

it('is won in the moves that were made', async () => {
  const { game, won } = await drill(3);
  await game.play('a1a2');
  await game.play('a1a2');
  expect([game.isWon, game.made]).toEqual([true, 2]);
  expect(won).toHaveBeenCalledWith(2);
});
