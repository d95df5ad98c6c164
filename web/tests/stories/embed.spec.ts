/** Games in frames of other sites. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { commands, playsOut } from '../harness/fixtures';
import { fitsItsScreen, hasNoBarriers, isPictured, speaks } from '../harness/looks';
import { expect, test } from '../harness/story';

/** Another site with one page. */
async function another(html: string): Promise<{ url: string; server: Server }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      `<!doctype html><html lang="en"><title>A blog</title><body><main><h1>A blog</h1>${html}</main></body></html>`
    );
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://localhost:${port}`, server };
}

const OPENING = { ruleset: 'xiangqi/standard', moves: ['h3e3'] };

test('a page of another site shows a running game, which goes on there, and nobody is counted', async ({
  arrive,
  browser
}) => {
  const [first, second] = [await arrive('first'), await arrive('second')];
  await first.becomesGuest();
  await second.becomesGuest();
  const game = await playsOut(first, second, OPENING, {
    time_control: { clock: { type: 'fischer', initial_ms: 600_000, increment_ms: 0 } }
  });
  const { url, server } = await another(
    `<iframe title="A game" width="400" height="560" style="border:0" src="${first.url}/embed/${game}"></iframe>`
  );
  // Readers of blogs have nothing of ours, and get nothing.
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(url);
  const frame = page.frameLocator('iframe');
  await expect(frame.getByRole('img', { name: /Xiangqi/ })).toBeVisible();
  await expect(frame.locator('.clock')).toHaveCount(2);
  await expect(frame.locator('header, nav, button, input')).toHaveCount(0);
  const pieces = () =>
    frame.locator('.piece').evaluateAll((all) => all.map((one) => (one as SVGElement).style.transform).sort());
  const before = await pieces();
  await commands(second, game, 'move', { ply: 2, move: 'h10g8' });
  await expect.poll(pieces).not.toEqual(before);
  const view = (await (await first.asks('GET', `/api/games/${game}`)).json()) as { presence: { spectators: number } };
  expect(view.presence.spectators).toBe(0);
  await hasNoBarriers(page, 'a page with a frame');
  await commands(second, game, 'resign');
  await expect(frame.getByText('Red won: Black resigned')).toBeVisible();
  await expect(frame.getByRole('link', { name: 'Open on Qiguan' })).toHaveAttribute('href', `/game/${game}`);
  expect(await context.cookies()).toEqual([]);
  const inner = page.frames().find((one) => one.url().includes('/embed/'));
  expect(await inner?.evaluate(() => localStorage.length)).toBe(0);
  await context.close();
  server.close();
});

test('no other page can be framed', async ({ arrive, browser, program }) => {
  const player = await arrive('player');
  await player.becomesGuest();
  const game = await player.opens({ ruleset: 'xiangqi/standard' });
  const context = await browser.newContext();
  const page = await context.newPage();
  for (const path of ['/', `/game/${game}`, `/replay/${game}`, '/settings', '/embed']) {
    const refused = page.waitForEvent('console', (message) => /frame/i.test(message.text()));
    const { url, server } = await another(`<iframe title="A page" src="${program.url}${path}"></iframe>`);
    await page.goto(url);
    await refused;
    await expect(page.frameLocator('iframe').locator('#content, #frame')).toHaveCount(0);
    server.close();
  }
  await context.close();
});

test('a frame shows players their own game as spectators see it', async ({ arrive }) => {
  const [first, second] = [await arrive('first'), await arrive('second')];
  await first.becomesGuest();
  await second.becomesGuest();
  const game = await playsOut(first, second, {
    ruleset: 'luzhanqi/referee',
    moves: [],
    setups: { first: 'MKBJC/G1D1E/KL1BD/N1E1J/LCXLN/EXCFX', second: 'xfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkd' }
  });
  const { page } = first;
  await page.goto(`/embed/${game}`);
  await expect(page.locator('.piece')).toHaveCount(50);
  const shown = await page
    .locator('.piece use')
    .evaluateAll((all) => [...new Set(all.map((one) => one.getAttribute('href')?.slice(-2)))].sort());
  expect(shown).toEqual(['-U', '-u']);
});

test('a frame looks as its address says, also where it is narrow', async ({ arrive }) => {
  const [first, second] = [await arrive('first'), await arrive('second')];
  await first.becomesGuest();
  await second.becomesGuest();
  const game = await playsOut(first, second, OPENING);
  const { page } = await arrive('reader', { viewport: { width: 320, height: 480 } });
  for (const [query, name] of [
    ['', 'light'],
    ['?lang=de&theme=dark&board=slate&pieces=carved&view=second', 'dark']
  ] as const) {
    await page.goto(`/embed/${game}${query}`);
    await expect(page.locator('.piece').first()).toBeVisible();
    await fitsItsScreen(page, 'a frame');
    await hasNoBarriers(page, 'a frame');
    await speaks(page, 'a frame');
    await isPictured(page, `embed-${name}`);
  }
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('link', { name: 'Auf Qiguan öffnen' })).toBeVisible();
  // Whole, without being scrolled.
  expect(await page.evaluate(() => document.documentElement.scrollHeight <= window.innerHeight)).toBe(true);
  await page.goto('/embed/01890000-0000-7000-8000-000000000001');
  await expect(page.getByText('There is no such game.')).toBeVisible();
});

test('the featured game has a frame of its own', async ({ arrive }) => {
  const [first, second] = [await arrive('first'), await arrive('second')];
  await first.becomesGuest();
  await second.becomesGuest();
  await first.page.goto('/');
  await second.page.goto('/');
  await playsOut(
    first,
    second,
    { ruleset: 'doushouqi/booklet', moves: ['a3a4'] },
    { time_control: { clock: { type: 'fischer', initial_ms: 600_000, increment_ms: 0 } } }
  );
  const { page } = await arrive('reader');
  await page.goto('/embed/tv?game=doushouqi');
  await expect(page.getByRole('img', { name: /Dou Shou Qi/ })).toBeVisible();
  await hasNoBarriers(page, 'the frame of the featured game');
});

test('a replay has the text of its frame to copy', async ({ arrive }) => {
  const [first, second] = [await arrive('first'), await arrive('second')];
  await first.becomesGuest();
  await second.becomesGuest();
  const game = await playsOut(first, second, OPENING);
  await first.page.goto(`/replay/${game}`);
  await first.page.getByRole('tab', { name: 'Share' }).click();
  const text = first.page.getByRole('textbox', { name: 'Put this game into your own page' });
  await expect(text).toHaveValue(new RegExp(`^<iframe src="${first.url}/embed/${game}" title="[^"<>]+" width="400"`));
  await hasNoBarriers(first.page, 'the text of a frame');
});
