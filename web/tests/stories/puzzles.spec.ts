/** Puzzles, one after the other, and endings against the tables. The one of the day is in `lone_visitor.spec.ts`. */
import type { Locator, Page } from '@playwright/test';
import { solutionOf, type Puzzle } from '../harness/puzzles';
import { expect, test } from '../harness/story';

async function puzzleAt(page: Page, path: string): Promise<Puzzle> {
  const answer = await fetch(new URL(path, page.url()));
  return (await answer.json()) as Puzzle;
}

/** Makes a move on the board within something, by the keyboard, as soon as the board takes one. */
async function plays(place: Locator, move: string): Promise<void> {
  const [, from = '', to = ''] = /^([a-z]\d+)([a-z]\d+)$/.exec(move) ?? [];
  await expect(place.getByRole('gridcell', { name: new RegExp(`^${from}\\b.*can move`) })).toBeVisible();
  for (const square of [from, to]) {
    const cell = place.getByRole('gridcell', { name: new RegExp(`^${square}\\b`) });
    await cell.focus();
    await cell.press('Enter');
  }
}

/** Makes the moves of a solution, each when the one before is answered. */
async function solves(place: Locator, moves: readonly string[]): Promise<void> {
  for (const [at, move] of moves.entries()) {
    await plays(place, move);
    if (at + 1 < moves.length) await expect(place.getByRole('status')).toHaveText(/^Right!/);
  }
}

test('a wrong move is answered, and tried again', async ({ arrive }) => {
  const { page } = await arrive('guest');
  await page.goto('/puzzles?ruleset=xiangqi/grunfeld');
  await expect(page.getByRole('grid')).toBeVisible();
  const id = (await page.getByRole('link', { name: 'Link to this puzzle' }).getAttribute('href')) ?? '';
  const puzzle = await puzzleAt(page, `/api${id}`);
  const moves = await solutionOf(page.url(), puzzle);
  const wrong = puzzle.position.legal.find((move) => move !== moves[0]);
  const place = page.locator('.puzzle');
  const said = place.getByRole('status');
  await plays(place, wrong ?? '');
  await expect(said).toHaveText(/is not the move/);
  await expect(page.getByRole('button', { name: 'Try again' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(said).toHaveText(/to move: find/);
  await solves(place, moves);
  await expect(said).toHaveText('Found, after a mistake.');
  await expect(page.getByText('found later')).toBeVisible();
  await page.getByRole('button', { name: 'Next puzzle' }).click();
  await expect(page.getByRole('link', { name: 'Link to this puzzle' })).not.toHaveAttribute('href', id);
  // The address of the first one is for everybody.
  const other = await arrive('other');
  await other.page.goto(id);
  await expect(other.page.locator('.puzzle').getByRole('status')).toHaveText(/to move: find/);
  await other.page.getByRole('button', { name: 'Show the solution' }).click();
  await expect(other.page.locator('.puzzle').getByRole('status')).toHaveText('This is the solution.');
});

test('an ending is won against the tables, and a move that gives it away is told', async ({ arrive }) => {
  const { page } = await arrive('guest');
  await page.goto('/puzzles/drills');
  const drill = page.locator('.drill');
  await expect(drill.getByRole('grid')).toBeVisible();
  const { drills, ruleset } = (await puzzleAt(page, '/api/puzzles/drills')) as unknown as {
    drills: { position: string; moves: number }[];
    ruleset: string;
  };
  const [first] = drills;
  const best = async (moves: readonly string[]): Promise<string | undefined> => {
    const judged = await fetch(new URL('/api/positions/judge', page.url()), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ruleset, start: first?.position, moves })
    });
    const { fen, outcome } = (await judged.json()) as { fen: string; outcome: unknown };
    if (outcome !== null) return undefined;
    const query = new URLSearchParams({ ruleset, position: fen });
    const ending = await fetch(new URL(`/api/tables?${query.toString()}`, page.url()));
    const { moves: known } = (await ending.json()) as { moves: { move: string }[] };
    return known[0]?.move;
  };
  const made: string[] = [];
  for (let move = await best(made); move !== undefined; move = await best(made)) {
    const isOurs = made.length % 2 === 0;
    made.push(move);
    if (!isOurs) continue;
    await plays(drill, move);
    await expect(drill).toContainText(`Moves made: ${String(Math.ceil(made.length / 2))}`);
  }
  await expect(drill).toHaveAttribute('data-state', 'won');
  await expect(drill.getByRole('status')).toHaveText(new RegExp(`^Won in ${String(first?.moves)} moves`));
  await expect(drill).toContainText(`Your best: ${String(first?.moves)}`);
  await page.reload();
  await expect(page.locator('.drill')).toContainText(`Your best: ${String(first?.moves)}`);
});
