/** Which pieces leave the board, and how: so that an attack is seen, and a captured piece lies under the one that takes it. */
import type { Removed } from './config';
import type { Placed } from './diff';
import { ownerOf } from './fen';
import { parts } from './geometry';
import type { Seat } from '$lib/protocol/protocol';

/** A piece that is no longer there. */
export interface Fallen {
  key: number;
  letter: string;
  /** Where it falls. */
  square: string;
  /** Where it came from, if it was the one that attacked. */
  from: string | null;
  /** Whether it breaks; what is captured fades. */
  breaks: boolean;
}

/** What became of an attack, in the words of one seat or, for spectators, of the attacker. */
export type Verdict = 'won' | 'lost' | 'both' | 'attacker' | 'defender';

/** Who falls by a move. `before` and `after` are the pieces around it. */
export function fallen(
  before: readonly Placed[],
  after: readonly Placed[],
  move: string | null,
  removed: Removed | null
): Fallen[] {
  const played = move === null ? null : parts(move);
  if (!played) return [];
  const kept = new Set(after.map(({ key }) => key));
  return before
    .filter(
      ({ key, square }) => !kept.has(key) && (square === played.to || (removed !== null && square === played.from))
    )
    .map(({ key, letter, square }) => ({
      key,
      letter,
      square: played.to,
      from: square === played.from ? played.from : null,
      breaks: removed !== null
    }));
}

/** What an attack meant for its viewer. `attacker` is the letter of the piece that moved. */
export function verdict(removed: Removed, attacker: string, viewer: Seat | null): Verdict {
  if (removed === 'both' || viewer === null) return removed;
  const own = ownerOf(attacker) === viewer;
  return own === (removed === 'defender') ? 'won' : 'lost';
}
