/** A game at any time: against the computer. */
import { fitsItsScreen, hasNoBarriers, hasNoBarriersInColour, isPictured, speaks } from '../harness/looks';
import { expect, test } from '../harness/story';

test('a visitor without an account plays the computer, sees its answers, resigns, and gets a rematch', async ({
  arrive
}) => {
  const anna = await arrive('anna');
  const { page } = anna;
  await page.goto('/');
  await page.getByRole('button', { name: 'Play the computer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Play the computer' });
  await dialog.getByRole('radio', { name: 'Dou Shou Qi' }).check({ force: true });
  await dialog.getByRole('radio', { name: '1: for a first game' }).check({ force: true });
  await dialog.getByRole('radio', { name: /Blue/ }).check({ force: true });
  await dialog.getByRole('button', { name: 'Start the game' }).click();

  await expect(page).toHaveURL(/\/game\//);
  const first = page.url();
  await anna.seesPly(0);
  await expect(page.getByRole('region', { name: 'Red' })).toContainText('Computer, level 1');
  await expect(page.getByRole('link', { name: /Computer/ })).toHaveCount(0);
  await expect(page.getByRole('tab', { name: 'Chat' })).toHaveCount(0);
  await anna.plays('a3a4', 'mouse');
  await anna.seesPly(2);
  // That is for practice games.
  for (const name of ['Take back', 'Hint'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0);
  await anna.plays('a4a3', 'mouse');
  await anna.seesPly(4);
  await isPictured(page, 'computer-game');
  await hasNoBarriers(page, 'a game against the computer');

  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Resign' }).click();
  await expect(anna.result()).toContainText('You lost');
  await page.getByRole('button', { name: 'Rematch' }).click();
  await expect(page).not.toHaveURL(first);
  // The computer has the first move now.
  await anna.seesPly(1);
  await anna.plays('a7a6', 'mouse');
  await anna.seesPly(3);
});

test('the choice of a game against the computer has no barriers, fits every screen, has its words and is remembered', async ({
  arrive
}) => {
  const { page } = await arrive('anna', { viewport: { width: 390, height: 844 } });
  await page.goto('/');
  const opens = () => page.getByRole('button', { name: 'Play the computer' }).click();
  await expect(page.getByRole('button', { name: 'Play the computer' })).toBeInViewport();
  await opens();
  await hasNoBarriers(page, 'the choice of a computer');
  await page.emulateMedia({ colorScheme: 'dark' });
  await hasNoBarriersInColour(page, 'the choice of a computer in the dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await speaks(page, 'the choice of a computer');
  await isPictured(page, 'computer-choice-phone');
  await page.setViewportSize({ width: 320, height: 640 });
  await fitsItsScreen(page, 'the choice of a computer');
  // By keyboard, as any group of radio buttons.
  await page.getByRole('radio', { name: '1: for a first game' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: '3: for occasional players' })).toBeChecked();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/game\//);
  await expect(page.getByText('Computer, level 3', { exact: true })).toBeVisible();
  await page.goto('/');
  await opens();
  await expect(page.getByRole('radio', { name: '3: for occasional players' })).toBeChecked();
});

test('where computers are switched off the lobby says so', async ({ arrive }) => {
  const { page } = await arrive('anna');
  await page.route('**/api/computers', (route) => route.fulfill({ json: { computers: [] } }));
  await page.goto('/');
  await expect(page.getByText('The computer does not play on this server.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Play the computer' })).toHaveCount(0);
});
