// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { Answer, EventFrame, GameNotice, GameView, PlayerId } from '$lib/protocol/protocol';
import { catchUp, fold, withLines } from './fold';
import { aView, moved, takenBack } from './testing';

interface Recorded {
  viewer: string;
  me: PlayerId | null;
  snapshot: GameView;
  messages: (EventFrame | GameNotice | Extract<Answer, { type: 'missed' | 'snapshot' }>)[];
  final: GameView;
}

const files = import.meta.glob<Recorded[]>('./fixtures/*.json', { import: 'default', eager: true });

/** What an event does not tell: who is there, and what time it is. */
function comparable(view: GameView): unknown {
  const { clocks, cursor } = view;
  return { ...view, clocks: { ...clocks, at: 0 }, cursor: { ...cursor, epoch: 0 }, presence: null, server_time: 0 };
}

function folded({ snapshot, messages, me }: Recorded): GameView {
  return messages.reduce((view, message) => {
    if ('event' in message) return fold(view, message, me);
    if ('live' in message) return catchUp(view, message.events, message.live, message.cursor, me);
    if ('notice' in message && message.notice.type === 'presence')
      return { ...view, presence: message.notice.presence };
    if ('notice' in message && message.notice.type === 'notes') return { ...view, notes: message.notice.notes };
    return view;
  }, snapshot);
}

/** The setup that one has changed oneself, and one's notes: the server does not send them back. */
function ownDoing(view: GameView, final: GameView): GameView {
  const setup = view.setup && final.setup ? { ...view.setup, yours: final.setup.yours } : view.setup;
  return { ...view, ...(setup && { setup }), ...(final.notes !== undefined && { notes: final.notes }) };
}

const recorded = Object.entries(files).flatMap(([file, viewers]) =>
  viewers.map((each) => ({ name: `${each.viewer} in ${file}`, ...each }))
);

describe('a recorded game', () => {
  it('is there for each of the three games and each of three viewers', () => {
    expect(recorded).toHaveLength(9);
  });

  it.each(recorded)('folded as $name saw it is the view of the server', (each) => {
    expect(each.messages.filter((message) => 'event' in message).length).toBeGreaterThan(10);
    expect(comparable(ownDoing(folded(each), each.final))).toEqual(comparable(each.final));
  });

  it.each(recorded)('is not changed by folding it, as $name saw it', (each) => {
    const before = structuredClone(each.snapshot);
    folded(each);
    expect(each.snapshot).toEqual(before);
  });
});

describe('a client that was away', () => {
  const ben = recorded.find(({ viewer, name }) => viewer === 'ben' && name.includes('xiangqi'));

  it('was told in one answer what had happened', () => {
    const missed = ben?.messages.find((message) => 'live' in message);
    expect(missed && 'live' in missed && missed.events.length).toBeGreaterThan(0);
  });
});

describe('moves that are taken back', () => {
  const played = (moves: readonly string[], from = aView()) =>
    moves.reduce((view, move) => fold(view, moved(view, move)), from);
  const request = (view: GameView): EventFrame => ({
    game: view.game,
    seq: view.cursor.seq + 1,
    at: 0,
    event: { type: 'takeback_requested', seat: 'second' }
  });

  it('leave the end of the list, and are counted', () => {
    const once = played(['a3a4', 'g7g6', 'a4a5']);
    const back = fold(once, takenBack(once, 1));
    expect(back.moves.map(({ move }) => move)).toEqual(['a3a4', 'g7g6']);
    expect(back).toMatchObject({ takebacks: { count: 1, plies: 1 }, position: { ply: 2, turn: 'first' } });
    expect(back.clocks.running).toBe('first');
    const twice = fold(back, takenBack(back, 2));
    expect(twice).toMatchObject({ moves: [], takebacks: { count: 2, plies: 3 } });
    expect(once.moves).toHaveLength(3);
  });

  it('take an open draw offer and the request with them', () => {
    const view = { ...played(['a3a4', 'g7g6']), draw_offer: { seat: 'second' as const, seq: 6 } };
    const asked = fold(view, request(view));
    expect(asked).toMatchObject({
      takeback_request: { seat: 'second', seq: view.cursor.seq + 1 },
      draw_offer: { seq: 6 }
    });
    const back = fold(asked, takenBack(asked, 1));
    expect(back.draw_offer).toBeNull();
    expect(back).not.toHaveProperty('takeback_request');
  });

  it('are no longer asked for after a move, a refusal or the end', () => {
    const view = played(['a3a4', 'g7g6']);
    const asked = fold(view, request(view));
    const at = { game: 'g', seq: asked.cursor.seq + 1, at: 0 };
    const outcome = { winner: 'first', reason: 'resignation' } as const;
    for (const frame of [
      moved(asked, 'a4a5'),
      { ...at, event: { type: 'takeback_declined', seat: 'first' } },
      { ...at, event: { type: 'ended', outcome, clocks: asked.clocks } }
    ] satisfies EventFrame[]) {
      expect(fold(asked, frame), frame.event.type).not.toHaveProperty('takeback_request');
    }
  });

  it('are gone for a client that was away, whatever was played in their place', () => {
    const view = played(['a3a4', 'g7g6']);
    const back = fold(view, takenBack(view, 2));
    const after = fold(back, moved(back, 'g1g2'));
    const missed = catchUp(view, [takenBack(view, 2), moved(back, 'g1g2')], { ...after, server_time: 0 }, after.cursor);
    expect(missed.moves.map(({ move }) => move)).toEqual(['g1g2']);
    expect(missed).toMatchObject({ takebacks: { count: 1, plies: 2 }, position: { ply: 1 } });
  });
});

describe('what spectators say', () => {
  const line = (number: number) => ({ number, at: 0, player: { id: 'p', name: 'cleo' }, text: `line ${number}` });
  const view = Object.values(files)[0]?.[0]?.snapshot as GameView;
  const numbers = (of: GameView) => of.spectator_chat?.map(({ number }) => number) ?? [];

  it('follows what is known, and comes in once', () => {
    const once = withLines(view, [line(1), line(2)]);
    expect(numbers(once)).toEqual([1, 2]);
    expect(numbers(withLines(once, [line(2), line(3)]))).toEqual([1, 2, 3]);
    expect(withLines(once, [line(2)])).toBe(once);
  });

  it('is as long as a page can show', () => {
    const many = withLines(
      view,
      Array.from({ length: 400 }, (_, at) => line(at + 1))
    );
    expect(numbers(many)).toHaveLength(300);
    expect(numbers(many).at(-1)).toBe(400);
  });
});
