import { dirname, join } from 'node:path/posix';
import { expect, it } from 'vitest';

const sources = import.meta.glob<string>(['./**/*.ts', './**/*.svelte', '!./**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true
});

/** The file of this folder that an import names; undefined for anything else. */
function resolved(from: string, name: string): string | undefined {
  const path = name.startsWith('$lib/') ? name.slice('$lib/'.length) : join(dirname(from), name);
  return [path, `${path}.ts`].find((file) => `./${file}` in sources);
}

/** Which files each file imports, types included. */
const imports = new Map(
  Object.entries(sources).map(([key, text]) => {
    const file = key.slice('./'.length);
    const names = [...text.matchAll(/(?:from|import) '((?:\$lib|\.)[^']+)'/g)].map(([, name]) => name ?? '');
    return [file, names.flatMap((name) => resolved(file, name) ?? [])];
  })
);

/** The folder right below `lib` that a file lies in; a file that lies in none stands for itself. */
function folderOf(file: string): string {
  return file.split('/')[0] ?? file;
}

/** The first way that leads back to where it began; empty without one. */
function cycle(arrows: ReadonlyMap<string, Iterable<string>>): string[] {
  const done = new Set<string>();
  function walk(way: string[], at: string): string[] {
    if (way.includes(at)) return [...way.slice(way.indexOf(at)), at];
    if (done.has(at)) return [];
    for (const next of arrows.get(at) ?? []) {
      const found = walk([...way, at], next);
      if (found.length > 0) return found;
    }
    done.add(at);
    return [];
  }
  for (const start of arrows.keys()) {
    const found = walk([], start);
    if (found.length > 0) return found;
  }
  return [];
}

it('finds a cycle', () => {
  expect(cycle(new Map([['a', ['b']], ['b', ['c']], ['c', ['b']]]))).toEqual(['b', 'c', 'b']); // prettier-ignore
});

it('has no imports of files that lead back to where they began', () => {
  expect(imports.get('session.svelte.ts')).toContain('protocol/http.ts');
  expect(cycle(imports)).toEqual([]);
});

it('has no imports of folders that lead back to where they began', () => {
  const folders = new Map<string, Set<string>>();
  for (const [file, imported] of imports) {
    const from = folderOf(file);
    const arrows = folders.get(from) ?? new Set();
    for (const target of imported) if (folderOf(target) !== from) arrows.add(folderOf(target));
    folders.set(from, arrows);
  }
  expect(cycle(folders)).toEqual([]);
});
