import { expect, it } from 'vitest';
import { read, written, type Kept } from './kept';
import { added, commented, drawn, MOST_NODES, movesTo, nodeOf, planted, promoted, removed, ROOT, runs } from './tree';

const line = (text: string) => text.split(' ').map((move) => ({ move }));

/** A tree that has grown, lost moves and changed its order. */
function grown(): Kept {
  let tree = planted(line('a1a2 b1b2 c1c2'));
  [tree] = added(tree, 1, { move: 'd1d2', removed: 'both' }) ?? [tree];
  [tree] = added(tree, 4, { move: 'e1e2' }) ?? [tree];
  [tree] = added(tree, ROOT, { move: 'f1f2' }) ?? [tree];
  tree = removed(promoted(tree, 5), 3);
  tree = drawn(commented(tree, 5, '<b>"so"</b>\n'), 5, { from: 'a1', to: 'b10', colour: 'yellow' });
  return { address: '?game=1', tree, at: 5 };
}

it('is read as what was written', () => {
  const before = grown();
  const after = read(written(before));
  if (!after) throw new Error('it is not read');
  const told = ({ tree }: Kept) =>
    runs(tree).map(({ depth, nodes }) => [
      depth,
      nodes.map((id) => ({ ...nodeOf(tree, id), parent: 0, children: [] }))
    ]);
  expect(told(after)).toEqual(told(before));
  expect(movesTo(after.tree, after.at)).toEqual(movesTo(before.tree, before.at));
  expect(after.address).toBe('?game=1');
  // What is added later has a number of its own.
  expect(after.tree.nodes.has(after.tree.next)).toBe(false);
  expect(written(after)).toBe(written(before));
});

it('reads nothing into what is no analysis, and no more than an analysis holds', () => {
  const root = { after: 0, made: null, comment: '', shapes: [] };
  const node = (after: unknown, move: unknown = 'a1a2') => ({ after, made: { move }, comment: '', shapes: [] });
  const text = (...nodes: unknown[]) => JSON.stringify({ address: '', at: 0, nodes });
  for (const bad of [
    null,
    '',
    '[]',
    'null',
    '{"address":"","nodes":{}}',
    text(),
    text(null),
    text(root, node(1)),
    text(root, node(-1)),
    text(root, node(0.5)),
    text(root, node('0')),
    text(root, node(0, 'no move')),
    text(root, node(0, 7)),
    text(root, { after: 0, made: null })
  ]) {
    expect(read(bad), String(bad)).toBeNull();
  }
  const shapes = [{ from: 'a1', to: 'x', colour: 'red' }, { from: 'a1', to: null, colour: 'pink' }, 7];
  const odd = read(JSON.stringify({ address: '', at: 99, nodes: [{ ...root, comment: 7, shapes }] }));
  expect(odd && [odd.at, nodeOf(odd.tree, ROOT)]).toEqual([
    0,
    { made: null, parent: 0, children: [], comment: '', shapes: [] }
  ]);
  const many = read(text(root, ...Array.from({ length: MOST_NODES + 9 }, () => node(0))));
  expect(many?.tree.nodes.size).toBe(MOST_NODES);
});
