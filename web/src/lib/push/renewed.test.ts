import { afterEach, expect, it, vi } from 'vitest';
import { renewed } from './renewed';

const KINDS = { turns: true, challenges: false, pairings: true };
const DEVICE = { endpoint: 'https://push.example.net/old', language: 'vi', kinds: KINDS };

function subscription(endpoint: string): PushSubscription {
  return {
    endpoint,
    options: { userVisibleOnly: true },
    toJSON: () => ({ endpoint, keys: { p256dh: 'key', auth: 'secret' } })
  } as unknown as PushSubscription;
}

/** A server that knows this device; what it was asked. */
function server(device: unknown, status = 200) {
  const asked: { method: string; body: unknown }[] = [];
  vi.stubGlobal('fetch', (_: string, init?: RequestInit) => {
    asked.push({ method: init?.method ?? 'GET', body: JSON.parse((init?.body as string | undefined) ?? 'null') });
    return Promise.resolve(new Response(JSON.stringify({ device }), { status }));
  });
  return asked;
}

const manager = { subscribe: () => Promise.resolve(subscription('https://push.example.net/new')) };

afterEach(() => vi.unstubAllGlobals());

it('tells the server where messages go from now on, and leaves the rest as it was', async () => {
  const old = subscription('https://push.example.net/old');
  for (const newSubscription of [subscription('https://push.example.net/new'), null]) {
    const asked = server(DEVICE);
    await renewed(manager as unknown as PushManager, { oldSubscription: old, newSubscription });
    expect(asked.map(({ method }) => method)).toEqual(['GET', 'PUT']);
    expect(asked[1]?.body).toEqual({
      endpoint: 'https://push.example.net/new',
      p256dh: 'key',
      auth: 'secret',
      language: 'vi',
      kinds: KINDS
    });
  }
});

it('tells nothing where the device is told of nothing', async () => {
  const change = { oldSubscription: null, newSubscription: subscription('https://push.example.net/new') };
  for (const [device, status] of [
    [null, 200],
    [DEVICE, 401]
  ] as const) {
    const asked = server(device, status);
    await renewed(manager as unknown as PushManager, change);
    expect(asked.map(({ method }) => method)).toEqual(['GET']);
  }
});
