import { beforeEach, expect, it, vi } from 'vitest';
import type { GameSink } from '$lib/protocol/connection';
import type { GameView, Hint, Verdict } from '$lib/protocol/protocol';
import { Refusal } from '$lib/protocol/refusal';
import { FakeWorld } from '$lib/protocol/testing';
import { need } from '$lib/i18n/index.svelte';
import { settings } from '$lib/settings.svelte';
import { LiveGame } from './live.svelte';
import { PATIENCE_MS, Practice } from './practice.svelte';
import { aView, moved, takenBack } from './testing';
import { fold } from './fold';

const LEGAL = ['a3a4', 'g1g2'];

let world: FakeWorld;
let sink: GameSink;
let live: LiveGame;
let practice: Practice;
let warns: boolean;
let sounds: string[];
const command = vi.fn<(type: string, data: unknown) => Promise<never>>(() => new Promise(() => {}));
const ask = vi.fn<(game: string, move: string | null, signal: AbortSignal) => Promise<Hint>>();

/** Lets answers call back. */
const turn = () => new Promise((done) => setTimeout(done));

function mine(changes: Partial<GameView> = {}): GameView {
  const start = aView({ you: 'first', practice: true });
  return { ...start, position: { ...start.position, legal: LEGAL }, ...changes };
}

function advises(best: string, verdict: Verdict = 'good'): void {
  ask.mockImplementation((_, move) =>
    Promise.resolve({
      ply: 1,
      best: { move: best, chance: 510 },
      ...(move === null ? {} : { asked: { move, chance: 200, loss: 310, verdict } })
    })
  );
}

/** The moves that were sent. */
const sent = () => command.mock.calls.map(([, data]) => (data as { move: string }).move);

beforeEach(async () => {
  settings.locale = 'en';
  await need('common', 'game', 'board');
  world = new FakeWorld();
  warns = true;
  sounds = [];
  command.mockClear();
  ask.mockReset();
  live = new LiveGame('g', {
    connection: {
      watch: (_, given) => {
        sink = given;
        return () => {};
      },
      command,
      insist: command,
      serverNow: () => world.now()
    },
    me: () => 'a',
    ensurePlayer: () => Promise.resolve(),
    play: () => {},
    after: (ms, then) => world.after(ms, then)
  });
  practice = new Practice(live, {
    ask,
    warns: () => warns,
    play: (sound) => sounds.push(sound),
    after: (ms, then) => world.after(ms, then)
  });
});

it('shows the best move, says it, and hides it at a second press', async () => {
  sink.snapshot(mine());
  advises('a3a4');
  const shown = practice.toggleHint();
  expect(practice.asking).toBe(true);
  await shown;
  expect(ask).toHaveBeenCalledExactlyOnceWith('g', null, expect.anything());
  expect([practice.asking, practice.hint]).toEqual([false, 'a3a4']);
  expect(live.said.text).toBe('Hint: elephant from a3 to a4');
  await practice.toggleHint();
  expect(practice.hint).toBeNull();
});

it('hides the hint after a move and after a takeback', async () => {
  const start = mine();
  sink.snapshot(start);
  advises('a3a4');
  await practice.toggleHint();
  const once = fold(start, moved(start, 'g1g2'));
  sink.snapshot(once);
  expect(practice.hint).toBeNull();
  // The same position, and yet another one: what was thought before is not brought up again.
  sink.snapshot(fold(once, takenBack(once, 1, { legal: LEGAL })));
  expect(practice.hint).toBeNull();
});

it('says why there is no hint, until the position is another', async () => {
  const start = mine();
  sink.snapshot(start);
  ask.mockRejectedValue(new Refusal({ code: 'busy', message: '' }));
  await practice.toggleHint();
  expect(practice.fault).toMatchObject({ code: 'busy' });
  expect(live.said.text).toContain('busy');
  sink.snapshot(fold(start, moved(start, 'g1g2')));
  expect(practice.fault).toBeNull();
});

it('asks for nothing in a game that is not for practice, or while the opponent thinks', async () => {
  const casual = mine();
  delete casual.practice;
  sink.snapshot(casual);
  live.moveBy('a3a4');
  expect(sent()).toEqual(['a3a4']);
  sink.snapshot(aView({ you: 'second', practice: true }));
  await practice.toggleHint();
  expect(ask).not.toHaveBeenCalled();
});

it('sends a good move when it was checked', async () => {
  sink.snapshot(mine());
  advises('g1g2', 'inaccuracy');
  live.moveBy('a3a4');
  expect([live.pending, sent()]).toEqual(['a3a4', []]);
  await turn();
  expect(ask).toHaveBeenCalledExactlyOnceWith('g', 'a3a4', expect.anything());
  expect([practice.warning, sent()]).toEqual([null, ['a3a4']]);
});

it.each(['mistake', 'blunder'] as const)(
  'asks before a %s, shows a better move, and lets another be chosen',
  async (verdict) => {
    sink.snapshot(mine());
    advises('g1g2', verdict);
    live.moveBy('a3a4');
    await turn();
    expect(practice.warning).toMatchObject({ move: 'a3a4', verdict });
    expect([live.pending, sent(), sounds]).toEqual([null, [], ['notify']]);
    practice.showBetter();
    expect(practice.hint).toBe('g1g2');
    practice.reconsider();
    expect(practice.warning).toBeNull();
    // What was shown as better is not checked again.
    live.moveBy('g1g2');
    expect(sent()).toEqual(['g1g2']);
    expect(ask).toHaveBeenCalledOnce();
  }
);

it('plays a blunder for a player who insists', async () => {
  sink.snapshot(mine());
  advises('g1g2', 'blunder');
  live.moveBy('a3a4');
  await turn();
  practice.insist();
  expect([practice.warning, sent()]).toEqual([null, ['a3a4']]);
});

it('forgets the question when another move is tried', async () => {
  sink.snapshot(mine());
  advises('g1g2', 'blunder');
  live.moveBy('a3a4');
  await turn();
  advises('g1g2', 'good');
  live.moveBy('g1g2');
  expect(practice.warning).toBeNull();
  await turn();
  expect(sent()).toEqual(['g1g2']);
});

it('does not warn a player who does not want it', () => {
  sink.snapshot(mine());
  warns = false;
  live.moveBy('a3a4');
  expect([ask.mock.calls, sent()]).toEqual([[], ['a3a4']]);
});

it('sends a move whose check fails', async () => {
  sink.snapshot(mine());
  ask.mockRejectedValue(new Refusal({ code: 'busy', message: '' }));
  live.moveBy('a3a4');
  await turn();
  expect([practice.warning, practice.fault, sent()]).toEqual([null, null, ['a3a4']]);
});

it('sends a move whose check takes too long, or whose player leaves the page', async () => {
  ask.mockImplementation(
    (_, __, signal) => new Promise((_, fail) => signal.addEventListener('abort', () => fail(new Error('ended'))))
  );
  const start = mine();
  sink.snapshot(start);
  live.moveBy('a3a4');
  world.passes(PATIENCE_MS - 1);
  await turn();
  expect(sent()).toEqual([]);
  world.passes(1);
  await turn();
  expect(sent()).toEqual(['a3a4']);
  sink.snapshot({ ...start, takebacks: { count: 1, plies: 2 } });
  live.moveBy('g1g2');
  practice.close();
  await turn();
  expect(sent()).toEqual(['a3a4', 'g1g2']);
});
