import { expect, it } from 'vitest';
import type { SharedAnalysis } from '$lib/protocol/protocol';
import { fits, received, receivedWith, sent } from './shared';
import type { Subject } from './subject';
import { added, commented, drawn, MOST_NODES, movesTo, nodeOf, planted, promoted, ROOT, runs, type Tree } from './tree';

const subject: Subject = {
  ruleset: 'xiangqi/standard',
  options: { quiet_limit: 60 },
  start: '4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1',
  moves: [],
  ply: 0,
  game: null
};

function shared(content: ReturnType<typeof sent>): SharedAnalysis {
  return { analysis: 'x', by: { id: 'y', name: 'Anna' }, shared_at: 1, content };
}

const told = (tree: Tree) =>
  runs(tree).map(({ depth, nodes }) => [depth, nodes.map((id) => ({ ...nodeOf(tree, id), parent: 0, children: [] }))]);

it('comes back as it was sent, variations in their order', () => {
  let tree = planted('a1a2 b1b2 c1c2'.split(' ').map((move) => ({ move })));
  [tree] = added(tree, 1, { move: 'd1d2', removed: 'both' }) ?? [tree];
  [tree] = added(tree, 4, { move: 'e1e2' }) ?? [tree];
  [tree] = added(tree, ROOT, { move: 'f1f2' }) ?? [tree];
  tree = promoted(tree, 5);
  tree = drawn(commented(tree, 5, '<img src=x onerror=alert(1)>\n</script>'), 5, {
    from: 'a1',
    to: 'b10',
    colour: 'yellow'
  });
  tree = drawn(tree, ROOT, { from: 'c3', to: null, colour: 'green' });
  const content = sent(subject, { tree, at: 5 }, ' A title ');
  // Most nodes follow the one just before.
  expect(content.nodes.map(({ after }) => after)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    1,
    undefined,
    0
  ]);
  expect(content.title).toBe('A title');
  const back = received(shared(JSON.parse(JSON.stringify(content))));
  if (!back) throw new Error('it is not read');
  expect(told(back.moment.tree)).toEqual(told(tree));
  expect(movesTo(back.moment.tree, back.moment.at)).toEqual(movesTo(tree, 5));
  expect(back.subject).toEqual({ ...subject, ply: 3 });
});

it('sends no characters that the server refuses, and sees what is too large', () => {
  const tree = commented(planted([]), ROOT, 'a\tb\r\nc\u202ed\u0007');
  const content = sent(subject, { tree, at: ROOT }, '');
  expect(content.nodes[0]?.comment).toBe('a b\ncd');
  expect(content.title).toBeUndefined();
  let full = planted(Array.from({ length: MOST_NODES - 1 }, () => ({ move: 'a10b10' })));
  expect(fits(sent(subject, { tree: full, at: ROOT }, ''))).toBe(true);
  for (let id = 1; id < 30; id += 1) full = commented(full, id, '棋'.repeat(1_000));
  expect(fits(sent(subject, { tree: full, at: ROOT }, ''))).toBe(false);
});

it('stands where its game is looked at, with the variations that were imported with it', () => {
  const moves = 'a1a2 b1b2 c1c2'.split(' ').map((move) => ({ move }));
  let tree = planted(moves);
  [tree] = added(tree, 1, { move: 'd1d2' }) ?? [tree];
  tree = commented(tree, 1, 'better is d1d2');
  const content = sent(subject, { tree, at: ROOT }, '');
  const at = (ply: number) => receivedWith({ ...subject, moves, ply, game: 'x' }, shared(content));
  const second = at(2);
  if (!second) throw new Error('it is not read');
  expect(told(second.tree)).toEqual(told(tree));
  expect(movesTo(second.tree, second.at)).toEqual(moves.slice(0, 2));
  expect(at(0)?.at).toBe(ROOT);
});
