/** What the address of a frame asks for. Another site's frame remembers nothing: all that it shows stands there. */
import { isLocale } from '$lib/locales';
import { THEMES } from '$lib/settings.svelte';
import type { GameKind } from '$lib/game/rulesets';

/** What a frame shows, and how. */
export interface FrameOptions {
  /** What was chosen, as settings are kept. */
  settings: Record<string, unknown>;
  /** The kind of game of a channel. */
  game: GameKind;
  /** Whether the second seat is at the bottom. */
  turned: boolean;
}

const GAMES: readonly string[] = ['xiangqi', 'doushouqi', 'luzhanqi'];

/** What a query says; what it leaves out, or what is unknown, is as everywhere. */
export function lookFor(query: URLSearchParams): FrameOptions {
  const [lang, theme, board, pieces, game] = ['lang', 'theme', 'board', 'pieces', 'game'].map((name) =>
    query.get(name)
  );
  // Boards and sets have names of their own in each game: where a game has none of that name it stays as usual.
  const inAll = (name: string) => Object.fromEntries(GAMES.map((kind) => [kind, name]));
  return {
    settings: {
      ...(isLocale(lang) ? { locale: lang } : {}),
      ...(THEMES.some((known) => known === theme) ? { theme } : {}),
      ...(board ? { boards: inAll(board) } : {}),
      ...(pieces ? { pieces: inAll(pieces) } : {}),
      sound: false
    },
    game: GAMES.includes(game ?? '') ? (game as GameKind) : 'xiangqi',
    turned: query.get('view') === 'second'
  };
}

/** The text that puts a game into a page of another site. */
export function frameText(origin: string, id: string, title: string): string {
  const safe = title.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<iframe src="${origin}/embed/${id}" title="${safe}" width="400" height="560" loading="lazy" style="border:0"></iframe>`;
}
