/** What stands along the edges of a board: names of squares, or of files as the notation of moves counts them. */
import numbers from '../../../art/layout.json' with { type: 'json' };
import type { Seat } from '$lib/protocol/protocol';
import type { Settings } from '$lib/settings.svelte';
import type { GameKind } from './config';
import { layout, nameOf, pointOf, size } from './geometry';

/** A word and its middle in the drawing. */
export interface Label {
  text: string;
  x: number;
  y: number;
}

const CHINESE = '一二三四五六七八九';

/** The labels of a board. */
export function labels(game: GameKind, notation: Settings['notation'], orientation: Seat): Label[] {
  const { files, ranks } = layout(game);
  const { width, height } = size(game);
  const offset = numbers[game].label.offset;
  const [top, bottom] = [offset, height - offset];
  const all: Label[] = [];
  const counted = game === 'xiangqi' && notation !== 'squares';
  for (let file = 0; file < files; file += 1) {
    const { x } = pointOf(game, nameOf(file, 0), orientation);
    // Each side counts from its right, in Chinese with its own digits.
    const first = notation === 'chinese' ? (CHINESE[files - 1 - file] ?? '') : String(files - file);
    const letter = String.fromCharCode(97 + file);
    const [near, far] = orientation === 'first' ? [bottom, top] : [top, bottom];
    all.push({ text: counted ? first : letter, x, y: near }, { text: counted ? String(file + 1) : letter, x, y: far });
  }
  if (counted) return all;
  for (let rank = 0; rank < ranks; rank += 1) {
    const { y } = pointOf(game, nameOf(0, rank), orientation);
    for (const x of [offset, width - offset]) all.push({ text: String(rank + 1), x, y });
  }
  return all;
}
