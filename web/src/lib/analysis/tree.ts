/**
 * The moves of an analysis as a tree: what was played or might have been, with comments and what is drawn onto the board. A tree is a
 * value: whatever changes it answers another one. It knows no rules.
 */
import type { Removed } from '$lib/board/config';

/** The colours of arrows and circles; without a key held it is the first one. */
export const SHAPE_COLOURS = ['green', 'red', 'blue', 'yellow'] as const;

/** A colour of arrows and circles. */
export type ShapeColour = (typeof SHAPE_COLOURS)[number];

/** An arrow from a square to another, or a circle around one. */
export interface Shape {
  from: string;
  /** Null for a circle. */
  to: string | null;
  colour: ShapeColour;
}

/** A move that was made. */
export interface Made {
  move: string;
  /** Who was removed, if it was an attack (Luzhanqi). */
  removed?: Removed;
}

/** A position of the tree, with the move that led to it. */
export interface Node {
  /** The move that led here; null for the position at the beginning. */
  made: Made | null;
  /** The position before; the beginning's is itself. */
  parent: number;
  /** The positions after, the one of the main line first. */
  children: readonly number[];
  comment: string;
  shapes: readonly Shape[];
}

/** See the top of the file. Nodes are known by numbers, which are never given to another one. */
export interface Tree {
  nodes: ReadonlyMap<number, Node>;
  next: number;
}

/** The position at the beginning. */
export const ROOT = 0;

/** How much one analysis holds. */
export const MOST_NODES = 2_000;
export const MOST_SHAPES = 40;
export const MOST_CHARACTERS = 2_000;
/** As many moves as the server judges. */
export const MOST_PLIES = 2_000;

/** A tree of one line of moves. */
export function planted(line: readonly Made[]): Tree {
  const nodes = new Map<number, Node>();
  const moves = line.slice(0, MOST_NODES - 1);
  for (const [at, made] of [null, ...moves].entries()) {
    const children = at < moves.length ? [at + 1] : [];
    nodes.set(at, { made, parent: Math.max(0, at - 1), children, comment: '', shapes: [] });
  }
  return { nodes, next: moves.length + 1 };
}

/** A node that is known to be there. */
export function nodeOf(tree: Tree, id: number): Node {
  return tree.nodes.get(id) ?? { made: null, parent: ROOT, children: [], comment: '', shapes: [] };
}

/** The nodes from the one after the beginning to this one. */
export function lineTo(tree: Tree, id: number): number[] {
  const line: number[] = [];
  for (let at = id; at !== ROOT && tree.nodes.has(at); at = nodeOf(tree, at).parent) line.push(at);
  return line.reverse();
}

/** The moves that lead to a node. */
export function movesTo(tree: Tree, id: number): Made[] {
  return lineTo(tree, id).flatMap((one) => nodeOf(tree, one).made ?? []);
}

/** The node at the end of the line that begins at this one. */
export function endOf(tree: Tree, id: number): number {
  let at = id;
  for (let next = nodeOf(tree, at).children[0]; next !== undefined; next = nodeOf(tree, at).children[0]) at = next;
  return at;
}

/** The node that a move leads to from another one, if there is one; of an attack that may end in several ways, by who is removed. */
export function childBy(tree: Tree, id: number, move: string, removed?: Removed): number | null {
  const found = nodeOf(tree, id).children.find((child) => {
    const { made } = nodeOf(tree, child);
    return made?.move === move && (removed === undefined || made.removed === removed);
  });
  return found ?? null;
}

/** The variation before or after this one: another move from the same position; null beyond the first and the last. */
export function beside(tree: Tree, id: number, step: 1 | -1): number | null {
  if (id === ROOT) return null;
  const { children } = nodeOf(tree, nodeOf(tree, id).parent);
  return children[children.indexOf(id) + step] ?? null;
}

function changed(tree: Tree, id: number, change: Partial<Node>): Tree {
  const nodes = new Map(tree.nodes);
  nodes.set(id, { ...nodeOf(tree, id), ...change });
  return { ...tree, nodes };
}

/** A move is made at a node, as the last of its variations; null when the tree is full. */
export function added(tree: Tree, id: number, made: Made): [tree: Tree, id: number] | null {
  if (tree.nodes.size >= MOST_NODES) return null;
  const child = tree.next;
  const grown = changed(tree, id, { children: [...nodeOf(tree, id).children, child] });
  const node: Node = { made, parent: id, children: [], comment: '', shapes: [] };
  return [{ nodes: new Map(grown.nodes).set(child, node), next: child + 1 }, child];
}

/** Where the variation begins that a node belongs to: the last move on its line that is not the first choice; null on the main line. */
export function variationOf(tree: Tree, id: number): number | null {
  return lineTo(tree, id).findLast((one) => nodeOf(tree, nodeOf(tree, one).parent).children[0] !== one) ?? null;
}

/** The variation of a node becomes the first choice at the position that it leaves. */
export function promoted(tree: Tree, id: number): Tree {
  const first = variationOf(tree, id);
  if (first === null) return tree;
  const { parent } = nodeOf(tree, first);
  const others = nodeOf(tree, parent).children.filter((child) => child !== first);
  return changed(tree, parent, { children: [first, ...others] });
}

/** A move and all that follows it are gone. */
export function removed(tree: Tree, id: number): Tree {
  if (id === ROOT || !tree.nodes.has(id)) return tree;
  const { parent } = nodeOf(tree, id);
  const nodes = new Map(
    changed(tree, parent, { children: nodeOf(tree, parent).children.filter((one) => one !== id) }).nodes
  );
  const left = [id];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    left.push(...nodeOf(tree, at).children);
    nodes.delete(at);
  }
  return { ...tree, nodes };
}

/** A node has this comment. */
export function commented(tree: Tree, id: number, comment: string): Tree {
  return changed(tree, id, { comment: comment.slice(0, MOST_CHARACTERS) });
}

/** A shape is drawn, or taken away if it was there; drawn again in another colour it has that one. */
export function drawn(tree: Tree, id: number, shape: Shape): Tree {
  const { shapes } = nodeOf(tree, id);
  const others = shapes.filter(({ from, to }) => from !== shape.from || to !== shape.to);
  const same = shapes.some((one) => one.from === shape.from && one.to === shape.to && one.colour === shape.colour);
  if (same) return changed(tree, id, { shapes: others });
  return others.length >= MOST_SHAPES ? tree : changed(tree, id, { shapes: [...others, shape] });
}

/** Nothing is drawn at a node. */
export function wiped(tree: Tree, id: number): Tree {
  return changed(tree, id, { shapes: [] });
}

/** Moves that are read one after the other, as far as the next one that has alternatives. */
export interface Run {
  /** How many variations it lies in; 0 for the main line. */
  depth: number;
  nodes: readonly number[];
}

/** The whole tree in the order in which it is read: each main move before the variations beside it, and then what follows it. */
export function runs(tree: Tree): Run[] {
  const all: Run[] = [];
  /** What is still to be read, the next one last: what follows a node, which is read with it or has been read before. */
  const waiting = [{ after: ROOT, depth: 0, isRead: true }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { after, depth, isRead } = next;
    const nodes = isRead ? [] : [after];
    for (let at = after; ;) {
      const [first, ...others] = nodeOf(tree, at).children;
      if (first === undefined) break;
      nodes.push(first);
      at = first;
      if (others.length === 0) continue;
      waiting.push({ after: first, depth, isRead: true });
      for (const other of others.toReversed()) waiting.push({ after: other, depth: depth + 1, isRead: false });
      break;
    }
    if (nodes.length > 0) all.push({ depth, nodes });
  }
  return all;
}
