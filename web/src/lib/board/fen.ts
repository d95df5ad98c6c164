/** The board of a FEN. */
import type { Seat } from '$lib/protocol/protocol';
import type { GameKind } from './config';
import { layout, nameOf } from './geometry';

/** Letters by square; upper case belongs to the first seat. */
export type Pieces = ReadonlyMap<string, string>;

/** Reads the board of a position. What does not belong to a board of this game is left out. */
export function parse(game: GameKind, fen: string): Pieces {
  const { files, ranks } = layout(game);
  const pieces = new Map<string, string>();
  const board = fen.trim().split(' ', 1)[0] ?? '';
  for (const [row, text] of board.split('/').entries()) {
    const rank = ranks - 1 - row;
    if (rank < 0) break;
    let file = 0;
    for (const part of text.match(/\d+|[A-Za-z]/g) ?? []) {
      if (/\d/.test(part)) {
        file += Number(part);
        continue;
      }
      if (file < files) pieces.set(nameOf(file, rank), part);
      file += 1;
    }
  }
  return pieces;
}

/** Whose piece a letter is. */
export function ownerOf(letter: string): Seat {
  return letter === letter.toUpperCase() ? 'first' : 'second';
}

/** Where the general of a seat stands (Xiangqi); null for no seat. */
export function generalOf(pieces: Pieces, seat: Seat | null): string | null {
  const letter = seat === 'first' ? 'K' : 'k';
  return seat && ([...pieces].find(([, one]) => one === letter)?.[0] ?? null);
}
