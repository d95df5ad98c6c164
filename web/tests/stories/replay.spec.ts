/** A stored game, gone through again. */
import { DOU_SHOU_QI, LUZHANQI, XIANGQI } from '../harness/games';
import { playsOut } from '../harness/fixtures';
import { isPictured } from '../harness/looks';
import { expect, test } from '../harness/story';

for (const whole of [DOU_SHOU_QI, XIANGQI, LUZHANQI]) {
  test(`a game of ${whole.ruleset} is gone through ply by ply, by keys, by the list and by a link`, async ({
    arrive
  }) => {
    const [first, second] = [await arrive('anna'), await arrive('ben')];
    const stranger = await arrive('cleo');
    await first.becomesGuest();
    await second.becomesGuest();
    const game = await playsOut(first, second, whole);
    const { positions } = (await (await stranger.asks('GET', `/api/games/${game}/positions`)).json()) as {
      positions: { fen: string }[];
    };
    const { page } = stranger;
    await page.goto(`/replay/${game}?ply=0`);
    const position = page.getByRole('slider');
    await expect(position).toHaveValue('0');
    await page.getByRole('button', { name: 'One move forward' }).click();
    await expect(position).toHaveValue('1');
    await expect(page).toHaveURL(/ply=1\b/);
    await page.keyboard.press('ArrowRight');
    await expect(position).toHaveValue('2');
    await page.keyboard.press('End');
    await expect(position).toHaveValue(String(whole.moves.length));
    await isPictured(page, `replay-${whole.ruleset.split('/')[0] ?? ''}-end`);
    const checked = page.getByRole('gridcell', { name: /in check/ });
    await expect(checked).toHaveCount(whole.reason === 'checkmate' ? 1 : 0);
    await page.locator('[data-ply="3"]').click();
    await expect(position).toHaveValue('3');
    await expect(checked).toHaveCount(0);

    // What stands where, as the server says: each piece of the position is on its square.
    const fen = positions[3]?.fen.split(' ')[0] ?? '';
    const pieces = [...fen.replace(/[^A-Za-z]/g, '')].length;
    await expect(page.getByRole('gridcell', { name: /^[a-i]\d+, (?!empty)/ })).toHaveCount(pieces);

    // The address follows a moment later.
    await expect(page).toHaveURL(/ply=3\b/);
    const other = await arrive('dora');
    await other.page.goto(page.url());
    await expect(other.page.getByRole('slider')).toHaveValue('3');
  });
}
