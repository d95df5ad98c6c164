/** Diagrams as the board draws them, and as words say them. */
import type { BoardMark, Colour, GameKind } from '$lib/board/config';
import { parse } from '$lib/board/fen';
import { sidedPiece } from '$lib/board/words';
import type { Seat } from '$lib/protocol/protocol';
import type { Marked } from './marks';

/** What the board draws for these moves in this position. */
export function boardMarks(game: GameKind, fen: string, marks: readonly Marked[]): BoardMark[] {
  const pieces = parse(game, fen);
  const from = new Set(marks.flatMap((mark) => (mark.kind === 'never' ? [] : [mark.from])));
  const drawn: BoardMark[] = [...from].map((square) => ({ kind: 'fill', square }));
  for (const { to, kind } of marks) {
    if (kind === 'never' || kind === 'banned') drawn.push({ kind: pieces.has(to) ? 'corner' : 'cross', square: to });
    else drawn.push({ kind: kind === 'ends' || pieces.has(to) ? 'ring' : 'dot', square: to });
  }
  return drawn;
}

/** More pieces than these are better looked up in the text than listened to. */
const FEW = 12;

/** Which pieces stand where, for those who cannot see it; nothing for a full board. */
export function positionText(game: GameKind, fen: string, colours: Readonly<Record<Seat, Colour>>): string {
  const pieces = [...parse(game, fen)];
  if (pieces.length > FEW) return '';
  return pieces.map(([square, letter]) => `${sidedPiece(game, letter, colours)} ${square}`).join(', ');
}
