/** The signs that people put behind bad moves. */
import type { Verdict } from '$lib/protocol/protocol';

export const VERDICT_SIGNS: Readonly<Record<Verdict, string>> = {
  good: '',
  inaccuracy: ' ?!',
  mistake: ' ?',
  blunder: ' ??'
};
