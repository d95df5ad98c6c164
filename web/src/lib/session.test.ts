import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Connection } from '$lib/protocol/connection';
import type { Me, Player } from '$lib/protocol/protocol';
import { FakeWorld } from '$lib/protocol/testing';
import { Session } from './session.svelte';

const anna: Player = { id: 'a', name: 'Anna' };
const guest: Player = { id: 'g', name: 'Bold Wolf' };

let world: FakeWorld;
let session: Session;
/** Whom the cookie names; the server's side of HTTP. */
let cookie: Player | null;
let asked: string[];

function me({ id, name }: Player): Me {
  return { id, name, role: id === 'g' ? 'guest' : 'player', guest: id === 'g', scopes: ['read', 'play'] };
}

function serve(path: string): Response {
  if (path === '/api/guest') cookie = guest;
  if (path === '/api/logout') cookie = null;
  if (path === '/api/logout') return new Response(null, { status: 204 });
  if (!cookie) return Response.json({ error: { code: 'unauthenticated', message: '' } }, { status: 401 });
  return Response.json(path === '/api/guest' ? { player: guest, token: 't' } : me(cookie));
}

const turn = () => new Promise((done) => setTimeout(done));

beforeEach(() => {
  world = new FakeWorld();
  cookie = null;
  asked = [];
  session = new Session(new Connection(world));
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url);
    return Promise.resolve(serve(url));
  });
});

/** The socket that is open greets whom the cookie names. */
async function greeted(): Promise<void> {
  world.socket.welcomes(cookie);
  await turn();
}

describe('a visitor', () => {
  it('is nobody, and HTTP is not even asked', async () => {
    session.start();
    expect(session.known).toBe(false);
    await greeted();
    expect([session.known, session.me, session.link.kind]).toEqual([true, null, 'online']);
    expect(asked).toEqual([]);
  });

  it('becomes a guest when they need an identity, once, and the connection is opened as that guest', async () => {
    session.start();
    await greeted();
    const [one, two] = await Promise.all([session.ensurePlayer(), session.ensurePlayer()]);
    expect(one).toEqual(two);
    expect(one).toMatchObject({ id: 'g', guest: true });
    expect(asked).toEqual(['/api/guest']);
    expect(world.sockets).toHaveLength(2);
    await greeted();
    expect(session.connection.player?.id).toBe('g');
    expect(session.signedOut).toBe(false);
    expect(asked).toEqual(['/api/guest']);
  });

  it('is asked for first, if the identity is not known yet', async () => {
    cookie = anna;
    session.start();
    await expect(session.ensurePlayer()).resolves.toMatchObject({ id: 'a' });
    expect(asked).toEqual(['/api/me']);
  });
});

describe('a player', () => {
  beforeEach(async () => {
    cookie = anna;
    session.start();
    await greeted();
  });

  it('is known by the cookie, with their role', () => {
    expect(session.me).toEqual(me(anna));
    expect(asked).toEqual(['/api/me']);
  });

  it('stays the same after a lost connection, without being asked again', async () => {
    world.socket.ends();
    expect(session.link.kind).toBe('waiting');
    expect(session.me?.id).toBe('a');
    world.passes(20_000);
    await greeted();
    expect(asked).toEqual(['/api/me']);
  });

  it('signs out, and is a visitor without being told so', async () => {
    await session.signOut();
    await greeted();
    expect([session.me, session.signedOut]).toEqual([null, false]);
  });

  it('is told when the session has ended elsewhere', async () => {
    cookie = null;
    world.socket.ends(4502);
    expect(world.sockets).toHaveLength(2);
    await greeted();
    expect([session.me, session.signedOut]).toEqual([null, true]);
    session.forget();
    expect(session.signedOut).toBe(false);
  });

  it('goes on with the account that signed in on another page', async () => {
    cookie = guest;
    world.socket.ends(4502);
    await greeted();
    expect([session.me?.id, session.signedOut]).toEqual(['g', false]);
  });

  it('is not connected again and again when every session ends at once', async () => {
    world.socket.ends(4502);
    await greeted();
    world.socket.ends(4502);
    expect(session.link).toEqual({ kind: 'ended', why: 'signed_out' });
    expect(world.sockets).toHaveLength(2);
  });

  it('is told apart from the guest that they were', async () => {
    await session.signedIn({ player: anna, token: 't' });
    expect(session.me).toMatchObject({ role: 'player' });
    expect(world.sockets).toHaveLength(2);
  });
});

describe('the page', () => {
  it('lets go of the connection when it is put away, and takes it up again', async () => {
    const end = session.start();
    await greeted();
    window.dispatchEvent(new Event('pagehide'));
    expect(session.link).toEqual({ kind: 'ended', why: 'closed' });
    window.dispatchEvent(new Event('pageshow'));
    expect(session.link.kind).toBe('connecting');
    end();
    window.dispatchEvent(new Event('pageshow'));
    expect(session.connection.state).toEqual({ kind: 'ended', why: 'closed' });
  });

  it('looks after the connection when the network comes and goes', async () => {
    session.start();
    await greeted();
    world.socket.pongs(0);
    window.dispatchEvent(new Event('offline'));
    expect(world.socket.pings).toHaveLength(1);
    world.passes(3_000);
    expect(world.sockets).toHaveLength(2);
    world.socket.ends();
    window.dispatchEvent(new Event('online'));
    expect(world.sockets).toHaveLength(3);
  });
});
