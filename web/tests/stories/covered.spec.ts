/** Luzhanqi on the analysis board, where not every piece is known. */
import { playsOut } from '../harness/fixtures';
import { LUZHANQI } from '../harness/games';
import { fitsItsScreen, hasNoBarriers, hasNoBarriersInColour, isPictured, speaks } from '../harness/looks';
import { expect, test, type Page } from '../harness/story';
import type { Visitor } from '../harness/visitor';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const moves = (page: Page) => page.getByRole('group', { name: 'Moves' });
const attack = (page: Page) => page.getByRole('dialog', { name: 'c6 attacks b6: who is removed?' });

/** What stands on a square, as a screen reader says it. */
async function shows(visitor: Visitor, square: string, what: string): Promise<void> {
  await expect(visitor.square(square)).toHaveAttribute('aria-label', new RegExp(`^${square}, ${what}`, 'i'));
}

test('a hidden piece does what some piece could, and who makes its attack says how it ends: by mouse, keyboard and touch, shared by link', async ({
  arrive
}) => {
  const visitor = await arrive('visitor', PHONE);
  const { page } = visitor;
  await page.goto('/analysis');
  await page.getByRole('radio', { name: /Luzhanqi/ }).check({ force: true });
  await page.getByText('Set up a position', { exact: true }).click();
  const pieces = page.getByRole('group', { name: 'Pieces to put' });
  for (const [piece, square] of [
    ['blue flag', 'd12'],
    ['blue lieutenant', 'e12'],
    ['red flag', 'b1'],
    ['blue general', 'b6'],
    ['red hidden piece', 'c6']
  ] as const) {
    await pieces.getByRole('button', { name: piece, exact: true }).tap();
    await visitor.square(square).tap();
  }
  await expect(page.getByText('The rules allow this position.')).toBeVisible();
  await hasNoBarriers(page, 'a position with a hidden piece');
  await isPictured(page, 'analysis-edit-hidden');
  await button(page, 'Open the board').click();
  await expect(page.getByText('Red to move.')).toBeVisible();
  await expect(page.getByText('A hidden piece may make any move that some piece could.')).toBeVisible();
  // No game begins so, and no computer helps.
  await expect(button(page, 'Play from here')).toHaveCount(0);
  await page.getByRole('tab', { name: 'Computer' }).click();
  await expect(page.getByRole('checkbox', { name: /computer/i })).toHaveCount(0);
  await page.getByRole('tab', { name: 'Moves' }).click();

  // What turns a corner is an Engineer.
  await visitor.plays('c6a2', 'touch');
  await visitor.seesPly(1);
  await shows(visitor, 'a2', 'red engineer');
  await button(page, 'Undo').click();
  await visitor.seesPly(0);
  await shows(visitor, 'c6', 'red hidden piece');

  await visitor.plays('c6b6', 'keyboard');
  await expect(attack(page).getByRole('button')).toHaveCount(4);
  await hasNoBarriers(page, 'an attack of a hidden piece');
  await speaks(page, 'an attack of a hidden piece');
  await isPictured(page, 'analysis-attack');
  await page.setViewportSize({ width: 320, height: 640 });
  await fitsItsScreen(page, 'an attack of a hidden piece');
  await page.keyboard.press('Escape');
  await expect(attack(page)).toHaveCount(0);
  await visitor.seesPly(0);
  await page.setViewportSize(PHONE.viewport);

  await visitor.plays('c6b6', 'keyboard');
  await button(page, 'The attacked piece on b6').press('Enter');
  await visitor.seesPly(1);
  // Nothing but the Field Marshal beats a General.
  await shows(visitor, 'b6', 'red field marshal');
  await page.keyboard.press('Control+z');
  await visitor.seesPly(0);
  await page.keyboard.press('Control+Shift+z');
  await visitor.seesPly(1);
  await button(page, 'One move back').click();
  await visitor.plays('c6b6', 'touch');
  await button(page, 'The attacker from c6').tap();
  await visitor.seesPly(1);
  await shows(visitor, 'b6', 'blue general');
  await shows(visitor, 'c6', 'empty');
  await button(page, 'One move back').click();
  await visitor.plays('c6b6', 'mouse');
  await button(page, 'Both').click();
  await visitor.seesPly(1);
  await shows(visitor, 'b6', 'empty');
  // The attack that stands there already is gone to, and each end is a variation of its own.
  await button(page, 'One move back').click();
  await visitor.plays('c6b6', 'mouse');
  await button(page, 'The attacked piece on b6').click();
  await visitor.seesPly(1);
  await expect(page.getByRole('heading', { level: 1 })).toHaveAttribute('data-moves', '3');
  for (const sign of ['×', '†', '=']) await expect(moves(page)).toContainText(`c6b6 ${sign}`);
  await expect(moves(page).getByRole('button', { name: 'both are lost' })).toHaveCount(1);
  await visitor.plays('e12e11', 'mouse');
  await isPictured(page, 'analysis-hidden');
  await page.setViewportSize({ width: 320, height: 640 });
  await fitsItsScreen(page, 'an analysis with a hidden piece');
  await page.emulateMedia({ colorScheme: 'dark' });
  await hasNoBarriersInColour(page, 'an analysis with a hidden piece');
  await isPictured(page, 'analysis-hidden-narrow-dark');

  // What was chosen is kept with the move.
  await page.reload();
  await visitor.seesPly(2);
  await shows(visitor, 'b6', 'red field marshal');
  await button(page, 'Share').click();
  await button(page, 'Create link').click();
  const link = page.getByRole('textbox', { name: 'Link to this analysis' });
  await expect(link).toHaveValue(/\/analysis\/[0-9a-f-]{36}$/);
  const { pathname } = new URL(await link.inputValue());
  const list = await moves(page).textContent();
  const friend = await arrive('friend');
  await friend.page.goto(pathname);
  await friend.seesPly(2);
  await shows(friend, 'b6', 'red field marshal');
  expect(await moves(friend.page).textContent()).toBe(list);
  await friend.page.goto(`/embed${pathname}`);
  await expect(moves(friend.page)).toHaveText(list ?? '');
});

