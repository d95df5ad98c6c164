// @vitest-environment node
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { backoff, LONGEST_WAIT_MS, retryIn } from './backoff';
import { Link, type LinkState } from './link';
import { FakeWorld } from './testing';

let world: FakeWorld;
let link: Link;
let states: LinkState[];
const welcomed = vi.fn();
const received = vi.fn();
const idle = vi.fn<() => boolean>();

beforeEach(() => {
  world = new FakeWorld();
  states = [];
  welcomed.mockReset();
  received.mockReset();
  idle.mockReset().mockReturnValue(true);
  link = new Link(world, { changed: (state) => states.push(state), welcomed, received, idle });
});

function online(): void {
  link.open();
  world.socket.welcomes(null);
}

/** How long the link waits now. */
function wait(): number {
  return link.state.kind === 'waiting' ? link.state.until - world.now() : NaN;
}

describe('connecting', () => {
  it('greets with the identity of the cookie, and is online with the welcome', () => {
    link.open();
    expect(link.state.kind).toBe('connecting');
    world.socket.onopen?.();
    expect(world.socket.sent).toEqual([{ id: 0, type: 'hello', data: {} }]);
    world.socket.says({ re: 0, ok: { type: 'welcome', player: null, server: '1', server_time: 5 } });
    expect(link.state).toEqual({ kind: 'online' });
    expect(welcomed).toHaveBeenCalledOnce();
  });

  it('connects once, however often it is opened', () => {
    link.open();
    link.open();
    online();
    expect(world.sockets).toHaveLength(1);
  });

  it('gives up an attempt that gets no greeting, and closes its socket', () => {
    link.open();
    world.socket.onopen?.();
    world.passes(12_000);
    expect(link.state.kind).toBe('waiting');
    expect(world.socket.closed).toBe(true);
  });

  it('tells of what everybody is told, which comes before the greeting', () => {
    link.open();
    world.socket.onopen?.();
    const standing = { maintenance: null, notice: { text: 'soon', since: 1, until: 2 } };
    world.socket.says({ notice: { type: 'announcements', standing } });
    expect(received).toHaveBeenCalledWith({ notice: { type: 'announcements', standing } });
  });

  it('tells nobody of what else comes before the greeting', () => {
    link.open();
    world.socket.onopen?.();
    world.socket.says({ notice: { type: 'slow_down' } });
    expect(received).not.toHaveBeenCalled();
  });

  it('survives what is no JSON', () => {
    online();
    world.socket.onmessage?.('<html>');
    expect(link.state.kind).toBe('online');
  });
});

describe('a lost connection', () => {
  it('is tried again soon, then less and less often, and never after more than a quarter of a minute', () => {
    link.open();
    const waits: number[] = [];
    for (let failure = 0; failure < 9; failure += 1) {
      world.socket.ends();
      waits.push(wait());
      world.passes(wait());
    }
    expect(waits).toEqual([400, 800, 1_600, 3_200, 6_400, 12_800, 15_000, 15_000, 15_000]);
    expect(world.sockets).toHaveLength(10);
  });

  it('starts again after a connection that held, and goes on counting after one that did not', () => {
    link.open();
    world.socket.ends();
    world.passes(400);
    world.socket.welcomes(null);
    world.passes(100);
    world.socket.ends();
    expect(wait()).toBe(800);
    world.passes(800);
    world.socket.welcomes(null);
    world.passes(6_000);
    world.socket.ends();
    expect(wait()).toBe(400);
  });

  it('is spread by chance over half of the span', () => {
    expect(backoff(0, 0)).toBe(200);
    expect(backoff(0, 1)).toBe(400);
    expect(backoff(500, 1)).toBe(LONGEST_WAIT_MS);
  });

  it('tells nothing more of the old socket', () => {
    online();
    const old = world.socket;
    old.ends();
    world.passes(400);
    old.ends(4502);
    old.says({ notice: { type: 'slow_down' } });
    expect(link.state.kind).toBe('connecting');
    expect(received).not.toHaveBeenCalled();
  });
});

describe('a restart of the server', () => {
  it('is waited for as long as the close says', () => {
    online();
    world.socket.ends(1012, 'the server restarts; retry_in_ms=1234');
    expect(link.state).toMatchObject({ kind: 'waiting', why: 'restart' });
    expect(wait()).toBe(1_234);
  });

  it('is waited for as long as the notice has said, if the connection just breaks off', () => {
    online();
    world.socket.says({ notice: { type: 'restarting', retry_in_ms: 2_500 } });
    expect(received).toHaveBeenCalledOnce();
    world.socket.ends(1006);
    expect(link.state).toMatchObject({ kind: 'waiting', why: 'restart' });
    expect(wait()).toBe(2_500);
  });

  it('is recognised by the end of the reason alone', () => {
    expect(retryIn('restarting retry_in_ms=70')).toBe(70);
    expect(retryIn('retry_in_ms=70 or so')).toBeNull();
    expect(retryIn('')).toBeNull();
  });
});

