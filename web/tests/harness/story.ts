/** What every story has: a program, and visitors, each in a browser of their own that is watched for faults. */
import { test as base, expect, type Browser, type BrowserContextOptions, type Page } from '@playwright/test';
import { Program } from './program';
import { Visitor } from './visitor';

interface WorkerFixtures {
  program: Program;
}

interface Fixtures {
  /** Starts a program of the story's own, with further arguments of `qiguan serve`. It is gone at the end. */
  starts: (...more: readonly string[]) => Promise<Program>;
  /** Opens a browser of its own, for the program of all stories or another. Whatever its pages log as an error, request elsewhere or throw fails the test at the end. */
  arrive: (name: string, options?: BrowserContextOptions, at?: Program) => Promise<Visitor>;
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
  // eslint-disable-next-line no-empty-pattern
  starts: async ({}, use) => {
    const programs: Program[] = [];
    await use(async (...more) => {
      const program = await Program.start(more);
      programs.push(program);
      return program;
    });
    for (const program of programs) await program.remove();
  },
  arrive: async ({ browser, program }, use) => {
    const visitors: Visitor[] = [];
    await use(async (name, options, at = program) => {
      const visitor = await Visitor.arrive(browser, at.url, name, options);
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
