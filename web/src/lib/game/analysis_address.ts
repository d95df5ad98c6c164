/** Where the analysis board is opened, for the pages that lead there. */

/** The address of the analysis board with a stored game at a ply. */
export function gameAddress(game: string, ply: number): string {
  return `/analysis?game=${game}&ply=${ply}`;
}

/** The address of the analysis board with a position, null for the rule set's own start, and moves from there on. */
export function positionAddress(ruleset: string, fen: string | null, moves: readonly string[] = []): string {
  const query = new URLSearchParams({
    ruleset,
    ...(fen === null ? {} : { fen }),
    ...(moves.length === 0 ? {} : { moves: moves.join(',') })
  });
  return `/analysis?${query.toString().replaceAll('%2F', '/').replaceAll('%2C', ',')}`;
}
