import { describe, expect, it } from 'vitest';
import { hideSecond } from '$lib/board/covered';
import english from '$lib/i18n/messages/en/rules.json';
import type { Catalog } from '$lib/protocol/protocol';
import { DIAGRAMS } from './diagrams';
import { differences, valueKey } from './differences';
import { marked } from './marks';
import { EXPLAINED_IN, sections } from './pages';
import { verdict } from './verdicts';
import file from './catalog.fixture.json';

const catalog = file as unknown as Catalog;
const texts: Readonly<Record<string, string | undefined>> = english;
const sets = catalog.games.flatMap((game) => game.rulesets.map((set) => [set.id, game, set] as const));

describe.each(sets)('the page of %s', (id, game, set) => {
  const page = sections(game.id as 'xiangqi', id, set.options);

  it('says nothing for which there is no text', () => {
    const keys = page.flatMap((section) => [section.title, ...section.texts]);
    keys.push(
      ...page.flatMap((section) => section.figures.map((figure) => `rules.figure_${figure.id}` as 'rules.title'))
    );
    keys.push(`rules.set_${id.replace('/', '_')}` as 'rules.title');
    for (const key of keys) expect(texts[key.replace('rules.', '')], key).toBeDefined();
  });

  it('shows every diagram of the rule set once', () => {
    const shown = page.flatMap((section) => section.figures.map((figure) => figure.id));
    const wanted = DIAGRAMS.filter((diagram) => diagram.rulesets.includes(id)).map((diagram) => diagram.id);
    expect(shown.sort()).toEqual(wanted.sort());
  });

  it('explains every option, and has an anchor for it', () => {
    for (const option of Object.keys(game.options)) {
      expect(texts[`option_${option}`], option).toBeDefined();
      expect(texts[`option_${option}_what`], option).toBeDefined();
      expect(page.map((section) => section.id)).toContain(EXPLAINED_IN[option]);
    }
  });
});

describe.each(catalog.games.map((game) => [game.id, game] as const))('the table of %s', (_, game) => {
  it('has words for every value that an option can take', () => {
    for (const [option, kind] of Object.entries(game.options)) {
      const values = kind.type === 'word' ? kind.words : kind.type === 'bool' ? [true, false] : [];
      for (const value of values)
        expect(texts[`value_${valueKey(option, value) ?? ''}`], `${option} ${value}`).toBeDefined();
    }
  });

  it('has every option once, those that differ first', () => {
    const rows = differences(game);
    expect(rows.map((row) => row.option).sort()).toEqual(Object.keys(game.options).sort());
    const firstSame = rows.findIndex((row) => row.same);
    expect(rows.slice(firstSame).every((row) => row.same)).toBe(true);
    expect(rows[0]?.values).toHaveLength(game.rulesets.length);
  });
});

it('marks what a piece can do as the program says, and what it cannot', () => {
  const diagram = DIAGRAMS.find((one) => one.id === 'den');
  const said = verdict('den', 'doushouqi/booklet');
  if (!diagram || !said) throw new Error('no such diagram');
  const marks = marked(diagram, said);
  expect(marks.filter((mark) => mark.kind === 'ends')).toEqual([{ from: 'd8', to: 'd9', kind: 'ends' }]);
  expect(marks.filter((mark) => mark.kind === 'never').map((mark) => mark.from + mark.to)).toEqual(['d8c8', 'd2d1']);
  expect(marks.filter((mark) => mark.kind === 'legal').every((mark) => ['d8', 'd2'].includes(mark.from))).toBe(true);
});

it('turns the second seat’s pieces face down', () => {
  expect(hideSecond('x1f/2A w - - 0 1')).toBe('u1u/2A w - - 0 1');
});
