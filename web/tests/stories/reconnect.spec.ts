/** Whatever happens to the connection: a small notice, no lost move, no reload. */
import { DOU_SHOU_QI } from '../harness/games';
import { commands, playsOut } from '../harness/fixtures';
import { isPictured } from '../harness/looks';
import { Program } from '../harness/program';
import { expect, test } from '../harness/story';
import { Visitor } from '../harness/visitor';

const SOME = { ...DOU_SHOU_QI, moves: DOU_SHOU_QI.moves.slice(0, 4) };

test('a page that is loaded again in the middle of a game goes on where it was', async ({ arrive }) => {
  const [first, second] = [await arrive('anna'), await arrive('ben')];
  await first.becomesGuest();
  await second.becomesGuest();
  const game = await playsOut(first, second, SOME);
  await first.page.goto(`/game/${game}`);
  await first.seesPly(4);
  await first.page.reload();
  await first.seesPly(4);
  await first.plays(DOU_SHOU_QI.moves[4] ?? '', 'mouse');
  await first.seesPly(5);
});

for (const how of ['kill', 'terminate'] as const) {
  test(`the server is gone by ${how} and comes back: the game goes on without a reload`, async ({ browser }) => {
    // Its own program: nobody else's may be ended.
    const program = await Program.start();
    const first = await Visitor.arrive(browser, program.url, 'anna');
    const second = await Visitor.arrive(browser, program.url, 'ben');
    try {
      await first.becomesGuest();
      await second.becomesGuest();
      const game = await playsOut(first, second, SOME);
      for (const visitor of [first, second]) {
        await visitor.page.goto(`/game/${game}`);
        await visitor.seesPly(4);
        await visitor.page.evaluate(() => Object.assign(window, { loadedOnce: true }));
      }
      await first.plays(DOU_SHOU_QI.moves[4] ?? '', 'mouse');
      await second.seesPly(5);
      if (how === 'kill') await program.kill();
      else await program.terminate();
      await expect(first.linkNotice()).toBeVisible();
      await isPictured(first.page, `link-lost-by-${how}`);
      // A move made in the meantime waits for the server.
      await second.plays(DOU_SHOU_QI.moves[5] ?? '', 'mouse');
      await program.again();
      await expect(first.linkNotice()).toBeHidden({ timeout: 30_000 });
      for (const visitor of [first, second]) {
        await visitor.seesPly(6, 30_000);
      }
      await first.plays(DOU_SHOU_QI.moves[6] ?? '', 'keyboard');
      await second.seesPly(7);
      for (const visitor of [first, second]) {
        expect(await visitor.page.evaluate(() => 'loadedOnce' in window)).toBe(true);
        expect(visitor.faults).toEqual([]);
      }
    } finally {
      await first.leave();
      await second.leave();
      await program.remove();
    }
  });
}

test('a train goes through a tunnel: what was missed is there afterwards, and a move made inside is played', async ({
  arrive
}) => {
  const [first, second] = [await arrive('anna'), await arrive('ben')];
  await first.becomesGuest();
  await second.becomesGuest();
  const game = await playsOut(first, second, { ...SOME, moves: SOME.moves.slice(0, 3) });
  await first.page.goto(`/game/${game}`);
  await second.page.goto(`/game/${game}`);
  await second.seesPly(3);
  await second.context.setOffline(true);
  await second.plays(DOU_SHOU_QI.moves[3] ?? '', 'mouse');
  await expect(second.linkNotice()).toBeVisible({ timeout: 40_000 });
  await first.seesPly(3);
  await second.context.setOffline(false);
  await first.seesPly(4, 40_000);
  await second.seesPly(4);
  await expect(second.linkNotice()).toBeHidden();
});

test('a move made in a tunnel is given up if another window has moved in the meantime', async ({ arrive }) => {
  const [first, second] = [await arrive('anna'), await arrive('ben')];
  await first.becomesGuest();
  await second.becomesGuest();
  const game = await playsOut(first, second, { ...SOME, moves: SOME.moves.slice(0, 2) });
  await first.page.goto(`/game/${game}`);
  await first.seesPly(2);
  await first.context.setOffline(true);
  await first.plays('g3g4', 'mouse');
  // The same player's other window, which has a connection: playwright's own requests do not go through the tunnel.
  await first.context.setOffline(true);
  const other = await first.context.storageState();
  const window = await arrive('anna-elsewhere', { storageState: other });
  await commands(window, game, 'move', { ply: 3, move: 'a3a4' });
  await commands(second, game, 'move', { ply: 4, move: 'g7g6' });
  await first.context.setOffline(false);
  await first.seesPly(4, 40_000);
  await expect(first.square('g3')).not.toHaveAccessibleName(/empty/);
});
