import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { GameSink } from '$lib/protocol/connection';
import type { GameView } from '$lib/protocol/protocol';
import { LinkLost, Refusal } from '$lib/protocol/refusal';
import { need } from '$lib/i18n/index.svelte';
import { settings } from '$lib/settings.svelte';
import { FakeWorld } from '$lib/protocol/testing';
import { fold } from './fold';
import { LiveGame, type LivePort } from './live.svelte';
import { aView, moved, takenBack } from './testing';

interface SentRequest {
  type: string;
  data: Record<string, unknown>;
  ok(): void;
  no(fault: Error): void;
}

let world: FakeWorld;
let sink: GameSink;
let asked: SentRequest[];
let sounds: string[];
let game: LiveGame;
let view: GameView;
const ensurePlayer = vi.fn(() => Promise.resolve());

const LEGAL = ['a3a4', 'g1g2'];

/** Lets answers call back. */
const turn = () => new Promise((done) => setTimeout(done));

function last(type: string): SentRequest {
  const found = asked.findLast((each) => each.type === type);
  if (!found) throw new Error(`no ${type} was asked`);
  return found;
}

/** The server tells of a view; later ones are compared with it. */
function shows(next: GameView): void {
  view = next;
  sink.snapshot(next);
}

/** The server tells of the next move. */
function plays(move: string, changes: Parameters<typeof moved>[2] = {}): void {
  const frame = moved(view, move, changes);
  view = fold(view, frame);
  sink.event(frame);
}

/** The server tells of moves that are taken back. */
function takesBack(plies: number, changes: Parameters<typeof takenBack>[2] = {}): void {
  const frame = takenBack(view, plies, changes);
  view = fold(view, frame);
  sink.event(frame);
}

beforeEach(async () => {
  settings.locale = 'en';
  await need('common', 'game', 'board');
  world = new FakeWorld();
  asked = [];
  sounds = [];
  ensurePlayer.mockClear();
  const ask = (type: string, data: unknown) =>
    new Promise<never>((ok, no) => {
      asked.push({ type, data: data as Record<string, unknown>, ok: ok as () => void, no });
    });
  const port: LivePort = {
    connection: {
      watch: (_, given) => {
        sink = given;
        return () => {};
      },
      command: ask,
      insist: ask,
      serverNow: () => world.now()
    },
    me: () => 'a',
    ensurePlayer,
    play: (sound) => sounds.push(sound),
    after: (ms, then) => world.after(ms, then)
  };
  game = new LiveGame('g', port);
});

function mine(changes: Partial<GameView> = {}): GameView {
  const start = aView({ you: 'first' });
  return { ...start, position: { ...start.position, legal: LEGAL }, ...changes };
}

function theirs(): GameView {
  return aView({ you: 'second' });
}

