/** What is marked in a diagram: the moves of the pieces that it is about, as the program has them. */
import { ends } from '$lib/game/plies';
import type { Diagram } from './diagrams';
import type { Verdict } from './verdicts';

/** A marked move. */
export interface Marked {
  from: string;
  to: string;
  /** Can be played; would be a mistake to try; only a ban forbids it; ends the game. */
  kind: 'legal' | 'never' | 'banned' | 'ends';
}

/** All moves that a diagram marks. */
export function marked(diagram: Diagram, { legal, banned }: Pick<Verdict, 'legal' | 'banned'>): Marked[] {
  const mark = (kind: Marked['kind']) => (move: string) => {
    const [from, to] = ends(move);
    return { from, to, kind };
  };
  const last = diagram.ends?.move ?? null;
  const shown = legal.filter((move) => move !== last && (diagram.from ?? []).includes(ends(move)[0]));
  return [
    ...shown.map(mark('legal')),
    ...(diagram.never ?? []).map(mark('never')),
    ...banned.map(mark('banned')),
    ...(last === null ? [] : [mark('ends')(last)])
  ];
}

/** A position with the second seat's pieces turned face down. */
export function hideSecond(fen: string): string {
  const [board = '', ...rest] = fen.split(' ');
  return [board.replace(/[a-z]/g, 'u'), ...rest].join(' ');
}
