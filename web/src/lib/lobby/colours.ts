/** The colours of both seats, as boards take them. */
import { colourOf, type Colour } from '$lib/game/words';
import type { BySeat } from '$lib/protocol/protocol';

/** Which colours the pieces of a rule set have. */
export function coloursOf(ruleset: string): BySeat<Colour> {
  return { first: colourOf(ruleset, 'first'), second: colourOf(ruleset, 'second') };
}
