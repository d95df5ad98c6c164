// @vitest-environment node
import { afterEach, describe, expect, it, vi } from 'vitest';
import { address, api } from './http';
import { LinkLost, Refusal } from './refusal';

function answers(body: unknown, status = 200): ReturnType<typeof vi.fn<typeof fetch>> {
  const fetched = vi.fn<typeof fetch>(() =>
    Promise.resolve(new Response(body === undefined ? null : JSON.stringify(body), { status }))
  );
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

afterEach(() => void vi.unstubAllGlobals());

describe('an address', () => {
  it('is filled in, and whatever is somebody’s text is quoted', () => {
    expect(address('/api/setups/{name}', ['a/../b?ü'])).toBe('/api/setups/a%2F..%2Fb%3F%C3%BC');
    expect(address('/api/players/{id}/against/{other}', ['1', '2'])).toBe('/api/players/1/against/2');
  });

  it('has only the conditions that are given', () => {
    expect(address('/api/games', [], { status: 'playing', ruleset: undefined, limit: 5 })).toBe(
      '/api/games?status=playing&limit=5'
    );
    expect(address('/api/players', [], { name: 'a&b=ö' })).toBe('/api/players?name=a%26b%3D%C3%B6');
  });
});

describe('a resource', () => {
  it('is asked for with its method and body, and with the cookie', async () => {
    const fetched = answers({ player: { id: 'a', name: 'Anna' }, token: 't' });
    await api.login({ name: 'Anna', password: 'secret secret' });
    const [url, init] = fetched.mock.calls[0] ?? [];
    expect(url).toBe('/api/login');
    expect(init).toMatchObject({ method: 'POST', credentials: 'same-origin' });
    expect(JSON.parse(String(init?.body))).toEqual({ name: 'Anna', password: 'secret secret' });
  });

  it('may have no answer', async () => {
    const fetched = answers(undefined, 204);
    await expect(api.block('a')).resolves.toBeNull();
    expect(fetched.mock.calls[0]?.[0]).toBe('/api/account/blocks/a');
  });

  it('is refused with code, field and status', async () => {
    answers({ error: { code: 'name_taken', message: 'taken', field: 'name' } }, 409);
    const refused = api.register({ name: 'Anna', password: 'secret secret' });
    await expect(refused).rejects.toBeInstanceOf(Refusal);
    await expect(refused).rejects.toMatchObject({ code: 'name_taken', field: 'name', status: 409, message: 'taken' });
  });

  it('is asked for again when the server says that it would pass', async () => {
    vi.useFakeTimers();
    const bodies = [
      { status: 429, body: { error: { code: 'rate_limited', message: 'too fast', retry_in_ms: 1_500 } } },
      { status: 200, body: { player: { id: 'a', name: 'Anna' } } }
    ];
    const fetched = vi.fn<typeof fetch>(() => {
      const next = bodies.shift();
      return Promise.resolve(new Response(JSON.stringify(next?.body), { status: next?.status ?? 500 }));
    });
    vi.stubGlobal('fetch', fetched);
    const answer = api.me();
    await vi.advanceTimersByTimeAsync(1_499);
    expect(fetched).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    await expect(answer).resolves.toMatchObject({ player: { name: 'Anna' } });
    expect(fetched).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });

  it('is refused at once when the wait would be long, and after a few tries', async () => {
    const long = answers({ error: { code: 'rate_limited', message: 'later', retry_in_ms: 180_000 } }, 429);
    await expect(api.login({ name: 'Anna', password: 'secret secret' })).rejects.toMatchObject({
      code: 'rate_limited'
    });
    expect(long).toHaveBeenCalledTimes(1);
    const short = answers({ error: { code: 'rate_limited', message: 'later', retry_in_ms: 1 } }, 429);
    await expect(api.me()).rejects.toMatchObject({ code: 'rate_limited', retryInMs: 1 });
    expect(short).toHaveBeenCalledTimes(3);
  });

  it('is lost without a network, and when somebody else answers', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
    await expect(api.me()).rejects.toBeInstanceOf(LinkLost);
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('<html>Bad gateway', { status: 502 })));
    await expect(api.me()).rejects.toBeInstanceOf(LinkLost);
    answers({ hello: 'I am a proxy' }, 500);
    await expect(api.me()).rejects.toBeInstanceOf(LinkLost);
  });
});

it('asks for the catalog once, and again only after a failure', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  await expect(api.catalog()).rejects.toBeInstanceOf(LinkLost);
  const fetched = answers({ games: [] });
  await Promise.all([api.catalog(), api.catalog()]);
  await api.catalog();
  expect(fetched).toHaveBeenCalledOnce();
});

it('names a leaderboard by its rule set', async () => {
  const fetched = answers({ ruleset: 'xiangqi/standard', leaders: [], after: null });
  await api.leaderboard('xiangqi/standard', { limit: 10 });
  expect(fetched.mock.calls[0]?.[0]).toBe('/api/leaderboards/xiangqi/standard?limit=10');
});
