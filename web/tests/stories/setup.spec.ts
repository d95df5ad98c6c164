/** Luzhanqi's setup, made at the board: by dragging, by keys, and out of those that were saved. */
import { LUZHANQI } from '../harness/games';
import { commands } from '../harness/fixtures';
import { isPictured } from '../harness/looks';
import { expect, test } from '../harness/story';
import type { Visitor } from '../harness/visitor';

async function letterAt(visitor: Visitor, square: string): Promise<string> {
  return (await visitor.square(square).getAttribute('aria-label'))?.split(', ')[1] ?? '';
}

test('pieces are exchanged, the setup is kept, saved and loaded, and play begins when both are ready', async ({
  arrive
}) => {
  const [first, second] = [await arrive('anna'), await arrive('ben')];
  await first.becomesGuest();
  await second.becomesGuest();
  const game = await first.opens({ ruleset: LUZHANQI.ruleset });
  await commands(second, game, 'join');
  await first.asks('PUT', `/api/games/${game}/setup`, { setup: LUZHANQI.setups?.first });
  await first.page.goto(`/game/${game}`);
  await second.page.goto(`/game/${game}`);
  await expect(first.square('a6')).toHaveAccessibleName(/marshal/);

  const [a6, b6] = [await letterAt(first, 'a6'), await letterAt(first, 'b6')];
  await first.enters('a6b6', 'drag');
  await expect(first.square('b6')).toHaveAccessibleName(new RegExp(a6));
  await expect(first.square('a6')).toHaveAccessibleName(new RegExp(b6));
  await first.enters('b6a6', 'keyboard');
  await expect(first.square('a6')).toHaveAccessibleName(new RegExp(a6));

  await first.page.getByRole('textbox', { name: 'Save as' }).fill('my best');
  await first.page.getByRole('button', { name: 'Save', exact: true }).click();
  await first.enters('a6c6', 'mouse');
  await expect(first.square('c6')).toHaveAccessibleName(/marshal/);
  await first.page.getByRole('button', { name: 'my best', exact: true }).click();
  await expect(first.square('a6')).toHaveAccessibleName(/marshal/);
  await isPictured(first.page, 'setup-saved');

  await first.page.getByRole('button', { name: 'Ready' }).click();
  await second.page.getByRole('button', { name: 'Ready' }).click();
  // Ply 0 is also what a game with setups shows before play.
  for (const visitor of [first, second]) {
    await expect(visitor.page.getByRole('button', { name: 'Ready' })).toBeHidden();
  }
  await expect(first.square('a7')).toHaveAccessibleName(/hidden/);
  await expect(second.square('a6')).toHaveAccessibleName(/hidden/);
  await first.plays('a6a7', 'mouse');
  await second.seesPly(1);

  // A note on what a hidden piece might be, kept over a reload, and seen by nobody else.
  await first.square('e7').focus();
  await first.page.keyboard.press('n');
  await first.page.getByRole('button', { name: /flag/i }).click();
  await expect(first.square('e7')).toHaveAccessibleName(/noted as flag/);
  // The board shows it at once; a reload keeps it as soon as the server has it.
  await expect
    .poll(async () => {
      const view = (await (await first.asks('GET', `/api/games/${game}`)).json()) as { notes?: string };
      return view.notes ?? '';
    })
    .toContain('e7');
  await first.page.reload();
  await expect(first.square('e7')).toHaveAccessibleName(/noted as flag/);
  await expect(second.square('e7')).not.toHaveAccessibleName(/noted/);
});
