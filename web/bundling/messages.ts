/** The texts as syntax trees: they are parsed here once, so that no browser fetches a parser. */
import { parse } from '@formatjs/icu-messageformat-parser';
import type { Plugin } from 'vite';

const CATALOG = /\/i18n\/messages\/[\w-]+\/\w+\.json$/;
const PARSER = '@formatjs/icu-messageformat-parser';

/** Parses what has arguments in the texts of the client; plain texts stay what they are. */
export function messages(): Plugin {
  return {
    name: 'messages',
    enforce: 'pre',
    resolveId(id, importer) {
      if (id !== PARSER || !importer?.includes('/intl-messageformat/')) return null;
      return this.resolve(`${PARSER}/no-parser.js`, importer);
    },
    transform(code, id) {
      if (!CATALOG.test(id)) return null;
      const texts = JSON.parse(code) as Record<string, string>;
      const parsed = Object.entries(texts).map(([key, text]) => [key, /['{]/.test(text) ? tree(text) : text]);
      return JSON.stringify(Object.fromEntries(parsed));
    }
  };
}

function tree(text: string): unknown {
  return parse(text, { ignoreTag: true, captureLocation: false });
}
