/** What a first visit costs, in bytes: it does not depend on the machine. */
import { expect, test, type Page } from '../harness/story';

/** Compressed script and style, in bytes. */
const BUDGET = 150 * 1024;

/** What the scripts and styles of a first visit weigh as they are sent, without the headers around them. */
async function weigh(page: Page, path: string): Promise<{ bytes: number; files: number }> {
  const weights: number[] = [];
  const encodings = new Set<string>();
  page.on('response', (response) => {
    if (!['script', 'stylesheet'].includes(response.request().resourceType())) return;
    const { 'content-encoding': encoding, 'content-length': length } = response.headers();
    // What is a few bytes long does not get shorter.
    if (Number(length) > 1_000) encodings.add(encoding ?? 'none');
    weights.push(Number(length));
  });
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await page.waitForLoadState('networkidle');
  expect([...encodings]).toEqual(['br']);
  return { bytes: weights.reduce((sum, one) => sum + one, 0), files: weights.length };
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
    expect(weight.bytes).toBeGreaterThan(10_000);
    expect(weight.bytes).toBeLessThanOrEqual(BUDGET);
  });
}

test('the first load of the lobby stays within its budget', async ({ arrive }) => {
  const stranger = await arrive('stranger');
  const weight = await weigh(stranger.page, '/');
  console.log(`first load of the lobby: ${JSON.stringify(weight)}`);
  expect(weight.bytes).toBeGreaterThan(10_000);
  expect(weight.bytes).toBeLessThanOrEqual(BUDGET);
});
