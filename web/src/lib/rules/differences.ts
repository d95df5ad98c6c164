/** The options of a game's rule sets side by side, from the catalog. */
import type { CatalogGame, OptionValue } from '$lib/protocol/protocol';

/** One option with its value in each rule set, in the order of the game's rule sets. */
export interface Difference {
  option: string;
  values: OptionValue[];
  /** Whether all are the same. */
  same: boolean;
}

/** All options: those that differ first, then the others. */
export function differences(game: Pick<CatalogGame, 'options' | 'rulesets'>): Difference[] {
  const rows = Object.keys(game.options).map((option) => {
    const values = game.rulesets.map((set) => set.options[option] ?? false);
    return { option, values, same: new Set(values).size <= 1 };
  });
  return [...rows.filter((row) => !row.same), ...rows.filter((row) => row.same)];
}

/** The name of the text for an option's value, without its space and `value_`; null for a number, which speaks for itself. */
export function valueKey(option: string, value: OptionValue): string | null {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return option === 'quiet_limit' && value === 0 ? 'never' : null;
  return `${option}_${value}`;
}
