/** What a user has chosen. Kept in the browser's local storage, and with the account; nothing of it is a secret. */
import { SETS, type PieceSets } from '$lib/piece_sets';
import { isLocale, preferred, type Locale } from '$lib/locales';
import { chosenIn, keep, stored } from '$lib/stored_settings';

/** The colours of the pages. */
export const THEMES = ['system', 'light', 'dark'] as const;
/** The boards of each game; the first is shown unless another is chosen. */
export const BOARDS = {
  doushouqi: ['jungle', 'night', 'map', 'carving', 'felt'],
  luzhanqi: ['field', 'camp', 'blueprint', 'paper', 'dark'],
  xiangqi: ['walnut', 'rosewood', 'bamboo', 'paper', 'slate']
} as const;
/** How moves of Xiangqi are written. */
export const NOTATIONS = ['squares', 'wxf', 'chinese'] as const;

/** The board of each game. */
export type Boards = { [Game in keyof typeof BOARDS]: (typeof BOARDS)[Game][number] };

/** All settings. */
export interface Settings {
  /** The language. */
  locale: Locale;
  /** The colours of the pages. */
  theme: (typeof THEMES)[number];
  /** The board of each game. */
  boards: Boards;
  /** What pieces are drawn from, for each game. */
  pieces: PieceSets;
  /** How moves of Xiangqi are written; of the other games always as squares. */
  notation: (typeof NOTATIONS)[number];
  /** Whether the names of files and ranks stand beside the board. */
  coordinates: boolean;
  /** Whether moves and ends are heard. */
  sound: boolean;
  /** How loud they are, 0 to 100. */
  volume: number;
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
  /** How many positions of each lesson are solved, by its name, in digits. */
  learned: Readonly<Record<string, string>>;
}

function isOneOf<T extends string>(list: readonly T[], value: unknown): value is T {
  return list.includes(value as T);
}

/** How moves of Xiangqi are written unless that is chosen. Vietnamese players count files as the World Xiangqi Federation does. */
const NOTATION: Readonly<Record<Locale, Settings['notation']>> = {
  en: 'squares',
  de: 'squares',
  'zh-Hans': 'chinese',
  'zh-Hant': 'chinese',
  vi: 'wxf'
};

/** Until there was a board for each game, one of three was chosen for all: what comes nearest to the others than the first. */
const EARLIER: Readonly<Record<string, Boards>> = {
  paper: { doushouqi: 'map', luzhanqi: 'paper', xiangqi: 'paper' },
  dark: { doushouqi: 'night', luzhanqi: 'dark', xiangqi: 'slate' }
};

function boardsIn(chosen: Record<string, unknown>): Boards {
  const kept = chosen['boards'];
  const boards = typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : {};
  const earlier = EARLIER[String(chosen['board'])];
  function one<T extends string>(list: readonly [T, ...T[]], value: unknown, otherwise: T | undefined): T {
    return isOneOf(list, value) ? value : (otherwise ?? list[0]);
  }
  return {
    doushouqi: one(BOARDS.doushouqi, boards['doushouqi'], earlier?.doushouqi),
    luzhanqi: one(BOARDS.luzhanqi, boards['luzhanqi'], earlier?.luzhanqi),
    xiangqi: one(BOARDS.xiangqi, boards['xiangqi'], earlier?.xiangqi)
  };
}

/** The sets where none was chosen: people who read no Chinese get such as they can read. Vietnamese players know the characters of Xiangqi. */
const PIECES: Readonly<Record<Locale, PieceSets>> = {
  en: { doushouqi: 'heads', luzhanqi: 'insignia', xiangqi: 'hybrid' },
  de: { doushouqi: 'heads', luzhanqi: 'insignia', xiangqi: 'hybrid' },
  'zh-Hans': { doushouqi: 'heads', luzhanqi: 'simplified', xiangqi: 'simplified' },
  'zh-Hant': { doushouqi: 'heads', luzhanqi: 'bamboo', xiangqi: 'carved' },
  vi: { doushouqi: 'heads', luzhanqi: 'insignia', xiangqi: 'carved' }
};

