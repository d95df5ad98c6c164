/** Going through a game by itself: which ply comes next, and how long each one stands. */

/** How fast a game plays by itself: plies a second, or as fast as it was played. */
export const SPEEDS = ['slow', 'normal', 'fast', 'real'] as const;

/** A speed. */
export type Speed = (typeof SPEEDS)[number];

const PAUSES: Readonly<Record<Exclude<Speed, 'real'>, number>> = { slow: 2500, normal: 1200, fast: 450 };

/** Nobody waits longer than this for one move. */
const LONGEST = 20_000;
/** Time to see what happened. */
const SHORTEST = 250;

/** How long a position stands before the move `spent` (in ms, if it is known) is made. */
export function pause(speed: Speed, spent: number | undefined): number {
  if (speed !== 'real') return PAUSES[speed];
  return Math.min(LONGEST, Math.max(SHORTEST, spent ?? PAUSES.normal));
}

/** A ply that exists, whatever was asked for. */
export function clamp(ply: number, last: number): number {
  return Number.isFinite(ply) ? Math.min(last, Math.max(0, Math.trunc(ply))) : last;
}

/** The ply that the address asks for; without one the end of a game, `otherwise`. */
export function plyOf(text: string | null, last: number, otherwise: number): number {
  return text !== null && /^\d{1,5}$/.test(text) ? clamp(Number(text), last) : otherwise;
}

/** A whole number of an address; null without one. */
export function numberOf(text: string | null): number | null {
  return text !== null && /^\d{1,7}$/.test(text) ? Number(text) : null;
}

/** The ply that a key goes to from here; null for any other key. */
export function stepKey(key: string, ply: number, last: number): number | null {
  switch (key) {
    case 'ArrowLeft':
      return clamp(ply - 1, last);
    case 'ArrowRight':
      return clamp(ply + 1, last);
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'PageUp':
      return clamp(ply - 10, last);
    case 'PageDown':
      return clamp(ply + 10, last);
    default:
      return null;
  }
}
