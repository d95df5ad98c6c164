/** Notifications on a device, switched on by its player, shown by the service worker while no page is looked at. */
import type { Worker } from '@playwright/test';
import { commands, PASSWORD, playsOut } from '../harness/fixtures';
import { DOU_SHOU_QI } from '../harness/games';
import { fitsItsScreen, hasNoBarriers, isPictured } from '../harness/looks';
import { expect, test, type Page } from '../harness/story';
import type { Visitor } from '../harness/visitor';

const DAYS = { time_control: { clock: { type: 'per_move', move_ms: 86_400_000 } } };
/** Where the push service of these stories would take messages; nobody listens there. */
const ENDPOINT = 'http://127.0.0.1:9/device';

/** What a service worker has that a page does not, and what is kept there. */
interface WorkerScope {
  registration: ServiceWorkerRegistration;
  clients: { openWindow: (path: string) => Promise<unknown>; matchAll: () => Promise<unknown> };
  dispatchEvent: (event: Event) => boolean;
  shown: { title: string; body?: string; tag?: string; lang?: string; close: () => void }[];
  /** The pages that are open. */
  pages: { url: string; focused: boolean; visibilityState: string; focus: () => Promise<void> }[];
  /** How often it was asked for them. */
  asked: number;
  /** Where a click has led. */
  went: string[];
}

/** What the server knows of the visitor's device. */
async function device(visitor: Visitor): Promise<unknown> {
  const answer = await visitor.context.request.get('/api/account/push');
  // Who switches notifications on before anything else becomes a guest by it.
  if (answer.status() === 401) return null;
  expect(answer.ok(), await answer.text()).toBe(true);
  return ((await answer.json()) as { device: unknown }).device;
}

/**
 * Has the browser allow notifications, and subscribe with keys of its own: the browser of the stories has no window to show any in, and
 * no push service.
 */
async function subscribes(visitor: Visitor): Promise<void> {
  await visitor.page.addInitScript((endpoint) => {
    const allowed = () => localStorage.getItem('allowed') ?? 'default';
    Object.defineProperty(Notification, 'permission', { get: allowed });
    Notification.requestPermission = () => {
      localStorage.setItem('allowed', 'granted');
      return Promise.resolve('granted');
    };
    const encoded = (bytes: ArrayBuffer) =>
      btoa(String.fromCharCode(...new Uint8Array(bytes)))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '');
    const kept = () => {
      const keys = localStorage.getItem('keys');
      if (keys === null) return null;
      return {
        endpoint,
        toJSON: () => ({ endpoint, keys: JSON.parse(keys) as Record<string, string> }),
        unsubscribe: () => {
          localStorage.removeItem('keys');
          return Promise.resolve(true);
        }
      };
    };
    Object.assign(PushManager.prototype, {
      getSubscription: () => Promise.resolve(kept()),
      subscribe: async () => {
        const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
        const p256dh = encoded(await crypto.subtle.exportKey('raw', pair.publicKey));
        const auth = encoded(crypto.getRandomValues(new Uint8Array(16)).buffer);
        localStorage.setItem('keys', JSON.stringify({ p256dh, auth }));
        return kept();
      }
    });
  }, ENDPOINT);
}

/** Waits until the service worker looks after the page. */
async function isLookedAfter(page: Page): Promise<void> {
  await page.goto('/about');
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
}

/** The service worker, which keeps what it shows and where it goes: the browser of the stories has no windows. */
async function workerOf(visitor: Visitor): Promise<Worker> {
  const isOurs = (one: Worker) => one.url() === `${visitor.url}/service-worker.js`;
  const worker = visitor.context.serviceWorkers().find(isOurs) ?? (await visitor.context.waitForEvent('serviceworker'));
  await worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope;
    Object.assign(scope, { shown: [], pages: [], asked: 0, went: [] });
    scope.clients.matchAll = () => {
      scope.asked += 1;
      return Promise.resolve([...scope.pages]);
    };
    scope.clients.openWindow = (path) => Promise.resolve(scope.went.push(`opens ${path}`));
    scope.registration.showNotification = (title, options) => {
      scope.shown = scope.shown.filter(({ tag }) => tag !== options?.tag);
      const notification = { title, ...options, close: () => (scope.shown = []) };
      scope.shown.push(notification);
      return Promise.resolve();
    };
  });
  return worker;
}

