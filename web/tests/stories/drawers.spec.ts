/**
 * Browsers and the server draw the same boards, pieces and marks: ten positions of each game are drawn by both and compared. The
 * server's are the previews of the running game, each as it was after a move.
 */
import type { Locator } from '@playwright/test';
import { writeFile } from 'node:fs/promises';
import { commands } from '../harness/fixtures';
import { isStill } from '../harness/looks';
import { difference, mosaic, type Mosaic, type Part } from '../harness/pixels';
import { expect, test } from '../harness/story';
import type { Visitor } from '../harness/visitor';

const POSITIONS = 10;
/** Where a board stands in a preview: `pictures/src/card.rs`. */
const [MARGIN, HIGH] = [30, 570];
/** How high the browser draws it: on boards that are less wide than 460 pixels it leaves out the names of places. */
const DRAWN = 800;
/**
 * So far two squares may be apart. Edges are smoothed differently, and the server's pictures have 255 colours; a piece that is missing is
 * several times as far.
 */
const ALIKE = 24;
/** A piece elsewhere is at least so far. */
const APART = 48;

interface Kind {
  ruleset: string;
  /** Width and height of the drawing: `art/layout.json`. */
  drawing: readonly [number, number];
  /** The moves with which a game begins; others follow from what is legal. */
  moves: readonly string[];
  setups?: { first: string; second: string };
}

const SETUPS = { first: 'MKBJC/G1D1E/KL1BD/N1E1J/LCXLN/EXCFX', second: 'xfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkd' };

const KINDS: readonly Kind[] = [
  // The third move gives check.
  { ruleset: 'xiangqi/standard', drawing: [972, 1072], moves: ['h3e3', 'h8e8', 'e3e7', 'd10e9'] },
  { ruleset: 'doushouqi/booklet', drawing: [772, 972], moves: [] },
  // As spectators see it, who know nobody, and open from the start.
  { ruleset: 'luzhanqi/referee', drawing: [748, 1172], moves: ['a6a7', 'b7b8', 'a7a8', 'b8c9'], setups: SETUPS },
  { ruleset: 'luzhanqi/showdown', drawing: [748, 1172], moves: ['a6a7'], setups: SETUPS }
];

/** Plays on, and keeps what the server draws after each move. */
async function played(players: readonly [Visitor, Visitor], game: string, kind: Kind): Promise<Buffer[]> {
  const drawn: Buffer[] = [];
  for (let ply = 1; ply <= POSITIONS; ply += 1) {
    const mover = players[(ply - 1) % 2 === 0 ? 0 : 1];
    const view = (await (await mover.asks('GET', `/api/games/${game}`)).json()) as {
      position: { legal?: string[] };
      status: string;
    };
    const legal = view.position.legal ?? [];
    const move = kind.moves[ply - 1] ?? legal[(ply * 7) % legal.length];
    if (move === undefined) throw new Error(`${kind.ruleset} has no move ${ply}`);
    await commands(mover, game, 'move', { ply, move });
    const preview = await mover.asks('GET', `/api/games/${game}/preview.png`);
    drawn.push(await preview.body());
  }
  return drawn;
}

/** Draws a board over all else, at a size. */
async function enlarged(board: Locator, { width, height }: Part): Promise<void> {
  await board.evaluate(
    (element, style) => {
      Object.assign(element.style, style);
      document.body.append(element);
    },
    { position: 'fixed', inset: '0', width: `${width}px`, height: `${height}px`, zIndex: '1000' }
  );
}

for (const kind of KINDS) {
  test(`browser and server draw ten positions of ${kind.ruleset} alike`, async ({ arrive }, info) => {
    test.setTimeout(180_000);
    const [first, second, stranger] = [await arrive('first'), await arrive('second'), await arrive('stranger')];
    await first.becomesGuest();
    await second.becomesGuest();
    const game = await first.opens({ ruleset: kind.ruleset });
    await commands(second, game, 'join');
    if (kind.setups) {
      await first.asks('PUT', `/api/games/${game}/setup`, { setup: kind.setups.first });
      await second.asks('PUT', `/api/games/${game}/setup`, { setup: kind.setups.second });
      await commands(first, game, 'ready');
      await commands(second, game, 'ready');
    }
    const previews = await played([first, second], game, kind);

    const [across, down] = kind.drawing;
    const part: Part = { x: MARGIN, y: MARGIN, width: (HIGH * across) / down, height: HIGH };
    const size = { width: Math.round(part.width), height: HIGH };
    const drawn: Part = { x: 0, y: 0, width: Math.round((DRAWN * across) / down), height: DRAWN };
    const { page } = stranger;
    const canvas = await stranger.context.newPage();
    const ours: Mosaic[] = [];
    const theirs: Mosaic[] = [];
    await page.goto(`/replay/${game}?ply=0`);
    const board = page.locator('.qg-board').filter({ has: page.getByRole('grid') });
    await expect(board.locator('.pieces use').first()).toBeAttached();
    await page.waitForFunction(() => document.querySelector('body > svg symbol') !== null);
    await enlarged(board, drawn);
    for (const [index, preview] of previews.entries()) {
      await page.keyboard.press('ArrowRight');
      await page.waitForURL(new RegExp(`[?&]ply=${index + 1}\\b`));
      await isStill(page);
      const seen = await page.screenshot({ clip: drawn, animations: 'disabled' });
      ours.push(await mosaic(canvas, seen, drawn, size));
      theirs.push(await mosaic(canvas, preview, part, size));
      const found = difference(ours.at(-1) as Mosaic, theirs.at(-1) as Mosaic);
      if (found.most >= ALIKE) {
        await writeFile(info.outputPath(`${index + 1}-browser.png`), seen);
        await writeFile(info.outputPath(`${index + 1}-server.png`), preview);
      }
      console.log(`${kind.ruleset} ${index + 1}: ${found.most.toFixed(1)} at ${found.column}, ${found.row}`);
      expect.soft(found.most, `position ${index + 1}, square ${found.column}, ${found.row}`).toBeLessThan(ALIKE);
    }
    // A piece that has moved is seen at once.
    for (const [index, one] of ours.slice(0, -1).entries()) {
      const next = theirs[index + 1];
      if (next) expect(difference(one, next).most, `position ${index + 1} and the next`).toBeGreaterThan(APART);
    }
  });
}
