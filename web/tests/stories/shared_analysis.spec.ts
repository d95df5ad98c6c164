/** Analyses that are shared by link. */
import type { Judgement } from '../../src/lib/protocol/openapi';
import { isStaff, playsOut, registers } from '../harness/fixtures';
import { DOU_SHOU_QI, LUZHANQI } from '../harness/games';
import { fitsItsScreen, hasNoBarriers, isPictured } from '../harness/looks';
import { OLD_GAME } from '../harness/old_game';
import { expect, test, type Page } from '../harness/story';
import type { Visitor } from '../harness/visitor';

const HOSTILE = ['<img src=x onerror=alert(1)>', '</script><script>alert(2)</script>'];
/** Turns the direction of the text behind it: it is left out of what is sent. */
const OVERRIDE = '\u202e';
const LONG = 'W'.repeat(1_900);
const MOST = 500;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const moves = (page: Page) => page.getByRole('group', { name: 'Moves' });

/** A node as the browser keeps it. */
interface Kept {
  after: number;
  made: { move: string } | null;
  comment: string;
  shapes: readonly { from: string; to: string | null; colour: string }[];
}

/** What the browser keeps of the analysis that was changed last. */
async function kept(page: Page): Promise<Kept[]> {
  const text = await page.evaluate(() => localStorage.getItem('qiguan.analysis'));
  return (JSON.parse(text ?? '') as { nodes: Kept[] }).nodes;
}

/** Every node with all that belongs to it, under the moves that lead there; those that follow the same one in their order. */
function tree(nodes: readonly Kept[]): string[] {
  const told = (place: number, line: string): string[] => {
    const { comment, shapes } = nodes[place] ?? {};
    const following = nodes.flatMap(({ after, made }, at) =>
      made && after === place ? told(at, `${line} ${made.move}`) : []
    );
    return [`${line}: ${JSON.stringify({ comment, shapes })}`, ...following];
  };
  return told(0, '');
}

/** What a visitor sees of an analysis: every move with its comment, where one is, and what is drawn there. */
async function seen(page: Page): Promise<unknown> {
  await expect(page.getByText(/to move\.|won by|Draw/).first()).toBeVisible();
  return page.evaluate(() => ({
    moves: document.querySelector('h1')?.dataset.moves,
    ply: document.querySelector('h1')?.dataset.ply,
    list: document.querySelector('[role="group"] ul')?.textContent,
    first: document.querySelector('[role="group"] p')?.textContent,
    at: document.querySelector('[aria-current="step"]')?.getAttribute('aria-label'),
    drawn: [...document.querySelectorAll('.drawing g')].map((shape) => shape.innerHTML)
  }));
}

/** The same without what turns text around. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll(OVERRIDE, '')) as T;
}

/** Shares what is on the board; the link. */
async function shares({ page }: Visitor, title: string): Promise<string> {
  await button(page, 'Share').click();
  await page.getByRole('textbox', { name: 'Title (optional)' }).fill(title);
  await button(page, 'Create link').click();
  const link = page.getByRole('textbox', { name: 'Link to this analysis' });
  await expect(link).toHaveValue(/\/analysis\/[0-9a-f-]{36}$/);
  return new URL(await link.inputValue()).pathname;
}

/** The other moves of the first positions of a line, with comments and shapes, until there are so many nodes. */
async function grown(visitor: Visitor, line: readonly string[]): Promise<Kept[]> {
  const nodes: Kept[] = [{ after: 0, made: null, comment: HOSTILE[0] ?? '', shapes: [] }];
  nodes.push(...line.map((move, at): Kept => ({ after: at, made: { move }, comment: '', shapes: [] })));
  for (let ply = 0; nodes.length < MOST; ply += 1) {
    const body = { ruleset: 'xiangqi/standard', moves: line.slice(0, ply) };
    const judged = (await (await visitor.asks('POST', '/api/positions/judge', body)).json()) as Judgement;
    const others = judged.legal.filter((move) => move !== line[ply]).slice(0, MOST - nodes.length);
    nodes.push(
      ...others.map((move, at): Kept => {
        const comment = at % 7 === 0 ? `${HOSTILE[1] ?? ''} ${at}` : '';
        const shapes = at % 5 === 0 ? [{ from: 'e1', to: at % 2 === 0 ? 'e5' : null, colour: 'red' }] : [];
        return { after: ply, made: { move }, comment, shapes };
      })
    );
  }
  return nodes;
}