describe('a move', () => {
  it('is sent with its ply, heard at once, and pending until the server tells of it', () => {
    shows(mine());
    game.moveBy('a3a4');
    expect(last('move').data).toEqual({ game: 'g', ply: 1, move: 'a3a4' });
    expect(game.pending).toBe('a3a4');
    expect(game.yourTurn).toBe(false);
    plays('a3a4');
    expect(game.pending).toBeNull();
    expect(game.view?.moves).toHaveLength(1);
    expect(sounds).toEqual(['move']);
  });

  it('that is not legal is not sent', () => {
    shows(mine());
    game.moveBy('a3a9');
    expect(asked).toEqual([]);
    expect(sounds).toEqual(['refused']);
  });

  it('of a spectator does not exist', () => {
    shows(aView());
    game.moveBy('a3a4');
    expect([asked.length, game.premove]).toEqual([0, null]);
  });

  it('that is refused is taken back, and said', async () => {
    shows(mine());
    game.moveBy('a3a4');
    last('move').no(new Refusal({ code: 'banned_move', message: 'repetition' }));
    await turn();
    expect(game.pending).toBeNull();
    expect(game.fault).toMatchObject({ code: 'banned_move' });
    expect(game.said.text).toContain('elephant from a3 to a4');
    expect(game.yourTurn).toBe(true);
  });

  it('made offline stays pending, and is settled by what was missed', () => {
    shows(mine());
    game.moveBy('a3a4');
    const after = fold(view, moved(view, 'a3a4'));
    sink.missed([moved(view, 'a3a4')], { ...after, server_time: 0 }, after.cursor);
    expect(game.pending).toBeNull();
    expect(game.said.text).toBe('');
  });

  it('made offline is given up when the game has ended in the meantime', () => {
    shows(mine());
    game.moveBy('a3a4');
    sink.snapshot({ ...mine(), status: 'ended', outcome: { winner: 'second', reason: 'timeout' } });
    expect(game.pending).toBeNull();
    expect(game.said.text).toMatch(/elephant from a3 to a4.*ended/);
  });

  it('gives way to the one that another page of the same player has made', async () => {
    shows(mine());
    game.moveBy('a3a4');
    plays('g1g2');
    expect(game.pending).toBeNull();
    const { id } = game.said;
    last('move').no(new Refusal({ code: 'stale', message: '' }));
    await turn();
    expect(game.said.id).toBe(id);
  });
});

describe('a premove', () => {
  it('is kept, and played when the turn comes', () => {
    shows(theirs());
    game.moveBy('g7g6');
    expect([game.premove, asked.length]).toEqual(['g7g6', 0]);
    plays('a3a4', { legal: ['g7g6'] });
    expect(last('move').data).toEqual({ game: 'g', ply: 2, move: 'g7g6' });
    expect([game.premove, game.pending]).toEqual([null, 'g7g6']);
  });

  it('is dropped, and said, when it is not legal any more', () => {
    shows(theirs());
    game.moveBy('g7g6');
    plays('a3a4', { legal: ['g7f7'] });
    expect([game.premove, asked.length]).toEqual([null, 0]);
    expect(game.said.text).toContain('elephant from g7 to g6');
  });

  it('is taken back by making it again', () => {
    shows(theirs());
    game.moveBy('g7g6');
    game.moveBy('g7g6');
    expect(game.premove).toBeNull();
  });

  it('can be made while a player’s own move is on its way', () => {
    shows(mine());
    game.moveBy('a3a4');
    game.moveBy('a4a5');
    expect([game.pending, game.premove]).toEqual(['a3a4', 'a4a5']);
    plays('a3a4');
    expect(game.premove).toBe('a4a5');
  });

  it('goes with the end of the game', () => {
    shows(theirs());
    game.moveBy('g7g6');
    shows({ ...theirs(), status: 'ended', outcome: { winner: null, reason: 'agreement' } });
    expect(game.premove).toBeNull();
  });
});

describe('commands', () => {
  it('are under way until they are answered, and not given twice', async () => {
    shows(mine());
    const done = game.resign();
    void game.resign();
    expect(asked.map(({ type }) => type)).toEqual(['resign']);
    expect(game.underway.has('resign')).toBe(true);
    last('resign').ok();
    expect(await done).toBe(true);
    expect(game.underway.size).toBe(0);
  });

  it('keep what they were refused with until it is forgiven', async () => {
    shows(mine());
    const done = game.abort();
    last('abort').no(new Refusal({ code: 'too_late', message: '' }));
    expect(await done).toBe(false);
    expect(game.fault).toMatchObject({ code: 'too_late' });
    expect(game.said.text).not.toBe('');
    game.clearRefusal();
    expect(game.fault).toBeNull();
  });

  it('answer the offer that is open', async () => {
    shows(mine({ draw_offer: { seat: 'second', seq: 7 } }));
    void game.declineDraw();
    expect(last('decline_draw').data).toEqual({ game: 'g', offer: 7 });
    shows(mine());
    expect(await game.acceptDraw()).toBe(false);
  });

  it('make a guest of a visitor who joins', async () => {
    shows(aView({ status: 'open', players: { first: null, second: null } }));
    void game.join();
    await turn();
    expect(ensurePlayer).toHaveBeenCalledOnce();
    expect(last('join').data).toEqual({ game: 'g' });
  });

  it('know what to say when the server can’t be reached', async () => {
    shows(mine());
    const done = game.say('hello');
    last('chat').no(new LinkLost());
    expect(await done).toBe(false);
    expect(game.fault).toBeInstanceOf(LinkLost);
  });
});

