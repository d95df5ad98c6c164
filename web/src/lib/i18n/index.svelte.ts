/**
 * The texts of the client in the language of its user.
 *
 * A page names the spaces that it needs in its `load` (`await need('game', 'board')`); from then on `t` answers, also after
 * the language has changed, without a reload.
 */
import { IntlMessageFormat } from 'intl-messageformat';
import { SvelteSet } from 'svelte/reactivity';
import { settings } from '$lib/settings.svelte';
import { load, type Messages } from './load';
import type { Locale } from '$lib/locales';
import type { MessageKey, Space } from './spaces';

/** What stands in the place of a text's arguments. */
export type Values = Readonly<Record<string, string | number | boolean | Date>>;

const needed = new SvelteSet<Space>();
let spoken = $state<Locale>('en');
let texts = $state.raw<Partial<Record<Space, Messages>>>({});
let formats = new Map<string, IntlMessageFormat>();

/** Sees to it that these texts are there. */
export async function need(...spaces: Space[]): Promise<void> {
  for (const space of spaces) needed.add(space);
  await speak(settings.locale);
}

/** Fetches what is needed in this language, and speaks it from then on. */
export async function speak(locale: Locale): Promise<void> {
  const same = locale === spoken;
  const wanted = [...needed].filter((space) => !same || !texts[space]);
  const fetched = await Promise.all(wanted.map(async (space) => [space, await load(locale, space)] as const));
  // A language chosen in the meantime wins.
  if (locale !== settings.locale) return;
  if (!same) formats = new Map();
  texts = { ...(locale === spoken ? texts : {}), ...Object.fromEntries(fetched) };
  spoken = locale;
  document.documentElement.lang = locale;
}

/** The language that is spoken now. */
export function locale(): Locale {
  return spoken;
}

/** A text in the language of the user, its arguments filled in. */
export function t(key: MessageKey, values?: Values): string {
  const dot = key.indexOf('.');
  const text = texts[key.slice(0, dot) as Space]?.[key.slice(dot + 1)];
  if (text === undefined) return key;
  if (typeof text === 'string') return text;
  let format = formats.get(key);
  if (!format) {
    format = new IntlMessageFormat(text, spoken);
    formats.set(key, format);
  }
  return String(format.format(values));
}

/** Whether there is such a text, for names that come from the server and may be newer than this client. */
export function has(key: string): key is MessageKey {
  const dot = key.indexOf('.');
  return texts[key.slice(0, dot) as Space]?.[key.slice(dot + 1)] !== undefined;
}
