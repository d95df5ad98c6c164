import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import type { Locale } from '$lib/locales';
import type { Space } from './spaces';

/** The texts of one space in one language, by key: those with arguments as `bundling/messages.ts` has parsed them. */
export type Messages = Readonly<Record<string, string | MessageFormatElement[]>>;

/** The files of a language, by their addresses. */
type Files = Readonly<Record<string, () => Promise<Messages>>>;

// A page fetches the one language that is spoken, and of it the spaces that the page needs.
const languages = import.meta.glob<Files>('./languages/*.ts', { import: 'default' });

/** Fetches the texts of a space. Rejects when they can't be fetched. */
export async function load(locale: Locale, space: Space): Promise<Messages> {
  const files = await languages[`./languages/${locale}.ts`]?.();
  const file = files?.[`../messages/${locale}/${space}.json`];
  if (!file) throw new Error(`there are no texts ${space} in ${locale}`);
  return file();
}
