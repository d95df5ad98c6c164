/** Won, drawn and lost: sums of what the server counts by rule set and seat. */
import type { Tally } from '$lib/protocol/protocol';

/** A count of games. */
export interface Count {
  won: number;
  drawn: number;
  lost: number;
}

/** The counts of one rule set. */
export interface SetResults {
  ruleset: string;
  all: Count;
  first: Count;
  second: Count;
}

const none = (): Count => ({ won: 0, drawn: 0, lost: 0 });

function add(to: Count, what: Count): void {
  to.won += what.won;
  to.drawn += what.drawn;
  to.lost += what.lost;
}

/** How many games that are. */
export function games(count: Count): number {
  return count.won + count.drawn + count.lost;
}

/** All counts together. */
export function total(results: readonly Tally[]): Count {
  const sum = none();
  for (const tally of results) add(sum, tally);
  return sum;
}

/** By rule set, the one with the most games first. */
export function byRuleset(results: readonly Tally[]): SetResults[] {
  const sets = new Map<string, SetResults>();
  for (const tally of results) {
    const set = sets.get(tally.ruleset) ?? { ruleset: tally.ruleset, all: none(), first: none(), second: none() };
    add(set.all, tally);
    add(set[tally.seat], tally);
    sets.set(tally.ruleset, set);
  }
  return [...sets.values()].sort((a, b) => games(b.all) - games(a.all) || a.ruleset.localeCompare(b.ruleset));
}
