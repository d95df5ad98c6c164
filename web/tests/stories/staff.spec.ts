/** Moderators and admins, on their pages. */
import { XIANGQI } from '../harness/games';
import { commands, isStaff, PASSWORD, playsOut, registers } from '../harness/fixtures';
import { fitsItsScreen, hasNoBarriers, isPictured } from '../harness/looks';
import { expect, test } from '../harness/story';
import type { Visitor } from '../harness/visitor';

test('an admin finds what is reported, at its move, acts, and everything is written down', async ({
  program,
  arrive
}) => {
  const [first, second] = [await arrive('first'), await arrive('second')];
  const [anna, ben] = [await registers(first, 'anna'), await registers(second, 'ben')];
  const rated = { rated: true, time_control: { clock: { type: 'fischer', initial_ms: 600_000, increment_ms: 0 } } };
  const game = await playsOut(first, second, { ...XIANGQI, moves: XIANGQI.moves.slice(0, 3) }, rated);
  await commands(second, game, 'chat', { text: 'something unfriendly' });
  const { events } = (await (await first.asks('GET', `/api/games/${game}/events`)).json()) as {
    events: { seq: number; event: { type: string } }[];
  };
  const seq = events.find(({ event }) => event.type === 'chat')?.seq;
  await commands(second, game, 'resign');
  const { players } = (await (await first.asks('GET', `/api/games/${game}`)).json()) as {
    players: { second: { id: string } };
  };
  const report = { player: players.second.id, game, seq, reason: 'chat', text: 'read that' };
  await first.asks('POST', '/api/reports', report);

  const admin = await arrive('admin');
  const name = await isStaff(program, admin, 'admin');
  const { page } = admin;
  await page.goto('/admin');
  const reported = page.getByRole('listitem').filter({ hasText: ben });
  await reported.getByRole('link', { name: /^The game/ }).click();
  await expect(page.getByRole('slider')).toHaveValue('3');
  await page.goBack();

  await reported.getByRole('link', { name: 'Take action' }).click();
  const closing = page.getByRole('form', { name: 'Ban account' });
  await closing.getByRole('textbox', { name: 'Reason' }).fill('unfriendly at the board');
  await closing.getByRole('button', { name: 'Ban', exact: true }).click();
  await expect(closing.getByRole('status')).toHaveText(/^Banned until/);
  await page.getByRole('link', { name: 'Audit log' }).last().click();
  const act = page.getByRole('listitem').filter({ hasText: 'unfriendly at the board' });
  await expect(act).toContainText('Banned');
  await expect(act).toContainText(ben);
  await expect(act).toContainText(name);

  await page.goto(`/replay/${game}`);
  await page.getByRole('tab', { name: 'About' }).click();
  await page.getByRole('tabpanel').getByRole('link', { name: 'Moderation' }).click();
  const pattern = page.getByRole('region', { name: 'Compared with the computer' });
  await pattern.getByRole('button', { name: 'Compare' }).click();
  await expect(pattern.getByRole('row', { name: 'Red' })).toContainText(/[0-2]\/2 \(\d+(\.\d)?%\)/);
  await expect(pattern.getByRole('row', { name: 'Black' })).toContainText(/[01]\/1 \(\d+%\)/);
  await expect(pattern.getByRole('status')).toHaveCount(0);
  await hasNoBarriers(page, 'a game compared with the computer');
  await page.getByRole('textbox', { name: 'Reason' }).fill('arranged');
  await page.getByRole('button', { name: 'Withdraw the result' }).click();
  await expect(page.getByText('The result no longer counts.')).toBeVisible();
  await page.getByRole('button', { name: 'Count the result again' }).click();
  await expect(page.getByText('The result counts again.')).toBeVisible();

  await page.getByRole('link', { name: 'Audit log' }).first().click();
  await page.getByRole('combobox', { name: 'Action' }).selectOption('withdraw');
  await expect(page.getByText('arranged')).toBeVisible();
  await expect(page.getByText('unfriendly at the board')).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Done to' }).fill(anna);
  await page.keyboard.press('Enter');
  await expect(page.getByText('No entries.')).toBeVisible();
  await expect(page).toHaveURL(/operation=withdraw&player=/);
});

