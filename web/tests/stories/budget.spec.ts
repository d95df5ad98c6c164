/** What a first visit costs, in bytes: it does not depend on the machine. */
import { expect, test, type Page } from '../harness/story';

/** Compressed script and style, in bytes. */
const BUDGET = 150 * 1024;

async function weigh(page: Page, path: string): Promise<{ code: number; all: number; requests: number }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const kinds = new Map<string, string>();
  const weight = { code: 0, all: 0, requests: 0 };
  devtools.on('Network.responseReceived', (event) => kinds.set(event.requestId, event.type));
  devtools.on('Network.loadingFinished', (event) => {
    weight.requests += 1;
    weight.all += event.encodedDataLength;
    if (['Script', 'Stylesheet'].includes(kinds.get(event.requestId) ?? '')) weight.code += event.encodedDataLength;
  });
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  return weight;
}

for (const game of ['doushouqi/booklet', 'luzhanqi/referee', 'xiangqi/standard']) {
  test(`the first load of a game of ${game} stays within its budget`, async ({ arrive }) => {
    const host = await arrive('host');
    await host.becomesGuest();
    const id = await host.opens({ ruleset: game });
    const stranger = await arrive('stranger');
    const weight = await weigh(stranger.page, `/game/${id}`);
    await expect(stranger.page.getByRole('grid')).toBeVisible();
    console.log(`first load of ${game}: ${JSON.stringify(weight)}`);
    expect(weight.code).toBeGreaterThan(10_000);
    expect(weight.code).toBeLessThanOrEqual(BUDGET);
  });
}

test('the first load of the lobby stays within its budget', async ({ arrive }) => {
  const stranger = await arrive('stranger');
  const weight = await weigh(stranger.page, '/');
  console.log(`first load of the lobby: ${JSON.stringify(weight)}`);
  expect(weight.code).toBeGreaterThan(10_000);
  expect(weight.code).toBeLessThanOrEqual(BUDGET);
});
