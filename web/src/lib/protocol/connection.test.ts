// @vitest-environment node
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { aView, moved } from '$lib/game/testing';
import { Connection, type GameSink, type LobbySink } from './connection';
import type { GameEvent, GameView, Lobby } from './protocol';
import { LinkLost, Refusal } from './refusal';
import { FakeWorld, settled, type FakeSocket } from './testing';

const anna = { id: 'a', name: 'Anna' };

let world: FakeWorld;
let connection: Connection;

beforeEach(() => {
  world = new FakeWorld();
  connection = new Connection(world);
});

function online(player: typeof anna | null = anna): FakeSocket {
  connection.open();
  world.socket.welcomes(player);
  return world.socket;
}

/** Breaks the connection off, and lets it come back. */
function back(player: typeof anna | null = anna): FakeSocket {
  world.socket.ends();
  world.passes(20_000);
  world.socket.welcomes(player);
  return world.socket;
}

function sink() {
  return {
    snapshot: vi.fn<GameSink['snapshot']>(),
    missed: vi.fn<GameSink['missed']>(),
    event: vi.fn<GameSink['event']>(),
    notice: vi.fn<GameSink['notice']>(),
    refused: vi.fn<GameSink['refused']>()
  };
}

function watched(view: GameView = aView()) {
  const socket = online();
  const eyes = sink();
  const stop = connection.watch('g', eyes);
  socket.answers('watch', { type: 'snapshot', reset: false, view });
  return { socket, eyes, stop, view };
}

const happens = (seq: number, event: GameEvent = { type: 'withheld' }) => ({ game: 'g', seq, at: 0, event });

const live = (view = aView()) => ({
  position: view.position,
  clocks: view.clocks,
  presence: view.presence,
  server_time: 2_000
});

describe('a request', () => {
  it('is answered once', async () => {
    const socket = online();
    const answer = connection.request('cancel_seek', { seek: 's' });
    expect(socket.last('cancel_seek').data).toEqual({ seek: 's' });
    socket.answers('cancel_seek', { type: 'seek', seek: 's', state: { type: 'gone' } });
    await expect(answer).resolves.toMatchObject({ state: { type: 'gone' } });
  });

  it('is refused with the code, the field and where the game is', async () => {
    const socket = online();
    const answer = connection.request('enter_lobby', {});
    socket.refuses('enter_lobby', { code: 'stale', field: 'ply', current: { seq: 6, ply: 2 } });
    await expect(answer).rejects.toMatchObject({ code: 'stale', field: 'ply', current: { seq: 6, ply: 2 } });
    await expect(answer).rejects.toBeInstanceOf(Refusal);
  });

  it('waits for the connection', async () => {
    connection.open();
    const answer = connection.request('leave_pools', {});
    world.passes(1_000);
    world.socket.welcomes(anna);
    world.socket.answers('leave_pools', { type: 'left_pools', seeks: [] });
    await expect(answer).resolves.toMatchObject({ seeks: [] });
  });

  it('does not wait for ever', async () => {
    const answer = connection.request('leave_pools', {});
    world.passes(15_000);
    await expect(answer).rejects.toBeInstanceOf(LinkLost);
    expect(online().count('leave_pools')).toBe(0);
  });

  it('is lost with the connection, and not sent again', async () => {
    const socket = online();
    const answer = connection.request('enter_lobby', {});
    socket.ends();
    await expect(answer).rejects.toBeInstanceOf(LinkLost);
    world.passes(400);
    world.socket.welcomes(anna);
    expect(world.socket.count('enter_lobby')).toBe(0);
  });

  it('that is too long is never sent', async () => {
    const socket = online();
    const answer = connection.insist('note', { game: 'g', notes: '棋'.repeat(3_000) });
    await expect(answer).rejects.toMatchObject({ code: 'bad_value' });
    expect(socket.count('note')).toBe(0);
  });
});

