/** What the program says of the diagrams; see `diagrams.ts`. */
import type { Removed } from '$lib/board/config';
import file from './verdicts.json';

/** What is true of a diagram under one rule set. */
export interface Verdict {
  /** The position that is drawn. */
  fen: string;
  /** Who is to move in it. */
  turn: 'first' | 'second';
  /** Whether that side's general is in check. */
  check: boolean;
  /** The moves that may be played. */
  legal: string[];
  /** The moves that only a ban forbids. */
  banned: string[];
  /** How it ends, here or by the move that the diagram names: `WINNER REASON`; null if it goes on. */
  end: string | null;
  /** Who is removed by the moves that are attacks (Luzhanqi). */
  removed: Readonly<Record<string, Removed | undefined>>;
}

/** What is left on the point of an attack. */
export type Remains = 'attacker' | 'defender' | 'none';

interface Row {
  fen: string;
  turn: string;
  check: boolean;
  by: Record<string, Judged | undefined>;
}

interface Judged {
  legal: string;
  banned: string;
  end: string | null;
  /** By who is removed: the moves. */
  removed?: Partial<Record<Removed, string>>;
}

const rows: Readonly<Record<string, Row | undefined>> = file.diagrams;
const attacks: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = file.attacks;

const words = (text: string): string[] => (text === '' ? [] : text.split(' '));

/** What the program says of a diagram under a rule set; null if it was not asked. */
export function verdict(diagram: string, ruleset: string): Verdict | null {
  const row = rows[diagram];
  const found = row?.by[ruleset];
  if (!row || !found) return null;
  return {
    fen: row.fen,
    turn: row.turn === 'second' ? 'second' : 'first',
    check: row.check,
    legal: words(found.legal),
    banned: words(found.banned),
    end: found.end,
    removed: Object.fromEntries(
      (Object.entries(found.removed ?? {}) as [Removed, string][]).flatMap(([who, moves]) =>
        words(moves).map((move) => [move, who])
      )
    )
  };
}

/** What comes of an attack (two letters: who attacks, and whom) under a rule set of Luzhanqi. */
export function remains(pair: string, ruleset: string): Remains | null {
  const found = attacks[ruleset]?.[pair];
  return found === 'attacker' || found === 'defender' || found === 'none' ? found : null;
}

/** Every rule set and diagram that the program was asked about, as `DIAGRAM RULESET`. */
export function asked(): string[] {
  return Object.entries(rows).flatMap(([id, row]) => Object.keys(row?.by ?? {}).map((ruleset) => `${id} ${ruleset}`));
}
