/** Which modules travel together: on a slow network a request costs more than the few bytes that it brings. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** The folders of the two pages that people see first. */
const LOBBY = '.';
const GAME = 'game/[id]';

/** What the bundler says of a module; `null` of one that it doesn't know. */
type Modules = (id: string) => { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null;

/** The texts that nearly all pages need, with the list of the others. The rest of a language stays in one file for each subject. */
const TEXTS = /\/(?:messages\/([\w-]+)\/(?:board|common|game|people)\.json|languages\/([\w-]+)\.ts)$/;

/** What the bundler adds where something is imported later: without a place of its own it would lie with the texts of some language. */
const PRELOADING = 'vite/preload-helper.js';

/**
 * Merges the client's small files. `core` is what every page needs, or pages without a board as well as these two; `board` is what
 * the lobby and games share, `lobby` and `table` what each of them shares with other pages. What is left stays with its page.
 */
export function chunks(): Plugin {
  let parts: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  const group = (name: string, priority: number) => ({
    priority,
    debugName: name,
    name: (id: string, context: { getModuleInfo: Modules }) => {
      parts ??= partsOf(process.cwd(), (other) => context.getModuleInfo(other));
      return parts.get(name)?.has(id) || (name === 'core' && id.endsWith(PRELOADING)) ? name : null;
    }
  });
  return {
    name: 'chunks',
    outputOptions(options) {
      // What SvelteKit runs at build time only writes the page.
      if (this.environment.name !== 'client') return null;
      const texts = { priority: 4, debugName: 'texts', name: (id: string) => textsOf(id) };
      const groups = [group('core', 5), texts, group('board', 3), group('lobby', 2), group('table', 1)];
      return { ...options, codeSplitting: { groups } };
    }
  };
}

function textsOf(id: string): string | null {
  const [, of, list] = TEXTS.exec(id) ?? [];
  const locale = of ?? list;
  return locale === undefined ? null : `texts-${locale}`;
}

/** The modules of each part. */
function partsOf(root: string, modules: Modules): ReadonlyMap<string, ReadonlySet<string>> {
  const routes = join(root, 'src/routes');
  const files = readdirSync(routes, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(svelte|ts)$/.test(file)
  );
  const reached = (some: (folder: string, file: string) => boolean, more: readonly string[] = []) =>
    closure(
      [...files.filter((file) => some(dirname(file), basename(file))).map((file) => join(routes, file)), ...more],
      modules
    );

  const isEverywhere = (folder: string, file: string) => folder === '.' && !file.startsWith('+page');
  const of = (page: string) => reached((folder, file) => folder === page && !isEverywhere(folder, file));
  const kit = [
    '.svelte-kit/generated/client-optimized/app.js',
    'node_modules/@sveltejs/kit/src/runtime/client/entry.js'
  ];
  const [lobby, game] = [of(LOBBY), of(GAME)];
  const others = [...new Set(files.map(dirname))].filter((folder) => folder !== LOBBY && folder !== GAME).map(of);
  const plain = union(others.filter((page) => ![...page].some((id) => id.startsWith(join(root, 'src/lib/board/')))));
  // What another page imports only when somebody asks for it, such as a dialog of the lobby, splits no file of these two either.
  const later = closure([...union(others)], modules, true);
  const everywhere = reached(
    isEverywhere,
    kit.map((file) => join(root, file))
  );
  return new Map([
    ['core', union([everywhere, both(union([lobby, game]), plain)])],
    ['board', both(lobby, game)],
    ['lobby', both(lobby, later)],
    ['table', both(game, later)]
  ]);
}

function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap((set) => [...set]));
}

function both(some: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...some].filter((one) => others.has(one)));
}

/** These modules, and all that they import, directly or not; and what they import later, if that is asked for. */
function closure(entries: readonly string[], modules: Modules, isLaterToo = false): Set<string> {
  const found = new Set<string>();
  const left = [...entries];
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    const module = found.has(id) ? null : modules(id);
    if (!module) continue;
    found.add(id);
    left.push(...module.importedIds, ...(isLaterToo ? module.dynamicallyImportedIds : []));
  }
  return found;
}
