import { expect, it, vi } from 'vitest';
import { aView } from '$lib/game/testing';
import type { JudgedMove, MoveReview, Review, Verdict } from '$lib/protocol/protocol';
import { area, curve, plyAcross } from './graph';
import { Lesson } from './lesson.svelte';
import { lineText } from './line';
import { GameReview, type ReviewPort } from './review.svelte';

const SIDE = { judged: 0, best: 0, inaccuracies: 0, mistakes: 0, blunders: 0 };
const MOVES = ['a3a4', 'g7g6', 'a4a5', 'g6g5'];

const view = aView({
  status: 'ended',
  moves: MOVES.map((move, at) => ({ ply: at + 1, move, spent_ms: 0 }))
});

function judged(verdict: Verdict, loss = 0): MoveReview {
  return { chance: 500, loss, verdict, best: 'c3c4' };
}

/** A review of which so many moves are done, the last ones. */
function reviewed(count: number, verdicts: readonly Verdict[], more: Partial<Review> = {}): Review {
  const first = MOVES.length - count;
  return {
    game: view.game,
    plies: MOVES.length,
    reviewed: count,
    complete: count === MOVES.length,
    ...(count === MOVES.length ? { start: 520 } : {}),
    sides: { first: SIDE, second: SIDE },
    moves: MOVES.slice(first).map((move, at) => ({
      ply: first + at + 1,
      move,
      chance: 400 + at,
      judged: judged(verdicts[first + at] ?? 'good')
    })),
    ...more
  };
}

function port(answers: Review[], more: Partial<ReviewPort> = {}) {
  const legal = vi.fn<ReviewPort['legal']>(() => Promise.resolve(['c3c4']));
  const follow = vi.fn<ReviewPort['follow']>(() => Promise.resolve(answers.shift() ?? reviewed(4, [])));
  const begin = vi.fn<ReviewPort['begin']>(() => Promise.resolve(answers.shift() ?? reviewed(4, [])));
  const attempt = vi.fn<ReviewPort['attempt']>();
  return { asked: { begin, follow }, port: { begin, follow, attempt, legal, ...more } };
}

it('is asked for once and followed to its end', async () => {
  const server = port([reviewed(0, []), reviewed(2, []), reviewed(4, ['good', 'mistake', 'good', 'blunder'])]);
  const review = new GameReview(view, server.port);
  const done = review.begin();
  void review.begin();
  await done;
  expect(server.asked.begin).toHaveBeenCalledTimes(1);
  // The first move is shown at once, the others some at a time.
  expect(server.asked.follow.mock.calls.map(([, after]) => after)).toEqual([0, 7]);
  expect(review.verdicts).toEqual(['good', 'mistake', 'good', 'blunder']);
  expect(review.chances).toEqual([520, 400, 401, 402, 403]);
  expect(review.mistakes).toEqual({ first: [], second: [2, 4] });
  expect([review.hasGaps, review.running, review.fault]).toEqual([false, false, null]);
});

it('says what is left out, and why it does not go on', async () => {
  const gaps = reviewed(4, []);
  const [first, ...others] = gaps.moves;
  const review = new GameReview(
    view,
    port([{ ...gaps, moves: [{ ply: 1, move: first?.move ?? '' }, ...others] }]).port
  );
  await review.begin();
  expect(review.hasGaps).toBe(true);
  expect(review.judged(1)).toEqual({ known: null, open: null });

  const lost = new Error('lost');
  const broken = new GameReview(view, port([], { begin: () => Promise.reject(lost) }).port);
  await broken.begin();
  expect([broken.fault, broken.running]).toEqual([lost, false]);
  const running = new GameReview({ ...view, status: 'playing' }, port([]).port);
  await running.begin();
  expect([running.possible, running.review]).toEqual([false, null]);
});

it('lets each mistake be played again until a good move is found', async () => {
  const answers: JudgedMove[] = [
    { move: 'a7a6', chance: 200, loss: 300, verdict: 'blunder' },
    { move: 'c7c6', chance: 500, loss: 0, verdict: 'good' }
  ];
  const attempt = vi.fn<ReviewPort['attempt']>(() => Promise.resolve(answers.shift() as JudgedMove));
  const review = new GameReview(view, port([reviewed(4, ['good', 'mistake', 'good', 'blunder'])], { attempt }).port);
  await review.begin();
  const lesson = new Lesson(review, 'second', review.mistakes.second);
  await vi.waitFor(() => expect(lesson.legal).toEqual(['c3c4']));
  expect(lesson.ply).toBe(2);
  await lesson.tries('a7a6');
  expect([lesson.found, lesson.open]).toEqual([false, true]);
  await lesson.tries('c7c6');
  expect([lesson.found, lesson.open]).toEqual([true, false]);
  expect(attempt.mock.calls.map(([, ply, move]) => [ply, move])).toEqual([
    [2, 'a7a6'],
    [2, 'c7c6']
  ]);
  lesson.next();
  expect([lesson.ply, lesson.tried]).toEqual([4, null]);
  lesson.next();
  expect([lesson.ply, lesson.open]).toEqual([null, false]);
});

it('draws a curve with gaps where nothing is known', () => {
  expect(curve([500, 600, null, 0])).toBe('M0.00 50.00L33.33 40.00M100.00 100.00');
  expect(area([1000, null])).toBe('M0.00 100L0.00 0.00L0.00 100Z');
  expect([plyAcross(0, 8), plyAcross(0.49, 8), plyAcross(1.2, 8)]).toEqual([0, 4, 8]);
});

it('writes a line of moves in the notation of the reader', () => {
  const start = 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1';
  expect(lineText('squares', start, ['h3e3', 'h10g8'])).toBe('h3e3 h10g8');
  expect(lineText('wxf', start, ['h3e3', 'h10g8', 'e3e7'])).toBe('C2=5 H8+7 C5+4');
});
