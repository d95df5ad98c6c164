import { describe, expect, it } from 'vitest';
import type { PlayedMove } from '$lib/protocol/protocol';
import {
  boardText,
  ends,
  lostBy,
  luzhanqiStart,
  placement,
  plies,
  settingUp,
  sizeOf,
  startBefore,
  seenAs
} from './plies';

const START = 'l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1';

function played(...moves: [string, Partial<PlayedMove>?][]): PlayedMove[] {
  return moves.map(([move, more], index) => ({ ply: index + 1, move, spent_ms: 0, ...more }));
}

it('splits moves at their squares, also on ranks of two digits', () => {
  expect(ends('a3a4')).toEqual(['a3', 'a4']);
  expect(ends('a9a10')).toEqual(['a9', 'a10']);
  expect(ends('b10b9')).toEqual(['b10', 'b9']);
  expect(ends('b10b12')).toEqual(['b10', 'b12']);
});

it('writes the board that it has read', () => {
  const board = START.split(' ')[0] ?? '';
  expect(sizeOf(START)).toEqual([7, 9]);
  expect(placement(START).get('g3')).toBe('R');
  expect(boardText(placement(START), 7, 9)).toBe(board);
});

it('plays moves and captures from the start', () => {
  const all = plies(START, played(['a3a4'], ['g7g6'], ['a4a7', { captured: 'r' }]));
  expect(all.map((ply) => ply.fen)).toEqual([
    START,
    'l5t/1d3c1/r1p1w1e/7/7/E6/2W1P1R/1C3D1/T5L b',
    'l5t/1d3c1/r1p1w2/6e/7/E6/2W1P1R/1C3D1/T5L w',
    'l5t/1d3c1/E1p1w2/6e/7/7/2W1P1R/1C3D1/T5L b'
  ]);
  expect(all.map((ply) => ply.lost)).toEqual([[], [], [], ['r']]);
});

it('finds the start again from the end', () => {
  const moves = played(['a3a4'], ['g7g6'], ['a4a7', { captured: 'r' }]);
  const end = plies(START, moves).at(-1)?.fen ?? '';
  expect(startBefore(end, moves)).toBe(START);
  expect(startBefore(START, [])).toBe(START);
});

describe('in Luzhanqi', () => {
  const setup = {
    until: null,
    ready: { first: true, second: false },
    yours: 'DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX',
    commitments: null,
    revealed: null
  };

  it('shows the player’s own setup, and backs of what is not known', () => {
    const start = luzhanqiStart(setup, 'first');
    expect(start).toBe('uuuuu/uuuuu/u1u1u/uu1uu/u1u1u/uuuuu/DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX w - - 0 1');
    expect(luzhanqiStart(null, null)).toMatch(/^uuuuu.*UUUUU w/);
  });

  it('shows both setups once they are revealed', () => {
    const revealed = { first: { setup: setup.yours, salt: '' }, second: { setup: 'x/y', salt: '' } };
    expect(luzhanqiStart({ ...setup, revealed }, null)).toBe(`x/y/${setup.yours} w - - 0 1`);
  });

  it('shows the backs of a ready player’s pieces while both set up', () => {
    expect(settingUp(setup, 'second')).toBe(
      `DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX/UUUUU/U1U1U/UU1UU/U1U1U/UUUUU/UUUUU w - - 0 1`
    );
    expect(settingUp(setup, 'first')).toMatch(/^5\/5\/5\/5\/5\/5\/DKBJC/);
  });

  it('removes who is told to be removed, and names what is known', () => {
    const start = luzhanqiStart(setup, 'first');
    const all = plies(
      start,
      played(
        ['a6a7', { removed: 'defender' }],
        ['b7a7', { removed: 'attacker' }],
        ['c6c7', { removed: 'both' }],
        ['e7e6', { removed: 'defender', met: { attacker: 'M', defender: 'C' } }],
        ['e5e6', { removed: 'both', met: { attacker: 'E', defender: 'N' } }]
      )
    );
    expect(all.slice(1).map((ply) => ply.lost)).toEqual([['u'], ['u'], ['u', 'B'], ['C'], ['n', 'E']]);
    const stands = placement(all[5]?.fen ?? '');
    expect([stands.get('a7'), stands.get('b7'), stands.get('c7'), stands.get('e6'), stands.get('e5')]).toEqual([
      'D',
      undefined,
      undefined,
      undefined,
      undefined
    ]);
    expect(lostBy(all, 5, 'first', 'MGDBKJCLENXF')).toEqual(['B', 'C', 'E']);
    expect(lostBy(all, 3, 'second', 'MGDBKJCLENXF')).toEqual(['u', 'u', 'u']);
    expect(lostBy(all, 5, 'second', 'MGDBKJCLENXF')).toEqual(['n', 'u', 'u', 'u']);
  });
});

describe('as somebody sees them', () => {
  const at = (ply: number, fen: string) => ({ ply, move: null, fen });

  it('shows what was seen then, and loses what was known then', () => {
    const positions = [
      at(0, 'uu/2/DU w - - 0 1'),
      at(1, 'uu/D1/1U b - - 0 1'),
      at(2, 'u1/Du/1U w - - 0 1'),
      at(3, 'D1/1u/1U b - - 0 1')
    ];
    // What the record says now of the pieces that were taken was not known then.
    const moves = played(['a1a2'], ['b3b2'], ['a2a3', { removed: 'defender', captured: 'x' }]);
    const seen = seenAs(positions, moves);
    expect(seen.map((ply) => ply.fen)).toEqual(positions.map((position) => position.fen));
    expect(seen.map((ply) => ply.move)).toEqual([null, 'a1a2', 'b3b2', 'a2a3']);
    expect(seen.map((ply) => ply.lost)).toEqual([[], [], [], ['u']]);
  });

  it('names what was shown to everybody', () => {
    const positions = [at(0, 'u/U w - - 0 1'), at(1, '1/1 b - - 0 1')];
    const moves = played(['a1a2', { removed: 'both', met: { attacker: 'b', defender: 'b' }, captured: 'b' }]);
    expect(seenAs(positions, moves)[1]?.lost).toEqual(['b', 'B']);
  });
});
