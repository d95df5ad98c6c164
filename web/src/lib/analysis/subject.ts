/** What an analysis begins with: a rule set, a position, the moves that are there already, and what an address says of them. */
import { positionIn } from '$lib/game/line';
import { findRuleset, gameOf, knownGame } from '$lib/game/rulesets';
import { numberOf } from '$lib/game/stepping';
import type { Catalog, CatalogRuleSet, GameView, JudgeRequest } from '$lib/protocol/protocol';
import { allPlies } from '$lib/table/table_state.svelte';
import { startAsKnown } from './covered';
import { MOST_PLIES, type Made } from './tree';

/** Options of a rule set. */
export type Options = GameView['options'];

/** See the top of the file. */
export interface Subject {
  ruleset: string;
  /** Options that differ from the rule set's. */
  options: Options;
  /** The position at the beginning as FEN. */
  start: string;
  moves: readonly Made[];
  /** The ply that is looked at first. */
  ply: number;
  /** The stored game that it is about; null for none. */
  game: string | null;
}

/** What an address asks for. */
export type AddressRequest =
  | { kind: 'game'; game: string; ply: number | null }
  | { kind: 'position'; ruleset: string; fen: string | null; moves: readonly string[]; ply: number | null };

/** Why a game can't be analysed. */
export class NotOpen extends Error {
  override readonly name = 'NotOpen';
}

/** Longer games make addresses that some programs cut off. */
const IN_ADDRESS = 300;

const MOVE = /^[a-i]\d{1,2}[a-i]\d{1,2}$/;
const EMPTY = /^[\d/]+ /;

/** What the address of the page asks for; null for nothing. */
export function readAddress(query: URLSearchParams): AddressRequest | null {
  const game = query.get('game');
  const ply = numberOf(query.get('ply'));
  if (game !== null && /^[\w-]{1,40}$/.test(game)) return { kind: 'game', game, ply };
  const ruleset = query.get('ruleset');
  if (ruleset === null || knownGame(ruleset) === null) return null;
  // In Luzhanqi moves do not tell what became of their attacks.
  const texts = knownGame(ruleset) === 'luzhanqi' ? [] : (query.get('moves') ?? '').split(',');
  const moves = texts.filter((move) => MOVE.test(move));
  return { kind: 'position', ruleset, fen: positionIn(query.get('fen')), moves: moves.slice(0, MOST_PLIES), ply };
}

/** A position that somebody wrote, as the rules read it: its counters are those of a beginning; null for what can't be one. */
export function positionOf(text: string | null): string | null {
  const position = positionIn(text);
  return position && `${position} - - 0 1`;
}

/** Where games of a rule set begin; null where that is up to the players (Luzhanqi). */
export function startOf(ruleset: CatalogRuleSet): string | null {
  return EMPTY.test(ruleset.start) ? null : ruleset.start;
}

/** The options of a game that differ from its rule set's. */
function differing(options: Options, ruleset: CatalogRuleSet): Options {
  return Object.fromEntries(Object.entries(options).filter(([name, value]) => ruleset.options[name] !== value));
}

/**
 * A stored game as the subject of an analysis. Pieces that its viewer does not know are covered on the board (Luzhanqi).
 *
 * Throws `NotOpen` while the players set up, since there is no position then.
 */
export function ofGame(view: GameView, catalog: Catalog, ply: number | null): Subject {
  const found = findRuleset(catalog, view.ruleset)?.ruleset;
  const isLuzhanqi = gameOf(view.ruleset) === 'luzhanqi';
  const isSetUp = !isLuzhanqi || (view.setup?.commitments ?? view.setup?.revealed ?? null) !== null;
  if (!found || !isSetUp) throw new NotOpen();
  return {
    ruleset: view.ruleset,
    options: differing(view.options, found),
    start: isLuzhanqi ? startAsKnown(view) : (allPlies(view)[0]?.fen ?? ''),
    moves: view.moves.map(({ move, removed }) => (removed === undefined ? { move } : { move, removed })),
    ply: ply ?? view.moves.length,
    game: view.game
  };
}

/** A game that was read from a text; null where its rule set is not known here. */
export function ofText(
  { ruleset, options, start, setups, moves, removed }: JudgeRequest,
  catalog: Catalog
): Subject | null {
  const found = findRuleset(catalog, ruleset)?.ruleset;
  const both = setups && `${setups.second}/${setups.first} w - - 0 1`;
  const begins = start ?? both ?? (found && startOf(found));
  if (!found || !begins) return null;
  return {
    ruleset,
    options: options ?? {},
    start: begins,
    moves: moves.map((move, at) => {
      const gone = removed?.[at];
      return gone ? { move, removed: gone } : { move };
    }),
    ply: moves.length,
    game: null
  };
}

/** Whether an address can name all of it: it has no room for what became of attacks. */
export function fitsAddress({ ruleset, options, moves }: Subject): boolean {
  const isTold = knownGame(ruleset) !== 'luzhanqi' || moves.length === 0;
  return isTold && Object.keys(options).length === 0 && moves.length <= IN_ADDRESS;
}
