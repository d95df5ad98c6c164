/**
 * Lessons: positions in which the visitor finds a move.
 *
 * Nothing about a position is said by hand: which moves are legal or banned, and what comes of them, stands in `verdicts.json`, which
 * `npm run diagrams -- PATH/TO/qiguan` makes with `qiguan check`, and which the same command with `--check` compares.
 */
import type { GameKind } from '$lib/board/config';

/** One position of a lesson. */
export interface Step {
  /** Its name, unique in its lesson. The task is `learn.task_GAME_ID`, what is said when it is solved `learn.done_GAME_ID`. */
  id: string;
  /** Where it begins. In Luzhanqi with all identities; of a setup the visitor's six ranks alone. */
  start: string;
  /** Whether pieces of a setup change places here, instead of moves (Luzhanqi). Such a move names both squares in the order of their names. */
  setup?: boolean;
  /** What has been played since. */
  moves?: readonly string[];
  /** The moves that solve it; `a1*` is every legal move from a square, `*` every legal move. */
  right: readonly string[];
  /** Why other moves are wrong, legal or not: the text `learn.why_REASON`, by move. */
  wrong?: Readonly<Record<string, Reason>>;
  /** The same for all legal moves that are not named. */
  otherwise?: Reason;
  /** What the opponent plays when it is solved. */
  answer?: string;
  /** How the game ends by each right move. */
  ends?: string;
  /** Whether the opponent's pieces are covered (Luzhanqi). */
  hidden?: boolean;
  /** A move that only a ban forbids here, and why. */
  banned?: { move: string; reason: 'repetition' | 'perpetual_check' };
}

/** A lesson about a rule set, or about what sets it apart from the one that is learned first. */
export interface Lesson {
  ruleset: string;
  game: GameKind;
  steps: readonly Step[];
}

/** Why a move is wrong, in a lesson or in a diagram of the rules: `learn.why_REASON`. */
export type Reason =
  | 'attack_it'
  | 'camp'
  | 'cannon_jumps'
  | 'cannon_quiet'
  | 'cannon_slides'
  | 'cannot'
  | 'capture'
  | 'corner'
  | 'den'
  | 'diagonal'
  | 'elephant_eye'
  | 'elephant_rat'
  | 'face'
  | 'headquarters'
  | 'horse_leg'
  | 'in_check'
  | 'in_trap'
  | 'in_way'
  | 'jump'
  | 'lion_stays'
  | 'lost'
  | 'mate'
  | 'mine'
  | 'mine_stays'
  | 'mountains'
  | 'never_moves'
  | 'no_railway'
  | 'on_file'
  | 'only_rat'
  | 'own_den'
  | 'perpetual_check'
  | 'rat_blocks'
  | 'repetition'
  | 'ride'
  | 'river'
  | 'setup_flag'
  | 'setup_grenade'
  | 'setup_mine'
  | 'shore'
  | 'shore_elephant'
  | 'soldier_back'
  | 'soldier_sideways'
  | 'stays'
  | 'stronger'
  | 'stuck'
  | 'swim'
  | 'trapped'
  | 'try_ban'
  | 'waste'
  | 'weaker';

/** Whether a pattern (`a1a2`, `a1*` or `*`) means a move. */
function means(pattern: string, move: string): boolean {
  if (pattern === '*') return true;
  const from = pattern.endsWith('*') ? pattern.slice(0, -1) : null;
  // `a1*` does not mean `a10b10`: what follows the square has to be a square itself.
  return from === null ? pattern === move : move.startsWith(from) && /^[a-i]/.test(move.slice(from.length));
}

/** One reason for several moves, which are separated by spaces. */
export function because(reason: Reason, moves: string): Readonly<Record<string, Reason>> {
  return Object.fromEntries(moves.split(' ').map((move) => [move, reason]));
}

/** The legal moves that solve a step. */
export function rightMoves(step: Step, legal: readonly string[]): string[] {
  return legal.filter((move) => step.right.some((pattern) => means(pattern, move)));
}
