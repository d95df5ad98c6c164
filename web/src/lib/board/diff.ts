/** What changes from one position to the next, so that pieces glide instead of jumping. */
import { indexOf, parts } from './geometry';
import type { Pieces } from './fen';

/** A piece in the drawing: the same one keeps its key while it moves. */
export interface Placed {
  key: number;
  letter: string;
  square: string;
}

/** The pieces of a first position. */
export function place(pieces: Pieces): Placed[] {
  return [...pieces].map(([square, letter], key) => ({ key, letter, square }));
}

function distance(a: string, b: string): number {
  const [one, other] = [indexOf(a), indexOf(b)];
  return Math.abs(one.file - other.file) + Math.abs(one.rank - other.rank);
}

/**
 * The pieces of the next position. Who stayed stays, even if it has another letter now (what was hidden is shown);
 * who moved is the piece of the same letter that is missing elsewhere: the one of `move` first, else the nearest.
 */
export function follow(before: readonly Placed[], pieces: Pieces, move: string | null): Placed[] {
  const left = new Map(before.map((placed) => [placed.square, placed]));
  const after: Placed[] = [];
  const arrived: [string, string][] = [];
  for (const [square, letter] of pieces) {
    const stayed = left.get(square);
    if (stayed && stayed.letter === letter) {
      left.delete(square);
      after.push(stayed);
    } else {
      arrived.push([square, letter]);
    }
  }
  const played = move ? parts(move) : null;
  let next = Math.max(-1, ...before.map((placed) => placed.key)) + 1;
  // The move itself goes first, so that no other piece of its letter is taken for the one that moved.
  arrived.sort(([a], [b]) => Number(b === played?.to) - Number(a === played?.to));
  for (const [square, letter] of arrived) {
    const same = (placed: Placed) => placed.letter === letter || placed.letter === hidden(letter);
    let source = square === played?.to ? left.get(played.from) : undefined;
    if (source && !same(source)) source = undefined;
    if (!source) {
      const revealed = left.get(square);
      if (revealed && alike(revealed.letter, letter)) source = revealed;
    }
    source ??= [...left.values()]
      .filter((placed) => placed.letter === letter)
      .sort((a, b) => distance(a.square, square) - distance(b.square, square))[0];
    if (source) {
      left.delete(source.square);
      after.push({ key: source.key, letter, square });
    } else {
      after.push({ key: next, letter, square });
      next += 1;
    }
  }
  return after;
}

/** The letter of a piece of the same side that is not known. */
function hidden(letter: string): string {
  return letter === letter.toUpperCase() ? 'U' : 'u';
}

/** Whether two letters can be one piece, of which one of them tells less. */
function alike(a: string, b: string): boolean {
  return hidden(a) === hidden(b) && (a === hidden(a) || b === hidden(b));
}
