/** The options of a rule set, as somebody changes them for one game. */
import type { Catalog, CatalogOption, OptionValue } from '$lib/protocol/protocol';
import { findRuleset } from '$lib/game/rulesets';

/** An option to choose from: what it takes, and what the rule set says. */
export interface OfferedOption {
  name: string;
  takes: CatalogOption;
  usual: OptionValue;
}

/** The options of a rule set. */
export function offered(catalog: Catalog, id: string): OfferedOption[] {
  const found = findRuleset(catalog, id);
  if (!found) return [];
  const { game, ruleset } = found;
  return Object.entries(game.options).flatMap(([name, takes]) => {
    const usual = ruleset.options[name];
    return usual === undefined ? [] : [{ name, takes, usual }];
  });
}

/** Whether an option takes a value. */
export function takes(option: CatalogOption, value: OptionValue): boolean {
  switch (option.type) {
    case 'bool':
      return typeof value === 'boolean';
    case 'number':
      return Number.isInteger(value) && Number(value) >= option.least && Number(value) <= option.most;
    case 'word':
      return option.words.some((word) => word === value);
  }
}

/** Those of the chosen values that differ from the rule set's and can be asked for. */
export function differing(
  options: readonly OfferedOption[],
  chosen: Readonly<Record<string, OptionValue>>
): Record<string, OptionValue> {
  const differ: Record<string, OptionValue> = {};
  for (const { name, takes: range, usual } of options) {
    const value = chosen[name];
    if (value !== undefined && value !== usual && takes(range, value)) differ[name] = value;
  }
  return differ;
}
