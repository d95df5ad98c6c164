/** From the door to a game. */
import { registers } from '../harness/fixtures';
import { expect, test } from '../harness/story';
import { isPictured } from '../harness/looks';

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

test('a friend follows a link, joins, and both see the game begin', async ({ arrive }) => {
  const [anna, ben] = [await arrive('anna'), await arrive('ben')];
  await anna.page.goto('/');
  await anna.page.getByRole('button', { name: 'Play with a friend' }).click();
  await isPictured(anna.page, 'lobby-new-game');
  await anna.page.getByRole('button', { name: 'Open the game' }).click();
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