test('a running game opens as its viewer knows it, and goes on beside what is tried', async ({ arrive }) => {
  const first = await arrive('first');
  const second = await arrive('second');
  const watcher = await arrive('watcher');
  await first.becomesGuest();
  await second.becomesGuest();
  const open = await first.opens({ ruleset: LUZHANQI.ruleset });
  await first.page.goto(`/analysis?game=${open}`);
  await expect(first.page.getByText('once both players have set up')).toBeVisible();
  const game = await playsOut(first, second, { ...LUZHANQI, moves: LUZHANQI.moves.slice(0, 4) });

  for (const [visitor, own, others] of [
    [first, 'red field marshal', 'blue hidden piece'],
    [second, 'red hidden piece', 'blue engineer'],
    [watcher, 'red hidden piece', 'blue hidden piece']
  ] as const) {
    await visitor.page.goto(`/replay/${game}`);
    await visitor.page.getByRole('link', { name: 'Open on the analysis board' }).click();
    await visitor.seesPly(4);
    await expect(visitor.page.getByText('Red to move.')).toBeVisible();
    await button(visitor.page, 'To the start').click();
    await visitor.seesPly(0);
    await shows(visitor, 'a6', own);
    await shows(visitor, 'e12', others);
  }
  // An own piece is known, the attacked one is not: the Field Marshal wins, meets a Grenade, or another Field Marshal.
  const { page } = first;
  await first.plays('a6a7', 'mouse');
  const ends = page.getByRole('dialog', { name: 'a6 attacks a7: who is removed?' }).getByRole('button');
  await expect(ends).toHaveText(['The attacked piece on a7', 'Both', 'Close']);
  await ends.first().click();
  await first.seesPly(1);
  // That is how it went, so nothing is added.
  await expect(page.getByRole('heading', { level: 1 })).toHaveAttribute('data-moves', '4');
});
