/** What a first visit costs: in requests and bytes, which do not depend on the machine. */
import { expect, test, type Page } from '../harness/story';

/** All that may be asked for until the first button can be used. */
const REQUESTS = 20;
/** Its bytes as they are sent, with the headers around them. */
const BYTES = 120 * 1024;

/** A slow phone: milliseconds until an answer begins, and bytes a second. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

/** What is fetched on a slow network until a button of the page with this name can be used. */
async function keepsTheBudget(page: Page, path: string, button: RegExp): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Network.emulateNetworkConditions', SLOW);
  await page.addInitScript((source) => {
    const name = new RegExp(source);
    const usable = () =>
      [...document.querySelectorAll('main button:enabled')].some(({ textContent }) => name.test(textContent));
    const watch = new MutationObserver(() => {
      if (!usable()) return;
      watch.disconnect();
      performance.mark('usable');
    });
    watch.observe(document, { childList: true, subtree: true });
  }, button.source);
  await page.goto(path, { waitUntil: 'commit' });
  await page.getByRole('main').getByRole('button', { name: button }).first().click({ trial: true });
  const files = await page.evaluate(() => {
    const usable = performance.getEntriesByName('usable')[0]?.startTime ?? 0;
    const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    return all
      .map((entry) => entry as PerformanceResourceTiming)
      .filter(({ responseEnd, transferSize }) => responseEnd > 0 && responseEnd <= usable && transferSize > 0)
      .map(({ name, transferSize, encodedBodySize, decodedBodySize }) => ({
        path: new URL(name).pathname,
        bytes: transferSize,
        compressed: encodedBodySize < decodedBodySize
      }));
  });
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const told = files.map((file) => `${file.bytes} ${file.path}`).join('\n');
  console.log(`${path} until a button can be used: ${files.length} requests, ${bytes} bytes`);
  expect(bytes, told).toBeGreaterThan(10_000);
  expect(bytes, told).toBeLessThanOrEqual(BYTES);
  expect(files.length, told).toBeLessThanOrEqual(REQUESTS);
  // What is a few bytes long does not get shorter.
  expect(files.filter((file) => file.bytes > 2_000 && !file.compressed)).toEqual([]);
}

for (const game of ['doushouqi/booklet', 'luzhanqi/referee', 'xiangqi/standard']) {
  test(`the first load of a game of ${game} stays within its budget`, async ({ arrive }) => {
    const host = await arrive('host');
    await host.becomesGuest();
    const id = await host.opens({ ruleset: game });
    const stranger = await arrive('stranger');
    await keepsTheBudget(stranger.page, `/game/${id}`, /^Join the game$/);
    await expect(stranger.page.getByRole('grid')).toBeVisible();
  });
}

test('the first load of the lobby stays within its budget', async ({ arrive }) => {
  const { page } = await arrive('stranger');
  await keepsTheBudget(page, '/', /./);
});

test('on a slow network the frame of the page is there long before the page', async ({ arrive }) => {
  const { page } = await arrive('stranger');
  const browser = await page.context().newCDPSession(page);
  await browser.send('Network.emulateNetworkConditions', SLOW);
  await page.goto('/', { waitUntil: 'commit' });
  // Neither script nor style has come: what is seen stands in the page itself.
  await expect(page.locator('#frame')).toBeVisible();
  await page.getByRole('main').getByRole('button').first().click({ trial: true });
  await expect(page.locator('#frame')).toHaveCount(0);
  const [painted, loaded] = await page.evaluate(() => [
    performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity,
    Math.max(
      ...performance
        .getEntriesByType('resource')
        .map((entry) => entry as PerformanceResourceTiming)
        .filter(({ name }) => /\.(js|css)$/.test(name))
        .map(({ responseEnd }) => responseEnd)
    )
  ]);
  console.log(
    `on a slow network the frame is painted after ${painted} ms, the last script is there after ${loaded} ms`
  );
  expect(painted).toBeLessThan(loaded);
});

test('what a page needs is asked for at once, in the language and colours of the visitor', async ({ arrive }) => {
  const { page } = await arrive('stranger', { locale: 'de-DE' });
  await page.goto('/rules/xiangqi/standard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const late = await page.evaluate(() => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const asked = new Set(
      [...document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]')].map(({ href }) => href)
    );
    const scripts = entries.filter(({ name }) => name.endsWith('.js'));
    return scripts.map(({ name }) => name).filter((name) => !asked.has(name));
  });
  // The outlines of pieces come when the first one is drawn.
  expect(late.length, late.join('\n')).toBeLessThanOrEqual(1);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
});
