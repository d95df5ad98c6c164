import { expect, it, vi } from 'vitest';
import type { Judgement, KeptAttempt, Puzzle, PuzzleAnswer, PuzzleAttempt } from '$lib/protocol/protocol';
import { Solving } from './solving.svelte';

const START = 'k8/9/R8 b - - 0 1';

function judgement(fen: string): Judgement {
  return { fen, turn: 'first', check: false, legal: ['a1a2'], banned: [], outcome: null, views: null };
}

const PUZZLE: Puzzle = {
  id: 'abcdefgh',
  ruleset: 'xiangqi/standard',
  aim: 'win',
  start: START,
  opponent: 'a3b3',
  position: judgement('1k7/9/R8 w - - 1 2'),
  moves: 2,
  rating: 900,
  result: null,
  solution: null
};

const KEPT: KeptAttempt = {
  puzzle: 'abcdefgh',
  ruleset: 'xiangqi/standard',
  at: 5,
  result: 'failed',
  before: 1000,
  after: 950
};

const RIGHT: PuzzleAnswer = {
  verdict: 'right',
  answer: 'b3c3',
  position: judgement('2k6/R8/9 w - - 3 3'),
  solution: null,
  kept: null
};
const SOLVED: PuzzleAnswer = {
  ...RIGHT,
  verdict: 'solved',
  answer: null,
  solution: ['a1a2', 'b3c3', 'a2a3'],
  kept: { ...KEPT, result: 'solved' }
};
const WRONG: PuzzleAnswer = {
  ...RIGHT,
  verdict: 'wrong',
  answer: 'b3b2',
  position: judgement('9/1k7/1R7 w'),
  kept: KEPT
};

/** A puzzle that is answered so, in turn. */
function puzzle(answers: readonly PuzzleAnswer[], of: Puzzle = PUZZLE, again = false) {
  const asked: PuzzleAttempt[] = [];
  const kept = vi.fn();
  const left = [...answers];
  const attempt = (_: string, body: PuzzleAttempt) => {
    asked.push(body);
    const answer = left.shift();
    return answer ? Promise.resolve(answer) : Promise.reject(new Error('away'));
  };
  return { solving: new Solving(of, { attempt, play: vi.fn(), kept }, again), asked, kept };
}

it('goes on with each right move, and ends with the last', async () => {
  const { solving, asked, kept } = puzzle([RIGHT, SOLVED]);
  expect([solving.seat, solving.lastMove, solving.left, solving.isAsked]).toEqual(['first', 'a3b3', 2, true]);
  await solving.play('a1a2');
  expect([solving.lastMove, solving.left, solving.fen]).toEqual(['b3c3', 1, RIGHT.position.fen]);
  await solving.play('a2a3');
  expect(asked.map(({ moves }) => moves)).toEqual([['a1a2'], ['a1a2', 'a2a3']]);
  expect([solving.result, solving.isAsked]).toEqual(['solved', false]);
  expect(kept).toHaveBeenCalledOnce();
  solving.go(1);
  expect(solving.lastMove).toBe('a3b3');
  solving.go(0);
  expect(solving.ply).toBe(1);
});

it('shows what answers a wrong move, and takes it back', async () => {
  const { solving, asked } = puzzle([WRONG, RIGHT, SOLVED]);
  await solving.play('a1b1');
  expect([solving.mistake?.answer, solving.fen, solving.lastMove]).toEqual(['b3b2', WRONG.position.fen, 'b3b2']);
  expect([solving.isAsked, solving.change?.after]).toEqual([false, 950]);
  await solving.play('a1a2');
  expect(asked).toHaveLength(1);
  solving.again();
  expect(solving.fen).toBe(PUZZLE.position.fen);
  await solving.play('a1a2');
  await solving.play('a2a3');
  expect(solving.result).toBe('found');
});

it('shows the solution from where the solver was', async () => {
  const { solving } = puzzle([RIGHT, { ...SOLVED, verdict: 'shown' }]);
  await solving.play('a1a2');
  await solving.show();
  expect([solving.result, solving.ply, solving.line.length]).toEqual(['shown', 3, 4]);
  solving.restart();
  expect([solving.result, solving.left, solving.fen]).toEqual([null, 2, PUZZLE.position.fen]);
});

it('keeps the board as it was when the server can’t be asked', async () => {
  const { solving } = puzzle([]);
  await solving.play('a1a2');
  expect(solving.fault).toBeInstanceOf(Error);
  expect([solving.isAsked, solving.fen]).toEqual([true, PUZZLE.position.fen]);
});

it('is over from the beginning if it was solved before, unless it is solved again', () => {
  const solved: Puzzle = { ...PUZZLE, result: 'solved', solution: ['a1a2', 'b3c3', 'a2a3'] };
  expect(puzzle([], solved).solving.result).toBe('solved');
  expect(puzzle([], solved, true).solving.result).toBeNull();
});
