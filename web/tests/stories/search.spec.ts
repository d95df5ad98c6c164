/** Finding stored games, and taking them away. */
import { DOU_SHOU_QI, LUZHANQI, XIANGQI } from '../harness/games';
import { commands, playsOut, registers } from '../harness/fixtures';
import { fitsItsScreen, hasNoBarriers, isPictured } from '../harness/looks';
import { expect, test } from '../harness/story';
import type { Visitor } from '../harness/visitor';

/** The list of what was found. */
function found({ page }: Visitor) {
  return page.getByRole('region', { name: 'Game archive' }).getByRole('listitem');
}

/** A player finds somebody by name. */
async function names(visitor: Visitor, label: string, name: string): Promise<void> {
  const field = visitor.page.getByRole('textbox', { name: label });
  await field.fill(name);
  await field.press('Enter');
}

test('games are found by who played whom, what, how it ended and how long it was', async ({ arrive }) => {
  const [first, second, third] = [await arrive('first'), await arrive('second'), await arrive('third')];
  const [anna, ben] = [await registers(first, 'anna'), await registers(second, 'ben')];
  await registers(third, 'cleo');
  const den = await playsOut(first, second, DOU_SHOU_QI);
  const mate = await playsOut(first, third, XIANGQI);
  const short = await playsOut(first, second, { ...XIANGQI, moves: XIANGQI.moves.slice(0, 4) });
  await commands(second, short, 'resign');

  const stranger = await arrive('stranger');
  const { page } = stranger;
  await page.goto('/games');
  await names(stranger, 'Player', anna);
  await expect(found(stranger)).toHaveCount(3);
  await names(stranger, 'Against', ben);
  await expect(found(stranger)).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Game and rules' }).selectOption('doushouqi');
  await expect(found(stranger)).toHaveCount(1);
  await expect(page.getByRole('link', { name: /^Replay/ })).toHaveAttribute('href', `/replay/${den}`);

  const download = (await page.getByRole('link', { name: 'as NDJSON' }).getAttribute('href')) ?? '';
  const lines = (await (await stranger.asks('GET', download)).text()).trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { game: { game: string } }).game.game)).toEqual([den]);
  // What is asked stands in the address: it can be sent to somebody, and leads back.
  const other = await arrive('other');
  await other.page.goto(page.url());
  await expect(found(other)).toHaveCount(1);
  await page.goBack();
  await expect(found(stranger)).toHaveCount(2);

  await page.getByRole('button', { name: 'Against anyone' }).click();
  await page.getByRole('combobox', { name: 'Ended by' }).selectOption('checkmate');
  await expect(found(stranger)).toHaveCount(1);
  await expect(page.getByRole('link', { name: /^Replay/ })).toHaveAttribute('href', `/replay/${mate}`);
  await page.getByRole('combobox', { name: 'Ended by' }).selectOption('');
  await page.getByRole('spinbutton', { name: 'Maximum number of moves' }).fill('4');
  await page.keyboard.press('Enter');
  await expect(found(stranger)).toHaveCount(1);
  await expect(page.getByRole('link', { name: /^Replay/ })).toHaveAttribute('href', `/replay/${short}`);
  await page.getByRole('combobox', { name: 'Rated' }).selectOption('yes');
  await expect(page.getByText('No games match these filters.')).toBeVisible();

  await hasNoBarriers(page, 'a search');
  await page.setViewportSize({ width: 320, height: 640 });
  await fitsItsScreen(page, 'a search');
  await isPictured(page, 'search-narrow');
});

test('a page without games is not the last one as long as there are older games', async ({ arrive }) => {
  const [first, second] = [await arrive('first'), await arrive('second')];
  await registers(first, 'anna');
  await second.becomesGuest();
  const game = await playsOut(first, second, DOU_SHOU_QI);
  const stranger = await arrive('stranger');
  const { page } = stranger;
  // A server with many games stops looking after some thousands; this one has too few to do so by itself.
  let asked = 0;
  await page.route('**/api/games?*', async (route) => {
    asked += 1;
    if (asked > 8) await route.continue();
    else await route.fulfill({ json: { games: [], before: 'ffffffff-ffff-7fff-bfff-ffffffffffff' } });
  });
  await page.goto('/games?reason=den');
  await expect(page.getByText('There are older games')).toBeVisible();
  await page.getByRole('link', { name: 'Continue the search' }).click();
  await expect(page.locator(`a[href="/replay/${game}"]`)).toHaveCount(1);
});

test('a game of Luzhanqi is seen again as each of them saw it, and taken away so', async ({ arrive }) => {
  const [first, second] = [await arrive('first'), await arrive('second')];
  await first.becomesGuest();
  await second.becomesGuest();
  const game = await playsOut(first, second, LUZHANQI);
  const stranger = await arrive('stranger');
  const { page } = stranger;
  const hidden = page.getByRole('gridcell', { name: /hidden/i });
  await page.goto(`/replay/${game}?ply=0`);
  await expect(page.getByRole('gridcell', { name: /^[a-e]\d+, (?!empty)/ })).toHaveCount(50);
  await expect(hidden).toHaveCount(0);
  const perspective = page.getByRole('combobox', { name: 'Seen by' });
  await perspective.selectOption({ label: 'Blue' });
  await expect(hidden).toHaveCount(25);
  await perspective.selectOption({ label: 'spectators' });
  await expect(hidden).toHaveCount(50);
  await expect(page).toHaveURL(/as=spectators/);

  const other = await arrive('other');
  await other.page.goto(page.url());
  await expect(other.page.getByRole('gridcell', { name: /hidden/i })).toHaveCount(50);

  await page.getByRole('tab', { name: 'Share' }).click();
  for (const [name, sign] of [
    ['All positions (FEN)', /^uuuuu\/uuuuu/],
    ['Picture of this position', /^<svg/]
  ] as const) {
    const href = (await page.getByRole('link', { name }).getAttribute('href')) ?? '';
    expect(await (await stranger.asks('GET', href)).text()).toMatch(sign);
  }
  const gif = (await page.getByRole('link', { name: 'Animation (GIF)' }).getAttribute('href')) ?? '';
  expect((await (await stranger.asks('GET', gif)).body()).subarray(0, 6).toString()).toBe('GIF89a');
  const text = (await page.getByRole('link', { name: 'Download as text' }).getAttribute('href')) ?? '';
  expect(await (await stranger.asks('GET', text)).text()).toMatch(/^\[/);
  await hasNoBarriers(page, 'a replay from another perspective');
  await isPictured(page, 'replay-perspective');
  // The server has played it again, and both setups are those that were committed to.
  await page.getByRole('tab', { name: 'About' }).click();
  await expect(page.getByText('The server has replayed all 13 moves by the rules.')).toBeVisible();
  await expect(page.getByText('The setups match the commitments.')).toBeVisible();
});
