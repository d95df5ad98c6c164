import { describe, expect, it } from 'vitest';
import { Attempt } from './attempt.svelte';
import { LEARNED_FIRST, LESSONS, lessonsIn } from './lessons';
import { rightMoves, type Lesson, type Reason } from './lesson';
import verdicts from './verdicts.json';
import { verdictOf } from './verdicts';

const steps = LESSONS.flatMap((lesson) =>
  lesson.steps.map((step) => [`${lesson.ruleset} ${step.id}`, lesson, step] as const)
);

/** Why a legal move is wrong; all others say why a move is not legal. */
const BY_LEGAL_MOVES: ReadonlySet<Reason> = new Set(['in_trap', 'mine', 'mine_stays', 'waste', 'weaker']);

it('has a lesson for each rule set, and at least twelve positions for each game', () => {
  expect(LESSONS.map(({ ruleset }) => ruleset).sort()).toEqual(Object.keys(verdicts).sort());
  expect(LESSONS).toHaveLength(9);
  for (const game of LEARNED_FIRST) expect(lessonsIn(game)[0]?.steps.length).toBeGreaterThanOrEqual(12);
});

describe.each(steps)('%s', (_, lesson, step) => {
  const said = verdictOf(lesson, step);

  it('has moves that solve it, and they end the game as it says', () => {
    const right = rightMoves(step, said.legal);
    expect(right.length).toBeGreaterThan(0);
    expect(Object.keys(said.after).sort()).toEqual([...right].sort());
    for (const pattern of step.right) if (/\d$/.test(pattern)) expect(right).toContain(pattern);
    if (step.ends !== undefined || !step.right.includes('*')) {
      for (const { end } of Object.values(said.after)) expect(end?.split(' ')[1]).toBe(step.ends);
    }
    for (const { answered } of Object.values(said.after))
      expect(answered !== undefined).toBe(step.answer !== undefined);
  });

  it('has a reason for each other legal move', () => {
    const wrong = said.legal.filter((move) => !said.after[move]);
    for (const move of wrong) expect(step.wrong?.[move] ?? step.otherwise, move).toBeDefined();
    for (const [move, reason] of Object.entries(step.wrong ?? {})) {
      expect(said.after[move], move).toBeUndefined();
      // What is lost by a legal move, or why it isn’t legal.
      expect(said.legal.includes(move), move).toBe(BY_LEGAL_MOVES.has(reason));
    }
    expect(said.banned.map(({ move }) => move)).toEqual(step.banned ? [step.banned.move] : []);
  });
});

/** Moves that a newcomer takes for possible: into water by land animals, and of generals, chariots and cannons along free lines. */
function plausible({ ruleset, game }: Lesson, fen: string): string[] {
  if (game === 'luzhanqi') return [];
  const ranks = (fen.split(' ')[0] ?? '').replace(/\d+/g, (n) => '.'.repeat(Number(n))).split('/');
  const at = (x: number, y: number) => ranks[ranks.length - y]?.[x];
  const name = (x: number, y: number) => `${'abcdefghi'[x]}${y}`;
  const reach = (piece: string): number => {
    if (game === 'doushouqi') return piece === 'R' ? 0 : 1;
    return piece === 'K' ? 1 : piece === 'R' || (piece === 'C' && ruleset !== 'xiangqi/grunfeld') ? 9 : 0;
  };
  const inside = (piece: string, x: number, y: number): boolean => {
    if (game === 'doushouqi') return [1, 2, 4, 5].includes(x) && y >= 4 && y <= 6;
    return piece !== 'K' || (x >= 3 && x <= 5 && y <= 3);
  };
  return ranks.flatMap((rank, row) =>
    [...rank].flatMap((piece, x) => {
      if (!/[A-Z]/.test(piece)) return [];
      const y = ranks.length - row;
      const found: string[] = [];
      for (const [dx, dy] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1]
      ] as const) {
        for (let n = 1; n <= reach(piece) && at(x + n * dx, y + n * dy) === '.'; n += 1) {
          if (inside(piece, x + n * dx, y + n * dy)) found.push(name(x, y) + name(x + n * dx, y + n * dy));
        }
      }
      return found;
    })
  );
}

it.each(steps)('%s says of no move that looks possible that the piece does not move there', (_, lesson, step) => {
  const { fen, legal, banned } = verdictOf(lesson, step);
  const possible = new Set([...legal, ...banned.map(({ move }) => move)]);
  for (const move of plausible(lesson, fen)) if (!possible.has(move)) expect(step.wrong?.[move], move).toBeDefined();
});

it('says why a move is wrong, offers the way after two, and goes on when it is found', () => {
  const [lesson] = lessonsIn('doushouqi');
  if (!lesson) throw new Error('there are no lessons');
  const attempt = new Attempt(lesson, 1);
  expect(attempt.try('d3e3')).toBe(false);
  expect(attempt.reason).toBe('stronger');
  expect([attempt.errors, attempt.canShow]).toEqual([1, false]);
  attempt.try('d3d4');
  expect([attempt.reason, attempt.canShow]).toEqual(['capture', true]);
  attempt.try('d3g9');
  expect(attempt.reason).toBe('cannot');
  attempt.show();
  expect(attempt.way).toEqual({ from: 'd3', to: 'c3' });
  expect(attempt.try('d3c3')).toBe(true);
  expect(attempt.fen.startsWith('7/7/7/7/7/7/2D1w2/7/7')).toBe(true);
  attempt.go(2);
  expect([attempt.solved, attempt.errors, attempt.step.id]).toEqual([null, 0, 'equal']);
});

it('meets a ban, and shows the answer of the opponent', () => {
  const [lesson] = lessonsIn('doushouqi');
  if (!lesson) throw new Error('there are no lessons');
  const attempt = new Attempt(lesson, lesson.steps.length - 1);
  expect([attempt.try('a1b1'), attempt.reason, attempt.errors]).toEqual([false, 'try_ban', 0]);
  attempt.ban();
  expect([attempt.reason, attempt.isLast]).toEqual(['repetition', true]);
  expect(attempt.try('a1b1')).toBe(true);
  attempt.go(lesson.steps.findIndex(({ id }) => id === 'way'));
  attempt.try('e8e9');
  const before = attempt.fen;
  attempt.answer();
  expect([attempt.fen === before, attempt.lastMove]).toEqual([false, 'c8d8']);
});
