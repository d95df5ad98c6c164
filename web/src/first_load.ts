/**
 * Runs in the page itself, before anything else has come: sets the language and the colours, and asks for all that the visited page will
 * need, so that no part waits for another one to name it. `bundling/first_load.ts` writes it into the page.
 */
import { isLocale, preferred } from '$lib/locales';
import { chosenIn, stored } from '$lib/stored_settings';
import { paint } from '$lib/theme';

/** Which files the pages need. */
export interface Needed {
  /** The addresses of files; what follows names them by their place here. */
  files: readonly string[];
  /** The texts of each language, one subject after the other. */
  texts: Readonly<Record<string, readonly number[]>>;
  /** The scripts and styles of each page, by its address such as `/game/[id]`, and the subjects of its texts by their places. */
  pages: Readonly<Record<string, { files: readonly number[]; subjects: readonly number[] }>>;
}

declare const NEEDED: Needed;

const { locale: chosen, theme } = chosenIn(stored());
const locale = isLocale(chosen) ? chosen : preferred(navigator.languages);
document.documentElement.lang = locale;
if (typeof theme === 'string') paint(theme);

const parts = location.pathname.replace(/\/$/, '').split('/');
for (const [address, { files, subjects }] of Object.entries(NEEDED.pages)) {
  const wanted = address.replace(/\/$/, '').split('/');
  if (wanted.length !== parts.length || !wanted.every((part, at) => part === parts[at] || part.startsWith('[')))
    continue;
  const texts = subjects.map((subject) => NEEDED.texts[locale]?.[subject] ?? -1);
  for (const place of [...files, ...texts]) ask(NEEDED.files[place] ?? '');
  break;
}

function ask(address: string): void {
  const link = document.createElement('link');
  const isStyle = address.endsWith('.css');
  link.rel = isStyle ? 'preload' : 'modulepreload';
  if (isStyle) link.as = 'style';
  link.href = address;
  document.head.append(link);
}
