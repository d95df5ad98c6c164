/** What the program says of the positions of lessons; see `lesson.ts`. */
import type { BannedMove } from '$lib/protocol/protocol';
import { hideSecond } from '$lib/board/covered';
import type { Lesson, Reason, Step } from './lesson';
import file from './verdicts.json';

/** A position after a move that solves a step. */
export interface After {
  fen: string;
  /** Whether the opponent is in check. */
  check: boolean;
  /** How the game has ended, `WINNER REASON`; null if it goes on. */
  end: string | null;
  /** The position after the opponent's answer, if there is one. */
  answered?: string;
}

/** What is true of a step. */
export interface StepVerdict {
  /** The position as the visitor sees it. */
  fen: string;
  check: boolean;
  legal: readonly string[];
  banned: readonly BannedMove[];
  /** Why exchanges of a setup are not allowed, by the rule that they break. */
  wrong: Readonly<Record<string, Reason>>;
  /** The moves that solve it, and what comes of them. */
  after: Readonly<Record<string, After>>;
}

interface Row {
  fen: string;
  check: boolean;
  legal: string;
  banned: string;
  after: Readonly<Record<string, After | undefined>>;
  wrong?: Partial<Readonly<Record<Reason, string>>>;
}

const rows: Readonly<Record<string, Readonly<Record<string, Row | undefined>> | undefined>> = file;
const words = (text: string): string[] => (text === '' ? [] : text.split(' '));

/** What the program says of a step. Throws if it was not asked. */
export function verdictOf({ ruleset }: Lesson, step: Step): StepVerdict {
  const row = rows[ruleset]?.[step.id];
  if (!row) throw new Error(`the program was not asked about ${ruleset} ${step.id}: npm run diagrams`);
  const seen = (fen: string) => (step.hidden ? hideSecond(fen) : fen);
  const after = Object.entries(row.after).flatMap(([move, then]) =>
    then
      ? [[move, { ...then, fen: seen(then.fen), ...(then.answered ? { answered: seen(then.answered) } : {}) }] as const]
      : []
  );
  const reason = step.banned?.reason ?? 'repetition';
  return {
    fen: seen(row.fen),
    check: row.check,
    legal: words(row.legal),
    banned: words(row.banned).map((move): BannedMove => ({ move, reason })),
    wrong: Object.fromEntries(
      (Object.entries(row.wrong ?? {}) as [Reason, string][]).flatMap(([reason, moves]) =>
        words(moves).map((move) => [move, reason] as const)
      )
    ),
    after: Object.fromEntries(after)
  };
}
