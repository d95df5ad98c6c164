import { describe, expect, it } from 'vitest';
import { parse } from './fen';
import { choose, confirm, drop, keep, NOTHING, targets, type Choices, type Effect, type Pick } from './pick';

const CHOICES: Choices = {
  mode: 'play',
  pieces: parse('xiangqi', '4k4/9/9/9/9/9/9/9/4r4/R2K5 w'),
  movable: 'first',
  legal: ['a1a2', 'a1a10', 'd1d2'],
  banned: [{ move: 'a1b1', reason: 'perpetual_chase' }],
  premoves: true,
  premove: null,
  confirm: false
};

/** Chooses one square after the other; the last effect, and what is picked. */
function chooses(squares: readonly string[], choices = CHOICES): [Pick, Effect] {
  let pick = NOTHING;
  let effect: Effect = { kind: 'none' };
  for (const square of squares) [pick, effect] = choose(pick, square, choices);
  return [pick, effect];
}

describe('choosing squares', () => {
  it('picks up and puts down', () => {
    expect(chooses(['a1'])[0].selected).toBe('a1');
    expect(chooses(['a1', 'a10'])).toEqual([NOTHING, { kind: 'move', move: 'a1a10' }]);
  });

  it('lets go of a piece that is chosen again, and changes to another one', () => {
    expect(chooses(['a1', 'a1'])[0]).toEqual(NOTHING);
    expect(chooses(['a1', 'd1'])[0].selected).toBe('d1');
  });

  it('does not pick up what is not one’s own', () => {
    for (const square of ['e2', 'b5']) expect(chooses([square])[0]).toEqual(NOTHING);
    expect(chooses(['a1'], { ...CHOICES, movable: null })[0]).toEqual(NOTHING);
  });

  it('reports a banned move with its reason, and holds on to the piece', () => {
    const [pick, effect] = chooses(['a1', 'b1']);
    expect(effect).toEqual({ kind: 'banned', move: 'a1b1', reason: 'perpetual_chase' });
    expect(pick.selected).toBe('a1');
  });

  it('refuses what is not possible', () => {
    expect(chooses(['a1', 'i9'])).toEqual([NOTHING, { kind: 'refused', move: 'a1i9' }]);
  });
});

describe('a move that has to be confirmed', () => {
  const choices = { ...CHOICES, confirm: true };

  it('waits, and goes when it is confirmed', () => {
    const [pick, effect] = chooses(['a1', 'a2'], choices);
    expect(effect.kind).toBe('none');
    expect(pick.asking).toBe('a1a2');
    expect(confirm(pick)).toEqual([NOTHING, { kind: 'move', move: 'a1a2' }]);
  });

  it('goes when its target is chosen again, and is forgotten when another is', () => {
    expect(chooses(['a1', 'a2', 'a2'], choices)[1]).toEqual({ kind: 'move', move: 'a1a2' });
    expect(chooses(['a1', 'a2', 'd1'], choices)[0]).toEqual({ selected: 'd1', asking: null });
  });

  it('is forgotten when it is not legal any more', () => {
    const [pick] = chooses(['a1', 'a2'], choices);
    expect(keep(pick, { ...choices, legal: ['d1d2'] }).asking).toBeNull();
  });
});

describe('a move before one’s turn', () => {
  const waiting = { ...CHOICES, legal: [], banned: [] };

  it('is entered to anywhere', () => {
    expect(chooses(['a1', 'i9'], waiting)).toEqual([NOTHING, { kind: 'premove', move: 'a1i9' }]);
  });

  it('is taken back by choosing an empty square', () => {
    expect(chooses(['b5'], { ...waiting, premove: 'a1i9' })[1]).toEqual({ kind: 'premove', move: null });
  });

  it('is not entered where the user does not want that', () => {
    expect(chooses(['a1', 'i9'], { ...waiting, premoves: false })[1].kind).toBe('none');
  });
});

describe('dragging', () => {
  it('plays where it is dropped', () => {
    expect(drop('a1', 'a2', CHOICES)[1]).toEqual({ kind: 'move', move: 'a1a2' });
    expect(drop('a1', 'b1', CHOICES)[1].kind).toBe('banned');
  });

  it('lets go off the board, and where it began', () => {
    expect(drop('a1', null, CHOICES)).toEqual([NOTHING, { kind: 'none' }]);
    expect(drop('a1', 'a1', CHOICES)).toEqual([NOTHING, { kind: 'none' }]);
  });
});

describe('a setup', () => {
  const setting = { ...CHOICES, mode: 'setup' as const, legal: [], banned: [] };

  it('exchanges two own pieces', () => {
    expect(chooses(['a1', 'd1'], setting)[1]).toEqual({ kind: 'exchange', from: 'a1', to: 'd1' });
    expect(drop('a1', 'd1', setting)[1]).toEqual({ kind: 'exchange', from: 'a1', to: 'd1' });
  });

  it('leaves all else where it is', () => {
    for (const square of ['e2', 'b5']) expect(chooses(['a1', square], setting)).toEqual([NOTHING, { kind: 'none' }]);
  });
});

it('tells squares of one digit from those of two', () => {
  const { open } = targets({ ...CHOICES, legal: ['a10a9', 'a1a2'] }, 'a1');
  expect([...open]).toEqual(['a2']);
});

it('forgets what is picked when the piece is gone', () => {
  const gone = { ...CHOICES, pieces: parse('xiangqi', '4k4/9/9/9/9/9/9/9/4r4/3K5 w') };
  expect(keep({ selected: 'a1', asking: null }, gone)).toEqual(NOTHING);
});
