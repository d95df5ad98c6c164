/**
 * What a player guesses hidden pieces to be, as it is kept among the notes on a game: `{"guesses": {"e7": "G"}}`. The
 * terminal client reads and writes the same.
 *
 * A guess stands under the point where the piece stood when play began. So it goes along with its piece, and what one window
 * of a player notes is true in another that has seen fewer moves.
 */
import type { PlayedMove } from '$lib/protocol/protocol';
import { ends } from '$lib/game/plies';

type Notes = Record<string, unknown>;

function isObject(value: unknown): value is Notes {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads notes; null if they are of another kind, which another client has made. */
function read(notes: string | null | undefined): Notes | null {
  if (!notes) return {};
  try {
    const parsed: unknown = JSON.parse(notes);
    return isObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/** Where a piece stands that stood on a point when play began; null if it is gone. */
function now(moves: readonly PlayedMove[], home: string): string | null {
  let square = home;
  for (const played of moves) {
    const [from, to] = ends(played.move);
    if (from === square) {
      if (played.removed === 'attacker' || played.removed === 'both') return null;
      square = to;
    } else if (to === square && (played.removed === 'defender' || played.removed === 'both')) {
      return null;
    }
  }
  return square;
}

/** Where the piece on a point stood when play began. */
function home(moves: readonly PlayedMove[], point: string): string {
  let square = point;
  for (const played of moves.toReversed()) {
    const [from, to] = ends(played.move);
    if (to === square && played.removed !== 'attacker' && played.removed !== 'both') square = from;
  }
  return square;
}

/** What is guessed, in capitals, by the point where the piece stands after these moves. */
export function guesses(notes: string | null | undefined, moves: readonly PlayedMove[]): Record<string, string> {
  const shown: Record<string, string> = {};
  const kept = read(notes)?.['guesses'];
  if (!isObject(kept)) return shown;
  for (const [point, letter] of Object.entries(kept)) {
    if (typeof letter !== 'string' || !/^[a-z]/i.test(letter) || !/^[a-e]\d\d?$/.test(point)) continue;
    const stands = now(moves, point);
    if (stands !== null) shown[stands] = letter.slice(0, 1).toUpperCase();
  }
  return shown;
}

/** The notes with a guess at the piece that stands on a point now, or without one. Notes of another kind are replaced. */
export function withGuess(
  notes: string | null | undefined,
  moves: readonly PlayedMove[],
  point: string,
  letter: string | null
): string {
  const all = { ...(read(notes) ?? {}) };
  const kept = new Map(isObject(all['guesses']) ? Object.entries(all['guesses']) : []);
  const at = home(moves, point);
  if (letter === null) kept.delete(at);
  else kept.set(at, letter.toUpperCase());
  return JSON.stringify({ ...all, guesses: Object.fromEntries(kept) });
}
