/** What was played before, in any position. */
import { LUZHANQI, XIANGQI } from '../harness/games';
import { commands, playsOut, registers } from '../harness/fixtures';
import { hasNoBarriers, isPictured } from '../harness/looks';
import { alone as test, expect } from '../harness/story';
import type { Visitor } from '../harness/visitor';

/** Waits until so many games are counted where a rule set begins: that is done beside the games. */
async function counted(visitor: Visitor, ruleset: string, games: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const answer = await visitor.asks('GET', `/api/openings?ruleset=${ruleset}`);
        return ((await answer.json()) as { results: { games: number } }).results.games;
      },
      { timeout: 60_000 }
    )
    .toBe(games);
}

test('somebody follows what was played, by clicks, on the board and back, to the games themselves', async ({
  arrive
}) => {
  const [first, second] = [await arrive('first'), await arrive('second')];
  await registers(first, 'anna');
  await registers(second, 'ben');
  const ruleset = 'xiangqi/grunfeld';
  const one = await playsOut(first, second, { ruleset, moves: XIANGQI.moves.slice(0, 3) });
  const two = await playsOut(first, second, { ruleset, moves: [...XIANGQI.moves.slice(0, 2), 'c4c5'] });
  const three = await playsOut(first, second, { ruleset, moves: ['c4c5'] });
  for (const game of [one, two, three]) await commands(second, game, 'resign');
  const stranger = await arrive('stranger');
  await counted(stranger, ruleset, 3);

  const { page } = stranger;
  await page.goto('/games');
  await page.getByRole('link', { name: 'Openings' }).click();
  // The list of games has a choice of the same name.
  await expect(page.getByRole('heading', { level: 1, name: 'Openings' })).toBeVisible();
  await page.getByRole('combobox', { name: 'Game and rules' }).selectOption(ruleset);
  const moves = page.getByRole('list', { name: 'Moves that were played here' });
  await expect(moves.getByRole('listitem')).toHaveCount(2);
  await hasNoBarriers(page, 'openings');
  await isPictured(page, 'openings-start');
  // The most often played move comes first.
  await moves.getByRole('button').first().click();
  await expect(page).toHaveURL(/moves=g4g5$/);
  await expect(moves.getByRole('listitem')).toHaveCount(1);
  await stranger.plays('h10g8', 'mouse');
  await expect(page).toHaveURL(/moves=g4g5,h10g8$/);
  await expect(moves.getByRole('listitem')).toHaveCount(2);
  await expect(page.getByRole('listitem').filter({ has: page.getByRole('link', { name: /^Replay/ }) })).toHaveCount(2);
  await page.getByRole('button', { name: 'One move back' }).click();
  await expect(page).toHaveURL(/moves=g4g5$/);
  await page.getByRole('button', { name: 'One move forward' }).click();
  await expect(moves.getByRole('listitem')).toHaveCount(2);

  await page.getByRole('link', { name: 'All games with this position' }).click();
  await expect(page.getByText('Games that have reached this position')).toBeVisible();
  const found = page.getByRole('region', { name: 'Game archive' });
  await expect(found.getByRole('listitem')).toHaveCount(2);
  for (const game of [one, two]) await expect(found.locator(`a[href="/replay/${game}"]`)).toHaveCount(1);
  await page.getByRole('button', { name: 'Any position' }).click();
  await expect(found.locator(`a[href="/replay/${three}"]`)).toHaveCount(1);

  // In a replay the game's own move goes on in it, another one leaves it.
  await page.goto(`/replay/${one}?ply=2`);
  await page.getByRole('tab', { name: 'Openings' }).click();
  await expect(moves.getByRole('listitem')).toHaveCount(2);
  await isPictured(page, 'replay-openings');
  await moves.locator('.played').getByRole('button').click();
  await expect(page.getByRole('slider')).toHaveValue('3');
  await page.keyboard.press('ArrowLeft');
  await moves.locator('li:not(.played)').getByRole('button').click();
  await expect(page).toHaveURL(/\/openings\?.*moves=c4c5$/);
});

test('in Luzhanqi moves of covered pieces are followed, as far as they do not meet', async ({ arrive }) => {
  const [first, second] = [await arrive('first'), await arrive('second')];
  await registers(first, 'anna');
  await registers(second, 'ben');
  // Both go into their camps, and then meet at the railway.
  const line = ['a6b5', 'b7b8'];
  const game = await playsOut(first, second, {
    ...LUZHANQI,
    ruleset: 'luzhanqi/northern',
    moves: [...line, 'c6c7']
  });
  await commands(second, game, 'resign');
  const stranger = await arrive('stranger');
  await counted(stranger, 'luzhanqi/northern', 1);
  const { page } = stranger;
  await page.goto('/openings?ruleset=luzhanqi/northern');
  const moves = page.getByRole('list', { name: 'Moves that were played here' });
  await moves.getByRole('button', { name: /a6.*b5/ }).click();
  await expect(page).toHaveURL(/moves=a6b5$/);
  await expect(moves.getByRole('button', { name: /b7.*b8/ })).toBeVisible();
  await stranger.plays('b7b8', 'mouse');
  await expect(page).toHaveURL(/moves=a6b5,b7b8$/);
  await expect(moves.getByText(/c6.*c7.*An attack of hidden pieces/)).toBeAttached();
  await expect(moves.getByRole('button')).toHaveCount(0);
  await isPictured(page, 'openings-covered');
});
