/** A line of moves in the notation that the reader likes. */
import { written, type Notation } from '$lib/game/notation';
import { boardText, ends, placement, sizeOf } from '$lib/game/plies';

/** The board after a move, as FEN. */
function after(fen: string, move: string): string {
  const stands = placement(fen);
  const [from, to] = ends(move);
  const mover = stands.get(from);
  stands.delete(from);
  if (mover !== undefined) stands.set(to, mover);
  return boardText(stands, ...sizeOf(fen));
}

/** See the top of the file. */
export function lineText(notation: Notation, fen: string, line: readonly string[]): string {
  return lineTexts(notation, fen, line).join(' ');
}

/** The moves one by one. */
export function lineTexts(notation: Notation, fen: string, line: readonly string[]): string[] {
  let here = fen;
  return line.map((move) => {
    const text = written(notation, here, move);
    here = after(here, move);
    return text;
  });
}
