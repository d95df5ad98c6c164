/** A game that is over is reviewed, and a mistake of it is played again until a good move is found. */
import { DOU_SHOU_QI, LUZHANQI, XIANGQI, type WholeGame } from '../harness/games';
import { playsOut } from '../harness/fixtures';
import { fitsItsScreen, hasNoBarriers, hasNoBarriersInColour, isPictured, speaks } from '../harness/looks';
import { expect, test, type Page } from '../harness/story';
import type { Visitor } from '../harness/visitor';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

async function over(arrive: (name: string) => Promise<Visitor>, whole: WholeGame): Promise<string> {
  const [first, second] = [await arrive('anna'), await arrive('ben')];
  await first.becomesGuest();
  await second.becomesGuest();
  return playsOut(first, second, whole);
}

const sheet = (page: Page) => page.getByRole('group', { name: 'Review', exact: true });
const lesson = (page: Page) => page.getByRole('region', { name: 'Learn from mistakes' });

/** All of it is done once there is nothing to wait for. */
async function isReviewed(page: Page): Promise<void> {
  await expect(sheet(page).getByRole('row', { name: /^Red|^Black|^Blue/ })).toHaveCount(2);
  await expect(sheet(page).getByRole('progressbar')).toHaveCount(0, { timeout: 60_000 });
}

test('a stranger reviews a game, goes to where it was lost, and finds the better move', async ({ arrive }) => {
  const game = await over(arrive, XIANGQI);
  const stranger = await arrive('cleo');
  const { page } = stranger;
  await page.goto(`/game/${game}`);
  await page.getByRole('link', { name: 'Review', exact: true }).click();
  await expect(page.getByRole('tab', { name: 'Review' })).toHaveAttribute('aria-selected', 'true');
  await isReviewed(page);
  await expect(sheet(page).getByRole('row', { name: /\d+%/ })).toHaveCount(2);
  // The last move mates, and is said to be good.
  await page.keyboard.press('End');
  await expect(sheet(page)).toContainText('b2b9 is good.');
  await isPictured(page, 'review');
  await hasNoBarriers(page, 'a review');
  await hasNoBarriersInColour(page, 'a review');
  await speaks(page, 'a review');

  // The bad moves are marked in the list, and the address leads others to the review.
  await page.getByRole('tab', { name: 'Moves' }).click();
  const bad = page.getByRole('button', { name: /^Move \d+: .* is a (mistake|blunder)\.$/ }).first();
  await expect(bad).toContainText('?');
  await page.getByRole('tab', { name: 'Review' }).click();
  await expect(page).toHaveURL(/&review$/);
  const other = await arrive('dora');
  await other.page.goto(page.url());
  await isReviewed(other.page);

  await page
    .getByRole('button', { name: /learn from/ })
    .first()
    .click();
  const asked = lesson(page).getByText(/was played here/);
  const played = /([a-i]\d+[a-i]\d+) was played/.exec(await asked.innerText())?.[1] ?? '';
  await isPictured(page, 'review-lesson');
  await hasNoBarriers(page, 'a lesson');
  await stranger.plays(played, 'mouse');
  await expect(lesson(page)).toContainText(`${played} loses too much.`);
  await lesson(page).getByRole('button', { name: 'Show the best move' }).click();
  const best =
    /Best: ([a-i]\d+[a-i]\d+)\./.exec(
      await lesson(page)
        .getByText(/^Best:/)
        .innerText()
    )?.[1] ?? '';
  await stranger.plays(best, 'keyboard');
  await expect(lesson(page)).toContainText(`${best} is good.`);
  await lesson(page).getByRole('button', { name: 'Back to the review' }).click();
  await isReviewed(page);
});

for (const whole of [DOU_SHOU_QI, LUZHANQI]) {
  test(`a game of ${whole.ruleset} is reviewed on a phone`, async ({ arrive }) => {
    const game = await over(arrive, whole);
    const stranger = await arrive('cleo', PHONE);
    const { page } = stranger;
    await page.goto(`/replay/${game}?review`);
    await isReviewed(page);
    await fitsItsScreen(page, 'a review on a phone');
    if (whole === LUZHANQI) await expect(sheet(page)).toContainText('With all pieces open');
    await isPictured(page, `review-${whole.ruleset.split('/')[0] ?? ''}-phone`);
    await hasNoBarriers(page, 'a review on a phone');
  });
}
