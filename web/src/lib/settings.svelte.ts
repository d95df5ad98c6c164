/** What a user has chosen for this browser. Kept in its local storage; nothing of it is a secret. */
import { isLocale, preferred, type Locale } from '$lib/locales';

const KEY = 'qiguan.settings';

/** The colours of the pages. */
export const THEMES = ['system', 'light', 'dark'] as const;
/** What boards are made of. */
export const BOARDS = ['wood', 'paper', 'dark'] as const;
/** How Xiangqi's pieces are drawn. */
export const PIECES = ['traditional', 'simplified', 'pictures'] as const;
/** How moves of Xiangqi are written. */
export const NOTATIONS = ['squares', 'wxf', 'chinese'] as const;

/** All settings. */
export interface Settings {
  /** The language. */
  locale: Locale;
  /** The colours of the pages. */
  theme: (typeof THEMES)[number];
  /** What boards are made of. */
  board: (typeof BOARDS)[number];
  /** How Xiangqi's pieces are drawn. */
  pieces: (typeof PIECES)[number];
  /** How moves of Xiangqi are written; of the other games always as squares. */
  notation: (typeof NOTATIONS)[number];
  /** Whether the names of files and ranks stand beside the board. */
  coordinates: boolean;
  /** Whether moves and ends are heard. */
  sound: boolean;
  /** Whether a move has to be confirmed before it is sent. */
  confirmMoves: boolean;
  /** Whether a move may be made before it is one's turn. */
  premoves: boolean;
  /** Whether a player is asked before a move in a practice game that gives too much away. */
  warnBlunders: boolean;
  /** Whether pieces glide; a browser that asks for reduced motion always has its way. */
  animation: boolean;
  /** Whether what the opponent says is shown. */
  chat: boolean;
}

function isOneOf<T extends string>(list: readonly T[], value: unknown): value is T {
  return list.includes(value as T);
}

/** Settings from what was kept: invalid values become the default. */
export function read(text: string | null, languages: readonly string[]): Settings {
  let kept: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    if (typeof parsed === 'object' && parsed !== null) kept = parsed as Record<string, unknown>;
  } catch {
    // Somebody else's text under our key: the defaults do.
  }
  const flag = (name: string, otherwise: boolean) =>
    typeof kept[name] === 'boolean' ? (kept[name] as boolean) : otherwise;
  const locale = isLocale(kept['locale']) ? kept['locale'] : preferred(languages);
  return {
    locale,
    theme: isOneOf(THEMES, kept['theme']) ? kept['theme'] : 'system',
    board: isOneOf(BOARDS, kept['board']) ? kept['board'] : 'wood',
    pieces: isOneOf(PIECES, kept['pieces']) ? kept['pieces'] : locale === 'zh-Hans' ? 'simplified' : 'traditional',
    notation: isOneOf(NOTATIONS, kept['notation']) ? kept['notation'] : locale === 'zh-Hans' ? 'chinese' : 'squares',
    coordinates: flag('coordinates', true),
    sound: flag('sound', true),
    confirmMoves: flag('confirmMoves', false),
    premoves: flag('premoves', true),
    warnBlunders: flag('warnBlunders', true),
    animation: flag('animation', true),
    chat: flag('chat', true)
  };
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // A browser that forbids storage: the settings last as long as the page.
    return null;
  }
}

/** The settings of this browser. Change them with `choose`. */
export const settings: Settings = $state(read(stored(), navigator.languages));

/** Changes settings, and keeps them. */
export function choose(changes: Partial<Settings>): void {
  Object.assign(settings, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // See `stored`.
  }
}
