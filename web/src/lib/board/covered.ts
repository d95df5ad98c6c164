/** Positions of which not everything is shown. */

/** A position with the second seat's pieces turned face down. */
export function hideSecond(fen: string): string {
  const [board = '', ...rest] = fen.split(' ');
  return [board.replace(/[a-z]/g, 'u'), ...rest].join(' ');
}
