import { describe, expect, it } from 'vitest';
import {
  added,
  beside,
  childBy,
  commented,
  drawn,
  endOf,
  lineTo,
  MOST_CHARACTERS,
  MOST_NODES,
  MOST_SHAPES,
  movesTo,
  nodeOf,
  planted,
  promoted,
  removed,
  ROOT,
  runs,
  variationOf,
  type Tree
} from './tree';

const line = (text: string) => text.split(' ').map((move) => ({ move }));

/** Adds a line of moves at a node. */
function grown(tree: Tree, at: number, text: string): [Tree, number] {
  let now: [Tree, number] = [tree, at];
  for (const made of line(text)) now = added(now[0], now[1], made) ?? now;
  return now;
}

/** The tree as it is read: variations in brackets, one for each depth. */
function read(tree: Tree): string {
  return runs(tree)
    .map(({ depth, nodes }) => '('.repeat(depth) + nodes.map((id) => nodeOf(tree, id).made?.move).join(' '))
    .join(' | ');
}

describe('a tree', () => {
  it('of one line is that line', () => {
    const tree = planted(line('a b c'));
    expect(movesTo(tree, 3)).toEqual(line('a b c'));
    expect(endOf(tree, ROOT)).toBe(3);
    expect(read(tree)).toBe('a b c');
    expect(read(planted([]))).toBe('');
  });

  it('is read with each variation after the move that it replaces', () => {
    const main = planted(line('a b c d'));
    const [one, x] = grown(main, 1, 'x y');
    expect(read(one)).toBe('a b | (x y | c d');
    const [two] = grown(one, nodeOf(one, x).parent, 'z');
    expect(read(two)).toBe('a b | (x y | ((z | c d');
    const [three] = grown(two, ROOT, 'q r');
    expect(read(three)).toBe('a | (q r | b | (x y | ((z | c d');
    const [four] = grown(planted(line('a')), ROOT, 'q');
    expect(read(four)).toBe('a | (q');
  });

  it('reads every node exactly once, however it has grown', () => {
    let tree = planted(line('a b c d e f'));
    // Where each of them is added follows from a count alone.
    for (let at = 0; at < 300; at += 1) {
      const ids = [...tree.nodes.keys()];
      tree = (added(tree, ids[(at * 7919) % ids.length] ?? ROOT, { move: `m${at}` }) ?? [tree])[0];
    }
    const all = runs(tree).flatMap(({ nodes }) => nodes);
    expect(all.toSorted((a, b) => a - b)).toEqual(
      [...tree.nodes.keys()].filter((id) => id !== ROOT).toSorted((a, b) => a - b)
    );
  });

  it('is read as a deep chain of variations without running out of stack', () => {
    let tree = planted(line('a a'));
    let at = 1;
    for (let depth = 0; depth < 300; depth += 1) {
      [tree] = added(tree, at, { move: `v${depth}` }) ?? [tree];
      [tree, at] = added(tree, tree.next - 1, { move: 'w' }) ?? [tree, at];
      [tree] = added(tree, nodeOf(tree, at).parent, { move: 'x' }) ?? [tree];
    }
    expect(runs(tree).flatMap(({ nodes }) => nodes)).toHaveLength(tree.nodes.size - 1);
  });

  it('has a variation promoted to the first choice where it leaves the line, and one branch at a time', () => {
    const [tree, end] = grown(planted(line('a b c')), 1, 'x y');
    expect(variationOf(tree, end)).toBe(4);
    expect(read(promoted(tree, end))).toBe('a x | (b c | y');
    expect(variationOf(tree, 3)).toBeNull();
    expect(promoted(tree, 3)).toBe(tree);
  });

  it('loses a move with all that follows it, and nothing else', () => {
    const [tree] = grown(planted(line('a b c')), 1, 'x y');
    const less = removed(tree, 2);
    expect(read(less)).toBe('a x y');
    expect(less.nodes.size).toBe(4);
    expect(removed(less, ROOT)).toBe(less);
    // A number is never given twice.
    expect(added(less, 1, { move: 'z' })?.[1]).toBe(tree.next);
  });

  it('finds moves and the variations beside them', () => {
    const [tree] = grown(planted(line('a b')), 1, 'x');
    expect(childBy(tree, 1, 'x')).toBe(3);
    expect(childBy(tree, 1, 'y')).toBeNull();
    expect(beside(tree, 2, 1)).toBe(3);
    expect(beside(tree, 3, -1)).toBe(2);
    expect(beside(tree, 3, 1)).toBeNull();
    expect(beside(tree, ROOT, 1)).toBeNull();
    expect(lineTo(tree, 3)).toEqual([1, 3]);
  });

  it('is bounded: nodes, the length of comments, and what is drawn', () => {
    const full = planted(Array.from({ length: MOST_NODES + 5 }, () => ({ move: 'a' })));
    expect(full.nodes.size).toBe(MOST_NODES);
    expect(added(full, ROOT, { move: 'b' })).toBeNull();
    const tree = planted([]);
    expect(nodeOf(commented(tree, ROOT, 'x'.repeat(MOST_CHARACTERS + 1)), ROOT).comment).toHaveLength(MOST_CHARACTERS);
    let drawing = tree;
    for (let at = 0; at <= MOST_SHAPES; at += 1) {
      drawing = drawn(drawing, ROOT, { from: `a${at}`, to: null, colour: 'green' });
    }
    expect(nodeOf(drawing, ROOT).shapes).toHaveLength(MOST_SHAPES);
  });

  it('has a shape taken away by drawing it again, and recoloured by another colour', () => {
    const arrow = { from: 'a1', to: 'a2', colour: 'green' } as const;
    const tree = drawn(planted([]), ROOT, arrow);
    expect(nodeOf(drawn(tree, ROOT, { ...arrow, colour: 'red' }), ROOT).shapes).toEqual([{ ...arrow, colour: 'red' }]);
    expect(nodeOf(drawn(tree, ROOT, { ...arrow, to: null }), ROOT).shapes).toHaveLength(2);
    expect(nodeOf(drawn(tree, ROOT, arrow), ROOT).shapes).toEqual([]);
  });
});
