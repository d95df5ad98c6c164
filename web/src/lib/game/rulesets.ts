/** The games and their rule sets: which there are, whose pieces have which colour, and how they look. */
import type { Colour, GameKind } from '$lib/board/config';
import type { BySeat, Catalog, CatalogGame, CatalogRuleSet, GameView, Seat } from '$lib/protocol/protocol';

export type { Colour, GameKind };

/** The games in the order in which every page shows them. */
export const GAMES = ['xiangqi', 'doushouqi', 'luzhanqi'] as const satisfies readonly GameKind[];

/** The rule set that a newcomer gets: the one that most players of the game know. */
export const USUAL: Readonly<Record<GameKind, string>> = {
  doushouqi: 'doushouqi/booklet',
  luzhanqi: 'luzhanqi/modern',
  xiangqi: 'xiangqi/standard'
};

/** Whether this is the name of a game. */
export function isGame(text: unknown): text is GameKind {
  return GAMES.some((game) => game === text);
}

/** The game that a rule set belongs to; null for one that this client does not know. */
export function knownGame(ruleset: string): GameKind | null {
  const [game] = ruleset.split('/');
  return isGame(game) ? game : null;
}

/** The game of a rule set; Xiangqi for one that this client does not know. */
export function gameOf(ruleset: string): GameKind {
  return knownGame(ruleset) ?? 'xiangqi';
}

/** The game and rule set of an id; undefined for one that the catalog does not have. */
export function findRuleset(catalog: Catalog, id: string): { game: CatalogGame; ruleset: CatalogRuleSet } | undefined {
  for (const game of catalog.games) {
    const ruleset = game.rulesets.find((set) => set.id === id);
    if (ruleset) return { game, ruleset };
  }
  return undefined;
}

/** The games of the catalog in the order of all pages, of each the rule set first that most people know. */
export function gamesOf(catalog: Catalog): CatalogGame[] {
  return GAMES.flatMap((kind) => {
    const game = catalog.games.find(({ id }) => id === kind);
    if (!game) return [];
    const isUsual = ({ id }: CatalogRuleSet) => id === USUAL[kind];
    return { ...game, rulesets: [...game.rulesets.filter(isUsual), ...game.rulesets.filter((set) => !isUsual(set))] };
  });
}

/** The ids of a game's rule sets, the one that most people know first. */
export function rulesetsOf(catalog: Catalog, game: GameKind): string[] {
  return (
    gamesOf(catalog)
      .find(({ id }) => id === game)
      ?.rulesets.map(({ id }) => id) ?? []
  );
}

/** Which colour a seat has in a rule set. */
export function colourOf(ruleset: string, seat: Seat): Colour {
  if (ruleset === 'doushouqi/tierschach') return seat === 'first' ? 'white' : 'black';
  if (ruleset.startsWith('doushouqi/')) return seat === 'first' ? 'blue' : 'red';
  if (ruleset.startsWith('luzhanqi/')) return seat === 'first' ? 'red' : 'blue';
  return seat === 'first' ? 'red' : 'black';
}

/** Which colours the pieces of a rule set have. */
export function coloursOf(ruleset: string): BySeat<Colour> {
  return { first: colourOf(ruleset, 'first'), second: colourOf(ruleset, 'second') };
}

/** What the pieces of a game look like. */
export interface PieceStyle {
  game: GameKind;
  colours: BySeat<Colour>;
  /** The ranks of the animals of Dou Shou Qi. */
  strengths: Record<string, number>;
}

/** What the pieces look like in a game, by its rule set and options. */
export function lookOf({ ruleset, options }: Pick<GameView, 'ruleset' | 'options'>): PieceStyle {
  const [dog, wolf] = options['dog_outranks_wolf'] === true ? [4, 3] : [3, 4];
  return {
    game: gameOf(ruleset),
    colours: coloursOf(ruleset),
    strengths: { E: 8, L: 7, T: 6, P: 5, W: wolf, D: dog, C: 2, R: 1 }
  };
}

/** The opponent's seat. */
export function other(seat: Seat): Seat {
  return seat === 'first' ? 'second' : 'first';
}