test('a moderator decides a game, silences, keeps apart and renames a player, and takes it back', async ({
  program,
  arrive
}) => {
  const [first, second] = [await arrive('first'), await arrive('second')];
  await registers(first, 'anna');
  const ben = await registers(second, 'ben');
  const game = await playsOut(first, second, { ...XIANGQI, moves: XIANGQI.moves.slice(0, 3) });
  await second.page.goto(`/game/${game}`);
  await second.seesPly(3);
  const moderator = await arrive('moderator');
  await isStaff(program, moderator, 'moderator');
  const { page } = moderator;

  await page.goto(`/admin/games?game=${game}`);
  const deciding = page.getByRole('form', { name: 'Decide the game' });
  await deciding.getByRole('combobox', { name: 'Result' }).selectOption({ label: 'Black won' });
  await deciding.getByRole('textbox', { name: 'Reason' }).fill('the other one has a program');
  await deciding.getByRole('button', { name: 'End the game' }).click();
  await expect(second.result()).toContainText('a moderator decided');
  await expect(page.getByText('Black won: a moderator decided')).toBeVisible();

  await page.goto(`/admin/players?player=${await idOf(second)}`);
  const silence = page.getByRole('form', { name: 'Mute player' });
  await silence.getByRole('textbox', { name: 'Reason' }).fill('rude');
  await silence.getByRole('button', { name: 'Mute', exact: true }).click();
  await expect(silence.getByRole('status')).toHaveText(/^Muted until/);
  await second.page.getByRole('tab', { name: 'Chat' }).click();
  await second.page.getByRole('textbox', { name: 'Write a message' }).fill('you again');
  await second.page.keyboard.press('Enter');
  await expect(second.page.getByText('You can’t chat at the moment.').first()).toBeVisible();
  await silence.getByRole('button', { name: 'Lift the mute' }).click();
  await expect(silence.getByRole('status')).toHaveText('The player can chat again.');
  await second.page.getByRole('textbox', { name: 'Write a message' }).fill('sorry');
  await second.page.keyboard.press('Enter');
  await expect(second.page.getByRole('log').getByText('sorry', { exact: true })).toBeVisible();

  const apart = page.getByRole('form', { name: 'Shadowban' });
  await apart.getByRole('button', { name: 'Shadowban', exact: true }).click();
  await expect(apart.getByText('Please write something here.')).toBeVisible();
  await apart.getByRole('textbox', { name: 'Reason' }).fill('spoils games');
  await apart.getByRole('button', { name: 'Shadowban', exact: true }).click();
  await expect(apart.getByText(/^Shadowbanned since/)).toBeVisible();
  await apart.getByRole('button', { name: 'Lift the shadowban' }).click();
  await expect(apart.getByText(/^Shadowbanned since/)).toHaveCount(0);

  const rename = page.getByRole('form', { name: 'Rename' });
  await rename.getByRole('textbox', { name: 'Reason' }).fill('not a name');
  await rename.getByRole('button', { name: 'Rename' }).click();
  await expect(rename.getByRole('status')).toHaveText('The account was renamed.');
  await expect(page.getByRole('main').getByText(ben, { exact: true })).toHaveCount(0);
  await hasNoBarriers(page, 'what can be done about a player');
  await isPictured(page, 'staff-player');
  await page.setViewportSize({ width: 320, height: 640 });
  await fitsItsScreen(page, 'what can be done about a player');
});

test('the pages of order have no barriers, and are closed to others', async ({ program, arrive }) => {
  const admin = await arrive('admin');
  await isStaff(program, admin, 'admin');
  const moderator = await arrive('moderator');
  const name = await isStaff(program, moderator, 'moderator');
  await admin.asks('PUT', `/api/players/${await idOf(moderator)}/role`, { role: 'moderator', reason: 'well earned' });
  for (const path of ['', '/players', '/games', '/server', '/audit']) {
    const { page } = admin;
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`/admin${path}`);
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await hasNoBarriers(page, `/admin${path}`);
    await isPictured(page, `staff${path.replace('/', '-')}-desktop`);
    await page.setViewportSize({ width: 320, height: 640 });
    await fitsItsScreen(page, `/admin${path}`);
    await isPictured(page, `staff${path.replace('/', '-')}-narrow`);
  }
  await moderator.asks('POST', '/api/login', { name, password: PASSWORD });
  await moderator.page.goto('/admin/audit');
  await expect(moderator.page.getByText('for moderators and admins')).toBeVisible();
  await expect(moderator.page.getByRole('link', { name: 'Audit log' })).toHaveCount(0);
  const stranger = await arrive('stranger');
  await stranger.page.goto('/admin/players');
  await expect(stranger.page.getByText('for moderators and admins')).toBeVisible();
  await expect(stranger.page.getByRole('textbox')).toHaveCount(0);
});

async function idOf(visitor: Visitor): Promise<string> {
  return ((await (await visitor.asks('GET', '/api/me')).json()) as { id: string }).id;
}
