/** Strings that others have written show as text, and break nothing. */
import { commands, playsOut } from '../harness/fixtures';
import { DOU_SHOU_QI, LUZHANQI } from '../harness/games';
import { fitsItsScreen, isPictured } from '../harness/looks';
import { expect, test } from '../harness/story';
import type { Page } from '../harness/story';

const SCRIPT = '<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>';
/** What the server takes in a chat line, at its longest, without a place to break. */
const LONG = 'W'.repeat(300);
const LINES = [
  SCRIPT,
  LONG,
  'javascript:alert(1)',
  '{evil} {0, plural, other{x}} %s ${window.harmed=1}',
  'שלום مرحبا 象棋 🐘'
];

/** What no server of ours sends: this one answers in its place. */
const BIDI = '\u202Egnol yrev\u202C \u2066x\u2069 \u200F';
const HUGE = `${SCRIPT}${BIDI}${'長'.repeat(10_000)}`;

async function isUnharmed(page: Page): Promise<void> {
  expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
  await expect(page.locator('main img[src="x"]')).toHaveCount(0);
}

test('lines of chat are text', async ({ arrive }) => {
  const [first, second] = [await arrive('anna'), await arrive('ben')];
  await first.becomesGuest();
  await second.becomesGuest();
  const game = await playsOut(first, second, { ...DOU_SHOU_QI, moves: [] });
  for (const text of LINES) await commands(first, game, 'chat', { text });
  await second.page.setViewportSize({ width: 320, height: 640 });
  await second.page.goto(`/game/${game}`);
  await second.page.getByRole('tab', { name: /Chat/ }).click();
  await expect(second.page.getByText(SCRIPT, { exact: true })).toBeVisible();
  await expect(second.page.getByText('{evil}', { exact: false })).toBeVisible();
  await fitsItsScreen(second.page, 'a game with hostile chat');
  await isPictured(second.page, 'hostile-chat');
  await isUnharmed(second.page);
});

test('saved setups with hostile names are text', async ({ arrive }) => {
  const [first, second] = [await arrive('anna'), await arrive('ben')];
  await first.becomesGuest();
  await second.becomesGuest();
  const setup = LUZHANQI.setups?.first;
  for (const name of [
    '<script>window.harmed=1</script>',
    '"><img src=x onerror=harmed=1>',
    '../../admin',
    'A'.repeat(40)
  ]) {
    await first.asks('PUT', `/api/setups/${encodeURIComponent(name)}`, { setup });
  }
  const game = await first.opens({ ruleset: LUZHANQI.ruleset });
  await commands(second, game, 'join');
  await first.page.setViewportSize({ width: 320, height: 640 });
  await first.page.goto(`/game/${game}`);
  await expect(first.page.getByText('<script>window.harmed=1</script>', { exact: true })).toBeAttached();
  await fitsItsScreen(first.page, 'a setup with hostile names');
  await isPictured(first.page, 'hostile-setups');
  await isUnharmed(first.page);
});

/** Puts a hostile text in the place of every name and text that a JSON answer holds. */
function poisoned(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => poisoned(item, key));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, poisoned(item, name)]));
  }
  const hostile = ['name', 'text', 'message', 'agent', 'reason'].includes(key) && typeof value === 'string';
  return hostile ? HUGE : value;
}

test('whatever a server says is text, ten thousand characters and turned directions too', async ({ arrive }) => {
  const [first, second] = [await arrive('anna'), await arrive('ben')];
  const me = await first.becomesGuest();
  await second.becomesGuest();
  const game = await playsOut(first, second, { ...DOU_SHOU_QI, moves: DOU_SHOU_QI.moves.slice(0, 2) });
  await first.page.route('**/api/**', async (route) => {
    if (/\/api\/catalog/.test(route.request().url())) return route.continue();
    const response = await route.fetch();
    const text = await response.text();
    try {
      await route.fulfill({ response, json: poisoned(JSON.parse(text)) });
    } catch {
      await route.fulfill({ response });
    }
  });
  await first.page.routeWebSocket(/\/api\/ws/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      const text = typeof message === 'string' ? message : message.toString();
      socket.send(JSON.stringify(poisoned(JSON.parse(text))));
    });
  });
  await first.page.setViewportSize({ width: 320, height: 640 });
  for (const path of [
    '/',
    '/watch',
    '/games',
    `/game/${game}`,
    `/replay/${game}`,
    `/player/${me}`,
    '/leaderboard',
    '/settings'
  ]) {
    await first.page.goto(path);
    await expect(first.page.getByRole('heading', { level: 1 })).toHaveCount(1);
    await first.page.waitForLoadState('networkidle');
    await fitsItsScreen(first.page, `${path} with hostile texts`);
    await isUnharmed(first.page);
  }
  await first.page.goto(`/game/${game}`);
  await expect(first.page.getByRole('grid')).toBeVisible();
  await isPictured(first.page, 'hostile-game');
  // What is still being fetched would fail when the page is closed.
  await first.page.unrouteAll({ behavior: 'wait' });
});

test('hostile addresses lead to a friendly page', async ({ arrive }) => {
  const { page } = await arrive('anna');
  for (const path of [
    '/game/%3Cscript%3Ewindow.harmed=1%3C/script%3E',
    '/replay/..%2F..%2Fetc%2Fpasswd?ply=99999999999999999999',
    '/replay/x?ply=NaN',
    '/player/%E0%A4%A',
    '/player?name=%3Cimg%20src=x%20onerror=harmed=1%3E',
    `/games?ruleset=${encodeURIComponent(SCRIPT)}&status=nonsense&limit=-1`,
    '/leaderboard/xiangqi/%00',
    '/rules/chess/standard',
    `/sign-in?redirect=${encodeURIComponent('https://example.org/')}`,
    `/sign-in?redirect=${encodeURIComponent('javascript:window.harmed=1')}`
  ]) {
    const answer = await page.goto(path);
    if (answer && answer.status() >= 400) continue;
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(1);
    await isUnharmed(page);
  }
});
