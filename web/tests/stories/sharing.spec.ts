/** How a game gets to somebody else. */
import { encode } from 'uqr';
import { fitsItsScreen, hasNoBarriers } from '../harness/looks';
import { expect, test } from '../harness/story';

test('the address of a game that waits is shown as a QR code on request', async ({ arrive }) => {
  const host = await arrive('host', { viewport: { width: 320, height: 640 } });
  const { page } = host;
  await host.becomesGuest();
  const game = await host.opens({ ruleset: 'xiangqi/standard', visibility: 'link' });
  await page.goto(`/game/${game}`);
  const button = page.getByRole('button', { name: 'QR code' });
  await button.click();
  await expect(button).toHaveAttribute('aria-expanded', 'true');
  const picture = page.getByRole('img', { name: 'QR code of this address' });
  const { data, size } = encode(`${host.url}/game/${game}`, { border: 4 });
  await expect(picture).toHaveAttribute('viewBox', `0 0 ${size} ${size}`);
  const drawn = (await picture.locator('path').getAttribute('d')) ?? '';
  expect(drawn.split('z').length - 1).toBe(data.flat().filter(Boolean).length);
  await fitsItsScreen(page, 'a game that waits, with its QR code');
  await hasNoBarriers(page, 'a game that waits, with its QR code');
  await button.click();
  await expect(picture).toBeHidden();
});
