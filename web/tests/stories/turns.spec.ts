/** Games that wait for their player while another page is open. */
import { DOU_SHOU_QI, XIANGQI } from '../harness/games';
import { commands, playsOut } from '../harness/fixtures';
import { fitsItsScreen, hasNoBarriers, isInView, isPictured } from '../harness/looks';
import { expect, test, type Page } from '../harness/story';
import type { Visitor } from '../harness/visitor';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const CLOCK = { time_control: { clock: { type: 'fischer', initial_ms: 600_000, increment_ms: 0 } } };

/** The two at a running game whose next move is Anna's, the second player's, after ply 1. */
async function begins(anna: Visitor, ben: Visitor, whole = XIANGQI): Promise<string> {
  return playsOut(ben, anna, { ...whole, moves: [] }, CLOCK);
}

async function moves(visitor: Visitor, game: string, ply: number, whole = XIANGQI): Promise<void> {
  await commands(visitor, game, 'move', { ply, move: whole.moves[ply - 1] });
}

function pill(page: Page) {
  return page.getByRole('region', { name: 'Games that wait for you' }).getByRole('link');
}

function icon(page: Page) {
  return page.locator('link[rel="icon"][type="image/svg+xml"]');
}

test('a phone on another page shows whose turn it is, and leads to the game', async ({ arrive, program }) => {
  const [anna, ben] = [await arrive('anna', PHONE), await arrive('ben')];
  await anna.becomesGuest();
  await ben.becomesGuest();
  const game = await begins(anna, ben);
  const { page } = anna;
  for (const visitor of [ben, anna]) {
    await visitor.page.goto(`/game/${game}`);
    await visitor.seesPly(0);
  }
  await page.getByRole('link', { name: 'Rules' }).first().tap();
  await expect(page).toHaveURL(/\/rules/);
  await expect(pill(page)).toBeHidden();
  await expect(page).not.toHaveTitle(/●/);

  await moves(ben, game, 1);
  await expect(pill(page)).toContainText(/Your turn: Xiangqi\s*9:\d\d|Your turn: Xiangqi\s*10:00/);
  await expect(page).toHaveTitle(/^● /);
  await expect(icon(page)).toHaveAttribute('href', '/favicon-turn.svg');
  await expect(page.getByRole('status').filter({ hasText: 'Your turn: Xiangqi, against' })).toHaveCount(1);
  await page.evaluate(() => window.scrollTo(0, 600));
  await isInView(pill(page), 'the game that waits, on a page that is scrolled');
  // The clock goes on, and nothing is asked for that.
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const shown = await pill(page).innerText();
  await expect(pill(page)).not.toHaveText(shown);
  expect(asked).toEqual([]);

  await page.evaluate(() => window.scrollTo(0, 0));
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await isPictured(page, `turn-${width}-${colorScheme}`, false);
    }
    await fitsItsScreen(page, `a page with a game that waits at ${width}`);
    await hasNoBarriers(page, `a page with a game that waits at ${width}`);
  }

  // A restart of the server ends nothing.
  await program.terminate();
  await expect(anna.linkNotice()).toBeVisible();
  await program.again();
  await expect(anna.linkNotice()).toBeHidden({ timeout: 30_000 });
  await expect(pill(page)).toBeVisible();

  await pill(page).click();
  await expect(page).toHaveURL(new RegExp(`/game/${game}$`));
  await expect(pill(page)).toBeHidden();
  await moves(anna, game, 2);
  await page.goto('/settings');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(icon(page)).toHaveAttribute('href', '/favicon.svg');
});

test('two games that wait are counted, and the one with less time comes first', async ({ arrive }) => {
  const [anna, ben] = [await arrive('anna'), await arrive('ben')];
  await anna.becomesGuest();
  await ben.becomesGuest();
  const slow = await begins(anna, ben);
  const quick = await playsOut(
    ben,
    anna,
    { ...DOU_SHOU_QI, moves: [] },
    {
      time_control: { clock: { type: 'fischer', initial_ms: 300_000, increment_ms: 0 } }
    }
  );
  await moves(ben, slow, 1);
  await moves(ben, quick, 1, DOU_SHOU_QI);
  const { page } = anna;
  await page.goto('/about');
  await expect(pill(page)).toContainText('Your turn: Dou Shou Qi');
  await expect(pill(page)).toContainText('and 1 more game waits for you');
  await page.goto(`/game/${quick}`);
  await expect(pill(page)).toContainText('Your turn: Xiangqi');
  await expect(pill(page)).not.toContainText('more');
  await moves(anna, quick, 2, DOU_SHOU_QI);
  await commands(ben, slow, 'resign');
  await expect(pill(page)).toBeHidden();
});
