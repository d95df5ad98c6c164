/** Announcements of the operators, and the pages that only they may see. */
import { LUZHANQI, XIANGQI } from '../harness/games';
import { commands, isStaff, playsOut, registers } from '../harness/fixtures';
import { fitsItsScreen, hasNoBarriers, isPictured } from '../harness/looks';
import { alone as test, expect } from '../harness/story';

test('everybody hears of maintenance and of notices, at once or when he comes', async ({ program, arrive }) => {
  const admin = await arrive('admin');
  await isStaff(program, admin, 'admin');
  const here = await arrive('here');
  await here.page.goto('/');
  await expect(here.page.getByRole('heading', { level: 1 })).toBeVisible();

  const { page } = admin;
  await page.goto('/admin/server');
  const maintenance = page.getByRole('region', { name: 'Maintenance' });
  await maintenance.getByRole('textbox', { name: 'Message to everyone' }).fill('Back at nine.');
  await maintenance.getByRole('button', { name: 'Start maintenance' }).click();
  await expect(page.getByText('Maintenance has started: no new games can be started.')).toBeVisible();
  await expect(here.page.getByText('Back at nine.')).toBeVisible();
  await here.page.getByRole('button', { name: 'Play a friend' }).click();
  await here.page.getByRole('button', { name: 'Create the link' }).click();
  await expect(here.page.getByRole('alert')).toContainText('no new games can be started');
  const late = await arrive('late');
  await late.page.goto('/rules');
  await expect(late.page.getByText('Back at nine.')).toBeVisible();
  await hasNoBarriers(late.page, 'maintenance');
  await late.page.setViewportSize({ width: 320, height: 640 });
  await fitsItsScreen(late.page, 'maintenance');
  await isPictured(late.page, 'maintenance-narrow');
  await maintenance.getByRole('button', { name: 'End maintenance' }).click();
  await expect(late.page.getByText('Back at nine.')).toHaveCount(0);

  const notice = page.getByRole('region', { name: 'Notice' });
  await notice.getByRole('button', { name: 'Show to everyone' }).click();
  await expect(notice.getByText('Please write something here.')).toBeVisible();
  await notice.getByRole('textbox', { name: 'Text' }).fill('A tournament begins at eight.');
  await notice.getByRole('button', { name: 'Show to everyone' }).click();
  const told = late.page.getByText('A tournament begins at eight.');
  await expect(told).toBeVisible();
  await late.page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(told).toHaveCount(0);
  await late.page.reload();
  await expect(late.page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(here.page.getByText('A tournament begins at eight.')).toBeVisible();
  await expect(told).toHaveCount(0);
  // Another one is shown again.
  await notice.getByRole('textbox', { name: 'Text' }).fill('It begins at nine.');
  await notice.getByRole('button', { name: 'Show to everyone' }).click();
  await expect(late.page.getByText('It begins at nine.')).toBeVisible();
  await hasNoBarriers(page, 'what everybody is told');
  await isPictured(page, 'staff-server');
  await notice.getByRole('button', { name: 'Remove it' }).click();
  await expect(late.page.getByText('It begins at nine.')).toHaveCount(0);
});

test('an admin finds a running game, sees every piece and the time of every move, and reads its chat', async ({
  program,
  arrive
}) => {
  const [first, second] = [await arrive('first'), await arrive('second')];
  await registers(first, 'anna');
  const ben = await registers(second, 'ben');
  const game = await playsOut(
    first,
    second,
    { ...LUZHANQI, moves: LUZHANQI.moves.slice(0, 4) },
    { visibility: 'link' }
  );
  await playsOut(first, second, XIANGQI);
  await second.page.goto(`/game/${game}`);
  await second.seesPly(4);
  await commands(second, game, 'chat', { text: 'where is it' });
  const admin = await arrive('admin');
  await isStaff(program, admin, 'admin');
  const { page } = admin;
  await admin.asks('POST', `/api/games/${game}/spectator_chat`, {
    command: crypto.randomUUID(),
    text: 'in the corner'
  });
  await page.goto('/admin/games');
  // Games by link are listed here, and those that have ended are not asked for.
  const games = page.getByRole('region', { name: 'All games' });
  await expect(games.getByRole('listitem')).toHaveCount(1);
  await expect(games.getByRole('listitem')).toContainText(ben);
  const filters = page.getByRole('search');
  await filters.getByRole('combobox', { name: 'Game and rules' }).selectOption('xiangqi');
  await expect(games.getByText('No games match these filters.')).toBeVisible();
  await filters.getByRole('combobox', { name: 'State' }).selectOption('ended');
  await filters.getByRole('combobox', { name: 'Ended by' }).selectOption('checkmate');
  await filters.getByRole('textbox', { name: 'Player', exact: true }).fill(ben);
  await page.keyboard.press('Enter');
  await expect(games.getByRole('listitem')).toHaveCount(1);
  // The list stays as it was asked for while one of its games is looked at.
  await games.getByRole('link', { name: /^View/ }).click();
  await expect(page.getByText('Red won by checkmate')).toBeVisible();
  await expect(page).toHaveURL(/player=.*rules=xiangqi.*game=/);
  await filters.getByRole('link', { name: 'Clear all filters' }).click();
  await expect(games.getByRole('listitem')).toHaveCount(1);
  await games.locator(`a[href="/admin/games?game=${game}"]`).click();
  // That somebody has come is written down a moment later.
  const connections = page.getByRole('group', { name: 'Connection log' });
  await expect(async () => {
    await page.getByRole('button', { name: 'See everything' }).click();
    await expect(connections.getByText('Blue connected')).toBeVisible({ timeout: 2_000 });
  }).toPass();
  const pieces = page.getByRole('gridcell', { name: /^[a-e]\d+, (?!empty)/ });
  await expect(pieces).not.toHaveCount(0);
  await expect(page.getByRole('gridcell', { name: /hidden/ })).toHaveCount(0);
  const times = page.getByRole('group', { name: 'Moves and their times' });
  // The head, four moves, and the one that is being thought about.
  await expect(times.getByRole('row')).toHaveCount(6);
  await page.getByRole('button', { name: 'To the start' }).click();
  await expect(pieces).toHaveCount(50);
  await page.getByRole('button', { name: 'Read the chat' }).click();
  await expect(page.getByText('where is it')).toBeVisible();
  await expect(page.getByText('in the corner')).toBeVisible();
  await hasNoBarriers(page, 'a game with everything');
  await isPictured(page, 'staff-oversight');
  await page.setViewportSize({ width: 320, height: 640 });
  await fitsItsScreen(page, 'a game with everything');
  await isPictured(page, 'staff-oversight-narrow');

  await page.goto('/admin/audit');
  await expect(page.getByRole('listitem').filter({ hasText: 'Looked at a game as the referee' })).not.toHaveCount(0);
  await expect(page.getByRole('listitem').filter({ hasText: 'Read a game’s chat' })).toHaveCount(1);
});