describe('moves that are taken back', () => {
  it('are said, heard, and make it the turn of who asked', () => {
    shows(mine());
    plays('a3a4');
    plays('g7g6', { legal: LEGAL });
    takesBack(2, { legal: LEGAL });
    expect(game.view?.moves).toEqual([]);
    expect(game.yourTurn).toBe(true);
    expect(game.said.text).toContain('2 moves were taken back; Blue is to move.');
    expect(sounds.at(-1)).toBe('move');
  });

  it('take a premove and a move that is on its way along, and no refusal is shown for it', async () => {
    shows(mine());
    plays('a3a4');
    plays('g7g6', { legal: LEGAL });
    game.moveBy('g1g2');
    game.moveBy('g2g3');
    takesBack(1, { legal: ['g7g6'] });
    expect([game.pending, game.premove]).toEqual([null, null]);
    last('move').no(new Refusal({ code: 'ahead', message: '' }));
    await turn();
    expect(game.fault).toBeNull();
    expect(game.said.text).not.toContain('not played');
  });

  it('are not played in another position by a premove', () => {
    shows(mine());
    plays('a3a4');
    game.moveBy('g1g2');
    expect(game.premove).toBe('g1g2');
    takesBack(1, { legal: LEGAL });
    expect([game.premove, game.pending, asked.length]).toEqual([null, null, 0]);
  });

  it('are noticed after a time away, whatever was played in their place', () => {
    shows(mine());
    game.moveBy('a3a4');
    const once = fold(view, moved(view, 'a3a4'));
    const back = fold(once, takenBack(once, 1, { legal: LEGAL }));
    sink.missed([moved(view, 'a3a4'), takenBack(once, 1)], { ...back, server_time: 0 }, back.cursor);
    expect(game.pending).toBeNull();
    expect(game.yourTurn).toBe(true);
    expect(game.said.text).toBe('A move was taken back; Blue is to move.');
  });

  it('are asked for, and the opponent’s request is said and answered', () => {
    shows(mine());
    void game.requestTakeback();
    expect(last('request_takeback').data).toEqual({ game: 'g' });
    sink.event({ game: 'g', seq: 5, at: 0, event: { type: 'takeback_requested', seat: 'second' } });
    expect(game.said.text).toBe('Red asks to take a move back.');
    expect(sounds).toEqual(['notify']);
    void game.acceptTakeback();
    expect(last('accept_takeback').data).toEqual({ game: 'g', offer: 5 });
    void game.declineTakeback();
    expect(last('decline_takeback').data).toEqual({ game: 'g', offer: 5 });
  });

  it('are refused in words of their own', async () => {
    shows(mine());
    const done = game.requestTakeback();
    last('request_takeback').no(new Refusal({ code: 'too_late', message: '' }));
    expect(await done).toBe(false);
    expect(game.said.text).toBe('An attack can’t be taken back.');
    expect(game.faultTexts).toMatchObject({ too_late: 'game.takeback_attack' });
  });

  it('are remembered if an attack is among them', () => {
    const attack = { ply: 1, move: 'a6a7', removed: 'both', spent_ms: 0 } as const;
    const attacked = mine({ moves: [attack], position: { ...mine().position, ply: 1, turn: 'second' } });
    shows(mine());
    expect(game.attackTakenBack).toBe(false);
    shows(attacked);
    takesBack(1);
    expect(game.attackTakenBack).toBe(true);
  });

  it('are remembered if an attack was made and taken back while one was away', () => {
    shows(mine());
    const frame = moved(view, 'a3a4');
    const attack = { ...frame, event: { ...frame.event, removed: 'both' as const } } as typeof frame;
    const once = fold(view, attack);
    const back = fold(once, takenBack(once, 1));
    sink.missed([attack, takenBack(once, 1)], { ...back, server_time: 0 }, back.cursor);
    expect(game.attackTakenBack).toBe(true);
  });
});

