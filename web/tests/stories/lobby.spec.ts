/** From the door to a game. */
import { registers } from '../harness/fixtures';
import { fitsItsScreen, hasNoBarriers, isPictured } from '../harness/looks';
import { Program } from '../harness/program';
import { expect, test } from '../harness/story';
import { Visitor } from '../harness/visitor';

/** Looks for an opponent for a quick game of Dou Shou Qi. */
async function looksForAnOpponent({ page }: Visitor): Promise<void> {
  await page.goto('/');
  await page.getByRole('radio', { name: /Dou Shou Qi/ }).check({ force: true });
  await page.getByRole('button', { name: /^3\+2/ }).click();
}

/** On pages other than the lobby: that the visitor still looks for an opponent. */
const search = ({ page }: Visitor) => page.getByRole('region', { name: 'Looking for an opponent' });

test('two strangers choose the same quick game, and one click each later they sit at a board', async ({ arrive }) => {
  const [anna, ben] = [await arrive('anna'), await arrive('ben')];
  for (const { page } of [anna, ben]) {
    await page.goto('/');
    await page.getByRole('radio', { name: /Dou Shou Qi/ }).check({ force: true });
  }
  await anna.page.getByRole('button', { name: /^3\+2/ }).click();
  await isPictured(anna.page, 'lobby-searching');
  await ben.page.getByRole('button', { name: /^3\+2/ }).click();
  for (const visitor of [anna, ben]) {
    await expect(visitor.page).toHaveURL(/\/game\//);
    await expect(visitor.page.getByRole('grid')).toBeVisible();
    await visitor.seesPly(0);
  }
});

test('a search for an opponent goes on over other pages, a reload and a game against the computer', async ({
  arrive
}) => {
  const [anna, ben] = [await arrive('anna'), await arrive('ben')];
  await looksForAnOpponent(anna);
  await expect(search(anna)).toBeVisible();
  const { page } = anna;
  const menu = page.getByRole('navigation', { name: 'Menu' });
  for (const place of ['Rules', 'Watch', 'Leaderboards']) {
    await menu.getByRole('link', { name: place }).click();
    await expect(search(anna)).toContainText('Dou Shou Qi 3+2');
    await expect(search(anna).getByRole('timer')).toBeVisible();
  }
  await hasNoBarriers(page, 'a search beside another page');
  await isPictured(page, 'search-elsewhere');
  await page.setViewportSize({ width: 320, height: 640 });
  await fitsItsScreen(page, 'a search beside another page');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  await expect(search(anna)).toBeVisible();
  await menu.getByRole('link', { name: 'Play' }).click();
  await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Play the computer' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start the game' }).click();
  await expect(page).toHaveURL(/\/game\//);
  const against = page.url();
  await expect(search(anna)).toBeVisible();

  await looksForAnOpponent(ben);
  await expect(ben.page).toHaveURL(/\/game\//);
  await expect(page).toHaveURL(ben.page.url());
  expect(page.url()).not.toBe(against);
  for (const visitor of [anna, ben]) await visitor.seesPly(0);
  await expect(search(anna)).toHaveCount(0);
});

test('a search is stopped on another page, and nobody is paired with who has stopped', async ({ arrive }) => {
  const [anna, ben] = [await arrive('anna'), await arrive('ben')];
  await looksForAnOpponent(anna);
  await anna.page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Rules' }).click();
  await search(anna).getByRole('button', { name: 'Stop' }).click();
  await expect(search(anna)).toHaveCount(0);
  await anna.page.reload();
  await looksForAnOpponent(ben);
  await expect(search(ben)).toBeVisible();
  const lobby = (await (await ben.asks('GET', '/api/lobby')).json()) as { pools: { waiting: number }[] };
  expect(lobby.pools.map(({ waiting }) => waiting)).toEqual([1]);
  await expect(search(anna)).toHaveCount(0);
  await search(ben).getByRole('button', { name: 'Cancel' }).click();
  await expect(search(ben)).toHaveCount(0);
});

test('a search goes on when the server has restarted', async ({ browser }) => {
  const program = await Program.start();
  const anna = await Visitor.arrive(browser, program.url, 'anna');
  const ben = await Visitor.arrive(browser, program.url, 'ben');
  try {
    await looksForAnOpponent(anna);
    await anna.page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Rules' }).click();
    // What the page is made of has come before the server is gone.
    await expect(anna.page.getByRole('heading', { level: 1 })).toHaveText('Rules');
    await expect(search(anna)).toBeVisible();
    await program.kill();
    await program.again();
    await expect(anna.linkNotice()).toBeHidden({ timeout: 30_000 });
    await looksForAnOpponent(ben);
    for (const { page } of [anna, ben]) await expect(page).toHaveURL(/\/game\//, { timeout: 30_000 });
  } finally {
    await anna.leave();
    await ben.leave();
    await program.remove();
  }
});

test('who takes any time waits in all pools, as one search, and is paired in the one that somebody chooses', async ({
  arrive
}) => {
  const [anna, ben] = [await arrive('anna'), await arrive('ben')];
  await anna.page.goto('/');
  await anna.page.getByRole('radio', { name: /Dou Shou Qi/ }).check({ force: true });
  await anna.page.getByRole('button', { name: /^Any time/ }).click();
  await expect(anna.page.getByRole('button', { name: /^Any time/, pressed: true })).toBeVisible();
  await expect(search(anna)).toContainText('3+2, 5+3, 10+5');
  await hasNoBarriers(anna.page, 'a search for any time');
  await isPictured(anna.page, 'lobby-any-time');
  await looksForAnOpponent(ben);
  for (const visitor of [anna, ben]) await expect(visitor.page).toHaveURL(/\/game\//);
  await expect(search(anna)).toHaveCount(0);
});

test('the board of the first page is played on: the first move begins a game against the computer', async ({
  browser
}) => {
  // Where a game is played, the first page shows that one.
  const program = await Program.start();
  const anna = await Visitor.arrive(browser, program.url, 'anna');
  try {
    await anna.page.goto('/');
    await expect(anna.page.getByRole('grid', { name: /computer answers/ })).toBeVisible();
    await anna.plays('b3e3', 'mouse');
    await expect(anna.page).toHaveURL(/\/game\//);
    await anna.seesPly(2);
    await expect(anna.page.getByText('Computer, level 1', { exact: true })).toBeVisible();
    expect(anna.faults).toEqual([]);
  } finally {
    await anna.leave();
    await program.remove();
  }
});

test('a friend follows a link, joins, and both see the game begin', async ({ arrive }) => {
  const [anna, ben] = [await arrive('anna'), await arrive('ben')];
  await anna.page.goto('/');
  await anna.page.getByRole('button', { name: 'Play a friend' }).click();
  await isPictured(anna.page, 'lobby-new-game');
  await anna.page.getByRole('button', { name: 'Create the link' }).click();
  await expect(anna.page).toHaveURL(/\/game\//);
  const link = await anna.page.getByRole('textbox', { name: 'Link to this game' }).inputValue();
  expect(new URL(link).pathname).toBe(new URL(anna.page.url()).pathname);
  await ben.page.goto(link);
  await ben.page.getByRole('button', { name: 'Join the game' }).click();
  for (const visitor of [anna, ben]) {
    await expect(visitor.page.getByRole('button', { name: 'Abort' })).toBeVisible();
    await visitor.seesPly(0);
  }
});

test('a player who offers a game finds somebody who accepts it', async ({ arrive }) => {
  const [anna, ben] = [await arrive('anna'), await arrive('ben')];
  await anna.page.goto('/');
  await anna.page.getByRole('button', { name: 'Offer a game' }).click();
  await anna.page.getByRole('radio', { name: 'moves later' }).check({ force: true });
  await anna.page.getByRole('button', { name: 'Offer', exact: true }).click();
  // Then she is somebody, and her offer stands.
  await expect(anna.page.getByRole('listitem').getByRole('button', { name: 'Cancel' })).toBeVisible();
  const name = (await (await anna.asks('GET', '/api/me')).json()) as { name: string };
  await ben.page.goto('/');
  const offer = ben.page.getByRole('listitem').filter({ hasText: name.name });
  await expect(offer.getByText('spectators 3 moves later')).toBeVisible();
  await isPictured(ben.page, 'lobby-offer-delay');
  await offer.getByRole('button', { name: /^Play/ }).click();
  for (const visitor of [anna, ben]) await expect(visitor.page).toHaveURL(/\/game\//);
  await ben.page.getByRole('tab', { name: 'About' }).click();
  await expect(ben.page.getByText('3 moves later')).toBeVisible();
});

test('a visitor without an account who challenges a player is led to one, and back to the challenge', async ({
  arrive
}) => {
  const [anna, ben] = [await arrive('anna'), await arrive('ben')];
  const name = await registers(anna, 'Anna');
  const challenge = `/?challenge=${encodeURIComponent(name)}`;
  await ben.page.goto(challenge);
  const dialog = ben.page.getByRole('dialog', { name: 'Challenge a player' });
  await dialog.getByRole('button', { name: 'Challenge', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('You need an account');
  await isPictured(ben.page, 'lobby-challenge-account');
  await dialog.getByRole('link', { name: 'Create an account' }).click();
  await expect(ben.page).toHaveURL(`/sign-up?redirect=${encodeURIComponent(challenge)}`);
});

test('a player is challenged by name to a game from a position, and sees it before accepting', async ({ arrive }) => {
  const anna = await arrive('anna');
  const ben = await arrive('ben', { viewport: { width: 320, height: 640 } });
  const guest = await arrive('guest');
  await registers(anna, 'Anna');
  const name = await registers(ben, 'Ben');
  await ben.page.goto('/');
  const position = `/analysis?ruleset=xiangqi/standard&fen=${encodeURIComponent('4k4/R8/9/9/9/9/9/1R7/9/3K5 b')}`;
  const challenges = async ({ page }: Visitor) => {
    await page.goto(position);
    await page.getByRole('button', { name: 'Play from here' }).click();
    const dialog = page.getByRole('dialog', { name: 'Play from here' });
    await dialog.getByRole('radio', { name: 'By name' }).check({ force: true });
    const field = dialog.getByRole('combobox', { name: 'Name of the player' });
    await expect(field).toBeFocused();
    await field.fill(name);
    await dialog.getByRole('radio', { name: /^Red/ }).check({ force: true });
    await dialog.getByRole('button', { name: 'Challenge', exact: true }).click();
    return dialog;
  };
  const refused = await challenges(guest);
  await expect(refused.getByRole('alert')).toContainText('You need an account');
  await expect(refused.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', /redirect=%2Fanalysis%3F/);

  await challenges(anna);
  await expect(anna.page).toHaveURL(/\/game\//);
  const challenge = ben.page.getByRole('listitem').filter({ hasText: 'Challenged by' });
  await expect(challenge).toContainText('from a position, you play Black');
  await expect(challenge.getByRole('img', { name: 'Position in the game' })).toBeVisible();
  await fitsItsScreen(ben.page, 'a challenge from a position');
  await hasNoBarriers(ben.page, 'a challenge from a position');
  await isPictured(ben.page, 'lobby-challenge-position');
  await challenge.getByRole('button', { name: 'Play' }).click();
  await expect(ben.page).toHaveURL(/\/game\//);
  await ben.plays('e10f10', 'keyboard');
  await anna.seesPly(1);
});
