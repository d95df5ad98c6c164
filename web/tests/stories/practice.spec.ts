/** Moves that are taken back, in practice games against the computer and between people; hints, and the question before a blunder. */
import { commands, playsOut } from '../harness/fixtures';
import { LUZHANQI } from '../harness/games';
import { fitsItsScreen, hasNoBarriers, hasNoBarriersInColour, isPictured, speaks } from '../harness/looks';
import { expect, test, type Page } from '../harness/story';
import type { Visitor } from '../harness/visitor';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** In the first position of Xiangqi this leaves the Horse beside the Chariot to a Cannon. */
const MISTAKE = 'a1a3';

/** Has pages wait for advice however long it takes; they give up after three seconds otherwise. */
async function waitsForAdvice({ page }: Visitor): Promise<void> {
  await page.addInitScript(() => {
    const wait = window.setTimeout.bind(window);
    Object.assign(window, { setTimeout: (then: () => void, ms?: number) => (ms === 3_000 ? 0 : wait(then, ms)) });
  });
}

/** Opens a practice game of Xiangqi, in which the visitor moves first. */
async function practises(visitor: Visitor): Promise<void> {
  await waitsForAdvice(visitor);
  await visitor.becomesGuest();
  const game = await visitor.opens({ ruleset: 'xiangqi/standard', computer: 1, practice: true });
  await visitor.page.goto(`/game/${game}`);
  await visitor.seesPly(0);
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const question = (page: Page) => page.getByRole('group', { name: /^a1a3 would be a (mistake|blunder)\.$/ });
/** The hint as it is written; it is said in words. */
const hint = (page: Page) => page.getByText(/^Hint: [a-i]\d+[a-i]\d+$/);

test('a visitor practises: takes moves back, plays a hint, and is asked before a mistake', async ({ arrive }) => {
  const anna = await arrive('anna');
  const { page } = anna;
  await waitsForAdvice(anna);
  await page.goto('/');
  const opens = () => button(page, 'Play the computer Right now, at eight levels').click();
  await opens();
  const dialog = page.getByRole('dialog', { name: 'Play the computer' });
  await dialog.getByRole('radio', { name: 'Xiangqi' }).check({ force: true });
  await dialog.getByRole('radio', { name: /Red/ }).check({ force: true });
  const practice = dialog.getByRole('checkbox', { name: 'Practice: take back moves, ask for hints' });
  await expect(practice).not.toBeChecked();
  await practice.check();
  await isPictured(page, 'practice-choice');
  await dialog.getByRole('button', { name: 'Start the game' }).click();

  await expect(page).toHaveURL(/\/game\//);
  await anna.seesPly(0);
  await expect(page.getByRole('region', { name: 'Black' })).toContainText('Practice');
  await expect(button(page, 'Take back')).toBeDisabled();
  await anna.plays('b1c3', 'mouse');
  await anna.seesPly(2);
  await button(page, 'Take back').click();
  await anna.seesPly(0);
  await expect(anna.square('b1')).toHaveAccessibleName(/red horse/);
  await expect(anna.square('c3')).toHaveAccessibleName(/empty/);
  await expect(page.getByText('No moves yet.')).toBeVisible();

  await button(page, 'Hint').click();
  await expect(hint(page)).toBeVisible();
  await isPictured(page, 'hint');
  await button(page, 'Hint').click();
  await expect(hint(page)).toHaveCount(0);
  await button(page, 'Hint').click();
  const best = (await hint(page).innerText()).replace('Hint: ', '');
  await anna.plays(best, 'mouse');
  await anna.seesPly(2);
  await expect(hint(page)).toHaveCount(0);

  await button(page, 'Take back').click();
  await anna.seesPly(0);
  await anna.plays(MISTAKE, 'mouse');
  await expect(question(page)).toBeVisible();
  await expect(anna.square('a1')).toHaveAccessibleName(/red chariot/);
  await isPictured(page, 'practice-warning');
  await hasNoBarriers(page, 'the question before a mistake');
  await speaks(page, 'the question before a mistake');
  await button(page, 'Show a better move').click();
  await expect(hint(page)).toBeVisible();
  await button(page, 'Choose another move').click();
  await expect(question(page)).toHaveCount(0);
  await anna.plays('b1c3', 'mouse');
  await anna.seesPly(2);

  // Who does not want to be warned plays on.
  await page.getByRole('checkbox', { name: 'Warn me before blunders' }).uncheck();
  await button(page, 'Take back').click();
  await anna.seesPly(0);
  await anna.plays(MISTAKE, 'mouse');
  await anna.seesPly(2);

  const played = page.url();
  await button(page, 'Resign').click();
  await button(page, 'Resign').click();
  await button(page, 'Rematch').click();
  await expect(page).not.toHaveURL(played);
  await expect(page.getByRole('region', { name: 'Red' })).toContainText('Practice');

  await page.goto('/');
  await opens();
  await expect(practice).toBeChecked();
});

test('practice by keyboard: the question has the focus and gives it back', async ({ arrive }) => {
  const anna = await arrive('anna');
  const { page } = anna;
  await practises(anna);
  await anna.plays(MISTAKE, 'keyboard');
  await expect(button(page, 'Choose another move')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question(page)).toHaveCount(0);
  await expect(anna.square('a3')).toBeFocused();
  await anna.plays(MISTAKE, 'keyboard');
  await expect(button(page, 'Choose another move')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(button(page, 'Play it anyway')).toBeFocused();
  await page.keyboard.press('Enter');
  await anna.seesPly(2);
  await button(page, 'Take back').focus();
  await page.keyboard.press('Enter');
  await anna.seesPly(0);
  await expect(page.getByText(/2 moves were taken back; Red is to move/)).toHaveCount(1);
  await button(page, 'Hint').focus();
  await page.keyboard.press('Space');
  await expect(page.getByText(/^Hint: .* to /)).toHaveCount(1);
});

test('on a phone the actions of practice are in sight below the board', async ({ arrive }) => {
  const anna = await arrive('anna', PHONE);
  const { page } = anna;
  await practises(anna);
  await anna.plays('b1c3', 'touch');
  await anna.seesPly(2);
  for (const name of ['Take back', 'Hint', 'Resign']) await expect(button(page, name)).toBeInViewport({ ratio: 1 });
  await button(page, 'Take back').tap();
  await anna.seesPly(0);
  await button(page, 'Hint').tap();
  await expect(hint(page)).toBeInViewport({ ratio: 1 });
  await anna.plays(MISTAKE, 'touch');
  await expect(question(page)).toBeInViewport({ ratio: 1 });
  await isPictured(page, 'practice-phone');
  await page.emulateMedia({ colorScheme: 'dark' });
  await hasNoBarriersInColour(page, 'practice on a phone in the dark');
  await page.setViewportSize({ width: 320, height: 640 });
  await fitsItsScreen(page, 'practice on a phone');
  await button(page, 'Choose another move').tap();
  await expect(question(page)).toHaveCount(0);
});

test('a move whose check fails is played', async ({ arrive }) => {
  const anna = await arrive('anna');
  await practises(anna);
  await anna.page.route('**/hint', (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'busy', message: 'too many hints' } } })
  );
  await anna.plays(MISTAKE, 'mouse');
  await anna.seesPly(2);
});

