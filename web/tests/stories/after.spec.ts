/** What a player goes on to: another opponent after a game, another level, the next game that waits. */
import { commands, playsOut, registers } from '../harness/fixtures';
import { DOU_SHOU_QI, XIANGQI } from '../harness/games';
import { fitsItsScreen, hasNoBarriers, isPictured } from '../harness/looks';
import { expect, test } from '../harness/story';

const SIZES = [320, 390, 1440];
const BLITZ = { time_control: { clock: { type: 'fischer', initial_ms: 300_000, increment_ms: 3_000 } } };
const SLOW = { time_control: { clock: { type: 'per_move', move_ms: 86_400_000 } } };

test('after a game another opponent is looked for on the same terms', async ({ arrive }) => {
  const [anna, ben, eve] = [await arrive('anna'), await arrive('ben'), await arrive('eve')];
  await registers(anna, 'anna');
  for (const visitor of [ben, eve]) await visitor.becomesGuest();
  const game = await playsOut(anna, ben, { ...DOU_SHOU_QI, moves: DOU_SHOU_QI.moves.slice(0, 4) }, BLITZ);
  const { page } = anna;
  await page.goto(`/game/${game}`);
  await anna.seesPly(4);
  await expect(page.getByRole('button', { name: 'New opponent' })).toHaveCount(0);
  await commands(ben, game, 'resign');
  const look = anna.result().getByRole('button', { name: 'New opponent' });
  await expect(look).toBeVisible();
  for (const width of SIZES) {
    await page.setViewportSize({ width, height: 844 });
    await fitsItsScreen(page, 'a game that is over');
    await isPictured(page, `new-opponent-${width}`, false);
  }
  await hasNoBarriers(page, 'a game that is over');
  await look.click();
  await expect(anna.result().getByRole('button', { name: 'Looking …' })).toBeDisabled();
  await expect(page.getByRole('region', { name: /Looking for an opponent/ })).toContainText('5+3');
  // Somebody else waits for the same.
  await eve.page.goto('/');
  await eve.asks('POST', '/api/lobby/quick', {
    command: crypto.randomUUID(),
    ruleset: DOU_SHOU_QI.ruleset,
    time: '5+3'
  });
  await expect(page).not.toHaveURL(new RegExp(game));
  await expect(page).toHaveURL(/\/game\//);
  // A spectator of the old game looks for nobody.
  await eve.page.goto(`/game/${game}`);
  await expect(eve.result()).toBeVisible();
  await expect(eve.result().getByRole('link', { name: 'To the lobby' })).toBeVisible();
  await expect(eve.result().getByRole('button', { name: 'New opponent' })).toHaveCount(0);
});

test('after a game against the computer the way leads to another level', async ({ arrive }) => {
  const anna = await arrive('anna');
  await anna.becomesGuest();
  const game = await anna.opens({ ruleset: DOU_SHOU_QI.ruleset, computer: 2 });
  await commands(anna, game, 'abort');
  const { page } = anna;
  await page.goto(`/game/${game}`);
  await expect(anna.result().getByRole('button', { name: 'New opponent' })).toHaveCount(0);
  await anna.result().getByRole('link', { name: 'Another level' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole('radio', { name: /Dou Shou Qi/ })).toBeChecked();
  await isPictured(page, 'another-level', false);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/');
});

test('who plays slow games goes on to the next one that waits', async ({ arrive }) => {
  const [anna, ben] = [await arrive('anna'), await arrive('ben')];
  await registers(anna, 'anna');
  await ben.becomesGuest();
  const games: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    games.push(await playsOut(ben, anna, { ...XIANGQI, moves: XIANGQI.moves.slice(0, 1) }, SLOW));
  }
  const [first = ''] = games;
  const { page } = anna;
  await page.goto(`/game/${first}`);
  await anna.seesPly(1);
  const next = page.getByRole('main').getByRole('link', { name: /^Next game/ });
  await expect(next).toHaveCount(0);
  await anna.plays(XIANGQI.moves[1] ?? '', 'mouse');
  await anna.seesPly(2);
  await expect(next).toHaveText('Next game (2)');
  for (const width of SIZES) {
    await page.setViewportSize({ width, height: 844 });
    await fitsItsScreen(page, 'a slow game after one’s move');
    await isPictured(page, `next-game-${width}`, false);
  }
  await hasNoBarriers(page, 'a slow game after one’s move');
  await next.click();
  await expect(page).not.toHaveURL(new RegExp(first));
  await anna.seesPly(1);
  await expect(next).toHaveCount(0);
  await anna.plays(XIANGQI.moves[1] ?? '', 'mouse');
  await expect(next).toHaveText('Next game (1)');
  const second = page.url();
  await next.click();
  await expect(page).not.toHaveURL(second);
  await anna.seesPly(1);
  await anna.plays(XIANGQI.moves[1] ?? '', 'mouse');
  await anna.seesPly(2);
  await expect(next).toHaveCount(0);
});
