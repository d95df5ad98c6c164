/** What boards look like: their pictures, and the colours of what is drawn on them. The server's pictures are drawn from the same files. */
import numbers from '../../../art/looks.json' with { type: 'json' };
import type { Boards } from '$lib/settings.svelte';
import type { GameKind } from './config';

const pictures = import.meta.glob<string>('../../../art/boards/*/*.svg', {
  query: '?url&no-inline',
  import: 'default',
  eager: true
});

/** What a board looks like. */
export interface BoardStyle {
  /** Where its picture lies. */
  picture: string;
  /** Whether it is light or dark: marks differ from it. */
  tone: 'light' | 'dark';
  /** The colour of the coordinates. */
  label: string;
  /** The colour of the last move. */
  last: string;
}

/** Where the marks of a move stand around a piece. */
export interface Around {
  /** From the middle of a point to the corners of its brackets. */
  half: { x: number; y: number };
  /** The radius of the ring that a piece leaves. */
  origin: number;
}

/** The look of a board. */
export function lookOf<Game extends GameKind>(game: Game, name: Boards[Game]): BoardStyle {
  const kept: Readonly<Record<string, { tone: string; label: string; last: string }>> = numbers.boards[game];
  const { tone, label, last } = kept[name] ?? { tone: 'light', label: '#000', last: '#000' };
  const picture = pictures[`../../../art/boards/${game}/${name}.svg`] ?? '';
  return { picture, tone: tone === 'dark' ? 'dark' : 'light', label, last };
}

/** Where the marks of a move stand. */
export function around(game: GameKind): Around {
  const { half, origin } = numbers.marks[game];
  return { half: { x: half[0] ?? 0, y: half[1] ?? 0 }, origin };
}

/** Four corners around a piece, as a path. */
export function brackets(game: GameKind): string {
  const { x, y } = around(game).half;
  const long = 20;
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1]
  ]
    .map(([across = 1, down = 1]) => `M${across * x} ${down * (y - long)}V${down * y}H${across * (x - long)}`)
    .join('');
}

/** The banners of a den, which have the colour of its side. */
export const BANNER = numbers.banner;
