/** What a run says last: each story that failed, with the first lines of why. Lists of attachments push that out of sight. */
import type { Reporter, Suite, TestCase } from '@playwright/test/reporter';
import { stripVTControlCharacters } from 'node:util';

/** How much of an error is repeated. */
const LINES = 8;

export default class LastWords implements Reporter {
  #suite: Suite | null = null;

  onBegin(_config: unknown, suite: Suite): void {
    this.#suite = suite;
  }

  onEnd(): void {
    for (const story of this.#suite?.allTests() ?? []) {
      const outcome = story.outcome();
      if (outcome === 'expected' || outcome === 'skipped') continue;
      const word = outcome === 'flaky' ? 'failed at first' : 'failed';
      process.stdout.write(`\n${word}: ${story.titlePath().filter(Boolean).join(' › ')}\n${why(story)}\n`);
    }
  }
}

function why(story: TestCase): string {
  const errors = story.results.flatMap((result) => result.errors);
  const texts = errors.map(({ message, value }) => stripVTControlCharacters(message ?? value ?? ''));
  return texts.map((text) => text.split('\n').slice(0, LINES).join('\n')).join('\n');
}
