/** Which positions of finished games the server's tables of endings can tell about. */
import type { Catalog, GameView } from '$lib/protocol/protocol';
import { findRuleset } from './rulesets';

/** So many animals tables know, both sides together. */
const MOST_ANIMALS = 4;

/** Whether tables may know this position: a game of Dou Shou Qi that is over, with few animals, and both sides have one. */
export function mayBeInTables({ ruleset, status }: GameView, fen: string): boolean {
  if (status !== 'ended' || !ruleset.startsWith('doushouqi/')) return false;
  const [board = ''] = fen.split(' ');
  const count = (letters: RegExp): number => (board.match(letters) ?? []).length;
  const [first, second] = [count(/[A-Z]/g), count(/[a-z]/g)];
  return first > 0 && second > 0 && first + second <= MOST_ANIMALS;
}

/** Whether a game was played with a rule set as it is: tables are for no other options. */
export function hasOwnOptions(catalog: Catalog, view: GameView): boolean {
  const own = findRuleset(catalog, view.ruleset)?.ruleset.options ?? {};
  return Object.entries(view.options).every(([name, value]) => own[name] === value);
}
