import { describe, expect, it } from 'vitest';
import { exchanged, faults, mirrored, PRESETS, seen, turned } from './formation';

const LEGAL = 'DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX';

it('exchanges two pieces of either seat', () => {
  expect(exchanged('first', LEGAL, 'a6', 'e1')).toBe('XKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFD');
  expect(exchanged('second', turned(LEGAL), 'e7', 'a12')).toBe(turned('XKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFD'));
  expect(exchanged('first', LEGAL, 'a6', 'b5')).toBeNull();
  expect(exchanged('first', LEGAL, 'a6', 'a7')).toBeNull();
  expect(exchanged('first', LEGAL, 'a6', 'a6')).toBeNull();
});

it('mirrors and turns, and both twice is nothing', () => {
  expect(mirrored(LEGAL)).toBe('CJBKD/E1M1G/DB1LK/J1E1N/NLXCL/XFCXE');
  expect(mirrored(mirrored(LEGAL))).toBe(LEGAL);
  expect(turned(LEGAL)).toBe('xfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkd');
  expect(turned(turned(LEGAL))).toBe(LEGAL);
  expect(seen('second', seen('second', LEGAL))).toBe(LEGAL);
});

describe('what is wrong with a setup', () => {
  it('is nothing with a legal one, for either seat', () => {
    expect(faults('first', LEGAL)).toEqual([]);
    expect(faults('second', turned(LEGAL))).toEqual([]);
    expect(faults('first', mirrored(LEGAL))).toEqual([]);
  });

  it.each(Object.entries(PRESETS))('is nothing with the preset %s', (_, preset) => {
    expect(faults('first', preset)).toEqual([]);
  });

  it('is told with its points', () => {
    const mineInFront = exchanged('first', LEGAL, 'c2', 'c6') ?? '';
    expect(faults('first', mineInFront)).toEqual([{ rule: 'landmine', square: 'c6' }]);
    expect(faults('second', turned(mineInFront))).toEqual([{ rule: 'landmine', square: 'c7' }]);
    const grenade = exchanged('first', LEGAL, 'e2', 'e6') ?? '';
    expect(faults('first', grenade)).toEqual([{ rule: 'grenade', square: 'e6' }]);
    const flag = exchanged('first', LEGAL, 'd1', 'a1') ?? '';
    expect(faults('first', flag)).toEqual([{ rule: 'flag', square: 'a1' }]);
    expect(faults('first', '5/5/5/5/5/5').some((fault) => fault.rule === 'count')).toBe(true);
    expect(faults('first', 'nothing')).toEqual([{ rule: 'form', square: null }]);
  });
});