describe('an end of one program while others go on', () => {
  const elsewhere = { notice: { type: 'restarting', retry_in_ms: 700, elsewhere: true } };
  const standing = { maintenance: null, notice: { text: 'soon', since: 1, until: 2 } };

  it('is met with a second connection, which takes over when it is greeted', () => {
    online();
    const before = world.socket;
    before.says(elsewhere);
    world.passes(699);
    expect(world.sockets).toHaveLength(1);
    world.passes(1);
    const next = world.socket;
    expect(next).not.toBe(before);
    // Until then all comes from the one before.
    received.mockReset();
    before.says({ notice: { type: 'slow_down' } });
    expect(received).toHaveBeenCalledOnce();
    next.onopen?.();
    next.says({ notice: { type: 'announcements', standing } });
    expect(welcomed).toHaveBeenCalledOnce();
    states.length = 0;
    next.says({ re: 0, ok: { type: 'welcome', player: null, server: '1', server_time: 5 } });
    expect(welcomed).toHaveBeenCalledTimes(2);
    expect(states).toEqual([{ kind: 'connecting' }, { kind: 'online' }]);
    expect(received).toHaveBeenLastCalledWith({ notice: { type: 'announcements', standing } });
    link.send('{"id":1,"type":"watch","data":{}}');
    expect(next.last('watch').id).toBe(1);
    // Others at the board see the player stay.
    expect(before.closed).toBe(false);
    before.says({ notice: { type: 'slow_down' } });
    expect(received).toHaveBeenCalledTimes(2);
    world.passes(1_500);
    expect(before.closed).toBe(true);
    expect(next.closed).toBe(false);
    world.passes(10_000);
    expect(world.sockets).toHaveLength(2);
  });

  it('lets answers come that are on their way, for a second', () => {
    online();
    idle.mockReturnValue(false);
    world.socket.says(elsewhere);
    world.passes(700);
    world.socket.welcomes(null);
    world.socket.says({ notice: { type: 'slow_down' } });
    world.passes(900);
    expect(welcomed).toHaveBeenCalledOnce();
    idle.mockReturnValue(true);
    world.passes(50);
    expect(welcomed).toHaveBeenCalledTimes(2);
    expect(received).toHaveBeenLastCalledWith({ notice: { type: 'slow_down' } });

    // The next program ends soon after.
    idle.mockReturnValue(false);
    world.socket.says(elsewhere);
    world.passes(700);
    world.socket.welcomes(null);
    world.passes(1_000);
    expect(welcomed).toHaveBeenCalledTimes(3);
    expect(world.sockets.filter(({ closed }) => !closed)).toHaveLength(2);
  });

  it.each<[string, () => void]>([
    ['is refused', () => world.socket.refuses('hello', { code: 'restarting' })],
    ['breaks off', () => world.socket.ends()],
    ['is not greeted', () => world.passes(12_000)]
  ])('goes on as it is if the second connection %s', (_, fails) => {
    online();
    const before = world.socket;
    before.says(elsewhere);
    world.passes(700);
    const next = world.socket;
    next.onopen?.();
    fails();
    expect(next.closed).toBe(true);
    expect(link.state.kind).toBe('online');
    before.ends(1012, 'the server restarts; retry_in_ms=300');
    expect(wait()).toBe(300);
  });

  it('opens nothing more once the connection is closed or lost', () => {
    online();
    world.socket.says(elsewhere);
    link.close();
    world.passes(60_000);
    expect(world.sockets).toHaveLength(1);
    online();
    world.socket.says(elsewhere);
    world.passes(700);
    const next = world.socket;
    world.sockets[1]?.ends();
    expect(next.closed).toBe(true);
  });
});

describe('a refusal', () => {
  it.each([
    [4501, 'policy'],
    [4502, 'signed_out'],
    [4503, 'banned'],
    [4999, 'policy']
  ])('with %i is final until somebody wants to try again', (code, why) => {
    online();
    world.socket.ends(code);
    expect(link.state).toEqual({ kind: 'ended', why });
    world.passes(600_000);
    link.wake();
    expect(world.sockets).toHaveLength(1);
    link.reopen();
    expect(world.sockets).toHaveLength(2);
  });

  it.each([4008, 4009, 1001, 1011])('with %i is not final', (code) => {
    online();
    world.socket.ends(code);
    expect(link.state).toMatchObject({ kind: 'waiting', why: 'lost' });
  });

  it.each([1008, 1009, 1002])('with %i is answered by coming back later, and not sooner by waking up', (code) => {
    online();
    world.socket.ends(code);
    expect(link.state).toMatchObject({ kind: 'waiting', why: 'refused' });
    expect(wait()).toBeGreaterThanOrEqual(10_000);
    link.wake();
    expect(world.sockets).toHaveLength(1);
  });

  it('of the greeting ends it for who is banned, and delays it for all others', () => {
    link.open();
    world.socket.onopen?.();
    world.socket.refuses('hello', { code: 'banned' });
    expect(link.state).toEqual({ kind: 'ended', why: 'banned' });
    link.reopen();
    world.socket.onopen?.();
    world.socket.refuses('hello', { code: 'busy' });
    expect(link.state).toMatchObject({ kind: 'waiting', why: 'refused' });
  });
});

