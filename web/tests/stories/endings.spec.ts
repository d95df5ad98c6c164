/** How games end, and what a player sees when a move is refused. */
import { DOU_SHOU_QI, UP_TO_A_BAN } from '../harness/games';
import { commands, playsOut } from '../harness/fixtures';
import { isPictured } from '../harness/looks';
import { expect, test } from '../harness/story';
import type { Visitor } from '../harness/visitor';

async function seated(arrive: (name: string) => Promise<Visitor>, moves: readonly string[], more = {}) {
  const [first, second] = [await arrive('anna'), await arrive('ben')];
  await first.becomesGuest();
  await second.becomesGuest();
  const game = await playsOut(first, second, { ...DOU_SHOU_QI, moves }, more);
  for (const visitor of [first, second]) {
    await visitor.page.goto(`/game/${game}`);
    await visitor.seesPly(moves.length);
  }
  return { first, second, game };
}

test('a banned move is refused with its reason shown', async ({ arrive }) => {
  const { second } = await seated(arrive, UP_TO_A_BAN);
  await second.plays('a6a7', 'mouse');
  await expect(second.page.getByText(/a6a7 is banned/).locator('..')).toContainText('as often as the rules allow');
  await isPictured(second.page, 'banned-move');
  await second.seesPly(UP_TO_A_BAN.length);
  // The piece is still picked up: another square is enough.
  await second.square('a5').click();
  await second.seesPly(UP_TO_A_BAN.length + 1);
});

test('the flag falls by itself, and both see it', async ({ arrive }) => {
  const clock = { type: 'fischer', initial_ms: 3_000, increment_ms: 0 };
  const { first, second } = await seated(arrive, [], { time_control: { clock } });
  for (const visitor of [first, second]) {
    await expect(visitor.result()).toContainText(/time/i, { timeout: 20_000 });
  }
  await isPictured(second.page, 'flag-fall');
});

test('a draw is offered, declined, offered again and accepted', async ({ arrive }) => {
  const { first, second } = await seated(arrive, DOU_SHOU_QI.moves.slice(0, 2));
  await first.page.getByRole('button', { name: 'Offer a draw' }).click();
  await first.page.getByRole('button', { name: 'Offer', exact: true }).click();
  await isPictured(second.page, 'draw-offered');
  await second.page.getByRole('button', { name: 'Decline' }).click();
  await expect(first.page.getByRole('button', { name: 'Offer a draw' })).toBeEnabled();
  await second.page.getByRole('button', { name: 'Offer a draw' }).click();
  await second.page.getByRole('button', { name: 'Offer', exact: true }).click();
  await first.page.getByRole('button', { name: 'Accept' }).click();
  for (const visitor of [first, second]) await expect(visitor.result()).toContainText(/draw/i);
});

test('who resigns loses, after being asked once; a rematch changes the seats', async ({ arrive }) => {
  const { first, second, game } = await seated(arrive, DOU_SHOU_QI.moves.slice(0, 2));
  await first.page.getByRole('button', { name: 'Resign' }).click();
  await isPictured(first.page, 'resign-asked');
  await first.page.getByRole('button', { name: 'Resign' }).click();
  for (const visitor of [first, second]) await expect(visitor.result()).toContainText(/resign/i);
  await first.page.getByRole('button', { name: 'Rematch' }).click();
  await second.page.getByRole('button', { name: 'Accept the rematch' }).click();
  for (const visitor of [first, second]) {
    await expect(visitor.page).not.toHaveURL(new RegExp(game));
    await visitor.seesPly(0);
  }
  const next = new URL(second.page.url()).pathname.split('/').at(-1) ?? '';
  const view = (await (await second.asks('GET', `/api/games/${next}`)).json()) as { you: string };
  expect(view.you).toBe('first');
  await second.plays('a3a4', 'mouse');
  await first.seesPly(1);
});

test('a game can be aborted before both have moved', async ({ arrive }) => {
  const { first, second } = await seated(arrive, []);
  await first.page.getByRole('button', { name: 'Abort' }).click();
  await first.page
    .getByRole('group', { name: /won’t count/ })
    .getByRole('button', { name: 'Abort' })
    .click();
  for (const visitor of [first, second]) await expect(visitor.result()).toContainText(/abort/i);
});

test('a player who waits for an absent opponent sees when victory can be claimed', async ({ arrive }) => {
  const { first, second, game } = await seated(arrive, DOU_SHOU_QI.moves.slice(0, 2), {
    time_control: { clock: { type: 'none' }, absence_ms: 5_000 }
  });
  await second.page.goto('about:blank');
  await first.page.getByRole('button', { name: /claim/i }).click({ timeout: 30_000 });
  await expect(first.result()).toBeVisible();
  const view = (await (await first.asks('GET', `/api/games/${game}`)).json()) as { outcome: { reason: string } };
  expect(view.outcome.reason).toBe('abandonment');
});

test('a chat line reaches the opponent alone', async ({ arrive }) => {
  const { first, second, game } = await seated(arrive, DOU_SHOU_QI.moves.slice(0, 2));
  const spectator = await arrive('cleo');
  await spectator.page.goto(`/game/${game}`);
  await spectator.seesPly(2);
  for (const visitor of [first, second]) await visitor.page.getByRole('tab', { name: /Chat/ }).click();
  await first.page.getByRole('textbox', { name: 'Write a message' }).fill('good luck');
  await first.page.keyboard.press('Enter');
  await expect(second.page.getByText('good luck', { exact: true })).toBeVisible();
  // What follows the line has arrived: so would the line have.
  await commands(first, game, 'move', { ply: 3, move: 'd3d4' });
  await spectator.seesPly(3);
  await expect(spectator.page.getByText('good luck')).toHaveCount(0);
});
