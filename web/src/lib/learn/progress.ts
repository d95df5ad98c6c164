/** How far a visitor has come in lessons: kept in the browser, and with the account. */
import { choose, settings } from '$lib/settings.svelte';

/** The name of a lesson where words are kept. */
function keyOf(ruleset: string): string {
  return ruleset.replace('/', '_');
}

/** How many positions of a lesson are solved, from the first on. */
export function solvedIn(ruleset: string): number {
  return Number(settings.learned[keyOf(ruleset)] ?? 0);
}

/** The one in this place, from 1, is solved. One that was come to by its address counts only after those before it. */
export function keepSolved(ruleset: string, solved: number): void {
  if (solved !== solvedIn(ruleset) + 1) return;
  choose({ learned: { ...settings.learned, [keyOf(ruleset)]: String(solved) } });
}
