/** Which sets of pieces there are; the files are in `art/pieces`. */

/** The sets of each game, those for people who read no Chinese and those for people who do. */
export const SETS = {
  doushouqi: ['heads', 'silhouettes', 'carved', 'simplified'],
  luzhanqi: ['insignia', 'bold', 'simplified', 'bamboo'],
  xiangqi: ['carved', 'simplified', 'hybrid', 'jade', 'letters']
} as const;

/** A set of a game. */
export type PieceSet = (typeof SETS)[keyof typeof SETS][number];

/** A set for each game. */
export type PieceSets = { -readonly [G in keyof typeof SETS]: (typeof SETS)[G][number] };
