/** Where the squares of each board lie. Units are those of the drawings: 100 from file to file, or as far as a piece needs. */
import numbers from '../../../art/layout.json' with { type: 'json' };
import type { Seat } from '$lib/protocol/protocol';
import type { GameKind } from './config';

/** A place in the drawing, y downwards. */
export interface Point {
  x: number;
  y: number;
}

interface Layout {
  files: number;
  ranks: number;
  /** From one file to the next, and from one rank to the next. */
  step: Point;
  /** The space between the middles of the outer squares and the edge of the drawing. */
  margin: Point;
  /** More space in the middle, where nobody stands (Luzhanqi's front line). */
  gap: number;
}

/** The server's pictures are laid out by the same numbers. */
const LAYOUTS: Readonly<Record<GameKind, Layout>> = {
  doushouqi: layoutOf(numbers.doushouqi),
  luzhanqi: layoutOf(numbers.luzhanqi),
  xiangqi: layoutOf(numbers.xiangqi)
};

function layoutOf(kept: { files: number; ranks: number; step: number[]; margin: number[]; gap: number }): Layout {
  const point = ([x = 0, y = 0]: number[]): Point => ({ x, y });
  return { ...kept, step: point(kept.step), margin: point(kept.margin) };
}

/** How a board is laid out. */
export function layout(game: GameKind): Layout {
  return LAYOUTS[game];
}

/** The size of a whole drawing. */
export function size(game: GameKind): { width: number; height: number } {
  const { files, ranks, step, margin, gap } = LAYOUTS[game];
  return { width: (files - 1) * step.x + 2 * margin.x, height: (ranks - 1) * step.y + gap + 2 * margin.y };
}

/** The width of a drawing divided by its height. */
export function aspect(game: GameKind): number {
  const { width, height } = size(game);
  return width / height;
}

/** The size of the place that belongs to a square. */
export function cell(game: GameKind): { width: number; height: number } {
  const { step } = LAYOUTS[game];
  return { width: step.x, height: step.y };
}

/** The name of a square from its file and rank, both counted from 0. */
export function nameOf(file: number, rank: number): string {
  return `${String.fromCharCode(97 + file)}${rank + 1}`;
}

/** The file and rank of a square, both counted from 0. */
export function indexOf(square: string): { file: number; rank: number } {
  return { file: square.charCodeAt(0) - 97, rank: Number(square.slice(1)) - 1 };
}

/** All squares, the highest rank of the first seat first: the order of a FEN. */
export function squares(game: GameKind): string[] {
  const { files, ranks } = LAYOUTS[game];
  const all: string[] = [];
  for (let rank = ranks - 1; rank >= 0; rank -= 1) {
    for (let file = 0; file < files; file += 1) all.push(nameOf(file, rank));
  }
  return all;
}

/** The rows of a board from the top of the drawing down, each from left to right. */
export function rows(game: GameKind, orientation: Seat): string[][] {
  const { files } = LAYOUTS[game];
  const all = squares(game);
  if (orientation === 'second') all.reverse();
  const result: string[][] = [];
  for (let start = 0; start < all.length; start += files) result.push(all.slice(start, start + files));
  return result;
}

/** The middle of a square in the drawing. */
export function pointOf(game: GameKind, square: string, orientation: Seat): Point {
  const { files, ranks, step, margin, gap } = LAYOUTS[game];
  const { file, rank } = indexOf(square);
  const column = orientation === 'first' ? file : files - 1 - file;
  const row = orientation === 'first' ? ranks - 1 - rank : rank;
  return { x: margin.x + column * step.x, y: margin.y + row * step.y + (row >= ranks / 2 ? gap : 0) };
}

/** The square nearest to a place in the drawing; null outside of the board. */
export function squareAt(game: GameKind, point: Point, orientation: Seat): string | null {
  const { width, height } = cell(game);
  for (const square of squares(game)) {
    const middle = pointOf(game, square, orientation);
    if (Math.abs(point.x - middle.x) <= width / 2 && Math.abs(point.y - middle.y) <= height / 2) return square;
  }
  return null;
}

/** The square beside another on the screen, for the arrow keys; the square itself at the edge. */
export function beside(game: GameKind, square: string, columns: number, down: number, orientation: Seat): string {
  const { files, ranks } = LAYOUTS[game];
  const turned = orientation === 'first' ? 1 : -1;
  const { file, rank } = indexOf(square);
  const clamp = (value: number, count: number) => Math.min(Math.max(value, 0), count - 1);
  return nameOf(clamp(file + columns * turned, files), clamp(rank - down * turned, ranks));
}

/** From and to of a move such as `a3a10`; null for anything else. */
export function parts(move: string): { from: string; to: string } | null {
  const found = /^([a-i]\d{1,2})([a-i]\d{1,2})$/.exec(move);
  return found?.[1] && found[2] ? { from: found[1], to: found[2] } : null;
}
