/** What a message of Web Push says to its player: the service worker has no other texts than these. Values and functions. */
import de from '$lib/i18n/messages/de/notice.json?raw';
import en from '$lib/i18n/messages/en/notice.json?raw';
import vi from '$lib/i18n/messages/vi/notice.json?raw';
import hans from '$lib/i18n/messages/zh-Hans/notice.json?raw';
import hant from '$lib/i18n/messages/zh-Hant/notice.json?raw';
import { isLocale, type Locale } from '$lib/locales';
import type { PushMessage } from '$lib/protocol/openapi';
import { isolated } from '$lib/ui/bidi';

const TEXTS: Readonly<Record<Locale, string>> = { en, de, vi, 'zh-Hans': hans, 'zh-Hant': hant };
/** What a message is about, and what is said of it first. */
const TITLES = { turn: 'notice.turn', challenge: 'notice.challenge', pairing: 'notice.pairing' } as const;

/** A notification as it is shown. */
export interface Notice {
  title: string;
  body: string;
  /** The language of both. */
  lang: Locale;
  /** The game; there is one notification for each. */
  game: string;
}

/** A message as it was sent; null for anything else. */
export function readMessage(text: string): PushMessage | null {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof read !== 'object' || read === null) return null;
  const { kind, game, opponent, ruleset, language, at } = read as Record<string, unknown>;
  const isKnown = typeof kind === 'string' && Object.hasOwn(TITLES, kind);
  const isGame = typeof game === 'string' && /^[0-9a-f-]{36}$/.test(game);
  if (!isKnown || !isGame || typeof opponent !== 'string' || typeof ruleset !== 'string') return null;
  if (typeof language !== 'string' || typeof at !== 'number') return null;
  return { kind: kind as PushMessage['kind'], game, opponent, ruleset, language, at };
}

/** What is shown of a message. */
export function noticeOf({ kind, game, opponent, ruleset, language }: PushMessage): Notice {
  const lang = isLocale(language) ? language : 'en';
  const texts = JSON.parse(TEXTS[lang]) as Record<string, string>;
  const text = (key: string, values: Readonly<Record<string, string>> = {}) => {
    const [, name = ''] = key.split('.');
    return (texts[name] ?? '').replace(/\{(\w+)\}/g, (_, value: string) => values[value] ?? '');
  };
  // A game that this version does not know yet has its own name.
  const of = text(`notice.game_${ruleset.split('/')[0] ?? ''}`) || ruleset;
  return {
    title: text(TITLES[kind], { game: of }),
    body: text(`notice.${kind}_body`, { name: isolated(opponent) }),
    lang,
    game
  };
}
