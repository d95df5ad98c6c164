/** What somebody last played in this browser, so that the lobby opens with it. Nothing of it is a secret. */
import { CLOCKLESS, DEFAULT_TIME, readDraft, type TimeDraft } from './time';
import { GAMES, isGame, knownGame, USUAL, type GameKind } from '$lib/game/rulesets';

/** The seats that can be asked for. */
export const SEATS = ['random', 'first', 'second'] as const;

/** How strong a computer may be. */
export const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** What is remembered. */
export interface Choice {
  game: GameKind;
  /** The rule set of each game. */
  rulesets: Record<GameKind, string>;
  /** Whether results shall count; holds only for who has an account. */
  rated: boolean;
  /** The seat in games that one opens oneself. */
  seat: (typeof SEATS)[number];
  /** The time control of games that one opens oneself. */
  time: TimeDraft;
  /** What belongs to games against the computer alone. */
  computer: { level: (typeof LEVELS)[number]; time: TimeDraft; practice: boolean };
}

const KEY = 'qiguan.lobby';

/** A choice from what was kept: invalid values become the default. */
export function readChoice(text: string | null): Choice {
  let kept: Record<string, unknown> = {};
  try {
    kept = fieldsOf(JSON.parse(text ?? '{}'));
  } catch {
    // Somebody else's text under our key: the defaults do.
  }
  const rulesets = { ...USUAL };
  const before = fieldsOf(kept['rulesets']);
  for (const game of GAMES) {
    const ruleset = before[game];
    if (typeof ruleset === 'string' && knownGame(ruleset) === game) rulesets[game] = ruleset;
  }
  const computer = fieldsOf(kept['computer']);
  return {
    game: isGame(kept['game']) ? kept['game'] : 'xiangqi',
    rulesets,
    rated: kept['rated'] === true,
    seat: SEATS.find((seat) => seat === kept['seat']) ?? 'random',
    time: readDraft(kept['time'], DEFAULT_TIME),
    computer: {
      level: LEVELS.find((level) => level === computer['level']) ?? 1,
      time: readDraft(computer['time'], CLOCKLESS),
      practice: computer['practice'] === true
    }
  };
}

function fieldsOf(kept: unknown): Record<string, unknown> {
  return typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : {};
}

/** The choice with another game and rule set. */
export function withRuleset(choice: Choice, ruleset: string): Choice {
  const game = knownGame(ruleset);
  return game ? { ...choice, game, rulesets: { ...choice.rulesets, [game]: ruleset } } : choice;
}

/** The rule set that is chosen. */
export function chosenRuleset(choice: Choice): string {
  return choice.rulesets[choice.game];
}

/** What this browser remembers. */
export function recall(): Choice {
  try {
    return readChoice(localStorage.getItem(KEY));
  } catch {
    // A browser that forbids storage: every visit begins with the defaults.
    return readChoice(null);
  }
}

/** Has this browser remember a choice. */
export function remember(choice: Choice): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(choice));
  } catch {
    // See `recall`.
  }
}
