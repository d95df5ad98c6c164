import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

/** The browser: the system's own, since none is downloaded; without a window it takes a third less time for all stories. */
const chromium = process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell';
if (!existsSync(chromium)) {
  throw new Error(
    `there is no browser at ${chromium}: install the package chromium-headless-shell (sudo apt-get install chromium-headless-shell), or name another in CHROMIUM, such as /usr/bin/chromium`
  );
}

export default defineConfig({
  testDir: 'tests/stories',
  outputDir: 'test-results/runs',
  // Each worker has a server of its own; more than two of them and their browsers only wait for each other.
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // A story that fails once is a fault of the story or of the program.
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/report.json' }], ['./tests/harness/last_words.ts']],
  use: {
    locale: 'en-GB',
    viewport: { width: 1280, height: 900 },
    screenshot: 'only-on-failure',
    // A trace takes a snapshot of the page at every step, of stories that pass too: `npm run test:e2e -- --trace retain-on-failure` to have them.
    trace: 'off',
    launchOptions: {
      executablePath: chromium,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync'
      ]
    }
  }
});
