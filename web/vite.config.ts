import adapter from '@sveltejs/adapter-static';
import { sveltekit } from '@sveltejs/kit/vite';
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { chunks } from './bundling/chunks.ts';
import { withFirstLoad } from './bundling/first_load.ts';
import { messages } from './bundling/messages.ts';

/** Where the built client goes: the build script of the crate names a folder of its own, so that target folders never share one. */
const out = process.env['QIGUAN_WEB_OUT'] ?? 'build';
/** The server that `npm run dev` talks to. */
const server = process.env['QIGUAN_SERVER'] ?? 'http://127.0.0.1:8080';

/**
 * SvelteKit hides what it tells screen readers with a `style` attribute, which the server's policy forbids. Written as directives the
 * same styles are set by the script.
 */
function announcerWithoutStyleAttribute(): Plugin {
  return {
    name: 'announcer-without-style-attribute',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/generated/root.svelte')) return null;
      const [attribute, styles] = /style="([^"]*)"/.exec(code) ?? [];
      if (attribute === undefined || styles === undefined)
        this.error('SvelteKit has changed its announcer: see vite.config.ts');
      const directives = styles.split(';').map((style) => style.split(':').map((part) => part.trim()));
      return code.replace(attribute, directives.map(([name, value]) => `style:${name}="${value}"`).join(' '));
    }
  };
}

export default defineConfig({
  plugins: [
    announcerWithoutStyleAttribute(),
    chunks(),
    messages(),
    sveltekit({
      preprocess: vitePreprocess(),
      adapter: withFirstLoad(adapter({ pages: out, assets: out, fallback: 'index.html', precompress: true })),
      // Without a fixed name each build would differ from the one before by its time alone.
      version: { name: process.env['npm_package_version'] ?? '0' },
      output: { bundleStrategy: 'split' },
      // The layout registers it, once the page has come.
      serviceWorker: { register: false }
    }),
    svelteTesting()
  ],
  // Which packages are in it, and their licences: shown on request, and checked by a test.
  build: { license: { fileName: 'licenses.json' } },
  server: { proxy: { '/api': { target: server, ws: true, changeOrigin: false } }, fs: { allow: ['art'] } },
  test: {
    include: ['src/**/*.test.ts'],
    environment: 'jsdom',
    setupFiles: ['vitest.setup.ts'],
    restoreMocks: true,
    // One browser-like environment for all files: a new one for each took eight times as long.
    pool: 'threads',
    isolate: false
  }
});
