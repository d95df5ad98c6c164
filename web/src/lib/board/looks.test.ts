import { expect, it } from 'vitest';
import { all } from '../../../scripts/art/boards.mjs';
import { BOARDS } from '$lib/settings.svelte';
import looks from '../../../art/looks.json' with { type: 'json' };

const files = import.meta.glob<string>('../../../art/boards/*/*.svg', {
  query: '?raw',
  import: 'default',
  eager: true
});

it('has for each board that can be chosen the picture that the script draws, and no other', () => {
  const kept = Object.entries(files).map(([path, text]) => [path.replace('../../../art/', ''), text] as const);
  expect(new Map(kept)).toEqual(all());
  const names = Object.entries(BOARDS).flatMap(([game, list]) => list.map((name) => `boards/${game}/${name}.svg`));
  expect(kept.map(([path]) => path).toSorted()).toEqual(names.toSorted());
});

it('knows the colours of each board', () => {
  for (const [game, list] of Object.entries(BOARDS)) {
    expect(Object.keys(looks.boards[game as keyof typeof BOARDS])).toEqual([...list]);
    expect(looks.usual[game as keyof typeof BOARDS]).toBe(list[0]);
  }
});

it('has boards that need no page that allows styles, and whose names meet no others on it', () => {
  for (const [path, text] of Object.entries(files)) {
    // The one style says what small boards leave out; where it is not allowed, they leave out nothing.
    const drawing = text.replace(/<style>(@media \(max-width:\d+px\)\{([^{}]+\{[^{}]+\})+\})+<\/style>/, '');
    expect(drawing, path).not.toMatch(/style=|<style|<text|<image|href="[^#]/);
    const [, game, name] = /boards\/(\w+)\/(\w+)\.svg/.exec(path) ?? [];
    for (const [, id] of text.matchAll(/ id="([^"]+)"/g)) expect(id, path).toMatch(new RegExp(`^${game}-${name}-`));
  }
});
