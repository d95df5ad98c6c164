/** What every story has: a program, and visitors, each in a browser of their own that is watched for faults. */
import { test as base, expect, type Browser, type BrowserContextOptions, type Page } from '@playwright/test';
import { Program } from './program';
import { Visitor } from './visitor';

interface WorkerFixtures {
  program: Program;
}

interface Fixtures {
  /** Opens a browser of its own. Whatever its pages log as an error, request elsewhere or throw fails the test at the end. */
  arrive: (name: string, options?: BrowserContextOptions) => Promise<Visitor>;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  program: [
    // Playwright reads the names of fixtures from this pattern, an empty one included.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const program = await Program.start();
      await use(program);
      await program.remove();
    },
    { scope: 'worker' }
  ],
  arrive: async ({ browser, program }, use) => {
    const visitors: Visitor[] = [];
    await use(async (name, options) => {
      const visitor = await Visitor.arrive(browser, program.url, name, options);
      visitors.push(visitor);
      return visitor;
    });
    for (const visitor of visitors) {
      expect(visitor.faults, `what the browser of ${visitor.name} complained about`).toEqual([]);
      await visitor.leave();
    }
  }
});

/** The same for stories that are about all games there are: their program has seen no other stories. */
export const alone = test.extend<object, WorkerFixtures>({
  program: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const program = await Program.start();
      await use(program);
      await program.remove();
    },
    { scope: 'worker' }
  ]
});

export { expect, type Browser, type Page };
