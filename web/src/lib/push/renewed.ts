/** A browser that replaces a subscription by itself: the server is told where messages for this device go from now on. */
import type { PushStatus } from '$lib/protocol/openapi';

const PATH = '/api/account/push';

/** What changed. */
export interface Change {
  /** What there was; null if the browser does not say. */
  readonly oldSubscription: PushSubscription | null;
  /** What there is; null if the page is to subscribe again. */
  readonly newSubscription: PushSubscription | null;
}

/** Tells the server of the new subscription, with what the old one was told of. */
export async function renewed(pushManager: PushManager, change: Change): Promise<void> {
  const answer = await fetch(PATH);
  // A player who has signed out is told of nothing any more.
  if (!answer.ok) return;
  const { device } = (await answer.json()) as PushStatus;
  if (!device) return;
  const subscription =
    change.newSubscription ??
    (change.oldSubscription ? await pushManager.subscribe(change.oldSubscription.options) : null);
  const keys = subscription?.toJSON().keys;
  if (!subscription || !keys) return;
  const { language, kinds } = device;
  const { endpoint } = subscription;
  await fetch(PATH, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint, p256dh: keys['p256dh'], auth: keys['auth'], language, kinds })
  });
}
