// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { GameView } from '$lib/protocol/protocol';
import { happenings, heard } from './happenings';
import { fold } from './fold';
import { aView, moved, takenBack } from './testing';

const kinds = (before: GameView | null, after: GameView) => happenings(before, after).map(({ type }) => type);

describe('what has happened between two views', () => {
  it('is nothing at the first look', () => {
    expect(happenings(null, aView())).toEqual([]);
  });

  it('is a move, with the position that it was made in', () => {
    const before = aView({ you: 'second' });
    const after = fold(before, moved(before, 'a3a4'));
    const [happening] = happenings(before, after);
    expect(happening).toMatchObject({ type: 'moved', seat: 'first', before: before.position.fen });
    expect(heard(happenings(before, after), 'second')).toBe('move');
  });

  it('has no position before the move when others came between', () => {
    const before = aView({ you: 'second' });
    const between = fold(before, moved(before, 'a3a4'));
    const after = fold(between, moved(between, 'g7g6'));
    expect(happenings(before, after)).toMatchObject([{ type: 'moved', seat: 'second', before: null }]);
  });

  it('is heard as a capture when a piece was taken, and an own move is not heard again', () => {
    const before = aView({ you: 'second' });
    const found = happenings(before, fold(before, moved(before, 'a3a4', { captured: 'r' })));
    expect(heard(found, 'second')).toBe('capture');
    expect(heard(found, 'first')).toBeNull();
  });

  it('is a check, which is heard even by who gives it', () => {
    const before = aView();
    const after = fold(before, moved(before, 'a3a4'));
    const checked = { ...after, position: { ...after.position, check: true } };
    expect(kinds(before, checked)).toEqual(['moved', 'check']);
    expect(heard(happenings(before, checked), 'first')).toBe('check');
  });

  it('is an offer that is made, and one that is declined', () => {
    const before = aView();
    const offered = { ...before, draw_offer: { seat: 'first', seq: 5 } as const };
    expect(happenings(before, offered)).toEqual([{ type: 'draw_offered', seat: 'first' }]);
    expect(happenings(offered, before)).toEqual([{ type: 'draw_declined', seat: 'second' }]);
    expect(heard(happenings(before, offered), 'second')).toBe('notify');
    expect(heard(happenings(before, offered), 'first')).toBeNull();
  });

  it('is no refusal when a move lets the offer lapse', () => {
    const offered = aView({ draw_offer: { seat: 'second', seq: 5 } });
    expect(kinds(offered, fold(offered, moved(offered, 'a3a4')))).toEqual(['moved']);
  });

  it('is a request to take moves back, and its refusal', () => {
    const before = aView();
    const asked = aView({ takeback_request: { seat: 'first', seq: 5 } });
    expect(happenings(before, asked)).toEqual([{ type: 'takeback_requested', seat: 'first' }]);
    expect(happenings(asked, before)).toEqual([{ type: 'takeback_declined', seat: 'second' }]);
    expect(heard(happenings(before, asked), 'second')).toBe('notify');
    expect(heard(happenings(before, asked), 'first')).toBeNull();
    expect(kinds(asked, fold(asked, moved(asked, 'a3a4')))).toEqual(['moved']);
  });

  it('is moves that are taken back, and who moves now; offers lapse without a word', () => {
    const start = aView({ you: 'second' });
    const once = fold(start, moved(start, 'a3a4'));
    const asked = {
      ...fold(once, moved(once, 'g7g6')),
      takeback_request: { seat: 'first' as const, seq: 8 },
      draw_offer: { seat: 'first' as const, seq: 7 }
    };
    const back = fold(asked, takenBack(asked, 2));
    expect(happenings(asked, back)).toEqual([{ type: 'taken_back', plies: 2, turn: 'first' }]);
    expect(heard(happenings(asked, back), 'second')).toBe('move');
    // Another move was played in their place while this client was away.
    const after = fold(back, moved(back, 'g1g2'));
    expect(happenings(asked, after)).toMatchObject([
      { type: 'taken_back', plies: 2, turn: null },
      { type: 'moved', seat: 'first', played: { move: 'g1g2' }, before: null }
    ]);
    // As many as before, and yet other ones.
    const both = fold(after, moved(after, 'a7a6'));
    expect(kinds(asked, both)).toEqual(['taken_back', 'moved']);
  });

  it('is the end, which drowns all else', () => {
    const before = aView();
    const after: GameView = {
      ...fold(before, moved(before, 'a3a4')),
      status: 'ended',
      outcome: { winner: 'first', reason: 'den' }
    };
    expect(kinds(before, after)).toEqual(['moved', 'ended']);
    expect(heard(happenings(before, after), 'second')).toBe('end');
  });

  it('is the beginning, when the second player has come', () => {
    const open = aView({ status: 'open', players: { first: { id: 'a', name: 'Anna' }, second: null } });
    expect(kinds(open, aView())).toEqual(['joined', 'started']);
    expect(heard(happenings(open, aView()), 'first')).toBe('start');
  });

  it('is setting up before play begins', () => {
    const open = aView({ status: 'open' });
    const setup = { until: 9, ready: { first: false, second: false }, yours: null, commitments: null, revealed: null };
    const setting = aView({ setup });
    expect(kinds(open, setting)).toEqual(['setup_began']);
    const ready = aView({ setup: { ...setup, ready: { first: true, second: false } } });
    expect(kinds(setting, ready)).toEqual(['setup_ready']);
    expect(kinds(setting, aView({ setup: { ...setup, until: 20 } }))).toEqual(['setup_extended']);
    expect(kinds(ready, aView({ setup: { ...setup, until: null } }))).toEqual(['started']);
  });

  it('is the opponent going and coming, but not oneself', () => {
    const away = { connected: false, claim_at: 5 };
    const here = aView({ you: 'first' });
    const gone = { ...here, presence: { players: { first: away, second: away }, spectators: 0 } };
    expect(happenings(here, gone)).toEqual([{ type: 'away', seat: 'second' }]);
    expect(happenings(gone, here)).toEqual([{ type: 'back', seat: 'second' }]);
  });

  it('is clocks that are held, and released', () => {
    const running = aView();
    const held = aView({ clocks: { ...running.clocks, held: { reason: 'restart', until: 9 } } });
    expect(happenings(running, held)).toEqual([{ type: 'held', reason: 'restart' }]);
    expect(kinds(held, running)).toEqual(['released']);
  });

  it('is what the opponent says, not what one says oneself', () => {
    const before = aView({ you: 'first' });
    const chat = [
      { seat: 'first' as const, at: 1, text: 'Hello' },
      { seat: 'second' as const, at: 2, text: 'Hi' }
    ];
    expect(happenings(before, { ...before, chat })).toEqual([{ type: 'chat', seat: 'second', text: 'Hi' }]);
  });

  it('is a rematch, offered and agreed', () => {
    const ended = aView({ status: 'ended', outcome: { winner: null, reason: 'agreement' } });
    const offered = { ...ended, rematch_offer: { seat: 'second' as const, seq: 9 } };
    expect(kinds(ended, offered)).toEqual(['rematch_offered']);
    expect(happenings(offered, { ...ended, next: 'n' })).toEqual([{ type: 'rematch_agreed', next: 'n' }]);
  });
});
