/** Pages over which the server goes away and comes back, and addresses that nobody has made. */
import { LUZHANQI, XIANGQI } from '../harness/games';
import { commands, isStaff, playsOut, registers } from '../harness/fixtures';
import { speaks } from '../harness/looks';
import { alone as test, expect, type Page } from '../harness/story';

const CLOCK = { time_control: { clock: { type: 'fischer', initial_ms: 600_000, increment_ms: 5_000 } } };
const NOBODY = '00000000-0000-0000-0000-000000000000';

test('what is watched goes on after the server was away, and what could not be asked is asked again', async ({
  program,
  arrive
}) => {
  const [first, second] = [await arrive('first'), await arrive('second')];
  await registers(first, 'anna');
  await registers(second, 'ben');
  const ended = await playsOut(first, second, XIANGQI);
  const game = await playsOut(first, second, { ...XIANGQI, moves: XIANGQI.moves.slice(0, 2) }, CLOCK);
  const [stranger, admin] = [await arrive('stranger'), await arrive('admin')];
  const name = await isStaff(program, admin, 'admin');
  const opens = async (who: typeof stranger, path: string): Promise<Page> => {
    const page = await who.context.newPage();
    page.on('pageerror', (error) => who.faults.push(`thrown on ${path}: ${String(error)}`));
    await page.goto(path);
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    return page;
  };
  const [tv, games, openings, watched] = [
    await opens(stranger, '/tv/xiangqi'),
    await opens(stranger, '/games'),
    await opens(stranger, '/openings?ruleset=xiangqi/standard'),
    await opens(stranger, `/game/${game}`)
  ];
  const [audit, all] = [await opens(admin, '/admin/audit'), await opens(admin, '/admin/games')];
  const screen = tv.locator(`a[href="/game/${game}"]`);
  await expect(screen.getByRole('img')).toBeVisible();
  await watched.getByRole('tab', { name: 'Spectators' }).click();
  // What depends on who looks comes after the page itself.
  await expect(audit.getByRole('combobox', { name: 'Action' })).toBeVisible();
  await expect(all.getByRole('combobox', { name: 'State' })).toBeVisible();

  await program.kill();
  await expect(watched.getByText('Connection lost')).toBeVisible();
  await games.getByRole('combobox', { name: 'Ended by' }).selectOption('checkmate');
  await openings.getByRole('combobox', { name: 'Game and rules' }).selectOption('xiangqi/grunfeld');
  await audit.getByRole('combobox', { name: 'Action' }).selectOption('change_role');
  await all.getByRole('combobox', { name: 'State' }).selectOption('ended');
  for (const page of [games, openings, audit, all]) {
    await expect(page.getByText('Connection lost')).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: 'server' })).toBeVisible();
  }

  await program.again();
  for (const page of [games, openings, audit, all]) {
    await expect(page.getByRole('alert').filter({ hasText: 'server' })).toHaveCount(0, { timeout: 60_000 });
  }
  await expect(games.locator(`a[href="/replay/${ended}"]`)).toBeVisible();
  await expect(audit.getByRole('main').getByRole('listitem').filter({ hasText: name })).toHaveCount(1);
  await expect(all.locator(`a[href*="game=${ended}"]`)).toBeVisible();
  await watched.getByRole('textbox', { name: 'Write a message' }).fill('there it is again');
  await watched.keyboard.press('Enter');
  await expect(watched.getByRole('log').getByText('there it is again', { exact: true })).toBeVisible();
  await commands(second, game, 'resign');
  await expect(screen).toContainText('resigned', { timeout: 60_000 });
});

test('without a connection no page says what it does not know, and each comes when the connection is back', async ({
  arrive
}) => {
  const { page, context } = await arrive('stranger');
  await page.goto('/tv/xiangqi');
  await expect(page.getByText('Nothing is on right now.')).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('Connection lost')).toBeVisible();
  await page.getByRole('navigation', { name: 'Channels' }).getByRole('link', { name: 'Luzhanqi' }).click();
  await expect(page.getByRole('alert')).toContainText('The server can’t be reached.');
  await expect(page.getByText('Nothing is on right now.')).toHaveCount(0);
  await page.getByRole('link', { name: 'Leaderboards' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Connection lost');
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Leaderboards', { timeout: 60_000 });
});

test('an address that nobody has made leads to a page all the same', async ({ program, arrive }) => {
  test.setTimeout(180_000);
  const [first, admin] = [await arrive('first'), await arrive('admin')];
  await first.becomesGuest();
  await isStaff(program, admin, 'admin');
  const game = await playsOut(first, admin, LUZHANQI);
  const { page } = admin;
  for (const path of [
    '/watch?game=nonsense&ruleset=%00',
    '/watch?game=xiangqi&ruleset=xiangqi/nothing',
    '/tv/chess',
    '/openings?ruleset=x/y&moves=zz',
    '/openings?ruleset=xiangqi/standard&moves=zz,a1a1',
    '/openings?ruleset=xiangqi/standard&from=garbage',
    `/games?before=1&player=${NOBODY}&rules=xiangqi/nothing`,
    '/games?rules=xiangqi/standard&position=9/9/9%20w',
    `/replay/${game}?ply=-5&as=king&view=third&seq=1e9`,
    '/replay/not-an-id',
    `/admin/games?game=${NOBODY}&player=zz&before=${NOBODY}`,
    '/admin/players?player=xyz',
    `/admin/audit?before=${NOBODY}&by=${NOBODY}&from=2030-01-01&until=2020-01-01`,
    '/admin/nowhere'
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(1);
    await expect(page.getByRole('main').locator('[aria-busy="true"]'), path).toHaveCount(0);
    await speaks(page, path);
  }
});
