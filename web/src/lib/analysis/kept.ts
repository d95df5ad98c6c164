/** An analysis as this browser keeps it, so that a reload or a way back loses nothing. What was kept is read as if a stranger had written it. */
import { parts } from '$lib/board/geometry';
import {
  MOST_CHARACTERS,
  MOST_NODES,
  MOST_SHAPES,
  nodeOf,
  ROOT,
  SHAPE_COLOURS,
  type Made,
  type Node,
  type Shape,
  type Tree
} from './tree';

/** See the top of the file. */
export interface Kept {
  /** What the address of the page asked for. */
  address: string;
  tree: Tree;
  at: number;
}

const KEY = 'qiguan.analysis';
const SQUARE = /^[a-i]\d{1,2}$/;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An analysis as text: its nodes, each after the one that it follows, which is named by its place. */
export function written({ address, tree, at }: Kept): string {
  const order = [ROOT];
  const places = new Map([[ROOT, 0]]);
  for (const id of order) {
    for (const child of nodeOf(tree, id).children) {
      places.set(child, order.length);
      order.push(child);
    }
  }
  const nodes = order.map((id) => {
    const { made, parent, comment, shapes } = nodeOf(tree, id);
    return { after: places.get(parent) ?? 0, made, comment, shapes };
  });
  return JSON.stringify({ address, at: places.get(at) ?? 0, nodes });
}

function readMade(value: unknown): Made | null {
  if (!isObject(value) || typeof value['move'] !== 'string' || !parts(value['move'])) return null;
  const { move } = value;
  const removed = (['attacker', 'defender', 'both'] as const).find((one) => one === value['removed']);
  return removed === undefined ? { move } : { move, removed };
}

function readShape(value: unknown): Shape | null {
  if (!isObject(value)) return null;
  const { from, to } = value;
  const colour = SHAPE_COLOURS.find((one) => one === value['colour']);
  const isSquare = (one: unknown): one is string => typeof one === 'string' && SQUARE.test(one);
  if (!colour || !isSquare(from) || !(to === null || isSquare(to))) return null;
  return { from, to, colour };
}

/** An analysis from its text; null for any other text. */
export function read(text: string | null): Kept | null {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
  if (!isObject(kept) || typeof kept['address'] !== 'string' || !Array.isArray(kept['nodes'])) return null;
  const nodes = new Map<number, Node>();
  for (const [place, value] of kept['nodes'].slice(0, MOST_NODES).entries()) {
    const node: unknown = value;
    if (!isObject(node)) return null;
    const made = place === ROOT ? null : readMade(node['made']);
    const after = node['after'];
    // What a node follows stands before it, so that no line leads back into itself.
    const isPlaced =
      place === ROOT || (made !== null && typeof after === 'number' && after < place && nodes.has(after));
    if (!isPlaced) return null;
    const parent = place === ROOT || typeof after !== 'number' ? ROOT : after;
    const comment = typeof node['comment'] === 'string' ? node['comment'].slice(0, MOST_CHARACTERS) : '';
    const shapes = Array.isArray(node['shapes']) ? node['shapes'].slice(0, MOST_SHAPES).map(readShape) : [];
    nodes.set(place, { made, parent, children: [], comment, shapes: shapes.filter((shape) => shape !== null) });
    if (place === ROOT) continue;
    const before = nodes.get(parent);
    if (before) nodes.set(parent, { ...before, children: [...before.children, place] });
  }
  if (nodes.size === 0) return null;
  const at = typeof kept['at'] === 'number' && nodes.has(kept['at']) ? kept['at'] : ROOT;
  return { address: kept['address'], tree: { nodes, next: nodes.size }, at };
}

/** The analysis that this browser has kept of what an address asks for; null for none. */
export function recall(address: string): Kept | null {
  try {
    const kept = read(localStorage.getItem(KEY));
    return kept?.address === address ? kept : null;
  } catch {
    // A browser that forbids storage: the analysis lasts as long as the page.
    return null;
  }
}

/** Has this browser forget what it has kept. */
export function forget(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // See `recall`.
  }
}

/** Has this browser keep an analysis in place of the one before. */
export function keep(kept: Kept): void {
  try {
    localStorage.setItem(KEY, written(kept));
  } catch {
    // See `recall`.
  }
}