test('an analysis of 500 positions that began as a pasted game of 1982 is opened elsewhere alike, and in a frame', async ({
  arrive
}) => {
  const author = await arrive('author');
  const { page } = author;
  await page.goto('/analysis');
  await page.getByRole('radio', { name: /Xiangqi/ }).check({ force: true });
  await page.getByText('Paste a game', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Game as text' }).fill(OLD_GAME);
  await button(page, 'Read the text').click();
  await author.seesPly(125);
  const line = new URL(page.url()).searchParams.get('moves')?.split(',') ?? [];
  expect(line).toHaveLength(125);
  const nodes = await grown(author, line);
  expect(nodes).toHaveLength(MOST);
  const [odd, broad] = [nodes[MOST - 1], nodes[130]];
  if (!odd || !broad) throw new Error('there are fewer nodes');
  odd.comment = `before ${OVERRIDE}after`;
  broad.comment = LONG;
  // As this browser keeps it.
  await page.evaluate(
    (text) => localStorage.setItem('qiguan.analysis', text),
    JSON.stringify({ address: new URL(page.url()).search, at: MOST - 6, nodes })
  );
  await page.goto('about:blank');
  await page.goBack();
  const before = plain(await seen(page));
  const address = await shares(author, 'The <b>old</b> game');
  expect(before).toMatchObject({ moves: String(MOST - 1) });
  expect(JSON.stringify(before)).toContain('onerror');

  const reader = await arrive('reader', { viewport: { width: 320, height: 640 } });
  await reader.page.goto(address);
  expect(await seen(reader.page)).toEqual(before);
  await expect(reader.page.getByText('The <b>old</b> game', { exact: true })).toBeVisible();
  await expect(moves(reader.page).getByText(HOSTILE[0] ?? '', { exact: true })).toHaveText(HOSTILE[0] ?? '');
  await fitsItsScreen(reader.page, 'a shared analysis');
  await isPictured(reader.page, 'analysis-shared-narrow');
  expect(await reader.context.cookies(), 'nobody has to be anybody').toEqual([]);

  // The reader's own changes stay theirs, and the shared one as it is.
  await reader.page.getByRole('textbox', { name: 'Comment on this position' }).fill('mine');
  await reader.page.getByRole('textbox', { name: 'Comment on this position' }).blur();
  await reader.page.reload();
  await expect(reader.page.getByRole('textbox', { name: 'Comment on this position' })).toHaveValue('mine');
  const mine = plain(await kept(reader.page)).map((node) =>
    node.comment === 'mine' ? { ...node, comment: '' } : node
  );
  expect(tree(mine)).toEqual(tree(plain(nodes)));
  await button(reader.page, 'Show as shared').click();
  await expect(button(reader.page, 'Show as shared')).toHaveCount(0);
  expect(await seen(reader.page)).toEqual(before);

  const source = await (await reader.asks('GET', address)).text();
  expect(source).toContain('The &lt;b&gt;old&lt;/b&gt; game');
  expect(source).not.toContain('<img');

  await reader.page.goto(`/embed${address}`);
  await expect(moves(reader.page).getByText(HOSTILE[0] ?? '', { exact: true })).toBeVisible();
  await expect(reader.page.locator('[aria-current="step"]'), 'the list is where the board is').toBeInViewport();
  await button(reader.page, 'To the start').click();
  await expect(reader.page.locator('[aria-current="step"]')).toHaveCount(0);
  await button(reader.page, 'One move forward').click();
  await expect(reader.page.locator('[aria-current="step"]')).toHaveAccessibleName(/^Move 1\b|h3/);
  await fitsItsScreen(reader.page, 'an analysis in a frame');
  expect(await reader.page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), 'all in it').toBe(
    true
  );
  await isPictured(reader.page, 'analysis-embedded', false);

  // Deleted by its author, it is gone for everybody.
  await page.getByText('Your shared analyses').click();
  await page.getByRole('button', { name: /^Delete: The/ }).click();
  await expect(page.getByText('You have not shared any yet.')).toBeVisible();
  await page.goto(address);
  await expect(page.getByText('There is no such analysis.')).toBeVisible();
});

