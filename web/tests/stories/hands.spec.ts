/** The ways to make a move besides the usual ones: by finger, in advance, and only when it is confirmed. */
import { DOU_SHOU_QI } from '../harness/games';
import { playsOut } from '../harness/fixtures';
import { isPictured } from '../harness/looks';
import { expect, test } from '../harness/story';
import type { Visitor } from '../harness/visitor';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

async function atTheBoard(first: Visitor, second: Visitor, plies: number): Promise<void> {
  await first.becomesGuest();
  await second.becomesGuest();
  const game = await playsOut(first, second, { ...DOU_SHOU_QI, moves: DOU_SHOU_QI.moves.slice(0, plies) });
  for (const visitor of [first, second]) {
    await visitor.page.goto(`/game/${game}`);
    await visitor.seesPly(plies);
  }
}

test('two phones play by touch', async ({ arrive }) => {
  const [first, second] = [await arrive('anna', PHONE), await arrive('ben', PHONE)];
  await atTheBoard(first, second, 0);
  for (const [index, move] of DOU_SHOU_QI.moves.slice(0, 4).entries()) {
    await (index % 2 === 0 ? first : second).plays(move, 'touch');
    for (const visitor of [first, second]) await visitor.seesPly(index + 1);
  }
});

test('a move entered in advance is played when its turn comes, and one that is not possible any more is dropped', async ({
  arrive
}) => {
  const [first, second] = [await arrive('anna'), await arrive('ben')];
  await atTheBoard(first, second, 0);
  await second.enters('a7a6', 'mouse');
  await expect(second.square('a6')).toHaveAccessibleName(/in advance/);
  await isPictured(second.page, 'premove');
  await first.plays('c3d3', 'mouse');
  for (const visitor of [first, second]) await visitor.seesPly(2);
  await first.plays('d3d4', 'mouse');
  // Two squares at once: no Rat does that.
  await first.enters('g3g5', 'mouse');
  await second.plays('a6a5', 'mouse');
  for (const visitor of [first, second]) await visitor.seesPly(4);
  await expect(first.square('g5')).not.toHaveAccessibleName(/in advance/);
  await expect(first.square('g3')).toHaveAccessibleName(/rat/);
});

test('a player who wants to confirm moves is asked, by mouse and by keys', async ({ arrive }) => {
  const [first, second] = [await arrive('anna'), await arrive('ben')];
  await first.page.goto('/settings');
  await first.page.getByRole('switch', { name: 'Confirm moves' }).check({ force: true });
  await atTheBoard(first, second, 0);
  await first.plays('a3a4', 'mouse');
  await isPictured(first.page, 'confirm-move');
  await first.page.getByRole('button', { name: 'Cancel' }).click();
  await first.plays('c3d3', 'mouse');
  await first.page.getByRole('button', { name: 'Play c3d3' }).click();
  for (const visitor of [first, second]) await visitor.seesPly(1);
  await expect(second.square('a3')).toHaveAccessibleName(/elephant/);
  await second.plays('a7a6', 'keyboard');
  await first.seesPly(2);
  await first.plays('d3d4', 'keyboard');
  // The question has the keyboard.
  await first.page.keyboard.press('Enter');
  for (const visitor of [first, second]) await visitor.seesPly(3);
});
