import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import type { JudgeRequest, Judgement } from '$lib/protocol/protocol';
import { Refusal } from '$lib/protocol/refusal';
import { Analysis, type AnalysisPort } from './analysis.svelte';
import type { Subject } from './subject';
import { ROOT } from './tree';

const START = 'k8/9/R8 w - - 0 1';
const SUBJECT: Subject = { ruleset: 'xiangqi/standard', options: {}, start: START, moves: [], ply: 0, game: null };

/** What the rules would say after so many moves. */
function judgement(moves: number): Judgement {
  const turn = moves % 2 === 0 ? 'first' : 'second';
  const legal = ['a1a2', 'a1b1', 'a3b3'];
  return {
    fen: `k8/R8/9 ${turn === 'first' ? 'w' : 'b'}`,
    turn,
    check: false,
    legal,
    banned: [],
    outcome: null,
    views: null
  };
}

/** An analysis whose questions the test answers, and whose waits it ends. */
function opened(subject: Partial<Subject> = {}) {
  const world = {
    kept: [] as (readonly [nodes: number, at: number])[],
    asked: [] as JudgeRequest[],
    refusal: null as unknown,
    attacks: undefined as Judgement['attacks'],
    waits: [] as { ms: number; then: () => void }[]
  };
  const port: AnalysisPort = {
    judge: (asked) => {
      world.asked.push(asked);
      return world.refusal === null
        ? Promise.resolve({ ...judgement(asked.moves.length), ...(world.attacks ? { attacks: world.attacks } : {}) })
        : Promise.reject(world.refusal as Error);
    },
    keep: (tree, at) => world.kept.push([tree.nodes.size, at]),
    after: (ms, then) => {
      const wait = { ms, then };
      world.waits.push(wait);
      return () => (world.waits = world.waits.filter((one) => one !== wait));
    }
  };
  const analysis = new Analysis({ ...SUBJECT, ...subject }, port);
  const passes = async () => {
    for (const { then } of world.waits.splice(0)) then();
    for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
    flushSync();
  };
  return { analysis, world, passes };
}

const moves = (...texts: string[]) => texts.map((move) => ({ move }));

it('opens at the ply that is asked for, and asks about the whole line up to there', async () => {
  const { analysis, world, passes } = opened({ moves: moves('a1a2', 'a3b3', 'a1b1'), ply: 2, options: { some: true } });
  await passes();
  expect(analysis.ply).toBe(2);
  expect(analysis.last).toBe(3);
  expect(world.asked).toEqual([
    { ruleset: 'xiangqi/standard', options: { some: true }, start: START, moves: ['a1a2', 'a3b3'] }
  ]);
});

it('adds a move that the rules allow, goes to one that is there, and refuses any other', async () => {
  const { analysis, world, passes } = opened();
  await passes();
  await analysis.play('a1a2');
  expect([analysis.ply, analysis.lastMove]).toEqual([1, 'a1a2']);
  analysis.go(ROOT);
  await analysis.play('a1a2');
  expect(analysis.tree.nodes.size).toBe(2);
  analysis.go(ROOT);
  await analysis.play('h1h9');
  expect(analysis.ply).toBe(0);
  await analysis.play('a1b1');
  expect(analysis.tree.nodes.size).toBe(3);
  await passes();
  // What was judged once is not asked again.
  expect(world.asked.map((asked) => asked.moves.join(' '))).toEqual(['', 'a1a2', 'a1b1']);
});

it('steps through moves, and asks only about those on which one stays', async () => {
  const { analysis, world, passes } = opened({ moves: moves('a1a2', 'a3b3', 'a1b1'), ply: 0 });
  await passes();
  for (let ply = 1; ply <= 3; ply += 1) analysis.goTo(ply);
  await passes();
  expect(world.asked.map((asked) => asked.moves.length)).toEqual([0, 3]);
});