test('analyses of Dou Shou Qi and Luzhanqi are shared too, attacks and all, and a moderator deletes one', async ({
  arrive,
  program
}) => {
  const author = await arrive('author');
  const reader = await arrive('reader');
  await author.becomesGuest();
  await isStaff(program, reader, 'moderator');
  const game = await playsOut(author, reader, LUZHANQI);
  for (const [asked, plies] of [
    [`?game=${game}`, LUZHANQI.moves.length],
    [`?ruleset=doushouqi/booklet&moves=${DOU_SHOU_QI.moves.join(',')}`, DOU_SHOU_QI.moves.length]
  ] as const) {
    await author.page.goto(`/analysis${asked}`);
    await author.seesPly(plies);
    const before = await seen(author.page);
    const address = await shares(author, '');
    await reader.page.goto(address);
    expect(await seen(reader.page)).toEqual(before);
    if (asked.startsWith('?game')) continue;
    await hasNoBarriers(author.page, 'an analysis that is shared');
    await isPictured(author.page, 'analysis-shared');
    await author.page.keyboard.press('Escape');
    await expect(button(author.page, 'Share')).toBeFocused();
    await author.page.keyboard.press('Enter');
    await author.page.setViewportSize({ width: 320, height: 640 });
    await fitsItsScreen(author.page, 'an analysis that is shared');
    await isPictured(author.page, 'analysis-sharing-narrow');
    await hasNoBarriers(reader.page, 'a shared analysis');
    await reader.page.goto(`/embed${address}`);
    await expect(moves(reader.page)).toBeVisible();
    await hasNoBarriers(reader.page, 'an analysis in a frame');

    await reader.page.goto(address);
    await reader.page.locator('summary', { hasText: 'Moderation' }).click();
    await reader.page.getByRole('textbox', { name: 'Reason' }).fill('rude');
    await button(reader.page, 'Delete this analysis').click();
    await reader.page.waitForURL('/analysis');
    await author.page.goto(address);
    await expect(author.page.getByText('There is no such analysis.')).toBeVisible();
  }
});

/** A game as another program writes it, with two variations and a comment. */
const FOREIGN = `[Game "Chinese Chess"]
[Red "Hu"]
[Black "Liu"]
[Result "1-0"]

1. H2-E2 {the cannon} H9-G7 (1. ... B9-C7 2. H0-G2 (2. B0-C2)) 2. H0-G2 1-0
`;

test('an imported game opens on the board with the variations and comments of its text', async ({
  program,
  arrive
}) => {
  const anna = await registers(await arrive('anna'), 'Anna');
  await program.runs(['import', '-', '--text', '--analyses-of', anna], FOREIGN);

  const { page } = await arrive('reader');
  await page.goto('/games');
  await page.getByRole('link', { name: /Hu.*Liu/ }).click();
  await page.getByRole('link', { name: 'Open on the analysis board' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveAttribute('data-moves', '6');
  await expect(moves(page).getByText('the cannon', { exact: true })).toBeVisible();
  await expect(page.getByText(`Shared by ${anna}`)).toBeVisible();
  await isPictured(page, 'analysis-imported');
  await page.getByRole('link', { name: 'Show as shared' }).click();
  await expect(page).toHaveURL(/\/analysis\/[\w-]+$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveAttribute('data-moves', '6');
});
