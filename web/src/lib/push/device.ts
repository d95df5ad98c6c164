/**
 * Web Push on this device: whether it can be had, and how it is switched on and off. The browser holds the subscription, the server knows
 * it as that of the session, and local storage remembers who has switched it on: a new session is told of it again.
 */
import { locale } from '$lib/i18n/index.svelte';
import type { MessageKey } from '$lib/i18n/spaces';
import { ask } from '$lib/protocol/http';
import type { PushDevice, PushKinds } from '$lib/protocol/openapi';
import { Refusal } from '$lib/protocol/refusal';

const KEY = 'qiguan.push';
const DEVICE = 'GET /api/account/push';
/** What a device is told of when it is switched on. */
export const ALL_KINDS: PushKinds = { turns: true, challenges: true, pairings: true };

/** Why there are no notifications on this device: it has none, the client has to be installed first, or its user has said no. */
export type Hindrance = 'unsupported' | 'install' | 'denied';

/** What is said of each. */
export const HINDRANCES = {
  unsupported: 'push.unsupported',
  install: 'push.install',
  denied: 'push.denied'
} as const satisfies Record<Hindrance, MessageKey>;

/** The browser did not subscribe; why, as it is said. */
export class NotSubscribed extends Error {
  constructor(readonly why: 'push.asked' | 'push.denied' | 'push.off_here' | 'push.unreachable') {
    super(`no subscription: ${why}`);
  }
}

/** What was asked for on this device. */
interface SwitchedOn {
  player: string;
  kinds: PushKinds;
}

/** What stands in the way; null if nothing does. */
export function hindrance(): Hindrance | null {
  // Safari on phones and tablets knows this word, and has notifications only where the client is installed.
  if (!('PushManager' in window) && 'standalone' in navigator && navigator.standalone === false) return 'install';
  if (!('PushManager' in window) || !('Notification' in window) || !('serviceWorker' in navigator))
    return 'unsupported';
  return Notification.permission === 'denied' ? 'denied' : null;
}

/** What this device is told of; null if it is told of nothing. */
export async function deviceKinds(): Promise<PushKinds | null> {
  const [{ device }, subscription] = await Promise.all([ask(DEVICE), subscribed()]);
  return device && subscription?.endpoint === device.endpoint ? device.kinds : null;
}

/** Has this device told of something, for the player who is here. Asks the user first, while the click is fresh that browsers want for it. */
export async function turnOn(who: () => Promise<{ id: string }>, kinds: PushKinds): Promise<void> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') throw new NotSubscribed(permission === 'denied' ? 'push.denied' : 'push.asked');
  const subscription = await subscribe();
  const { id } = await who();
  await ask('PUT /api/account/push', { body: asked(subscription, kinds) });
  remember({ player: id, kinds });
}

/** Has this device told of nothing. */
export async function turnOff(): Promise<void> {
  remember(null);
  await ask('DELETE /api/account/push');
  await (await subscribed())?.unsubscribe();
}

/** Tells the server of this device again, if it was switched on by the player who is here and the server does not know it so. */
export async function renew(player: string): Promise<void> {
  const on = switchedOn();
  if (on?.player !== player || hindrance() !== null || Notification.permission !== 'granted') return;
  try {
    const subscription = (await subscribed()) ?? (await subscribe());
    const { device } = await ask(DEVICE);
    if (!isSame(device, asked(subscription, on.kinds)))
      await ask('PUT /api/account/push', { body: asked(subscription, on.kinds) });
  } catch {
    // The next visit tries again.
  }
}

/** Whether this device was switched on, by whomever. */
export function isOn(): boolean {
  return switchedOn() !== null;
}

function isSame(known: PushDevice | null, wanted: PushDevice): boolean {
  if (known?.endpoint !== wanted.endpoint || known.language !== wanted.language) return false;
  return (['turns', 'challenges', 'pairings'] as const).every((kind) => known.kinds[kind] === wanted.kinds[kind]);
}

/** A subscription as the server takes it. */
function asked(subscription: PushSubscription, kinds: PushKinds) {
  const { keys } = subscription.toJSON();
  return {
    endpoint: subscription.endpoint,
    p256dh: keys?.['p256dh'] ?? '',
    auth: keys?.['auth'] ?? '',
    language: locale(),
    kinds
  };
}

async function subscribed(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

async function subscribe(): Promise<PushSubscription> {
  const { key } = await ask('GET /api/push/key');
  if (key === null) throw new NotSubscribed('push.off_here');
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch (fault) {
    // One that was made with another key, such as that of the record before, is in the way.
    if (fault instanceof DOMException && fault.name === 'InvalidStateError') {
      await (await pushManager.getSubscription())?.unsubscribe();
      return pushManager.subscribe(options);
    }
    if (fault instanceof Refusal) throw fault;
    throw new NotSubscribed('push.unreachable');
  }
}

function switchedOn(): SwitchedOn | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    if (typeof kept !== 'object' || kept === null) return null;
    const { player, kinds } = kept as Partial<SwitchedOn>;
    if (typeof player !== 'string' || typeof kinds !== 'object') return null;
    const { turns, challenges, pairings } = kinds;
    return { player, kinds: { turns: turns === true, challenges: challenges === true, pairings: pairings === true } };
  } catch {
    return null;
  }
}

function remember(on: SwitchedOn | null): void {
  try {
    if (on) localStorage.setItem(KEY, JSON.stringify(on));
    else localStorage.removeItem(KEY);
  } catch {
    // A browser that forbids storage: the device is told of things until the session ends.
  }
}
