/** Players who are followed, and who is online. */
import { commands, registers } from '../harness/fixtures';
import { fitsItsScreen, hasNoBarriers, isPictured } from '../harness/looks';
import { expect, test } from '../harness/story';

const SIZES = [320, 390, 1440];

test('somebody who follows a player sees them come online and play', async ({ arrive }) => {
  const [anna, ben, eve] = [await arrive('anna'), await arrive('ben'), await arrive('eve')];
  await registers(anna, 'anna');
  const name = await registers(ben, 'ben');
  await eve.becomesGuest();
  const { page } = anna;
  await page.goto(`/player/${name}`);
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  await expect(page.getByText('You follow this player.')).toBeVisible();
  await hasNoBarriers(page, 'a player who is followed');

  // Ben is not here yet.
  await page.getByRole('banner').locator('summary').click();
  await page.getByRole('link', { name: 'Players', exact: true }).click();
  const followed = page.getByRole('region', { name: 'People you follow' });
  await expect(followed.getByRole('listitem')).toHaveCount(1);
  await expect(followed.getByRole('img', { name: 'offline' })).toBeVisible();
  await expect(followed.getByRole('link', { name: /Challenge/ })).toHaveCount(0);

  // He comes, and plays.
  await ben.page.goto('/');
  const game = await ben.opens({ ruleset: 'xiangqi/standard' });
  await commands(eve, game, 'join', {});
  await expect
    .poll(async () => (await (await anna.asks('GET', '/api/account/following')).json()) as unknown)
    .toMatchObject({ players: [{ online: true, playing: [game] }] });
  await page.reload();
  await expect(followed.getByRole('img', { name: 'online' })).toBeVisible();
  await expect(followed.getByRole('link', { name: `Watch ${name}` })).toHaveAttribute('href', `/game/${game}`);
  // Whom one follows is not listed twice.
  const others = page.getByRole('region', { name: 'Online now' });
  await expect(others).toContainText('Nobody else');
  for (const width of SIZES) {
    await page.setViewportSize({ width, height: 844 });
    await fitsItsScreen(page, 'people');
    await isPictured(page, `people-${width}`, false);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await isPictured(page, 'people-dark', false);
  await page.emulateMedia({ colorScheme: 'light' });
  await hasNoBarriers(page, 'people');

  // The lobby has those who are here, and a challenge is a click away.
  await page.goto('/');
  const here = page.getByRole('region', { name: 'People you follow' });
  await expect(here.getByRole('link', { name: `Challenge ${name}` })).toBeVisible();
  await hasNoBarriers(page, 'the lobby with people one follows');
  for (const width of SIZES) {
    await page.setViewportSize({ width, height: 844 });
    await fitsItsScreen(page, 'the lobby with people one follows');
    await isPictured(page, `lobby-following-${width}`);
  }
  await here.getByRole('link', { name: `Challenge ${name}` }).click();
  await expect(page.getByLabel('Name of the player')).toHaveValue(name);
});

test('who does not want to be shown is not', async ({ arrive }) => {
  const [anna, ben] = [await arrive('anna'), await arrive('ben')];
  await registers(anna, 'anna');
  const name = await registers(ben, 'ben');
  const { page } = ben;
  await page.goto('/settings');
  await expect.poll(async () => await (await anna.asks('GET', '/api/players/online')).text()).toContain(`"${name}"`);
  await anna.page.goto('/player');
  const online = anna.page.getByRole('region', { name: 'Online now' });
  await expect(online.getByRole('link', { name, exact: true })).toBeVisible();
  const shown = page.getByRole('switch', { name: 'Show when I’m online' });
  await expect(shown).toBeChecked();
  await shown.click();
  await expect(shown).not.toBeChecked();
  await expect
    .poll(async () => await (await ben.asks('GET', '/api/account/presence')).json())
    .toEqual({ shown: false });
  await anna.page.reload();
  await expect(online).toHaveAttribute('aria-busy', 'false');
  await expect(online.getByRole('link', { name, exact: true })).toHaveCount(0);
  await anna.page.goto(`/player/${name}`);
  await expect(anna.page.getByRole('main').getByText('offline')).toBeVisible();
  await page.reload();
  await expect(shown).not.toBeChecked();
});
