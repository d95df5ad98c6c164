/** The analysis board. */
import { DOU_SHOU_QI, LUZHANQI, UP_TO_A_BAN, XIANGQI, type WholeGame } from '../harness/games';
import { commands, playsOut } from '../harness/fixtures';
import { fitsItsScreen, hasNoBarriersInColour, isPictured, speaks } from '../harness/looks';
import { expect, test, type Page } from '../harness/story';
import type { Visitor } from '../harness/visitor';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const shapes = (page: Page) => page.getByRole('list', { name: 'Drawn here' }).getByRole('listitem');

/** Sees that the analysis has so many moves in all its variations. */
async function seesMoves(page: Page, count: number): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveAttribute('data-moves', String(count));
}

/** The rules have judged what stands on the board. */
async function isJudged(page: Page): Promise<void> {
  await expect(page.getByText(/to move\.|won by|Draw/).first()).toBeVisible();
}

async function middle(visitor: Visitor, square: string): Promise<{ x: number; y: number }> {
  const box = await visitor.square(square).boundingBox();
  if (!box) throw new Error(`${square} is not on the page`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Drags with the right button from a square to another. */
async function draws(visitor: Visitor, from: string, to: string): Promise<void> {
  const [start, end] = [await middle(visitor, from), await middle(visitor, to)];
  await visitor.page.mouse.move(start.x, start.y);
  await visitor.page.mouse.down({ button: 'right' });
  await visitor.page.mouse.move(end.x, end.y, { steps: 4 });
  await visitor.page.mouse.up({ button: 'right' });
}

test('a replay opens on the board: a variation, a comment, arrows, undo, promote and delete', async ({ arrive }) => {
  const first = await arrive('first');
  const second = await arrive('second');
  await first.becomesGuest();
  await second.becomesGuest();
  const game = await playsOut(first, second, XIANGQI);
  const { page } = first;
  await page.goto(`/replay/${game}?ply=2`);
  await page.getByRole('link', { name: 'Open on the analysis board' }).click();
  await first.seesPly(2);
  await seesMoves(page, XIANGQI.moves.length);
  await isJudged(page);

  await first.plays('b1c3', 'mouse');
  await first.seesPly(3);
  await seesMoves(page, XIANGQI.moves.length + 1);
  await first.plays('b10c8', 'drag');
  await first.seesPly(4);
  // A move that is there already is gone to.
  await button(page, 'One move back').click();
  await first.seesPly(3);
  await first.plays('b10c8', 'keyboard');
  await first.seesPly(4);
  await seesMoves(page, XIANGQI.moves.length + 2);

  const comment = page.getByRole('textbox', { name: 'Comment on this position' });
  await comment.fill('<img src=x onerror=alert(1)> "better" & <b>bold</b>');
  await comment.blur();
  await expect(page.getByRole('group', { name: 'Moves' })).toContainText('<img src=x onerror=alert(1)>');

  await draws(first, 'c3', 'd5');
  await page.keyboard.down('Shift');
  await draws(first, 'e5', 'e5');
  await page.keyboard.up('Shift');
  await page.getByRole('tab', { name: 'Arrows' }).click();
  await expect(shapes(page)).toHaveText([/Arrow from c3 to d5 \(green\)/, /Circle on e5 \(red\)/]);
  await hasNoBarriersInColour(page, 'an analysis with arrows');
  await isPictured(page, 'analysis-arrows');
  await draws(first, 'c3', 'd5');
  await expect(shapes(page)).toHaveText([/Circle on e5 \(red\)/]);
  await button(page, 'Undo').click();
  await expect(shapes(page)).toHaveCount(2);
  await page.getByRole('tab', { name: 'Moves' }).click();

  await button(page, 'Make main line').click();
  await expect(button(page, 'Make main line')).toBeDisabled();
  // A reload loses nothing.
  await page.reload();
  await first.seesPly(4);
  await seesMoves(page, XIANGQI.moves.length + 2);
  await expect(comment).toHaveValue('<img src=x onerror=alert(1)> "better" & <b>bold</b>');
  await expect(button(page, 'Make main line')).toBeDisabled();
  await isJudged(page);
  await isPictured(page, 'analysis-variations');
  await button(page, 'Delete from here').click();
  await first.seesPly(3);
  await seesMoves(page, XIANGQI.moves.length + 1);
  await page.keyboard.press('Control+z');
  await seesMoves(page, XIANGQI.moves.length + 2);
  await page.keyboard.press('Control+Shift+z');
  await seesMoves(page, XIANGQI.moves.length + 1);

  // Keys go through the moves and from one variation to the other.
  await page.getByRole('group', { name: 'Moves' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('[aria-current="step"]')).toHaveAccessibleName(/h1 to g3/);
  await page.keyboard.press('End');
  await first.seesPly(XIANGQI.moves.length);
  await expect(page.getByText('Red won by checkmate')).toBeVisible();
  await page.keyboard.press('Home');
  await first.seesPly(0);
  await speaks(page, 'an analysis');
});

test('the keyboard draws, and a finger that rests', async ({ arrive }) => {
  const { page } = await arrive('visitor', PHONE);
  await page.goto('/analysis?ruleset=xiangqi/standard');
  await isJudged(page);
  const square = (name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name}\\b`) });
  await page.getByRole('tab', { name: 'Arrows' }).click();
  await page.getByRole('checkbox', { name: 'Draw instead of moving' }).check();
  await page.getByRole('combobox', { name: 'Colour' }).selectOption('blue');
  await square('h3').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('The arrow begins on h3.')).toBeVisible();
  await square('e3').focus();
  await page.keyboard.press('Enter');
  await expect(shapes(page)).toHaveText([/Arrow from h3 to e3 \(blue\)/]);
  await page.getByRole('checkbox', { name: 'Draw instead of moving' }).uncheck();

  // The page may have moved down to the switch.
  await square('b8').scrollIntoViewIfNeeded();
  // The touch is the browser's own, as the device would report it.
  const touch = await page.context().newCDPSession(page);
  const at = async (name: string) => {
    const box = await square(name).boundingBox();
    if (!box) throw new Error(`${name} is not on the page`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [await at('b3')] });
  await expect(page.locator('.drawing g.faint')).toBeVisible();
  await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [await at('b8')] });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect(shapes(page)).toHaveText([/Arrow from h3 to e3 \(blue\)/, /Arrow from b3 to b8 \(blue\)/]);
  await expect(page.getByRole('heading', { level: 1 })).toHaveAttribute('data-moves', '0');
  await fitsItsScreen(page, 'an analysis on a phone');
  await isPictured(page, 'analysis-phone');
});

test('a position is typed in, and a ban that depends on the moves before it is told with its reason', async ({
  arrive
}) => {
  const visitor = await arrive('visitor');
  const { page } = visitor;
  await page.goto('/analysis');
  await page.getByRole('radio', { name: /^Xiangqi/ }).check({ force: true });
  await page.getByRole('textbox', { name: 'Position (FEN)' }).fill('no position');
  await button(page, 'Open the board').click();
  await expect(page.getByText('This is not a position')).toBeVisible();
  await page.getByRole('textbox', { name: 'Position (FEN)' }).fill('4k4/9/9/9/9/9/9/9/4R4/3K5 b - - 0 1');
  await button(page, 'Open the board').click();
  await expect(page.getByText('Black to move.')).toBeVisible();
  await visitor.plays('e10f10', 'mouse');
  await visitor.seesPly(1);
  await expect(page.getByText('1.…')).toBeVisible();

  await page.goto(`/analysis?ruleset=doushouqi/booklet&moves=${UP_TO_A_BAN.join(',')}`);
  await visitor.seesPly(UP_TO_A_BAN.length);
  await isJudged(page);
  await visitor.plays('a6a7', 'mouse');
  await expect(page.getByRole('alert')).toBeVisible();
  await visitor.seesPly(UP_TO_A_BAN.length);

  await page.goto('/analysis?ruleset=xiangqi/standard&fen=9/9/9/9/9/9/9/9/9/9+w');
  await expect(page.getByRole('alert')).toBeVisible();
  await page.goto('/analysis?game=01890000-0000-7000-8000-000000000000');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Game not found');
});

test('a position is set up on the board, told to be impossible, made possible and analysed', async ({ arrive }) => {
  const visitor = await arrive('visitor');
  const { page } = visitor;
  await page.goto('/analysis');
  await page.getByRole('radio', { name: /^Dou Shou Qi/ }).check({ force: true });
  await page.getByText('Set up a position').click();
  const pieces = page.getByRole('group', { name: 'Pieces to put' });
  await pieces.getByRole('button', { name: 'blue elephant' }).click();
  await visitor.square('b5').click();
  await expect(page.getByText('The rules do not allow this position.')).toBeVisible();
  await pieces.getByRole('button', { name: 'Take away' }).click();
  await visitor.square('b5').click();
  await pieces.getByRole('button', { name: 'blue lion' }).click();
  await visitor.square('d7').focus();
  await page.keyboard.press('Enter');
  await pieces.getByRole('button', { name: 'red rat' }).click();
  await visitor.square('g9').click();
  await page.getByRole('radio', { name: 'Red', exact: true }).check({ force: true });
  await expect(page.getByText('The rules allow this position.')).toBeVisible();
  await hasNoBarriersInColour(page, 'a position that is set up');
  await isPictured(page, 'analysis-editor');
  await page.setViewportSize({ width: 320, height: 640 });
  await fitsItsScreen(page, 'a position that is set up');
  await isPictured(page, 'analysis-editor-narrow');
  await button(page, 'Usual position').click();
  await button(page, 'Clear the board').click();
  await pieces.getByRole('button', { name: 'blue lion' }).click();
  await visitor.square('d8').click();
  await pieces.getByRole('button', { name: 'red rat' }).click();
  await visitor.square('g9').click();
  await page.getByRole('radio', { name: 'Blue', exact: true }).check({ force: true });
  await button(page, 'Open the board').click();
  await expect(page.getByText('Blue to move.')).toBeVisible();
  await visitor.plays('d8d9', 'keyboard');
  await expect(page.getByText(/Blue won/).first()).toBeVisible();
});

const wholes: Readonly<Record<string, WholeGame>> = { DOU_SHOU_QI, LUZHANQI };
for (const [name, whole] of Object.entries(wholes)) {
  test(`a whole game of ${name} is analysed to its end, as the server judges it`, async ({ arrive }) => {
    const first = await arrive('first');
    const second = await arrive('second');
    await first.becomesGuest();
    await second.becomesGuest();
    const game = await playsOut(first, second, whole);
    const { page } = first;
    await page.goto(`/analysis?game=${game}`);
    await first.seesPly(whole.moves.length);
    await expect(page.getByText(/won by/).first()).toBeVisible();
    const positions = (await (await first.asks('GET', `/api/games/${game}/positions`)).json()) as {
      positions: { fen: string }[];
    };
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (let ply = whole.moves.length; ply > 0; ply -= 1) {
      await first.seesPly(ply);
      await button(page, 'Copy the position (FEN)').click();
      const board = (text: string | undefined) => text?.split(' ')[0];
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(board(copied), `ply ${ply}`).toBe(board(positions.positions[ply]?.fen));
      await button(page, 'One move back').click();
    }
  });
}

/** A move as ICCS writes it: upper case, ranks from 0, a hyphen. */
function iccs(move: string): string {
  return move
    .toUpperCase()
    .replace(/(\d+)([A-I])/, '$1-$2')
    .replace(/\d+/g, (rank) => String(Number(rank) - 1));
}

test('a text of another program is pasted: what does not follow is named by its line, and the game stands on the board', async ({
  arrive
}) => {
  const visitor = await arrive('visitor', { viewport: { width: 320, height: 640 } });
  const { page } = visitor;
  await page.goto('/analysis');
  await page.getByRole('radio', { name: /Xiangqi/ }).check({ force: true });
  await page.getByText('Paste a game', { exact: true }).click();
  const text = page.getByRole('textbox', { name: 'Game as text' });
  await button(page, 'Read the text').click();
  await expect(page.getByRole('alert')).toHaveText('Paste a text first.');
  const pairs = XIANGQI.moves.reduce<string[]>((lines, move, at) => {
    if (at % 2 === 0) lines.push(`${at / 2 + 1}. ${iccs(move)}`);
    else lines[lines.length - 1] += ` ${iccs(move)}`;
    return lines;
  }, []);
  const head = ['[Game "Chinese Chess"]', '[Event "<script>alert(1)</script>"]', '[Format "ICCS"]', ''];
  await text.fill([...head, ...pairs.slice(0, 2), '3. A0-A5'].join('\n'));
  await button(page, 'Read the text').click();
  await expect(page.getByRole('alert').first()).toContainText('Line 7');
  await fitsItsScreen(page, 'a pasted text');
  await hasNoBarriersInColour(page, 'a pasted text');
  await text.fill([...head, ...pairs].join('\n'));
  await button(page, 'Read the text').click();
  await seesMoves(page, XIANGQI.moves.length);
  await isPictured(page, 'analysis-pasted');
});

test('a text with rules of its own is pasted after another, and each has its own moves; one of Luzhanqi tells what became of its attacks', async ({
  arrive
}) => {
  const { page } = await arrive('visitor');
  const text = page.getByRole('textbox', { name: 'Game as text' });
  const pastes = async (content: string) => {
    await page.getByText('Paste a game', { exact: true }).click();
    await text.fill(content);
    await button(page, 'Read the text').click();
  };
  const head = '[RuleSet "doushouqi/booklet"]\n[Options "quiet_limit=0"]\n\n';
  await page.goto('/analysis');
  await page.getByRole('radio', { name: /Xiangqi/ }).check({ force: true });
  await pastes(`${head}1. c3d3 a7a6 2. d3d4 a6a5`);
  await seesMoves(page, 4);
  await page.keyboard.press('End');
  await button(page, 'Delete from here').click();
  await seesMoves(page, 3);
  await page.getByRole('link', { name: 'Another position' }).click();
  await pastes(`${head}1. a3a4 a7a6`);
  await seesMoves(page, 2);
  await page.getByRole('link', { name: 'Another position' }).click();
  const { setups, moves } = LUZHANQI;
  await pastes(
    `[RuleSet "luzhanqi/referee"]\n[RedSetup "${setups?.first}"]\n[BlueSetup "${setups?.second}"]\n\n${moves.slice(0, 3).join(' ')}`
  );
  await seesMoves(page, 3);
  await isJudged(page);
  await expect(page.getByRole('group', { name: 'Moves' })).toContainText(/a6a7 [×†=]/);
});

const advised = (page: Page) => page.getByRole('list', { name: 'Best moves' }).getByRole('button');

test('the computer shows the best moves with an arrow, one of them is played by keyboard, and a mate is announced', async ({
  arrive
}) => {
  const visitor = await arrive('visitor');
  const { page } = visitor;
  await page.goto('/analysis?ruleset=xiangqi/standard&fen=4k4/R8/9/9/9/9/9/1R7/9/3K5+b&moves=e10f10');
  await isJudged(page);
  await page.getByRole('tab', { name: 'Computer' }).click();
  const wanted = page.getByRole('checkbox', { name: 'Show the best moves' });
  await expect(wanted).not.toBeChecked();
  await expect(advised(page)).toHaveCount(0);
  await wanted.check();
  await expect(page.getByText('Chance of Red to win: 100%')).toBeVisible();
  await expect(advised(page)).toHaveCount(3);
  await expect(page.locator('.drawing g.blue .head')).toHaveCount(1);
  await hasNoBarriersInColour(page, 'an analysis with the computer');
  await isPictured(page, 'analysis-computer');
  await advised(page).first().focus();
  await page.keyboard.press('Enter');
  await visitor.seesPly(2);
  await speaks(page, 'an analysis with the computer');
  // A position that was thought about is known when somebody comes back to it.
  await page.keyboard.press('Home');
  await page.setViewportSize({ width: 320, height: 640 });
  await fitsItsScreen(page, 'an analysis with the computer');
  await isPictured(page, 'analysis-computer-narrow');

  await page.goto('/analysis?ruleset=xiangqi/standard&fen=4k4/R8/9/9/9/9/9/1R7/9/3K5+w&moves=b3b10');
  await page.getByRole('tab', { name: 'Computer' }).click();
  await wanted.check();
  await expect(page.getByText('The game is over here.')).toBeVisible();
});

test('nobody is advised where a game is being played, and beside a finished one stands its review', async ({
  arrive
}) => {
  const first = await arrive('first');
  const second = await arrive('second');
  await first.becomesGuest();
  await second.becomesGuest();
  const moves = ['h3e3', 'h10g8', 'h1g3', 'i10h10', 'i1h1', 'g7g6', 'h1h7', 'b10c8', 'b1c3', 'c7c6', 'b3b2', 'h8i8'];
  const game = await playsOut(first, second, { ruleset: 'xiangqi/standard', moves });
  const { page } = first;
  await page.goto(`/analysis?ruleset=xiangqi/standard&moves=${moves.join(',')}`);
  await page.getByRole('tab', { name: 'Computer' }).click();
  await page.getByRole('checkbox', { name: 'Show the best moves' }).check();
  await expect(page.getByRole('alert')).toHaveText(/stands in a game that is being played/);
  await commands(first, game, 'resign');
  await page.goto(`/analysis?game=${game}`);
  await page.getByRole('tab', { name: 'Computer' }).click();
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'The review is done.' })).toHaveCount(1);
  await page.setViewportSize({ width: 1440, height: 900 });
  await isPictured(page, 'analysis-review');
  await page.getByRole('tab', { name: 'Moves' }).click();
  await expect(page.getByRole('group', { name: 'Moves' })).toContainText('?');
});

test('a game begins with the position on the board, against the computer and with a friend by link', async ({
  arrive
}) => {
  const anna = await arrive('anna', { viewport: { width: 390, height: 844 } });
  const ben = await arrive('ben');
  const { page } = anna;
  const fen = '4k4/R8/9/9/9/9/9/1R7/9/3K5 b';
  const plays = async () => {
    await page.goto(`/analysis?ruleset=xiangqi/standard&fen=${encodeURIComponent(fen)}`);
    await isJudged(page);
    await button(page, 'Play from here').click();
  };
  await plays();
  await hasNoBarriersInColour(page, 'a game from here');
  await speaks(page, 'a game from here');
  await isPictured(page, 'analysis-play');
  await page.getByRole('radio', { name: /^Black/ }).check({ force: true });
  await expect(page.getByRole('radio', { name: /^Black/ })).toHaveAccessibleName(/moves first/);
  await page.setViewportSize({ width: 320, height: 640 });
  await fitsItsScreen(page, 'a game from here');
  await page.getByRole('radio', { name: '1: for a first game' }).check({ force: true });
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/game\//);
  await anna.plays('e10f10', 'mouse');
  await anna.seesPly(2);
  // Black's move stands behind the place of the one that is missing.
  await expect(page.getByRole('group', { name: 'Moves' })).toContainText('1. …e10f10');

  await page.setViewportSize({ width: 390, height: 844 });
  await plays();
  await page.getByRole('radio', { name: 'A friend' }).check({ force: true });
  await page.getByRole('radio', { name: /^Red/ }).check({ force: true });
  await button(page, 'Create the link').click();
  await expect(page).toHaveURL(/\/game\//);
  await ben.page.goto(page.url());
  await ben.page.getByRole('button', { name: /^Join/ }).click();
  await ben.plays('e10f10', 'mouse');
  await anna.seesPly(1);
  await anna.plays('b3b10', 'mouse');
  await expect(anna.result()).toContainText('You won');
});