describe('a move that is considered first', () => {
  it('is shown as made, and sent when it is meant', async () => {
    shows(mine());
    game.consider = () => Promise.resolve(true);
    game.moveBy('a3a4');
    expect([game.pending, asked.length]).toEqual(['a3a4', 0]);
    await turn();
    expect(last('move').data).toEqual({ game: 'g', ply: 1, move: 'a3a4' });
    expect(sounds).toEqual(['move']);
  });

  it('goes back, with what was planned after it, when it is not meant', async () => {
    shows(mine());
    game.consider = () => Promise.resolve(false);
    game.moveBy('a3a4');
    game.moveBy('a4a5');
    await turn();
    expect([game.pending, game.premove, asked.length]).toEqual([null, null, 0]);
    expect(game.yourTurn).toBe(true);
  });

  it('is not sent after another page of the same player has moved', async () => {
    shows(mine());
    game.consider = () => Promise.resolve(true);
    game.moveBy('a3a4');
    plays('g1g2');
    await turn();
    expect(asked).toEqual([]);
  });

  it('is not asked about as a premove', () => {
    shows(theirs());
    game.consider = () => Promise.resolve(false);
    game.moveBy('g7g6');
    plays('a3a4', { legal: ['g7g6'] });
    expect(last('move').data).toEqual({ game: 'g', ply: 2, move: 'g7g6' });
  });
});

describe('a setup', () => {
  const setup = { until: 90_000, ready: { first: false, second: false }, commitments: null, revealed: null };
  const setting = (yours: string) => aView({ you: 'first', setup: { ...setup, yours } });

  it('is shown at once, sent, and taken back when it is refused', async () => {
    shows(setting('old'));
    expect(game.settingUp).toBe(true);
    const done = game.setUp('new');
    expect(game.view?.setup?.yours).toBe('new');
    expect(last('set_up').data).toEqual({ game: 'g', setup: 'new' });
    last('set_up').no(new Refusal({ code: 'bad_setup', message: 'mines' }));
    expect(await done).toBe(false);
    expect(game.view?.setup?.yours).toBe('old');
  });

  it('that is refused gives way to the last one that the server has taken', async () => {
    shows(setting('old'));
    const [first, second] = [game.setUp('good'), game.setUp('bad')];
    last('set_up').ok();
    await turn();
    last('set_up').no(new Refusal({ code: 'bad_setup', message: 'mines' }));
    await Promise.all([first, second]);
    expect(game.view?.setup?.yours).toBe('good');
  });

  it('that another page has changed is shown here, too', () => {
    shows(setting('old'));
    sink.notice({ type: 'set_up', setup: 'theirs' });
    expect(game.view?.setup?.yours).toBe('theirs');
    sink.notice({ type: 'notes', notes: 'n' });
    expect(game.view?.notes).toBe('n');
  });

  it('that is being changed here is not overtaken by another page', () => {
    shows(setting('old'));
    void game.setUp('new');
    sink.notice({ type: 'set_up', setup: 'theirs' });
    expect(game.view?.setup?.yours).toBe('new');
  });

  it('counts down, and nobody moves meanwhile', () => {
    shows(setting('old'));
    expect(game.setupFor()).toBe(89_000);
    world.passes(1_500);
    expect(game.setupFor()).toBeLessThanOrEqual(88_000);
    game.moveBy('a3a4');
    expect(game.premove).toBeNull();
  });
});

