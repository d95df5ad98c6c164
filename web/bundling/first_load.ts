/** What the page says before any script has come: which files its address needs, as `src/first_load.ts` asks for them. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Adapter } from '@sveltejs/kit';
import { build } from 'vite';
import type { Needed } from '../src/first_load.ts';

/** A file in the list that the bundler writes. */
interface Chunk {
  file: string;
  name?: string;
  imports?: readonly string[];
  css?: readonly string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

const ROUTES = 'src/routes';
const NODES = '.svelte-kit/generated/client-optimized/nodes';
const MANIFEST = '.svelte-kit/output/client/.vite/manifest.json';

/** An adapter whose page is written with the first script in it. */
export function withFirstLoad(adapter: Adapter): Adapter {
  return {
    ...adapter,
    adapt: (builder) =>
      adapter.adapt({
        ...builder,
        async generateFallback(destination) {
          await builder.generateFallback(destination);
          writeFileSync(destination, await complete(readFileSync(destination, 'utf8')));
        }
      })
  };
}

/** The page with the script, its main style behind the frame that is shown at once, so that this does not wait for it. */
async function complete(page: string): Promise<string> {
  const script = await bundled(needed(page));
  const style = /\n\s*<link href="[^"]*" rel="stylesheet">/.exec(page)?.[0];
  if (style === undefined || !page.includes(SCRIPT) || !page.includes(STYLE)) {
    throw new Error('SvelteKit or src/app.html has changed: the page has no place for its first script or its style');
  }
  return page
    .replace(style, '')
    .replace(SCRIPT, () => `<script>${script}</script>`)
    .replace(STYLE, style.trim());
}

const SCRIPT = '<!-- first load -->';
const STYLE = '<!-- style -->';

/** What every page needs beyond what the page names itself. */
function needed(page: string): Needed {
  const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8')) as Manifest;
  const files: string[] = [];
  const place = (address: string) => {
    if (!files.includes(address)) files.push(address);
    return files.indexOf(address);
  };
  const found = nodes().map(([folder, node]) => {
    const code = new Set([`${NODES}/1.js`, ...node].flatMap((entry) => [...reached(manifest, entry)]));
    const loads = [`${folder}/+page.ts`, ...above(folder).map((around) => `${around}/+layout.ts`)];
    return { folder, code, spaces: [SHARED, ...loads.flatMap(spacesOf)] };
  });
  const subjects = [...new Set(found.flatMap(({ spaces }) => spaces))];
  const texts = readdirSync('src/lib/i18n/messages').map(
    (locale) => [locale, subjects.map((space) => place(`/${textsOf(manifest, locale, space)}`))] as const
  );
  const pages = found.map(({ folder, code, spaces }) => {
    const own = [...code].filter((address) => !page.includes(address)).map(place);
    // Those that all pages need lie in one file.
    const places = new Set(spaces.map((space) => subjects.indexOf(space)));
    return [`/${folder}`, { files: own, subjects: [...places] }] as const;
  });
  return { files, texts: Object.fromEntries(texts), pages: Object.fromEntries(pages) };
}

/** A subject of texts that every page needs. */
const SHARED = 'common';

/** The file that has the texts of a subject. */
function textsOf(manifest: Manifest, locale: string, space: string): string {
  const own = manifest[`src/lib/i18n/messages/${locale}/${space}.json`];
  const shared = Object.values(manifest).find(({ name }) => name === `texts-${locale}`);
  const file = (own ?? shared)?.file;
  if (file === undefined) throw new Error(`the bundler has made no file of the texts ${space} in ${locale}`);
  return file;
}

/** What few people open: its pages ask for their files themselves, so that all others have less to read. */
const STAFF = 'admin';

/** The folders of all pages but those of the staff, each with the files of its own parts and of the layouts around it. */
function nodes(): [folder: string, entries: string[]][] {
  const found = readdirSync(NODES).map((file) => {
    const code = readFileSync(join(NODES, file), 'utf8');
    const [, folder = '', kind = ''] = /src\/routes\/(.*?)\/?\+(page|layout|error)\.(?:svelte|ts)/.exec(code) ?? [];
    return { folder, kind, entry: `${NODES}/${file}` };
  });
  const pages = found.filter(({ folder, kind }) => kind === 'page' && !above(folder).includes(STAFF));
  return pages.map(({ folder, entry }) => {
    const around = found.filter((other) => other.kind === 'layout' && above(folder).includes(other.folder));
    return [folder, [entry, ...around.map((layout) => layout.entry)]];
  });
}

/** A folder, and all that it lies in. */
function above(folder: string): string[] {
  return folder === '' ? [''] : [folder, ...above(folder.includes('/') ? dirname(folder) : '')];
}

/** The texts that a file of the routes names, if there is such a file. */
function spacesOf(name: string): string[] {
  const file = join(ROUTES, name);
  const asked = existsSync(file) ? /\bneed\(([^)]*)\)/.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
  return [...(asked ?? '').matchAll(/'(\w+)'/g)].map(([, space = '']) => space);
}

/** The addresses of an entry's scripts and styles. */
function reached(manifest: Manifest, entry: string, found = new Set<string>()): Set<string> {
  const { file, imports = [], css = [] } = manifest[entry] ?? { file: '' };
  if (!file || found.has(`/${file}`)) return found;
  for (const own of [file, ...css]) found.add(`/${own}`);
  for (const other of imports) reached(manifest, other, found);
  return found;
}

/** The script as one that stands in a page. */
async function bundled(data: Needed): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { NEEDED: JSON.stringify(data) },
    resolve: { alias: { $lib: join(process.cwd(), 'src/lib') } },
    build: { write: false, copyPublicDir: false, lib: { entry: 'src/first_load.ts', formats: ['iife'], name: 'first' } }
  });
  const [result] = Array.isArray(built) ? built : [built];
  if (!result || !('output' in result)) throw new Error('the first script was not built');
  return result.output[0].code.trim();
}
