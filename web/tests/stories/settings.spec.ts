/** Settings that follow an account from one browser to another. */
import { PASSWORD, registers } from '../harness/fixtures';
import { fitsItsScreen, hasNoBarriers, isPictured } from '../harness/looks';
import { expect, test, type Page } from '../harness/story';
import type { Visitor } from '../harness/visitor';

async function kept(visitor: Visitor): Promise<unknown> {
  const answer = (await (await visitor.asks('GET', '/api/account/settings')).json()) as { settings: unknown };
  return answer.settings;
}

function colours(page: Page) {
  return page.getByRole('group', { name: 'Colours' });
}

async function signsIn(visitor: Visitor, name: string): Promise<void> {
  const { page } = visitor;
  await page.goto('/sign-in?redirect=/settings');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/settings/);
}

test('what is chosen in one browser holds in another after signing in', async ({ arrive }) => {
  const [desk, phone] = [await arrive('desk'), await arrive('phone', { viewport: { width: 390, height: 844 } })];
  // A visitor chooses; the new account begins with it.
  await desk.page.goto('/settings');
  await expect(desk.page.getByText('These settings are saved in this browser.')).toBeVisible();
  await colours(desk.page).getByRole('radio', { name: 'Dark' }).check({ force: true });
  const name = await registers(desk, 'anna');
  await desk.page.reload();
  await expect.poll(() => kept(desk)).toMatchObject({ theme: 'dark' });

  // Another browser had chosen otherwise, and is loud.
  await phone.page.goto('/settings');
  await colours(phone.page).getByRole('radio', { name: 'Light' }).check({ force: true });
  await phone.page.getByRole('slider', { name: 'Volume' }).fill('20');
  await signsIn(phone, name);
  await expect(phone.page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(colours(phone.page).getByRole('radio', { name: 'Dark' })).toBeChecked();
  await expect(phone.page.getByRole('slider', { name: 'Volume' })).toHaveValue('20');
  await expect(phone.page.getByText('These settings follow your account')).toBeVisible();
  await fitsItsScreen(phone.page, 'settings of an account');
  await hasNoBarriers(phone.page, 'settings of an account');
  await isPictured(phone.page, 'settings-account-390');

  // Each changes something; neither undoes what the other has done.
  await phone.page.getByRole('switch', { name: 'Premoves' }).click();
  await expect.poll(() => kept(phone)).toMatchObject({ theme: 'dark', premoves: false });
  await desk.page.getByRole('banner').getByRole('combobox').selectOption('vi');
  await expect.poll(() => kept(desk)).toEqual({ theme: 'dark', premoves: false, locale: 'vi' });
  await phone.page.reload();
  await expect(phone.page.locator('html')).toHaveAttribute('lang', 'vi');
  // What was chosen is drawn first when the page comes again, before the server has said anything.
  await phone.page.route('**/api/account/settings', (route) => route.abort());
  await phone.page.reload();
  await expect(phone.page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(phone.page.locator('html')).toHaveAttribute('lang', 'vi');
});
