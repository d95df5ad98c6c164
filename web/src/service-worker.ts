/// <reference no-default-lib="true"/>
/// <reference lib="esnext" />
/// <reference lib="webworker" />
/**
 * The client without a network and without a page. It keeps one whole version of the client, and what the server has answered about
 * games that are over; and it shows what the server tells this device.
 *
 * A page always comes from the server if that answers, and names its files by their content's hash: an old page goes on with its own
 * files, which stay here until no page of that version is open, and a new one never gets them.
 */
import { build, files } from '$service-worker';
import { ANSWERS, forgetAnswers } from '$lib/offline';
import { noticeOf, readMessage } from '$lib/push/notice';
import { renewed } from '$lib/push/renewed';

declare const self: ServiceWorkerGlobalScope;

/** This file names, directly or not, every other one by its hash. */
const ENTRY = build.find((file) => file.includes('/entry/app.')) ?? '';
const VERSION = `client ${ENTRY}`;
const PAGE = '/';
/** So many answers are kept; the oldest go first. */
const MOST_ANSWERS = 200;

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (request.method !== 'GET') {
    if (changesWho(pathname)) event.respondWith(changed(request));
  } else if (pathname.startsWith('/_app/immutable/')) event.respondWith(file(request));
  else if (files.includes(pathname)) event.respondWith(fetch(request).catch(() => kept(request)));
  else if (isOfGames(pathname)) event.respondWith(answer(request));
});
self.addEventListener('push', (event) => event.waitUntil(told(event.data)));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { game } = event.notification.data as { game: string };
  event.waitUntil(opens(`/game/${game}`));
});
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renewed(self.registration.pushManager, event as PushSubscriptionChangeEvent));
});

/** Shows what the server tells this device of. */
async function told(data: PushMessageData | null): Promise<void> {
  const message = readMessage(data?.text() ?? '');
  if (!message || (await isLookedAt())) return;
  const { title, body, lang, game } = noticeOf(message);
  await self.registration.showNotification(title, {
    body,
    lang,
    tag: game,
    icon: '/icons/icon-192.png',
    badge: '/icons/badge-96.png',
    data: { game },
    timestamp: message.at,
    // It is another turn, though one was shown before.
    renotify: true
  } as NotificationOptions);
}

/** Whether a page of ours is looked at, which tells the same by itself. Safari wants every message to be shown. */
async function isLookedAt(): Promise<boolean> {
  if (navigator.userAgent.includes('Safari') && !navigator.userAgent.includes('Chrom')) return false;
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return pages.some((page) => page.focused && page.visibilityState === 'visible');
}

/** Goes to the page of this address if it is open, else opens it. */
async function opens(path: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = pages.find((page) => new URL(page.url).pathname === path);
  await (there ? there.focus() : self.clients.openWindow(path));
}

async function install(): Promise<void> {
  const cache = await caches.open(VERSION);
  const fetched = await fetch(PAGE, { cache: 'no-store', credentials: 'omit' });
  const text = await fetched.clone().text();
  // The server has been replaced just now: the next visit tries again.
  if (!text.includes(ENTRY)) throw new Error('the page is not of this version');
  await cache.addAll(build.filter((name) => /\.(js|css)$/.test(name)));
  await cache.addAll(files.filter((name) => /\.(svg|webmanifest)$/.test(name)));
  await cache.put(PAGE, fetched);
}

async function activate(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== VERSION && name !== ANSWERS).map((name) => caches.delete(name)));
}

async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch {
    return kept(new Request(PAGE));
  }
}

/** A file whose name holds its hash is the same wherever it comes from. */
async function file(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

async function kept(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? Response.error();
}

/** What pages read to show games: the games themselves, lists of them, their players, and what there is to play. */
function isOfGames(pathname: string): boolean {
  return /^\/api\/(catalog|games|games\/[^/]+(\/(events|positions))?|players\/[^/]+(\/ratings)?)$/.test(pathname);
}

/** How often answers have been thrown away: one that was asked for before belongs to the player of then. */
let forgotten = 0;

async function answer(request: Request): Promise<Response> {
  const then = forgotten;
  let response: Response;
  try {
    response = await fetch(request);
  } catch {
    return kept(request);
  }
  if (response.ok && then === forgotten) await keep(request, response.clone());
  return response;
}

async function keep(request: Request, response: Response): Promise<void> {
  const cache = await caches.open(ANSWERS);
  await cache.put(request, response);
  const requests = await cache.keys();
  await Promise.all(requests.slice(0, -MOST_ANSWERS).map((oldest) => cache.delete(oldest)));
}

/** Signing in, signing out, or ending the account. */
function changesWho(pathname: string): boolean {
  return /^\/api\/(login|logout|register|guest|account\/delete)$/.test(pathname);
}

/** The next player finds nothing to read. */
async function changed(request: Request): Promise<Response> {
  const response = await fetch(request);
  forgotten += 1;
  await forgetAnswers();
  return response;
}
