import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { describe, expect, it } from 'vitest';
import { LOCALES } from '$lib/locales';

const texts = import.meta.glob<string>('./messages/*/*.json', { query: '?raw', import: 'default', eager: true });
const files = Object.fromEntries(
  Object.entries(texts).map(([path, text]) => [path, JSON.parse(text) as Record<string, string>])
);
const sources = import.meta.glob<string>(
  ['/src/**/*.ts', '/src/**/*.svelte', '!/src/**/*.test.ts', '!/src/**/openapi.ts'],
  {
    query: '?raw',
    import: 'default',
    eager: true
  }
);
const english = Object.keys(files).filter((path) => path.includes('/en/'));

/** The names of all arguments of a text. */
function argumentsOf(elements: readonly MessageFormatElement[], into = new Set<string>()): Set<string> {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    into.add(element.value);
    if (element.type === TYPE.select || element.type === TYPE.plural) {
      for (const option of Object.values(element.options)) argumentsOf(option.value, into);
    }
    if (element.type === TYPE.tag) argumentsOf(element.children, into);
  }
  return into;
}

describe.each(Object.keys(LOCALES))('the texts in %s', (locale) => {
  it('are in the same files as the English ones', () => {
    const own = Object.keys(files).filter((path) => path.startsWith(`./messages/${locale}/`));
    expect(own).toEqual(english.map((path) => path.replace('/en/', `/${locale}/`)));
  });

  it.each(english)('have the keys and arguments of %s', (path) => {
    const source = files[path] ?? {};
    const own = files[path.replace('/en/', `/${locale}/`)] ?? {};
    expect(Object.keys(own)).toEqual(Object.keys(source));
    for (const [key, text] of Object.entries(source)) {
      const translated = own[key] ?? '';
      expect(translated.trim(), key).not.toBe('');
      const options = { ignoreTag: true };
      expect(argumentsOf(parse(translated, options)), key).toEqual(argumentsOf(parse(text, options)));
    }
  });
});

it('are all used, each by its name or by a pattern with a constant part', () => {
  const spaces = english.map((path) => path.replace(/^.*\/(.*)\.json$/, '$1'));
  const anyOf = `(?:${spaces.join('|')})`;
  const names = new RegExp(`'(${anyOf}\\.\\w+)'|\`(${anyOf}\\.[^\`]+)\``, 'g');
  const named = new Set(
    Object.values(sources).flatMap((text) =>
      [...text.matchAll(names)].map(([, plain, template]) => plain ?? template ?? '')
    )
  );
  const patterns = [...named].filter((name) => name.includes('${')).map((name) => name.split(/\$\{[^}]*\}/));
  for (const [space, ...parts] of patterns) expect([space?.split('.')[1], ...parts].join(''), space).not.toBe('');
  const used = patterns.map((parts) => new RegExp(`^${parts.map((part) => part.replaceAll('.', '\\.')).join('.+')}$`));
  const keys = english.flatMap((path, at) => Object.keys(files[path] ?? {}).map((key) => `${spaces[at] ?? ''}.${key}`));
  expect(keys.filter((key) => !named.has(key) && !used.some((pattern) => pattern.test(key)))).toEqual([]);
});