describe('signs of life', () => {
  it('are asked for three times a minute', () => {
    online();
    for (let second = 0; second < 60; second += 1) {
      world.passes(1_000);
      world.socket.pongs(0);
    }
    expect(world.sockets).toHaveLength(1);
    expect(link.state.kind).toBe('online');
  });

  it('that are missing end the connection, and the next one is tried at once', () => {
    online();
    world.socket.pongs(0);
    world.passes(20_000);
    expect(world.socket.pings).toHaveLength(1);
    world.passes(8_000);
    expect(world.sockets).toHaveLength(2);
    expect(states.map(({ kind }) => kind)).toEqual(['connecting', 'online', 'waiting', 'connecting']);
  });

  it('are all messages, not only the answers', () => {
    online();
    world.socket.pongs(0);
    world.passes(21_000);
    world.socket.says({ notice: { type: 'slow_down' } });
    world.passes(7_500);
    expect(world.sockets).toHaveLength(1);
  });

  it('are expected within three seconds when the page wakes up', () => {
    online();
    world.socket.pongs(0);
    world.passes(1_000);
    link.wake();
    world.passes(2_999);
    expect(world.sockets).toHaveLength(1);
    world.passes(1);
    expect(world.sockets).toHaveLength(2);
  });

  it('in time leave a woken page as it is', () => {
    online();
    world.socket.pongs(0);
    world.passes(1_000);
    link.wake();
    world.passes(50);
    world.socket.pongs(0);
    world.passes(10_000);
    expect(world.sockets).toHaveLength(1);
  });

  it('are asked for when the machine has slept', () => {
    online();
    world.socket.pongs(0);
    world.passes(1_000);
    world.sleeps(3_600_000);
    world.passes(4_000);
    expect(world.socket.pings).toHaveLength(1);
    world.passes(3_000);
    expect(world.sockets).toHaveLength(2);
  });

  it('end the wait when the network is back', () => {
    online();
    for (let failure = 0; failure < 6; failure += 1) {
      world.socket.ends();
      if (failure < 5) world.passes(wait());
    }
    const { length } = world.sockets;
    link.wake();
    expect(world.sockets).toHaveLength(length + 1);
  });
});

describe('the time', () => {
  it('is the server’s, half of the way there and back later', () => {
    link.open();
    world.socket.onopen?.();
    world.passes(200);
    world.socket.says({ re: 0, ok: { type: 'welcome', player: null, server: '1', server_time: 50_000 } });
    expect(link.clock.at(world.now(), world.wall())).toBe(50_100);
  });

  it('is told best by the shortest way', () => {
    link.open();
    world.socket.onopen?.();
    world.passes(200);
    world.socket.says({ re: 0, ok: { type: 'welcome', player: null, server: '1', server_time: 50_000 } });
    world.passes(10);
    world.socket.pongs(50_140);
    expect(link.clock.at(world.now(), world.wall())).toBe(50_145);
  });
});

it('closes for good, and opens again', () => {
  online();
  link.close();
  expect(link.state).toEqual({ kind: 'ended', why: 'closed' });
  expect(world.socket.closed).toBe(true);
  world.passes(60_000);
  expect(world.sockets).toHaveLength(1);
  link.open();
  expect(world.sockets).toHaveLength(2);
});

describe('the server’s clock', () => {
  /** Greeted after 80 ms: as slow as a page that is still loading. */
  function late(): void {
    link.open();
    world.socket.onopen?.();
    world.passes(80);
    world.socket.says({ re: 0, ok: { type: 'welcome', player: null, server: '1', server_time: 5 } });
  }

  it('is asked for again while answers take long, and not without end', () => {
    late();
    let asked = 0;
    for (let count = 0; count < 20; count += 1) {
      asked += world.socket.pings.length;
      world.passes(80);
      world.socket.pongs(1);
      world.passes(350);
    }
    expect(asked).toBe(9);
  });

  it('is asked for once where the answer comes at once', () => {
    late();
    expect(world.socket.pings).toHaveLength(1);
    world.passes(10);
    world.socket.pongs(1);
    world.passes(2_000);
    expect(world.socket.pings).toHaveLength(0);
  });
});