it('undoes and redoes moves, comments, arrows, deletions and promotions', async () => {
  const { analysis, passes } = opened({ moves: moves('a1a2', 'a3b3'), ply: 0 });
  await passes();
  await analysis.play('a1b1');
  analysis.say('why not');
  analysis.draw({ from: 'a1', to: 'a2', colour: 'red' });
  analysis.promote();
  expect(analysis.canPromote).toBe(false);
  analysis.remove();
  expect(analysis.ply).toBe(0);
  analysis.undo();
  expect([analysis.comment, analysis.shapes.length, analysis.lastMove]).toEqual(['why not', 1, 'a1b1']);
  analysis.undo();
  expect(analysis.canPromote).toBe(true);
  analysis.undo();
  expect(analysis.shapes).toEqual([]);
  analysis.undo();
  analysis.undo();
  expect(analysis.canUndo).toBe(false);
  expect(analysis.tree.nodes.size).toBe(3);
  for (let times = 0; times < 5; times += 1) analysis.redo();
  expect(analysis.canRedo).toBe(false);
  expect(analysis.tree.nodes.size).toBe(3);
  analysis.undo();
  expect(analysis.tree.nodes.size).toBe(4);
});

it('waits with an attack between unknown pieces until it is said who is removed, and keeps each end by itself', async () => {
  const { analysis, world, passes } = opened({ ruleset: 'luzhanqi/referee', start: 'u4/U4 w - - 0 1' });
  world.attacks = [{ move: 'a1a2', removed: ['defender', 'both'] }];
  await passes();
  expect(world.asked.at(-1)?.removed).toEqual([]);
  await analysis.play('a1a2');
  expect(analysis.asking).toEqual({ move: 'a1a2', removed: ['defender', 'both'] });
  analysis.forget();
  expect([analysis.asking, analysis.tree.nodes.size]).toEqual([null, 1]);
  await analysis.play('a1a2', 'both');
  expect(world.asked.at(-1)?.removed).toEqual(['both']);
  expect([analysis.removed, analysis.tree.nodes.size]).toEqual(['both', 2]);
  analysis.go(ROOT);
  await analysis.play('a1a2', 'defender');
  expect([analysis.removed, analysis.tree.nodes.size]).toEqual(['defender', 3]);
  analysis.go(ROOT);
  await analysis.play('a1a2', 'both');
  expect([analysis.removed, analysis.tree.nodes.size]).toEqual(['both', 3]);
});

it('asks again by itself when the server says when, and says so meanwhile', async () => {
  const { analysis, world, passes } = opened();
  world.refusal = new Refusal({ code: 'rate_limited', message: 'too fast', retry_in_ms: 7_000 }, 429);
  await passes();
  expect(analysis.fault).toBe(world.refusal);
  expect(world.waits.map(({ ms }) => ms)).toEqual([7_000]);
  world.refusal = null;
  await passes();
  await passes();
  expect(analysis.fault).toBeNull();
  expect(analysis.judged?.turn).toBe('first');
});

it('drops a move when somebody goes elsewhere while it is judged', async () => {
  const { analysis, passes } = opened({ moves: moves('a1a2'), ply: 0 });
  await passes();
  const played = analysis.play('a1b1');
  analysis.goTo(1);
  await played;
  expect(analysis.tree.nodes.size).toBe(2);
  expect(analysis.pending).toBeNull();
});

it('keeps what was changed, and where one was when the page was left', async () => {
  const { analysis, world, passes } = opened({ moves: moves('a1a2'), ply: 0 });
  await passes();
  analysis.goTo(1);
  analysis.keep();
  expect(world.kept).toEqual([]);
  analysis.say('good');
  analysis.go(ROOT);
  analysis.close();
  expect(world.kept).toEqual([
    [2, 1],
    [2, ROOT]
  ]);
});

it('knows whose move it is after a position in which the second seat began', () => {
  const { analysis } = opened({ start: 'k8/9/R8 b - - 0 1', moves: moves('a3b3'), ply: 1 });
  expect(analysis.fen).toBe('1k7/9/R8 w');
  expect(analysis.turn).toBe('first');
});
