/** Games of Luzhanqi in which pieces are not known: where they begin, as far as somebody knows it by now. */
import { boardText, ends, luzhanqiStart, placement, sizeOf, turnIn } from '$lib/game/plies';
import type { GameView } from '$lib/protocol/protocol';

/** Whether pieces are covered in a position. */
export function isCovered(fen: string): boolean {
  return /^\S*u/i.test(fen);
}

/**
 * The start of a game with all that its viewer has learned since: a piece that was shown when two met, or a Flag that everybody sees, has
 * been that from the beginning on.
 */
export function startAsKnown(view: GameView): string {
  const start = luzhanqiStart(view.setup, view.you);
  const known = placement(start);
  /** Where each piece on the board has come from. */
  const from = new Map([...known.keys()].map((square) => [square, square]));
  const learn = (square: string | undefined, letter: string | undefined) => {
    if (square !== undefined && letter !== undefined && !/u/i.test(letter)) known.set(square, letter);
  };
  for (const { move, removed, met } of view.moves) {
    const [left, reached] = ends(move);
    const [attacker, defender] = [from.get(left), from.get(reached)];
    learn(attacker, met?.attacker);
    learn(defender, met?.defender);
    from.delete(left);
    if (removed === 'both') from.delete(reached);
    else if (removed !== 'attacker' && attacker !== undefined) from.set(reached, attacker);
  }
  for (const [square, letter] of placement(view.position.fen)) learn(from.get(square), letter);
  const [files, ranks] = sizeOf(start);
  return `${boardText(known, files, ranks)} ${turnIn(start) === 'first' ? 'w' : 'b'} - - 0 1`;
}
