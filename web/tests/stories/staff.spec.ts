/** Those who keep order, on their pages. */
import { XIANGQI } from '../harness/games';
import { commands, PASSWORD, playsOut, registers } from '../harness/hall';
import { fitsItsScreen, hasNoBarriers, isPictured } from '../harness/looks';
import type { Program } from '../harness/program';
import { expect, test } from '../harness/story';
import type { Visitor } from '../harness/visitor';

/** Opens an account that keeps order. */
async function isStaff(program: Program, visitor: Visitor, role: 'moderator' | 'admin'): Promise<string> {
  const name = await registers(visitor, role);
  await program.runs(['admin', 'role', name, role]);
  // Another role ends all sessions.
  await visitor.asks('POST', '/api/login', { name, password: PASSWORD });
  return name;
}

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
  await page.getByRole('textbox', { name: 'Reason' }).fill('unfriendly at the board');
  await page.getByRole('button', { name: 'Ban', exact: true }).click();
  await expect(page.getByText(/^Banned until/)).toBeVisible();
  await page.getByRole('link', { name: 'What was done' }).last().click();
  const act = page.getByRole('listitem').filter({ hasText: 'unfriendly at the board' });
  await expect(act).toContainText('Banned');
  await expect(act).toContainText(ben);
  await expect(act).toContainText(name);

  await page.goto(`/replay/${game}`);
  await page.getByRole('tab', { name: 'About' }).click();
  await page.getByRole('tabpanel').getByRole('link', { name: 'Order' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('arranged');
  await page.getByRole('button', { name: 'Withdraw the result' }).click();
  await expect(page.getByText('The result does not count any more.')).toBeVisible();
  await page.getByRole('button', { name: 'Let it count again' }).click();
  await expect(page.getByText('The result counts again.')).toBeVisible();

  await page.getByRole('link', { name: 'What was done' }).first().click();
  await page.getByRole('combobox', { name: 'What' }).selectOption('withdraw');
  await expect(page.getByText('arranged')).toBeVisible();
  await expect(page.getByText('unfriendly at the board')).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Done to' }).fill(anna);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Nothing of that kind was done.')).toBeVisible();
  await expect(page).toHaveURL(/operation=withdraw&player=/);
});

test('the pages of order have no barriers, and are closed to others', async ({ program, arrive }) => {
  const admin = await arrive('admin');
  await isStaff(program, admin, 'admin');
  const moderator = await arrive('moderator');
  const name = await isStaff(program, moderator, 'moderator');
  await admin.asks('PUT', `/api/players/${await idOf(moderator)}/role`, { role: 'moderator', reason: 'well earned' });
  for (const path of ['', '/players', '/games', '/audit']) {
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
  await expect(moderator.page.getByText('for those who keep order')).toBeVisible();
  await expect(moderator.page.getByRole('link', { name: 'What was done' })).toHaveCount(0);
  const stranger = await arrive('stranger');
  await stranger.page.goto('/admin/players');
  await expect(stranger.page.getByText('for those who keep order')).toBeVisible();
  await expect(stranger.page.getByRole('textbox')).toHaveCount(0);
});

async function idOf(visitor: Visitor): Promise<string> {
  return ((await (await visitor.asks('GET', '/api/me')).json()) as { id: string }).id;
}