describe('clocks', () => {
  const running = (ms: number, you: 'first' | 'second' = 'first') =>
    aView({
      you,
      clocks: { left: { first: { ms }, second: { ms: 60_000 } }, running: 'first', at: 1_000 }
    });

  it('are redrawn when a digit changes, and not before', () => {
    shows(running(60_500));
    expect(game.clocks().first).toEqual({ ms: 60_500, running: true });
    const { now } = game;
    world.passes(500);
    expect(game.now).toBe(now);
    world.passes(1);
    expect(game.clocks().first?.ms).toBe(59_999);
  });

  it('are never off by more than a tenth below ten seconds', () => {
    shows(running(11_000));
    for (let step = 0; step < 200; step += 1) {
      world.passes(37);
      const [shown, true_] = [game.clocks().first?.ms ?? 0, Math.max(0, 12_000 - world.now())];
      expect(shown - true_).toBeLessThanOrEqual(true_ < 10_000 ? 101 : 1_001);
    }
  });

  it('say when the player’s time runs low', async () => {
    shows(running(61_000));
    world.passes(1_500);
    expect(game.said.text).toContain('left');
    const { id } = game.said;
    await turn();
    world.passes(31_000);
    expect(game.said.id).toBe(id + 1);
    await turn();
    world.passes(20_000);
    expect(game.said.id).toBe(id + 2);
  });

  it('say nothing of the opponent’s', () => {
    shows(running(61_000, 'second'));
    world.passes(40_000);
    expect(game.said.text).toBe('');
  });

  it('that are held say for how long at most', () => {
    const held = { reason: 'start' as const, until: 31_000 };
    const clocks = { ...aView().clocks, held };
    delete clocks.running;
    shows(aView({ clocks }));
    expect(game.heldFor()).toBe(30_000);
    world.passes(2_100);
    expect(game.heldFor()).toBeLessThanOrEqual(28_000);
  });

  it('show from when on the game of an absent opponent may be claimed', () => {
    const away = { connected: false, claim_at: 6_000 };
    const presence = { players: { first: { connected: true, claim_at: null }, second: away }, spectators: 0 };
    shows(mine());
    expect(game.claimIn()).toBeNull();
    sink.notice({ type: 'presence', presence });
    expect(game.claimIn()).toBe(5_000);
    world.passes(5_100);
    expect(game.claimIn()).toBe(0);
  });

  it('stop with the game', () => {
    shows(running(60_000));
    game.close();
    const { now } = game;
    world.passes(5_000);
    expect(game.now).toBe(now);
  });
});

describe('what is said', () => {
  it('is the opponent’s move and the end, in words', async () => {
    shows(theirs());
    plays('a3a4', { legal: [] });
    expect(game.said.text).toBe('Blue: elephant from a3 to a4.');
    await turn();
    shows({ ...view, status: 'ended', outcome: { winner: 'first', reason: 'den' } });
    expect(game.said.text).toMatch(/^Blue won/);
    expect(sounds).toEqual(['move', 'end']);
  });

  it('is all that is told in one moment', () => {
    game.tell('Check.');
    game.tell('Your turn.');
    expect(game.said.text).toBe('Check. Your turn.');
  });

  it('can be the same twice, and is another thing then', async () => {
    game.tell('Check');
    const { id } = game.said;
    await turn();
    game.tell('Check');
    expect(game.said).toEqual({ id: id + 1, text: 'Check' });
  });
});

it('knows that the record can’t be written, and why a game can’t be watched', () => {
  shows(mine());
  sink.notice({ type: 'storage_down' });
  expect(game.storageDown).toBe(true);
  sink.notice({ type: 'storage_back' });
  expect(game.storageDown).toBe(false);
  sink.refused({ code: 'not_found', message: '' });
  expect(game.refused?.code).toBe('not_found');
});
