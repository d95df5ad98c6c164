/** Two people at one device. */
import { UP_TO_A_BAN, XIANGQI } from '../harness/games';
import { fitsItsScreen, hasNoBarriersInColour, isPictured, speaks } from '../harness/looks';
import { expect, test, type Page } from '../harness/story';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Chooses a game and its rule set. */
async function chooses(page: Page, game: string, rules: string): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(`^${game}`) }).check({ force: true });
  await page.getByRole('radio', { name: rules, exact: true }).check({ force: true });
}

test('two play Xiangqi on one screen: a reload, a move that is taken back, checkmate, and once more', async ({
  arrive
}) => {
  const both = await arrive('both');
  const { page } = both;
  await page.goto('/');
  await page.getByRole('link', { name: 'Two players, one device' }).click();
  await chooses(page, 'Xiangqi', 'Standard');
  await page.getByRole('radio', { name: 'Increment', exact: true }).check({ force: true });
  await hasNoBarriersInColour(page, 'the choice of a shared game');
  await isPictured(page, 'hotseat-start');
  await button(page, 'Start game').click();

  await both.plays(XIANGQI.moves[0] ?? '', 'mouse');
  await both.seesPly(1);
  await both.plays(XIANGQI.moves[1] ?? '', 'keyboard');
  await both.seesPly(2);
  await button(page, 'Take back').click();
  await both.seesPly(1);
  await page.reload();
  await both.seesPly(1);
  await expect(page.getByText('The clocks are paused.')).toBeVisible();
  await button(page, 'Continue').click();
  await page.getByRole('checkbox', { name: 'Turn the board to the player whose move it is' }).check();
  for (const [index, move] of XIANGQI.moves.entries()) {
    if (index === 0) continue;
    await both.plays(move, index % 2 === 0 ? 'mouse' : 'drag');
    await both.seesPly(index + 1);
  }
  await expect(page.getByText('Red won by checkmate').first()).toBeVisible();
  await hasNoBarriersInColour(page, 'a shared game');
  await isPictured(page, 'hotseat-xiangqi');
  await button(page, 'Play again').click();
  await both.seesPly(0);
  await both.plays(XIANGQI.moves[0] ?? '', 'mouse');
  await both.seesPly(1);
  await speaks(page, 'a shared game');
});

test('a banned move is told with its reason, and the players agree on a draw', async ({ arrive }) => {
  const both = await arrive('both');
  const { page } = both;
  await page.goto('/hotseat');
  await chooses(page, 'Dou Shou Qi', 'Booklet');
  await button(page, 'Start game').click();
  for (const [index, move] of UP_TO_A_BAN.entries()) {
    await both.plays(move, 'mouse');
    await both.seesPly(index + 1);
  }
  await both.plays('a6a7', 'mouse');
  await expect(page.getByRole('alert')).toBeVisible();
  await both.seesPly(UP_TO_A_BAN.length);
  await button(page, 'Draw').click();
  await page
    .getByRole('group', { name: 'Do both players agree to a draw?' })
    .getByRole('button', { name: 'Draw' })
    .click();
  await expect(page.getByText('Draw by agreement').first()).toBeVisible();
});

test('two play Luzhanqi on a phone and never see each other’s pieces', async ({ arrive }) => {
  const both = await arrive('both', PHONE);
  const { page } = both;
  await page.goto('/hotseat');
  await chooses(page, 'Luzhanqi', 'Referee');
  await button(page, 'Start game').click();
  for (const seat of ['Red', 'Blue'] as const) {
    await expect(page.getByRole('heading', { name: `Pass the device to ${seat}` })).toBeVisible();
    await expect(page.getByRole('gridcell')).toHaveCount(0);
    await button(page, `I’m ${seat}: show the board`).tap();
    await button(page, 'Fortress').tap();
    await isPictured(page, `hotseat-setup-${seat.toLowerCase()}`);
    await button(page, 'Ready').tap();
  }
  // Each player sees their own pieces and the backs of the others.
  await expect(page.getByRole('gridcell')).toHaveCount(0);
  await button(page, 'I’m Red: show the board').tap();
  await expect(both.square('a6')).toHaveAccessibleName(/red/);
  await expect(both.square('a6')).not.toHaveAccessibleName(/hidden/);
  await expect(both.square('a7')).toHaveAccessibleName(/hidden/);
  await fitsItsScreen(page, 'a shared game of Luzhanqi');
  await isPictured(page, 'hotseat-luzhanqi');
  await both.plays('a6a7', 'touch');
  await both.seesPly(1);
  await expect(page.getByRole('gridcell')).toHaveCount(0);
  await expect(page.getByText('Attack on a7: both pieces are lost.')).toBeVisible();
  // Red still looks, and may not learn what was lost.
  await expect(page.getByText('Captured: hidden piece')).toHaveCount(2);
  await isPictured(page, 'hotseat-pass');
  await button(page, 'I’m Blue: show the board').tap();
  await expect(both.square('a12')).not.toHaveAccessibleName(/hidden/);
  await expect(both.square('a1')).toHaveAccessibleName(/hidden/);
  await expect(button(page, 'Take back')).toBeDisabled();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Pass the device to Blue' })).toBeVisible();
  await button(page, 'I’m Blue: show the board').tap();
  await button(page, 'Resign').tap();
  await page.getByRole('group', { name: 'Does Blue resign?' }).getByRole('button', { name: 'Resign' }).tap();
  await expect(page.getByText('Red won: Blue resigned').first()).toBeVisible();
  await expect(both.square('a12')).not.toHaveAccessibleName(/hidden/);
});