/** What earlier versions stored: one word for all games, which said most about Xiangqi. */
const FORMERLY: Readonly<Record<string, Partial<PieceSets>>> = {
  traditional: { xiangqi: 'carved' },
  simplified: { xiangqi: 'simplified', luzhanqi: 'simplified' },
  pictures: { xiangqi: 'hybrid' }
};

/** The sets that were chosen. */
function piecesIn(value: unknown): Partial<PieceSets> {
  if (typeof value === 'string') return FORMERLY[value] ?? {};
  if (typeof value !== 'object' || value === null) return {};
  const kept = value as Record<string, unknown>;
  const { doushouqi, luzhanqi, xiangqi } = kept;
  return {
    ...(isOneOf(SETS.doushouqi, doushouqi) ? { doushouqi } : {}),
    ...(isOneOf(SETS.luzhanqi, luzhanqi) ? { luzhanqi } : {}),
    ...(isOneOf(SETS.xiangqi, xiangqi) ? { xiangqi } : {})
  };
}

/** How far lessons were learned. */
export function learnedIn(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => /^\d{1,3}$/.test(String(entry[1])))
  );
}

/** Settings from what was chosen; the rest follows from the language, and invalid values become the default. */
function derive(chosen: Record<string, unknown>, languages: readonly string[]): Settings {
  const flag = (name: string, otherwise: boolean) =>
    typeof chosen[name] === 'boolean' ? (chosen[name] as boolean) : otherwise;
  const locale = isLocale(chosen['locale']) ? chosen['locale'] : preferred(languages);
  const volume = chosen['volume'];
  return {
    locale,
    theme: isOneOf(THEMES, chosen['theme']) ? chosen['theme'] : 'system',
    boards: boardsIn(chosen),
    pieces: { ...PIECES[locale], ...piecesIn(chosen['pieces']) },
    notation: isOneOf(NOTATIONS, chosen['notation']) ? chosen['notation'] : NOTATION[locale],
    coordinates: flag('coordinates', true),
    sound: flag('sound', true),
    volume: typeof volume === 'number' && volume >= 0 && volume <= 100 ? volume : 70,
    confirmMoves: flag('confirmMoves', false),
    premoves: flag('premoves', true),
    warnBlunders: flag('warnBlunders', true),
    animation: flag('animation', true),
    chat: flag('chat', true),
    learned: learnedIn(chosen['learned'])
  };
}

/** Settings from what was kept. */
export function read(text: string | null, languages: readonly string[]): Settings {
  return derive(chosenIn(text), languages);
}

let chosen = chosenIn(stored());

/** The settings of this browser. Change them with `choose`. */
export const settings: Settings = $state(derive(chosen, navigator.languages));

/** Shows the page with these choices, whatever was kept, and keeps nothing: in a frame of another site. */
export function showOnly(given: Record<string, unknown>): void {
  chosen = given;
  Object.assign(settings, derive(chosen, navigator.languages));
}

const listeners = new Set<(names: readonly string[]) => void>();

/** Calls with the names of settings whenever some are chosen here. What comes back ends it. */
export function onChosen(then: (names: readonly string[]) => void): () => void {
  listeners.add(then);
  return () => listeners.delete(then);
}

/** What was chosen, and nothing of it is checked: a later version of the client may have more. */
export function allChosen(): Readonly<Record<string, unknown>> {
  return chosen;
}

/** Takes over what was chosen elsewhere, in place of everything that was chosen here. */
export function takeOver(elsewhere: Readonly<Record<string, unknown>>): void {
  chosen = { ...elsewhere };
  Object.assign(settings, derive(chosen, navigator.languages));
  keep(chosen);
}

/** Changes settings, and keeps what was chosen: what was not still follows the language. */
export function choose(changes: Partial<Omit<Settings, 'pieces'>> & { pieces?: Partial<PieceSets> }): void {
  const pieces = changes.pieces ? { pieces: { ...piecesIn(chosen['pieces']), ...changes.pieces } } : {};
  chosen = { ...chosen, ...changes, ...pieces };
  Object.assign(settings, derive(chosen, navigator.languages));
  keep(chosen);
  for (const told of listeners) told(Object.keys(changes));
}
