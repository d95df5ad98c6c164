/** The texts of the pages in one language, so that a story finds what it touches by what somebody reads there. */
import { expect, type Page } from '@playwright/test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import type { Values } from '../../src/lib/i18n/index.svelte';
import type { MessageKey } from '../../src/lib/i18n/spaces';
import type { Locale } from '../../src/lib/locales';

const MESSAGES = join(import.meta.dirname, '../../src/lib/i18n/messages');

/** Shorter texts stand in other words, and single words in the names of guests. */
const LETTERS = 8;

/** A text, its arguments filled in. */
export type Words = (key: MessageKey, values?: Values) => string;

function textsIn(locale: Locale): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const file of readdirSync(join(MESSAGES, locale))) {
    const space = JSON.parse(readFileSync(join(MESSAGES, locale, file), 'utf8')) as Record<string, string>;
    for (const [key, text] of Object.entries(space)) texts.set(`${file.replace('.json', '')}.${key}`, text);
  }
  return texts;
}

/** The texts of a language. */
export function wordsIn(locale: Locale): Words {
  const texts = textsIn(locale);
  return (key, values) => {
    const text = texts.get(key);
    if (text === undefined) throw new Error(`there is no text ${key} in ${locale}`);
    return String(new IntlMessageFormat(text, locale, undefined, { ignoreTag: true }).format(values));
  };
}

/** A text with any move in the place of one of its arguments, which is the first group. */
export function withMove(words: Words, key: MessageKey): RegExp {
  const [before = '', after = ''] = words(key, { move: '\0' })
    .split('\0')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${before}((?:[a-i]\\d+){2})${after}$`);
}

/** Nothing on the page is left in English that has other words in this language. */
export async function isAllIn(page: Page, locale: Locale, what: string): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', locale);
  const own = new Set(textsIn(locale).values());
  const english = [...textsIn('en').values()].filter(
    (text) => text.length >= LETTERS && text.includes(' ') && !/['{]/.test(text)
  );
  const shown = await page.locator('body').innerText();
  const left = english.filter((text) => !own.has(text) && shown.includes(text));
  expect(left, `English texts on ${what}`).toEqual([]);
}
