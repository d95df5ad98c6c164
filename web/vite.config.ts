import adapter from '@sveltejs/adapter-static';
import { sveltekit } from '@sveltejs/kit/vite';
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';

/** Where the built client goes: the build script of the crate names a folder of its own, so that target folders never share one. */
const out = process.env['QIGUAN_WEB_OUT'] ?? 'build';
/** The server that `npm run dev` talks to. */
const server = process.env['QIGUAN_SERVER'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [
    sveltekit({
      preprocess: vitePreprocess(),
      adapter: adapter({ pages: out, assets: out, fallback: 'index.html', precompress: true }),
      // Without a fixed name each build would differ from the one before by its time alone.
      version: { name: process.env['npm_package_version'] ?? '0' },
      output: { bundleStrategy: 'split' }
    }),
    svelteTesting()
  ],
  server: { proxy: { '/api': { target: server, ws: true, changeOrigin: false } } },
  test: { include: ['src/**/*.test.ts'], environment: 'jsdom', setupFiles: ['vitest.setup.ts'], restoreMocks: true }
});
