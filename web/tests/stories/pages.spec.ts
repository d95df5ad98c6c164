/** Every page, on a desktop, a phone and the narrowest screen, in all languages, light and dark. */
import type { BrowserContextOptions, Page } from '@playwright/test';
import { DOU_SHOU_QI, LUZHANQI, XIANGQI } from '../harness/games';
import { playsOut, registers } from '../harness/fixtures';
import { fitsItsScreen, hasNoBarriers, hasNoBarriersInColour, isPictured, speaks } from '../harness/looks';
import { expect, test as base } from '../harness/story';
import { Visitor } from '../harness/visitor';

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const NARROW = { width: 320, height: 640 };

/** The pages by name; of games and players their address follows from the fixtures. */
const PAGES = {
  lobby: () => '/',
  watch: () => '/watch',
  tv: () => '/tv/xiangqi',
  games: () => '/games',
  openings: () => '/openings?ruleset=xiangqi/standard&moves=g4g5',
  'openings-luzhanqi': () => '/openings?ruleset=luzhanqi/referee',
  leaderboards: () => '/leaderboard',
  leaderboard: () => '/leaderboard/xiangqi/standard',
  learn: () => '/learn',
  'lesson-doushouqi': () => '/learn/doushouqi/booklet?step=8',
  'lesson-luzhanqi': () => '/learn/luzhanqi/referee?step=9',
  'lesson-xiangqi': () => '/learn/xiangqi/standard?step=9',
  rules: () => '/rules',
  'rules-doushouqi': () => '/rules/doushouqi/booklet',
  'rules-luzhanqi': () => '/rules/luzhanqi/referee',
  'rules-xiangqi': () => '/rules/xiangqi/standard',
  'sign-in': () => '/sign-in',
  'sign-up': () => '/sign-up',
  recover: () => '/recover',
  people: () => '/player',
  'my-games': () => '/my-games',
  hotseat: () => '/hotseat',
  puzzles: () => '/puzzles',
  'puzzles-doushouqi': () => '/puzzles?ruleset=doushouqi/booklet',
  'puzzles-drills': () => '/puzzles/drills',
  'puzzles-unknown': () => '/puzzles/nothing',
  analysis: () => '/analysis',
  'analysis-position': () => '/analysis?ruleset=doushouqi/booklet&moves=c3d3,a7a6,d3d4',
  'analysis-game': (fixtures: Fixtures) => `/analysis?game=${fixtures.ended}&ply=5`,
  'analysis-luzhanqi': (fixtures: Fixtures) => `/analysis?game=${fixtures.flag}&ply=5`,
  settings: () => '/settings',
  admin: () => '/admin',
  'games-search': (fixtures: Fixtures) =>
    `/games?player=${fixtures.player}&rules=xiangqi&least=4&weakest=1000&rated=no`,
  about: () => '/about',
  player: (fixtures: Fixtures) => `/player/${fixtures.player}`,
  'game-doushouqi': (fixtures: Fixtures) => `/game/${fixtures.doushouqi}`,
  'game-luzhanqi': (fixtures: Fixtures) => `/game/${fixtures.luzhanqi}`,
  'game-xiangqi': (fixtures: Fixtures) => `/game/${fixtures.xiangqi}`,
  'game-ended': (fixtures: Fixtures) => `/game/${fixtures.ended}`,
  'game-open': (fixtures: Fixtures) => `/game/${fixtures.open}`,
  'game-unknown': () => '/game/01890000-0000-7000-8000-000000000000',
  replay: (fixtures: Fixtures) => `/replay/${fixtures.ended}?ply=5`,
  'replay-luzhanqi': (fixtures: Fixtures) => `/replay/${fixtures.flag}?ply=5&as=second`,
  nowhere: () => '/no-such-page'
} as const;

interface Fixtures {
  player: string;
  doushouqi: string;
  luzhanqi: string;
  xiangqi: string;
  ended: string;
  flag: string;
  open: string;
}

/** What goes on at the server of a worker, and the cookies of the player whose games they are: made once, and only looked at. */
interface Furnished {
  fixtures: Fixtures;
  signedIn: NonNullable<BrowserContextOptions['storageState']>;
}

const test = base.extend<object, { furnished: Furnished }>({
  furnished: [
    async ({ browser, program }, use) => {
      const first = await Visitor.arrive(browser, program.url, 'first');
      const second = await Visitor.arrive(browser, program.url, 'second');
      await registers(first, 'anna');
      await second.becomesGuest();
      const fixtures = await furnish(first, second);
      const signedIn = await first.context.storageState();
      await first.leave();
      await second.leave();
      await use({ fixtures, signedIn });
    },
    { scope: 'worker' }
  ]
});

for (const [name, address] of Object.entries(PAGES)) {
  test(`${name} has no barriers, fits every screen and has its words`, async ({ arrive, furnished }) => {
    const { page } = await arrive('first', { storageState: furnished.signedIn });
    const path = address(furnished.fixtures);
    await visits(page, path);
    await hasNoBarriers(page, name);
    await speaks(page, name);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    await expect(page).toHaveTitle(/\S/);
    await isPictured(page, `${name}-desktop`);
    for (const [size, viewport] of Object.entries({ phone: PHONE, narrow: NARROW })) {
      await page.setViewportSize(viewport);
      await fitsItsScreen(page, `${name} on ${size}`);
      await isPictured(page, `${name}-${size}`);
    }
    await page.setViewportSize(DESKTOP);
    await page.emulateMedia({ colorScheme: 'dark' });
    await hasNoBarriersInColour(page, `${name} in the dark`);
    await isPictured(page, `${name}-dark`);
    for (const language of ['de', 'zh-Hans', 'zh-Hant', 'vi']) {
      await page.getByRole('banner').getByRole('combobox').selectOption(language);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await speaks(page, `${name} in ${language}`);
      await page.setViewportSize(NARROW);
      await fitsItsScreen(page, `${name} in ${language}`);
      await page.setViewportSize(DESKTOP);
    }
  });
}

for (const [asked, spoken] of Object.entries({ 'zh-CN': 'zh-Hans', 'zh-TW': 'zh-Hant', 'vi-VN': 'vi' })) {
  test(`a browser that asks for ${asked} gets ${spoken}`, async ({ arrive }) => {
    const options: BrowserContextOptions = { locale: asked };
    const { page } = await arrive('guest', options);
    await visits(page, '/');
    await expect(page.locator('html')).toHaveAttribute('lang', spoken);
    await isPictured(page, `lobby-${spoken}`);
  });
}

/** Goes to a page and waits until it has drawn what it fetches. */
async function visits(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('main')).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await page.waitForLoadState('networkidle');
}

async function furnish(first: Visitor, second: Visitor) {
  const upTo = (whole: typeof DOU_SHOU_QI, plies: number) => ({ ...whole, moves: whole.moves.slice(0, plies) });
  const me = (await (await first.asks('GET', '/api/me')).json()) as { id: string };
  return {
    player: me.id,
    doushouqi: await playsOut(first, second, upTo(DOU_SHOU_QI, 6)),
    luzhanqi: await playsOut(first, second, upTo(LUZHANQI, 4)),
    xiangqi: await playsOut(first, second, upTo(XIANGQI, 8)),
    ended: await playsOut(first, second, XIANGQI),
    flag: await playsOut(first, second, LUZHANQI),
    open: await first.opens({ ruleset: 'luzhanqi/modern' })
  } satisfies Fixtures;
}
