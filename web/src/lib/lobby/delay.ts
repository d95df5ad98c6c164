/** By how much spectators see a game later, as people choose it, and as it travels. */
import { LIMITS, type SpectatorDelay } from '$lib/protocol/protocol';

/** What a delay is counted in, in the order in which it is offered; `none` for no delay. */
export const DELAYS = ['none', 'plies', 'minutes'] as const;

/** One of them. */
export type DelayKind = (typeof DELAYS)[number];

/** A delay that is being chosen. It keeps both counts, so that looking at another kind loses nothing. */
export interface DelayDraft {
  kind: DelayKind;
  plies: number;
  minutes: number;
}

/** No delay; who wants one begins with these counts. */
export const NO_DELAY: Readonly<DelayDraft> = { kind: 'none', plies: 3, minutes: 5 };

const upTo = (most: number) => Array.from({ length: most }, (_, before) => before + 1);

/** What is offered of each kind, up to the protocol's limits: each ply, and minutes that grow further apart. */
export const DELAY_STEPS: Readonly<Record<Exclude<DelayKind, 'none'>, readonly number[]>> = {
  plies: upTo(LIMITS.DELAY_PLIES),
  minutes: upTo(LIMITS.DELAY_MINUTES).filter((count) => count <= 15 || count % 15 === 0)
};

/** The delay as it travels; null for none. */
export function toDelay({ kind, plies, minutes }: DelayDraft): SpectatorDelay | null {
  if (kind === 'none') return null;
  return kind === 'plies' ? { plies } : { minutes };
}
