/** Watching: what is being played, what is on, and what spectators see of it. */
import { DOU_SHOU_QI, XIANGQI } from '../harness/games';
import { commands, playsOut, registers } from '../harness/fixtures';
import { fitsItsScreen, hasNoBarriers, isPictured } from '../harness/looks';
import { alone as test, expect } from '../harness/story';

const CLOCK = { time_control: { clock: { type: 'fischer', initial_ms: 600_000, increment_ms: 0 } } };
const begun = (whole: typeof XIANGQI, plies: number) => ({ ...whole, moves: whole.moves.slice(0, plies) });

test('running games are found by kind and rule set, with how many watch, and the featured one goes on', async ({
  arrive
}) => {
  const [first, second] = [await arrive('first'), await arrive('second')];
  await registers(first, 'anna');
  await registers(second, 'ben');
  const rated = await playsOut(first, second, begun(XIANGQI, 2), { ...CLOCK, rated: true });
  const casual = await playsOut(first, second, begun(XIANGQI, 2), CLOCK);
  const animals = await playsOut(first, second, begun(DOU_SHOU_QI, 2));
  // Games whose players have gone are not featured for long.
  await first.page.goto(`/game/${rated}`);

  const stranger = await arrive('stranger');
  const { page } = stranger;
  await page.goto('/watch');
  const featured = page.getByRole('region', { name: 'Featured games' });
  await expect(featured.locator(`a[href="/game/${rated}"]`)).toBeVisible();
  const others = page.getByRole('region', { name: 'Other games' });
  await expect(others.locator(`a[href="/game/${casual}"]`)).toBeVisible();
  // Without a clock a game may stand still: it is listed, and not featured.
  await expect(others.locator(`a[href="/game/${animals}"]`)).toBeVisible();
  await expect(others.locator(`a[href="/game/${rated}"]`)).toHaveCount(0);

  // A small board among others is no spectator; who opens the game is one.
  const card = featured.locator(`a[href="/game/${rated}"]`);
  await expect(card).toContainText('0 watching');
  const other = await arrive('other');
  await other.page.goto(`/game/${rated}`);
  await other.seesPly(2);
  await expect(card).toContainText('1 watching');
  await hasNoBarriers(page, 'what can be watched');
  await isPictured(page, 'watch-featured');

  await page
    .getByRole('navigation', { name: 'Kinds of games' })
    .getByRole('link', { name: /Dou Shou Qi/ })
    .click();
  await expect(page.locator(`a[href="/game/${casual}"]`)).toHaveCount(0);
  const rules = page.getByRole('navigation', { name: 'Rules', exact: true });
  await rules.getByRole('link', { name: 'Tierschach' }).click();
  await expect(page.getByText('No public game of this kind is being played right now.')).toBeVisible();
  await rules.getByRole('link', { name: 'Booklet' }).click();
  await expect(page.locator(`a[href="/game/${animals}"]`)).toBeVisible();
});

test('a channel shows the featured game as it is played, its end, and then the next one', async ({ arrive }) => {
  const [first, second] = [await arrive('first'), await arrive('second')];
  await registers(first, 'anna');
  await registers(second, 'ben');
  const one = await playsOut(first, second, begun(DOU_SHOU_QI, 2), { ...CLOCK, rated: true });
  const two = await playsOut(first, second, begun(DOU_SHOU_QI, 4), CLOCK);
  // Games whose players have gone are not featured for long.
  await first.page.goto(`/game/${one}`);
  await second.page.goto(`/game/${two}`);
  const { page } = await arrive('stranger');
  await page.goto('/tv/doushouqi');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dou Shou Qi TV');
  const [screen, next] = [page.locator(`a[href="/game/${one}"]`), page.locator(`a[href="/game/${two}"]`)];
  await expect(screen).toBeVisible();
  await expect(next).toHaveCount(0);
  await hasNoBarriers(page, 'a channel');
  await isPictured(page, 'tv-desktop');
  await page.setViewportSize({ width: 320, height: 640 });
  await fitsItsScreen(page, 'a channel');
  await isPictured(page, 'tv-narrow');
  // The result is shown for some seconds only, so the page itself looks for it, from before it comes.
  const shown = page.waitForFunction((text) => document.body.textContent.includes(text), 'resigned');
  await commands(second, one, 'resign');
  await shown;
  await expect(next).toBeVisible({ timeout: 60_000 });
  await expect(screen).toHaveCount(0);
  await commands(second, two, 'resign');
  await expect(page.getByText('Nothing is on right now.')).toBeVisible({ timeout: 60_000 });
});

test('spectators talk among themselves, and the players read it when the game is over', async ({ arrive }) => {
  const [first, second] = [await arrive('first'), await arrive('second')];
  await registers(first, 'anna');
  await registers(second, 'ben');
  const game = await playsOut(first, second, begun(XIANGQI, 2));
  await first.page.goto(`/game/${game}`);
  await first.seesPly(2);
  await expect(first.page.getByRole('tab', { name: 'Spectators' })).toHaveCount(0);
  const [one, other] = [await arrive('one'), await arrive('other')];
  for (const { page } of [one, other]) {
    await page.goto(`/game/${game}`);
    await page.getByRole('tab', { name: 'Spectators' }).click();
  }
  // A visitor becomes a guest with the first line.
  await one.page.getByRole('textbox', { name: 'Write a message' }).fill('the cannon hangs');
  await one.page.keyboard.press('Enter');
  for (const { page } of [one, other]) {
    await expect(page.getByRole('log').getByText('the cannon hangs', { exact: true })).toBeVisible();
  }
  await hasNoBarriers(other.page, 'what spectators say');
  await isPictured(other.page, 'spectators-chat');
  // What follows the line has arrived at the player: so would the line have.
  await commands(first, game, 'move', { ply: 3, move: 'h1g3' });
  await first.seesPly(3);
  await expect(first.page.getByText('the cannon hangs')).toHaveCount(0);
  await commands(second, game, 'resign');
  await first.page.getByRole('tab', { name: /Spectators/ }).click();
  await expect(first.page.getByRole('log').getByText('the cannon hangs', { exact: true })).toBeVisible();
});

test('a game is opened with a delay for spectators, which is told before somebody sits down', async ({ arrive }) => {
  const [first, second] = [await arrive('first'), await arrive('second')];
  await first.page.goto('/');
  await first.page.getByRole('button', { name: 'Play a friend' }).click();
  await first.page.getByRole('radio', { name: 'minutes later' }).check({ force: true });
  await first.page.getByRole('radio', { name: 'moves later' }).check({ force: true });
  await first.page.getByRole('slider', { name: 'By how much' }).press('ArrowRight');
  await isPictured(first.page, 'new-game-delay');
  await first.page.getByRole('button', { name: 'Create the link' }).click();
  await expect(first.page).toHaveURL(/\/game\//);
  await second.page.goto(first.page.url());
  await expect(second.page.getByText('4 moves later')).toBeVisible();
  await second.page.getByRole('button', { name: 'Join the game' }).click();
  await second.seesPly(0);
  const stranger = await arrive('stranger');
  await stranger.page.goto(first.page.url());
  await expect(stranger.page.getByText('You see this game 4 moves later.')).toBeVisible();
  await expect(second.page.getByText('You see this game')).toHaveCount(0);
});