describe('a command', () => {
  const move = () => connection.command('move', { game: 'g', ply: 1, move: 'a3a4' });
  const done = { type: 'done', game: 'g', seq: 5 } as const;

  it('has an id of its own', () => {
    const socket = online();
    void move();
    void move();
    const ids = socket.sent.filter(({ type }) => type === 'move').map(({ data }) => data['command']);
    expect(new Set(ids).size).toBe(2);
  });

  it('is sent again with the same id after a lost connection, until it is answered', async () => {
    const socket = online();
    const answer = move();
    const first = socket.last('move').data;
    expect(back().last('move').data).toEqual(first);
    expect(back().last('move').data).toEqual(first);
    world.socket.answers('move', done);
    await expect(answer).resolves.toEqual(done);
    expect(back().count('move')).toBe(0);
  });

  it('that is made without a connection is sent when there is one, in the order of making', async () => {
    const socket = online();
    socket.ends();
    void move();
    void connection.command('chat', { game: 'g', text: 'tunnel' });
    world.passes(20_000);
    world.socket.welcomes(anna);
    expect(world.socket.sent.map(({ type }) => type)).toEqual(['hello', 'move', 'chat']);
  });

  it.each(['not_stored', 'restarting', 'internal', 'busy', 'rate_limited'] as const)(
    'that is refused with %s is tried again with the same id',
    async (code) => {
      const socket = online();
      const answer = move();
      const { data } = socket.last('move');
      socket.refuses('move', { code });
      expect(socket.count('move')).toBe(1);
      world.passes(1_000);
      expect(socket.count('move')).toBe(2);
      expect(socket.last('move').data).toEqual(data);
      socket.answers('move', done);
      await expect(answer).resolves.toEqual(done);
    }
  );

  it('is tried less and less often, and not for ever when something is broken', async () => {
    const socket = online();
    const answer = move();
    for (let tries = 1; tries < 5; tries += 1) {
      socket.refuses('move', { code: 'internal' });
      world.passes(10_000);
      socket.pongs(0);
      expect(socket.count('move')).toBe(tries + 1);
    }
    socket.refuses('move', { code: 'internal' });
    await expect(answer).rejects.toMatchObject({ code: 'internal' });
  });

  it.each(['stale', 'illegal_move', 'game_over', 'conflict'] as const)(
    'that is refused with %s is not tried again',
    async (code) => {
      const socket = online();
      const answer = move();
      socket.refuses('move', { code });
      await expect(answer).rejects.toMatchObject({ code });
      world.passes(60_000);
      expect(socket.count('move')).toBe(1);
    }
  );

  it('of chat that comes too fast is for the user to repeat', async () => {
    const socket = online();
    const answer = connection.command('chat', { game: 'g', text: 'and' });
    socket.refuses('chat', { code: 'rate_limited' });
    await expect(answer).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('about the lobby is given up when it would come much too late', async () => {
    online().ends();
    const answer = connection.command('accept_seek', { seek: 's' });
    world.passes(20_000);
    await expect(answer).rejects.toBeInstanceOf(LinkLost);
    world.socket.welcomes(anna);
    expect(world.socket.count('accept_seek')).toBe(0);
  });

  it('is not sent in the name of somebody else', async () => {
    online();
    const answer = move();
    const socket = back({ id: 'b', name: 'Ben' });
    await expect(answer).rejects.toBeInstanceOf(LinkLost);
    expect(socket.count('move')).toBe(0);
  });

  it('of a visitor is sent by the guest that they become', () => {
    online(null);
    connection.reopen();
    void connection.command('join', { game: 'g' });
    world.socket.welcomes(anna);
    expect(world.socket.count('join')).toBe(1);
  });
});

describe('watching', () => {
  it('begins with a snapshot, and goes on with every event', () => {
    const { eyes, socket, view } = watched();
    expect(eyes.snapshot).toHaveBeenCalledExactlyOnceWith(view);
    socket.says(moved(view, 'a3a4'));
    expect(eyes.event).toHaveBeenCalledOnce();
  });

  it('drops what comes twice', () => {
    const { eyes, socket } = watched();
    socket.says(happens(5));
    socket.says(happens(5));
    socket.says(happens(3));
    expect(eyes.event).toHaveBeenCalledOnce();
  });

  it('asks for what is missing in the sequence, once', () => {
    const { eyes, socket } = watched();
    socket.says(happens(7));
    socket.says(happens(8));
    expect(eyes.event).not.toHaveBeenCalled();
    expect(socket.count('watch')).toBe(2);
    expect(socket.last('watch').data).toEqual({ game: 'g', since: { epoch: 1, seq: 4 } });
    const events = [5, 6, 7, 8].map((seq) => happens(seq));
    socket.answers('watch', { type: 'missed', game: 'g', cursor: { epoch: 1, seq: 8 }, events, live: live() });
    expect(eyes.missed.mock.calls[0]?.[0].map(({ seq }) => seq)).toEqual([5, 6, 7, 8]);
    socket.says(happens(9));
    expect(eyes.event).toHaveBeenCalledOnce();
  });

  it('goes on where it was after a lost connection', () => {
    const { eyes, socket } = watched();
    socket.says(happens(5));
    const after = back();
    expect(after.last('watch').data).toEqual({ game: 'g', since: { epoch: 1, seq: 5 } });
    after.answers('watch', {
      type: 'missed',
      game: 'g',
      cursor: { epoch: 1, seq: 6 },
      events: [happens(6)],
      live: live()
    });
    expect(eyes.missed).toHaveBeenCalledOnce();
    expect(eyes.snapshot).toHaveBeenCalledOnce();
  });

  it('forgets what it knew when the record is another one', () => {
    const { eyes } = watched();
    const after = back();
    const view = aView({ cursor: { epoch: 2, seq: 1 } });
    after.answers('watch', { type: 'snapshot', reset: true, view });
    expect(eyes.snapshot).toHaveBeenLastCalledWith(view);
    after.says(happens(2));
    expect(eyes.event).toHaveBeenCalledOnce();
  });

  it('takes from an answer only what live events have not told already', () => {
    const { eyes, socket } = watched();
    socket.says({ game: 'g', notice: { type: 'dropped' } });
    socket.says(happens(5));
    const events = [happens(5), happens(6)];
    socket.answers('watch', { type: 'missed', game: 'g', cursor: { epoch: 1, seq: 6 }, events, live: live() });
    expect(eyes.missed.mock.calls[0]?.[0].map(({ seq }) => seq)).toEqual([6]);
  });

  it('asks for everything when an answer has gaps', () => {
    const { eyes, socket } = watched();
    socket.says(happens(7));
    const events = [happens(5), happens(7)];
    socket.answers('watch', { type: 'missed', game: 'g', cursor: { epoch: 1, seq: 7 }, events, live: live() });
    expect(eyes.missed).not.toHaveBeenCalled();
    expect(socket.last('watch').data).toEqual({ game: 'g' });
  });

  it('begins again when the server has dropped it', () => {
    const { socket } = watched();
    socket.says({ game: 'g', notice: { type: 'dropped' } });
    expect(socket.last('watch').data).toEqual({ game: 'g', since: { epoch: 1, seq: 4 } });
  });

  it('tells of notices, but not of other games', () => {
    const { eyes, socket } = watched();
    socket.says({ game: 'g', notice: { type: 'storage_down' } });
    socket.says({ game: 'h', notice: { type: 'storage_down' } });
    expect(eyes.notice).toHaveBeenCalledExactlyOnceWith({ type: 'storage_down' });
  });

  it('is requested once for all viewers, and a later viewer gets their own snapshot', () => {
    const { eyes, socket } = watched();
    const more = sink();
    connection.watch('g', more);
    socket.says(happens(5));
    socket.answers('watch', { type: 'snapshot', reset: false, view: aView({ cursor: { epoch: 1, seq: 5 } }) });
    expect(more.event).not.toHaveBeenCalled();
    expect(more.snapshot).toHaveBeenCalledOnce();
    expect(eyes.snapshot).toHaveBeenCalledOnce();
    expect(eyes.event).toHaveBeenCalledOnce();
    socket.says(happens(6));
    expect(more.event).toHaveBeenCalledOnce();
    expect(eyes.event).toHaveBeenCalledTimes(2);
  });

  it('ends a moment after the last one has looked away', () => {
    const { socket, stop } = watched();
    stop();
    world.passes(499);
    expect(socket.count('unwatch')).toBe(0);
    world.passes(1);
    expect(socket.count('unwatch')).toBe(1);
    expect(back().count('watch')).toBe(0);
  });

  it('does not end while pages change', () => {
    const { socket, stop } = watched();
    stop();
    world.passes(100);
    connection.watch('g', sink());
    world.passes(10_000);
    expect(socket.count('unwatch')).toBe(0);
  });

  it('tells that there is no such game, and tries again what passes', () => {
    const socket = online();
    const eyes = sink();
    connection.watch('g', eyes);
    socket.refuses('watch', { code: 'busy' });
    expect(eyes.refused).not.toHaveBeenCalled();
    world.passes(1_500);
    expect(socket.count('watch')).toBe(2);
    socket.refuses('watch', { code: 'not_found' });
    expect(eyes.refused).toHaveBeenCalledOnce();
  });

  it('starts again for somebody else, who may see something else', () => {
    const { eyes } = watched();
    const after = back({ id: 'b', name: 'Ben' });
    expect(after.last('watch').data).toEqual({ game: 'g' });
    const view = aView({ you: 'second' });
    after.answers('watch', { type: 'snapshot', reset: false, view });
    expect(eyes.snapshot).toHaveBeenLastCalledWith(view);
  });
});

describe('the lobby', () => {
  const lobby: Lobby = {
    seeks: [],
    more: 0,
    pools: [],
    counts: { players: 1, games: 0 },
    own_seeks: [],
    own_pools: [],
    challenges: [],
    playing: [],
    server_time: 0
  };
  const visitor = () => ({
    snapshot: vi.fn<LobbySink['snapshot']>(),
    notice: vi.fn<LobbySink['notice']>(),
    refused: vi.fn<LobbySink['refused']>()
  });

  it('is entered once, told of as it changes, and entered again after a lost connection', () => {
    const socket = online();
    const eyes = visitor();
    connection.lobby(eyes);
    socket.answers('enter_lobby', { type: 'lobby', lobby });
    socket.says({ lobby: { type: 'changed', counts: { players: 2, games: 0 } } });
    expect(eyes.snapshot).toHaveBeenCalledExactlyOnceWith(lobby);
    expect(eyes.notice).toHaveBeenCalledOnce();
    back().answers('enter_lobby', { type: 'lobby', lobby });
    expect(eyes.snapshot).toHaveBeenCalledTimes(2);
  });

  it('is left a moment after the last one has gone', () => {
    const socket = online();
    const stop = connection.lobby(visitor());
    socket.answers('enter_lobby', { type: 'lobby', lobby });
    stop();
    world.passes(500);
    expect(socket.count('leave_lobby')).toBe(1);
    expect(back().count('enter_lobby')).toBe(0);
  });

  it('is entered again when it was emptied', () => {
    const socket = online();
    connection.lobby(visitor());
    socket.answers('enter_lobby', { type: 'lobby', lobby });
    socket.says({ lobby: { type: 'reset' } });
    expect(socket.count('enter_lobby')).toBe(2);
  });

  it('tells players everywhere that a game has begun', () => {
    const socket = online();
    const heard = vi.fn();
    connection.onNotice(heard);
    socket.says({ lobby: { type: 'paired', game: 'g', seek: null } });
    socket.says({ lobby: { type: 'changed' } });
    expect(heard).toHaveBeenCalledExactlyOnceWith({ type: 'paired', game: 'g', seek: null });
  });
});

describe('the pace', () => {
  it('is what the server takes, however fast a page asks', () => {
    const socket = online();
    for (let count = 0; count < 100; count += 1) void connection.insist('leave_pools', {});
    expect(socket.count('leave_pools')).toBe(60);
    world.passes(1_000);
    expect(socket.count('leave_pools')).toBeGreaterThan(70);
    expect(socket.count('leave_pools')).toBeLessThan(80);
    world.passes(3_000);
    expect(socket.count('leave_pools')).toBe(100);
  });

  it('is slower when the server asks for that, and what has to wait is not lost', async () => {
    const socket = online();
    socket.says({ notice: { type: 'slow_down' } });
    void connection.insist('leave_pools', {});
    expect(socket.count('leave_pools')).toBe(0);
    world.passes(400);
    expect(socket.count('leave_pools')).toBe(1);
    for (let count = 0; count < 30; count += 1) void connection.insist('leave_pools', {});
    world.passes(3_000);
    expect(socket.count('leave_pools')).toBeLessThan(13);
    expect(back().count('leave_pools')).toBeGreaterThan(15);
    await settled();
  });
});

it('tells who one is, and when that changes', () => {
  const changed = vi.fn(() => [connection.state.kind, connection.player?.name]);
  connection.onChange(changed);
  online();
  expect(changed.mock.results.map(({ value }) => value as unknown)).toEqual([
    ['connecting', undefined],
    ['online', 'Anna']
  ]);
});