test('two people take a move back by agreement; an attack is never taken back, and the game is fair', async ({
  arrive
}) => {
  const [first, second] = [await arrive('anna'), await arrive('ben')];
  await first.becomesGuest();
  await second.becomesGuest();
  const game = await playsOut(first, second, { ...LUZHANQI, moves: [] });
  for (const visitor of [first, second]) {
    await visitor.page.goto(`/game/${game}`);
    await visitor.seesPly(0);
    await expect(button(visitor.page, 'Take back')).toBeDisabled();
    await expect(button(visitor.page, 'Hint')).toHaveCount(0);
  }
  // Into a camp.
  await first.plays('b6b5', 'mouse');
  for (const visitor of [first, second]) await visitor.seesPly(1);
  await expect(button(second.page, 'Take back')).toBeDisabled();
  await button(first.page, 'Take back').click();
  await expect(first.page.getByText(/You have asked to take your move back/)).toBeVisible();
  await expect(button(first.page, 'Take back')).toBeDisabled();
  await expect(second.page.getByText('Red asks to take a move back')).toHaveCount(1);
  await isPictured(second.page, 'takeback-requested');
  await hasNoBarriers(second.page, 'a request to take a move back');
  await button(second.page, 'Decline').click();
  await expect(first.page.getByText('Blue declines to take a move back')).toHaveCount(1);
  await button(first.page, 'Take back').click();
  await button(second.page, 'Accept').click();
  for (const visitor of [first, second]) {
    await visitor.seesPly(0);
    await expect(visitor.square('b5')).toHaveAccessibleName(/empty/);
  }

  await first.plays('a6a7', 'mouse');
  for (const visitor of [first, second]) await visitor.seesPly(1);
  await expect(button(first.page, 'Take back')).toBeDisabled();
  await commands(second, game, 'resign');
  await expect(first.result()).toContainText('You won');
  await expect(first.result()).toContainText('Verified.');
  await first.page.goto(`/replay/${game}`);
  await first.page.getByRole('tab', { name: 'About' }).click();
  await expect(first.page.getByText(/^Verified\. Neither setup was changed/)).toBeVisible();
  await expect(first.page.getByText(/^Verified\. The server/)).toBeVisible();
});