/** What is notified now. */
async function notified(worker: Worker) {
  return worker.evaluate(() => {
    const { shown } = globalThis as unknown as WorkerScope;
    return shown.map(({ title, body, tag, lang }) => ({ title, body, tag, lang }));
  });
}

test('a message to the device is shown in its language, unless a page is looked at, and a click leads to its game', async ({
  arrive,
  program
}) => {
  const anna = await arrive('anna', { serviceWorkers: 'allow' });
  const { page, context } = anna;
  const [game, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const browser = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(({ scopeURL, isDeleted }) => scopeURL === `${program.url}/` && !isDeleted);
      if (ours) resolve(ours.registrationId);
    });
  });
  await browser.send('ServiceWorker.enable');
  await isLookedAfter(page);
  const registrationId = await registered;
  const worker = await workerOf(anna);
  const delivers = (message: object) =>
    browser.send('ServiceWorker.deliverPushMessage', {
      origin: program.url,
      registrationId,
      data: JSON.stringify({ kind: 'turn', opponent: 'Ben', ruleset: 'doushouqi/booklet', at: 1, ...message })
    });

  const opensPage = (path: string, focused: boolean) =>
    worker.evaluate(
      ({ url, focused }) => {
        const { pages, went } = globalThis as unknown as WorkerScope;
        const focus = () => Promise.resolve(void went.push(`focuses ${new URL(url).pathname}`));
        pages.splice(0, 1, { url, focused, visibilityState: focused ? 'visible' : 'hidden', focus });
      },
      { url: program.url + path, focused }
    );
  const clicks = () =>
    worker.evaluate(async () => {
      const scope = globalThis as unknown as WorkerScope;
      let done: Promise<unknown> = Promise.resolve();
      const click = Object.assign(new Event('notificationclick'), {
        notification: scope.shown[0],
        waitUntil: (until: Promise<unknown>) => (done = until)
      });
      scope.dispatchEvent(click);
      await done;
      return scope.went.splice(0);
    });

  // A page that is looked at tells the same by itself.
  await opensPage('/about', true);
  await delivers({ game: other, language: 'en' });
  await expect.poll(() => worker.evaluate(() => (globalThis as unknown as WorkerScope).asked)).toBe(1);
  await opensPage('/about', false);
  await delivers({ game, language: 'zh-Hant' });
  const turn = { title: '輪到你了：鬥獸棋', body: '\u2068Ben\u2069正在等你。', tag: game, lang: 'zh-Hant' };
  await expect.poll(() => notified(worker)).toEqual([turn]);
  // A newer message of the same game takes its place.
  await delivers({ kind: 'challenge', game, language: 'de', opponent: 'Jörg' });
  const body = '\u2068Jörg\u2069 möchte gegen dich spielen.';
  const challenge = { title: 'Herausforderung: Dou Shou Qi', body, tag: game, lang: 'de' };
  await expect.poll(() => notified(worker)).toEqual([challenge]);

  // There is nothing to click here: the worker is told that somebody has.
  expect(await clicks()).toEqual([`opens /game/${game}`]);
  expect(await notified(worker)).toEqual([]);
  await delivers({ game, language: 'en' });
  await expect.poll(() => notified(worker)).toMatchObject([{ title: 'Your turn: Dou Shou Qi' }]);
  await opensPage(`/game/${game}`, false);
  expect(await clicks()).toEqual([`focuses /game/${game}`]);
  // Nothing that is no message of ours is shown.
  await browser.send('ServiceWorker.deliverPushMessage', { origin: program.url, registrationId, data: 'x' });
  await delivers({ game: other, language: 'vi' });
  await expect.poll(() => notified(worker)).toMatchObject([{ title: 'Đến lượt bạn: Cờ thú', tag: other }]);
});

