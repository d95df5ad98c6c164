/** The client without a network, and installed. */
import { playsOut, registers } from '../harness/fixtures';
import { fitsItsScreen, hasNoBarriers } from '../harness/looks';
import { expect, test, type Page } from '../harness/story';
import { Update } from '../harness/update';
import { Visitor } from '../harness/visitor';

/** Waits until the service worker has the whole client, and looks after the page. */
async function isKept(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
}

/** A game that Red gives up after a move each. */
const GAME = { ruleset: 'xiangqi/standard', moves: ['h3e3', 'h8e8'] };

test('the client opens without a network and says so; games that were seen can be read', async ({ arrive }) => {
  const anna = await arrive('anna', { serviceWorkers: 'allow' });
  const boris = await arrive('boris');
  const { page, context } = anna;
  await registers(anna, 'anna');
  await boris.becomesGuest();
  const game = await playsOut(anna, boris, GAME);
  await anna.asks('POST', `/api/games/${game}/commands`, {
    type: 'resign',
    data: { game, command: crypto.randomUUID() }
  });
  await page.goto('/');
  await isKept(page);
  await page.goto(`/replay/${game}`);
  await expect(page.getByRole('grid')).toBeVisible();

  await context.setOffline(true);
  await page.goto('/');
  await expect(page.getByRole('navigation')).toBeVisible();
  await expect(anna.linkNotice()).toBeVisible();
  await fitsItsScreen(page, 'the lobby without a network');
  await hasNoBarriers(page, 'the lobby without a network');
  await page.goto(`/replay/${game}`);
  await expect(page.getByRole('grid')).toBeVisible();
  await expect(anna.square('e3')).toHaveAccessibleName(/cannon/i);

  // Nobody who comes after a sign-out finds anything of it.
  await context.setOffline(false);
  await expect(anna.linkNotice()).toBeHidden();
  await page.locator('header summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('link', { name: 'Sign in' }).first()).toBeVisible();
  const has = (path: string) => page.evaluate(async (path) => (await caches.match(path)) !== undefined, path);
  await expect.poll(() => has(`/api/games/${game}`)).toBe(false);
  await context.setOffline(true);
  await page.goto(`/replay/${game}`);
  await expect(page.getByRole('grid')).toBeHidden();
});

test('the client can be installed', async ({ arrive, program }) => {
  const { page } = await arrive('stranger', { serviceWorkers: 'allow' });
  await page.goto('/');
  const browser = await page.context().newCDPSession(page);
  const { url, errors, data } = await browser.send('Page.getAppManifest');
  expect([url, errors]).toEqual([`${program.url}/manifest.webmanifest`, []]);
  const { icons } = JSON.parse(data ?? '') as { icons: { src: string; sizes: string; type: string }[] };
  for (const { src, sizes, type } of [
    ...icons,
    { src: '/icons/apple-touch-icon.png', sizes: '180x180', type: 'image/png' }
  ]) {
    const answer = await page.request.get(src);
    expect(answer.headers()['content-type']).toContain(type);
    const size = await page.evaluate(async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, src);
    if (sizes !== 'any') expect(size, src).toBe(sizes);
  }
  await isKept(page);
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors');
  expect(installabilityErrors).toEqual([]);
});

/** The service worker that waits until the pages of the one before are gone, as soon as it does, and when it is the one in force. */
async function waitingWorker(page: Page): Promise<{ activated: Promise<void> }> {
  const workers = await page.context().newCDPSession(page);
  let waiting: string | undefined;
  let known = () => {};
  let begins = () => {};
  const isKnown = new Promise<void>((resolve) => (known = resolve));
  const activated = new Promise<void>((resolve) => (begins = resolve));
  workers.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
    for (const { versionId, status } of versions) {
      if (status === 'installed') {
        waiting = versionId;
        known();
      } else if (status === 'activated' && versionId === waiting) begins();
    }
  });
  await workers.send('ServiceWorker.enable');
  await isKnown;
  return { activated };
}

test('after an update an open page goes on as it was, and the next one is wholly new', async ({ browser, program }) => {
  const update = await Update.before(program.url);
  const visitor = await Visitor.arrive(browser, update.url, 'visitor', { serviceWorkers: 'allow' });
  const { page, context } = visitor;
  const isNewer = (of: Page) => of.evaluate(() => document.documentElement.outerHTML.includes('entry/app.newer.js'));
  const versions = () => page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('client')));
  await page.goto('/');
  await isKept(page);
  expect(await isNewer(page)).toBe(false);
  const [older] = await versions();

  update.newer = true;
  await page.getByRole('link', { name: 'Rules', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const next = await context.newPage();
  await next.goto('/');
  await expect(next.getByRole('navigation')).toBeVisible();
  expect(await isNewer(next)).toBe(true);
  // The old version stays while a page of it is open.
  await expect.poll(versions).toHaveLength(2);
  const later = await context.newPage();
  const { activated } = await waitingWorker(later);
  await page.close();
  await next.close();
  // The browser lets the new worker begin some time after the last old page is gone, and later if it is asked for pages meanwhile.
  await activated;
  await later.goto('/');
  await expect.poll(() => later.evaluate(async (name) => caches.has(name ?? ''), older)).toBe(false);
  await context.setOffline(true);
  await later.goto('/rules');
  await expect(later.getByRole('navigation')).toBeVisible();
  expect(await isNewer(later)).toBe(true);
  expect(visitor.faults).toEqual([]);
  await visitor.leave();
  update.close();
});
