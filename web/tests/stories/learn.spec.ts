/** A newcomer learns a game from nothing: by moves, wrong ones too, and goes on where the last visit ended. */
import { PASSWORD, registers } from '../harness/fixtures';
import { fitsItsScreen, hasNoBarriers, isPictured } from '../harness/looks';
import { expect, test } from '../harness/story';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** The moves that solve the first lesson of each game, and before them one that is wrong, by place. Dou Shou Qi is learned in `lone_visitor.spec.ts`. */
const SOLUTIONS = {
  'xiangqi/standard': {
    right: 'a2g2 d3f4 b3b8 c1a3 d1e2 c4c5 c6d6 e5e6 a6e6 b8b10 d7d8 a9b9'.split(' '),
    wrong: { 1: ['d3c5', 'right beside the horse'], 7: ['e5a5', 'face each other'], 11: ['a9a10', 'check for ever'] }
  },
  'luzhanqi/referee': {
    right: 'c3c4 a2a9 c6b6 c6b6 c6b6 a11c11 a2e11 c3b3 c1b1 c3a2 c6a3 c6b6 c6b6 a11d11 d11d12'.split(' '),
    wrong: {
      2: ['c6d6', 'ranks higher'],
      5: ['e11c11', 'Only an engineer'],
      8: ['c1c2', 'one of the two headquarters'],
      10: ['c6b6', 'on the front rank'],
      12: ['b5b6', 'ranks higher']
    }
  }
} as const;

for (const [ruleset, { right, wrong }] of Object.entries(SOLUTIONS)) {
  test(`a newcomer learns ${ruleset} by moves, on a phone`, async ({ arrive }) => {
    const visitor = await arrive('newcomer', PHONE);
    const { page } = visitor;
    await page.goto('/');
    await page.getByRole('link', { name: 'Learn the games' }).click();
    const game = ruleset.startsWith('xiangqi') ? 'Xiangqi' : 'Luzhanqi';
    await page
      .getByRole('region', { name: game })
      .getByRole('link', { name: `Begin: ${game}` })
      .click();
    const said = page.getByRole('main').getByRole('status');
    for (const [at, move] of right.entries()) {
      await expect(page.getByText(`Step ${at + 1} of ${right.length}`)).toBeVisible();
      const error = (wrong as Readonly<Record<number, readonly [string, string]>>)[at];
      if (error) {
        const [tried, why] = error;
        await visitor.enters(tried, 'mouse');
        await expect(said).toHaveText(new RegExp(`Not yet\\. .*(?:${why})`));
        await hasNoBarriers(page, `a wrong move of ${ruleset}`);
        await isPictured(page, `lesson-wrong-${ruleset.replace('/', '-')}-${at + 1}`);
      }
      // After a banned move the piece is still picked up.
      if (at === right.length - 1 && error) await visitor.square(move.slice(2)).click();
      else await visitor.enters(move, at % 2 === 0 ? 'mouse' : 'keyboard');
      await expect(said).toHaveText(/^Right! /);
      await expect(page.getByRole('button', { name: 'Next' })).toBeFocused();
      await fitsItsScreen(page, `step ${at + 1} of ${ruleset}`);
      if (at === 4) {
        // The lesson is left, and goes on at the next position.
        await page.goto('/learn');
        const card = page.getByRole('region', { name: game });
        await expect(card.getByText(`5 of ${right.length}`)).toBeVisible();
        await card.getByRole('link', { name: `Continue: ${game}` }).click();
      } else {
        await page.keyboard.press('Enter');
      }
    }
    await expect(said).toHaveText(/Now play/);
    await isPictured(page, `lesson-over-${ruleset.replace('/', '-')}`);
    await page.getByRole('link', { name: 'All lessons' }).last().click();
    await expect(page.getByRole('region', { name: game }).getByText('✓ Learned')).toBeVisible();
  });
}

test('after two errors the move is shown, and a finished lesson leads to a practice game', async ({ arrive }) => {
  const visitor = await arrive('newcomer');
  const { page } = visitor;
  await page.goto('/learn/xiangqi/grunfeld?step=1');
  await visitor.enters('b3b4', 'mouse');
  await expect(page.getByRole('button', { name: 'Show me' })).toHaveCount(0);
  await visitor.enters('b3c3', 'mouse');
  await page.getByRole('button', { name: 'Show me' }).click();
  await expect(page.getByText(/The way is marked: b3 to/)).toBeVisible();
  await visitor.enters('b3b6', 'drag');
  await page.getByRole('button', { name: 'Next' }).click();
  await visitor.enters('a4b4', 'mouse');
  await expect(page.getByText('First try the marked move.')).toBeVisible();
  await visitor.enters('a4a3', 'mouse');
  await expect(page.getByText(/^Not yet\. Banned/)).toBeVisible();
  // The piece is still picked up.
  await visitor.square('b4').click();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('link', { name: 'Play the computer' }).click();
  await expect(page.getByRole('dialog').getByRole('checkbox', { name: /^Practice/ })).toBeChecked();
});

test('what was learned goes along with the account', async ({ arrive }) => {
  const [first, second] = [await arrive('first'), await arrive('second')];
  await first.page.goto('/learn/luzhanqi/northern');
  await first.enters('a11c11', 'mouse');
  await expect(first.page.getByRole('main').getByRole('status')).toHaveText(/^Right! /);
  const name = await registers(first, 'anna');
  await first.page.goto('/learn');
  const saved = async () => (await first.asks('GET', '/api/account/settings')).json();
  await expect.poll(saved).toMatchObject({ settings: { learned: { luzhanqi_northern: '1' } } });
  await second.page.goto('/learn/luzhanqi/modern');
  await second.enters('b2a2', 'mouse');
  await second.page.getByRole('button', { name: 'Next' }).click();
  // Legal, but it leaves a piece where it never moves.
  await second.enters('b1b2', 'mouse');
  await expect(second.page.getByText(/A landmine loses nothing by it/)).toBeVisible();
  await second.enters('b1e1', 'keyboard');
  await expect(second.page.getByRole('main').getByRole('status')).toHaveText(/^Right! /);
  await second.asks('POST', '/api/login', { name, password: PASSWORD });
  await second.page.goto('/learn');
  await expect(second.page.getByRole('region', { name: 'Luzhanqi' }).getByText('Learned')).toHaveCount(2);
  await expect.poll(saved).toMatchObject({ settings: { learned: { luzhanqi_northern: '1', luzhanqi_modern: '2' } } });
});