test('a player switches notifications on in the settings, chooses what for, and takes them along to another session', async ({
  arrive
}) => {
  const anna = await arrive('anna', { serviceWorkers: 'allow' });
  await subscribes(anna);
  const { page } = anna;
  await isLookedAfter(page);
  await page.goto('/settings');
  const all = page.getByRole('switch', { name: 'Notify me on this device' });
  await expect(all).not.toBeChecked();
  await all.click();
  await expect(page.getByRole('switch', { name: 'Somebody challenges me' })).toBeChecked();
  const kinds = { turns: true, challenges: true, pairings: true };
  await expect.poll(() => device(anna)).toEqual({ endpoint: ENDPOINT, language: 'en', kinds });
  await page.getByRole('switch', { name: 'Somebody challenges me' }).click();
  const fewer = { ...kinds, challenges: false };
  await expect.poll(() => device(anna)).toMatchObject({ kinds: fewer });
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await page.getByRole('heading', { name: 'Notifications' }).scrollIntoViewIfNeeded();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await isPictured(page, `notifications-${width}-${colorScheme}`, false);
    }
    await fitsItsScreen(page, `the settings with notifications at ${width}`);
  }
  await hasNoBarriers(page, 'the settings with notifications');

  // Who is somebody else to the server is told nothing, until the same player is here again.
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Somebody challenges me' })).not.toBeChecked();
  const { id } = (await (await anna.asks('GET', '/api/me')).json()) as { id: string };
  await anna.asks('POST', '/api/register', { name: `n${id.slice(-12)}`, password: PASSWORD });
  expect(await device(anna)).toBeNull();
  await page.goto('/about');
  await expect.poll(() => device(anna)).toMatchObject({ endpoint: ENDPOINT, kinds: fewer });

  await page.goto('/settings');
  await expect(all).toBeChecked();
  await all.click();
  await expect.poll(() => device(anna)).toBeNull();
  await expect(all).not.toBeChecked();
});

test('a correspondence game offers to tell its player, and takes no for an answer', async ({ arrive }) => {
  const [anna, ben] = [await arrive('anna', { serviceWorkers: 'allow' }), await arrive('ben')];
  await subscribes(anna);
  const { page } = anna;
  await isLookedAfter(page);
  await anna.becomesGuest();
  await ben.becomesGuest();
  const quick = await playsOut(
    anna,
    ben,
    { ...DOU_SHOU_QI, moves: DOU_SHOU_QI.moves.slice(0, 2) },
    { time_control: { clock: { type: 'fischer', initial_ms: 600_000, increment_ms: 0 } } }
  );
  const slow = await playsOut(anna, ben, { ...DOU_SHOU_QI, moves: DOU_SHOU_QI.moves.slice(0, 1) }, DAYS);
  const offer = page.getByRole('region', { name: 'Tell me when it’s my turn' });
  await page.goto(`/game/${slow}`);
  await anna.seesPly(1);
  await expect(offer).toBeHidden();
  await commands(ben, slow, 'move', { ply: 2, move: DOU_SHOU_QI.moves[1] });
  await expect(offer).toBeVisible();
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await isPictured(page, `turn-offer-${width}-${colorScheme}`, true);
    }
    await fitsItsScreen(page, `a game that offers notifications at ${width}`);
  }
  await hasNoBarriers(page, 'a game that offers notifications');
  await offer.getByRole('button', { name: 'Tell me when it’s my turn' }).click();
  await expect(offer.getByRole('status')).toContainText('You’ll get a notification');
  await expect.poll(() => device(anna)).toMatchObject({ endpoint: ENDPOINT });

  await page.goto(`/game/${quick}`);
  await anna.seesPly(2);
  await expect(offer).toBeHidden();
  // Switched off again, it is offered once more, and then no more.
  await anna.asks('DELETE', '/api/account/push');
  await page.evaluate(() => localStorage.removeItem('qiguan.push'));
  await page.goto(`/game/${slow}`);
  await offer.getByRole('button', { name: 'Not now' }).click();
  await expect(offer).toBeHidden();
  await page.reload();
  await anna.seesPly(2);
  await expect(offer).toBeHidden();
});
