/** Players who are looked for, and an account whose password is lost. */
import { commands, playsOut, registers } from '../harness/fixtures';
import { DOU_SHOU_QI, XIANGQI } from '../harness/games';
import { fitsItsScreen, hasNoBarriers, isPictured } from '../harness/looks';
import { expect, test } from '../harness/story';

const SIZES = [320, 390, 1440];

test('a player is found by a part of the name, and by the address', async ({ arrive }) => {
  const [owner, stranger] = [await arrive('owner'), await arrive('stranger')];
  const name = await registers(owner, 'XiaoLong');
  const { page } = stranger;
  await page.goto('/leaderboard/xiangqi/standard');
  const part = name.slice(4).toLowerCase();
  await page.getByRole('searchbox', { name: 'Find a player' }).fill(part);
  await expect(page.getByRole('status').filter({ hasText: '1 player found' })).toBeVisible();
  for (const width of SIZES) {
    await page.setViewportSize({ width, height: 844 });
    await fitsItsScreen(page, 'players found');
    await isPictured(page, `find-player-${width}`, false);
  }
  await hasNoBarriers(page, 'players found');
  await page.getByRole('search').getByRole('link', { name }).click();
  await expect(page).toHaveURL(`/player/${name}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name);

  await page.goto(`/player/${name.toUpperCase()}`);
  await expect(page).toHaveURL(`/player/${name}`);
  await page.goto(`/player?name=${name.toLowerCase()}`);
  await expect(page).toHaveURL(`/player/${name}`);
  for (const nobody of ['Nobody_at_all', '%3Cb%3E', 'x'.repeat(300), '%F0%9F%90%89']) {
    await page.goto(`/player/${nobody}`);
    await expect(page.getByRole('heading', { level: 1 }), nobody).toHaveText(/No such player|Page not found/);
  }

  for (const hostile of ['..%2f..%2fadmin', '%00', '%E0%A4%A']) {
    expect((await page.request.get(`/player/${hostile}`)).status(), hostile).toBe(404);
  }

  // The dialog of a challenge suggests names.
  await page.goto('/');
  await registers(stranger, 'seeker');
  await page.reload();
  await page
    .getByRole('button', { name: /Challenge/ })
    .first()
    .click();
  await page.getByLabel('Name of the player').fill(part);
  await expect(page.locator(`datalist option[value="${name}"]`)).toHaveCount(1);
});

test('a lost password is no lost account', async ({ arrive }) => {
  const anna = await arrive('anna', { acceptDownloads: true, permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = anna;
  const name = `anna${Math.floor(Math.random() * 1e9).toString(36)}`;
  await page.goto('/sign-up');
  await expect(page.getByText('only a recovery code brings the account back')).toBeVisible();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill('a rather long password');
  await page.getByRole('button', { name: 'Create account' }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(8);
  await expect(page.getByRole('button', { name: /I have saved them/ })).toBeEnabled();
  const code = (await codes.first().innerText()).trim();
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByText('Copied')).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toMatch(/recovery-codes\.txt$/);
  for (const width of SIZES) {
    await page.setViewportSize({ width, height: 844 });
    await isPictured(page, `recovery-codes-${width}`, false);
    await fitsItsScreen(page, 'recovery codes');
  }
  await hasNoBarriers(page, 'recovery codes');
  await page.getByRole('button', { name: /I have saved them/ }).click();
  await expect(page).toHaveURL('/');

  // Another browser, years later.
  const later = await arrive('later');
  await later.page.goto('/sign-in');
  await later.page.getByRole('link', { name: 'Forgot your password?' }).click();
  // The page before has a field of the same name.
  await expect(later.page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await later.page.getByLabel('Name').fill(name);
  await later.page.getByLabel('Recovery code').fill('0000-0000-0000-0000');
  await later.page.getByLabel('New password', { exact: true }).fill('a password that is new');
  await later.page.getByRole('button', { name: 'Set the new password' }).click();
  await expect(later.page.getByText('Incorrect name or recovery code.')).toBeVisible();
  await hasNoBarriers(later.page, 'a wrong recovery code');
  await later.page.getByLabel('Recovery code').fill(code.toUpperCase());
  await later.page.getByRole('button', { name: 'Set the new password' }).click();
  await expect(later.page).toHaveURL(/\/settings/);
  await expect(later.page.getByText('7 codes are left')).toBeVisible();
  await isPictured(later.page, 'recovery-settings');
  await expect(page.getByText(/signed out|Sign in/).first()).toBeVisible();
});

test('My games has the running games, those that wait first, and the finished ones', async ({ arrive }) => {
  const [anna, ben] = [await arrive('anna'), await arrive('ben')];
  await registers(anna, 'anna');
  await ben.becomesGuest();
  const over = await playsOut(anna, ben, DOU_SHOU_QI);
  const theirs = await playsOut(ben, anna, { ...XIANGQI, moves: [] });
  const { page } = anna;
  await page.goto('/about');
  await page.locator('summary').click();
  await page.getByRole('link', { name: 'My games' }).click();
  const running = page.getByRole('region', { name: 'Running' });
  await expect(running.getByRole('link')).toHaveAttribute('href', `/game/${theirs}`);
  await expect(page.getByRole('region', { name: 'Finished' }).locator(`a[href="/replay/${over}"]`)).toBeVisible();
  const next = page.getByRole('link', { name: 'Next game that waits for you' });
  await expect(next).toBeHidden();
  await commands(ben, theirs, 'move', { ply: 1, move: XIANGQI.moves[0] });
  await expect(running).toContainText('Your turn');
  for (const width of SIZES) {
    await page.setViewportSize({ width, height: 844 });
    await fitsItsScreen(page, 'my games');
    await isPictured(page, `my-games-${width}`, false);
  }
  await hasNoBarriers(page, 'my games');
  await next.click();
  await expect(page).toHaveURL(`/game/${theirs}`);
});
