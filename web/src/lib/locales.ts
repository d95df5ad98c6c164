/** The languages of the client: their tags, and their names in themselves. */
export const LOCALES = {
  en: 'English',
  de: 'Deutsch',
  'zh-Hans': '简体中文',
  'zh-Hant': '繁體中文',
  vi: 'Tiếng Việt'
} as const;

/** The tag of a language. */
export type Locale = keyof typeof LOCALES;

/** Whether a text is the tag of a language that the client speaks. */
export function isLocale(text: unknown): text is Locale {
  return typeof text === 'string' && Object.hasOwn(LOCALES, text);
}

/** What follows `zh` where Chinese is written in traditional characters. */
const TRADITIONAL = ['hant', 'tw', 'hk', 'mo'];

/** The first language of a browser's list that the client speaks; English if it speaks none. */
export function preferred(languages: readonly string[]): Locale {
  for (const language of languages) {
    const [base, next = ''] = language.toLowerCase().split('-');
    if (base === 'zh') return TRADITIONAL.includes(next) ? 'zh-Hant' : 'zh-Hans';
    if (base === 'de' || base === 'en' || base === 'vi') return base;
  }
  return 'en';
}
