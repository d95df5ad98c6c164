/** The pages of rules: their diagrams are tried, by mouse and keys, and a wrong move is answered with its reason. */
import { fitsItsScreen, hasNoBarriers, isPictured } from '../harness/looks';
import { expect, test } from '../harness/story';
import type { Locator } from '@playwright/test';

/** Goes from a square to another on one of the boards. */
async function tries(board: Locator, from: string, to: string): Promise<void> {
  await board.locator(`[data-square="${from}"]`).click();
  await board.locator(`[data-square="${to}"]`).click();
}

test('a diagram is tried: what is not possible is answered with its reason, what is possible is made and put back', async ({
  arrive
}) => {
  const { page } = await arrive('reader');
  await page.goto('/rules/xiangqi/standard');
  const horse = page.locator('details', { has: page.getByRole('heading', { name: 'Horse' }) });
  const board = horse.getByRole('grid', { name: 'Horse' });
  const said = horse.getByRole('status');
  await expect(said).toHaveText('Try it: move a piece.');
  await tries(board, 'e5', 'd7');
  await expect(said).toHaveText(/right beside the horse/);
  await tries(board, 'e5', 'e9');
  await expect(said).toHaveText(/This piece doesn’t move there/);
  await tries(board, 'e5', 'c6');
  await expect(said).toHaveText(/horse from e5 to c6/i);
  await expect(board.locator('[data-square="c6"]')).toHaveAttribute('aria-label', /red horse/i);
  await horse.getByRole('button', { name: 'Put back' }).click();
  await expect(board.locator('[data-square="e5"]')).toHaveAttribute('aria-label', /red horse/i);

  // By keys alone.
  await board.locator('[data-square="e5"]').focus();
  await page.keyboard.press('Enter');
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowLeft', 'Enter']) await page.keyboard.press(key);
  await expect(said).toHaveText(/right beside the horse/);

  // A section with several diagrams has one board for them.
  const repetition = page.locator('details', { has: page.getByRole('heading', { name: 'Repetition' }) });
  await repetition.getByRole('button', { name: /chased the horse/ }).click();
  await tries(repetition.getByRole('grid'), 'd2', 'c2');
  await expect(repetition.getByRole('status')).toHaveText('Banned: this would be a perpetual chase.');
  await hasNoBarriers(page, 'the rules with what was tried');
});

test('an attack of Luzhanqi ends as the rules have it, and a diagram’s last move ends the game', async ({ arrive }) => {
  const { page } = await arrive('reader');
  await page.goto('/rules/luzhanqi/modern');
  const goal = page.locator('details', { has: page.getByRole('heading', { name: 'Goal' }) });
  await tries(goal.getByRole('grid'), 'd11', 'd12');
  await expect(goal.getByRole('status')).toHaveText(/Red won by capturing the Flag/);
  const railways = page.locator('details', { has: page.getByRole('heading', { name: 'Railways' }) });
  await tries(railways.getByRole('grid'), 'a2', 'c6');
  await expect(railways.getByRole('status')).toHaveText(/Only the engineer turns corners/);
  await tries(railways.getByRole('grid'), 'a2', 'a9');
  await expect(railways.getByRole('status')).toHaveText(/attacks a9 and wins/);
  await isPictured(page, 'rules-tried');
});

test('on a phone the sections are opened one by one, and a link opens its own', async ({ arrive }) => {
  const { page } = await arrive('reader', { viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.goto('/rules/doushouqi/booklet#traps');
  const section = (name: string) => page.locator('details', { has: page.getByRole('heading', { name }) });
  await expect(section('Traps').getByRole('grid')).toBeVisible();
  await expect(section('Water').getByRole('grid')).toBeHidden();
  await page.getByRole('heading', { name: 'Water' }).click();
  await tries(section('Water').getByRole('grid'), 'b5', 'b6');
  await expect(section('Water').getByRole('status')).toHaveText(/rat from b5 to b6/i);
  await fitsItsScreen(page, 'rules on a phone');
  await page.getByRole('button', { name: 'Open all sections' }).click();
  await expect(page.getByRole('table')).toBeVisible();
  await fitsItsScreen(page, 'all rules on a phone');
  await isPictured(page, 'rules-open');
});
