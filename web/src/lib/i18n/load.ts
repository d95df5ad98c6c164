import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import type { Locale } from '$lib/locales';
import type { Space } from './spaces';

/** The texts of one space in one language, by key: those with arguments as `bundling/messages.ts` has parsed them. */
export type Messages = Readonly<Record<string, string | MessageFormatElement[]>>;

// Each file is a chunk of its own, so that a page loads the spaces it needs in the one language that is spoken.
const files = import.meta.glob<Messages>('./messages/*/*.json', { import: 'default' });

/** Fetches the texts of a space. Rejects when they can't be fetched. */
export async function load(locale: Locale, space: Space): Promise<Messages> {
  const file = files[`./messages/${locale}/${space}.json`];
  if (!file) throw new Error(`there are no texts ${space} in ${locale}`);
  return file();
}
