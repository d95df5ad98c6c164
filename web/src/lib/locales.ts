/** The languages of the client: their tags, and their names in themselves. */
export const LOCALES = { en: 'English', de: 'Deutsch', 'zh-Hans': '简体中文' } as const;

/** The tag of a language. */
export type Locale = keyof typeof LOCALES;

/** Whether a text is the tag of a language that the client speaks. */
export function isLocale(text: unknown): text is Locale {
  return typeof text === 'string' && Object.hasOwn(LOCALES, text);
}

/** The first language of a browser's list that the client speaks; English if it speaks none. */
export function preferred(languages: readonly string[]): Locale {
  for (const language of languages) {
    const [base] = language.toLowerCase().split('-');
    if (base === 'zh') return 'zh-Hans';
    if (base === 'de') return 'de';
    if (base === 'en') return 'en';
  }
  return 'en';
}
