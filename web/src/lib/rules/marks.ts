/** What is marked in a diagram: the moves of the pieces that it is about, as the program has them. */
import { ends } from '$lib/game/plies';
import type { Reason } from '$lib/learn/lesson';
import type { Diagram } from './diagrams';
import type { Verdict } from './verdicts';

/** A marked move. */
export interface Marked {
  from: string;
  to: string;
  /** Can be played; would be a mistake to try; only a ban forbids it; ends the game. */
  kind: 'legal' | 'never' | 'banned' | 'ends';
}

/** The moves that a diagram calls impossible, and why they are. */
export function impossible({ never = {} }: Diagram): Map<string, Reason> {
  const all = Object.entries(never) as [Reason, string][];
  return new Map(all.flatMap(([reason, moves]) => moves.split(' ').map((move) => [move, reason] as const)));
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
    ...[...impossible(diagram).keys()].map(mark('never')),
    ...banned.map(mark('banned')),
    ...(last === null ? [] : [mark('ends')(last)])
  ];
}
