/** Three programs behind one address: nobody sees that there are several, nor that one ends. */
import type { Page } from '@playwright/test';
import { Cluster, type Part } from '../harness/cluster';
import { playsOut } from '../harness/fixtures';
import { DOU_SHOU_QI } from '../harness/games';
import { isPictured } from '../harness/looks';
import { expect, test } from '../harness/story';
import { Visitor } from '../harness/visitor';

const MOVES = DOU_SHOU_QI.moves;

/** Whether a program still answers. */
async function answers(part: Part): Promise<boolean> {
  return fetch(`${part.url}/livez`).then(
    () => true,
    () => false
  );
}

/** The sockets of a page: how many are open, and the fewest that there were. */
class Sockets {
  #open = 0;
  fewest = Infinity;

  constructor(page: Page) {
    page.on('websocket', (socket) => {
      this.#open += 1;
      socket.on('close', () => {
        this.#open -= 1;
        this.fewest = Math.min(this.fewest, this.#open);
      });
    });
  }

  /** Counts from now on. */
  begins(): void {
    this.fewest = this.#open;
  }
}

test('two programs of three end under a game that is played and watched: no page is without a connection for a moment', async ({
  browser
}) => {
  test.setTimeout(180_000);
  const cluster = await Cluster.start();
  const visitors = await Promise.all(
    ['anna', 'ben', 'cora', 'dan'].map((name) => Visitor.arrive(browser, cluster.url, name))
  );
  const [anna, ben, ...watchers] = visitors as [Visitor, Visitor, ...Visitor[]];
  try {
    await anna.becomesGuest();
    await ben.becomesGuest();
    const game = await playsOut(anna, ben, { ...DOU_SHOU_QI, moves: MOVES.slice(0, 4) });
    const sockets = visitors.map(({ page }) => new Sockets(page));
    for (const visitor of visitors) {
      await visitor.page.goto(`/game/${game}`);
      await visitor.seesPly(4);
    }
    for (const each of sockets) each.begins();
    let ply = 4;
    for (const part of cluster.parts.slice(0, 2)) {
      cluster.terminates(part);
      // Moves go on while the program hands over and while clients go to others.
      for (const hand of ['mouse', 'keyboard', 'mouse'] as const) {
        await (ply % 2 === 0 ? anna : ben).plays(MOVES[ply] ?? '', hand);
        ply += 1;
        for (const visitor of visitors) await visitor.seesPly(ply);
      }
      await expect.poll(() => answers(part)).toBe(false);
    }
    await isPictured(watchers[0]?.page ?? anna.page, 'cluster-after-two-ends');
    await (ply % 2 === 0 ? anna : ben).plays(MOVES[ply] ?? '', 'mouse');
    for (const visitor of visitors) {
      await visitor.seesPly(ply + 1);
      expect(visitor.faults).toEqual([]);
    }
    expect(sockets.map(({ fewest }) => fewest)).toEqual(visitors.map(() => 1));
  } finally {
    for (const visitor of visitors) await visitor.leave();
    await cluster.end();
  }
});
