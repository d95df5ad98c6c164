import { describe, expect, it } from 'vitest';
import { place, follow } from './diff';
import { fallen, verdict } from './fallen';

const pieces = (entries: Record<string, string>) => new Map(Object.entries(entries));

describe('who falls by a move', () => {
  const before = place(pieces({ a1: 'C', a2: 'u', b5: 'u' }));

  it.each([
    ['defender', { a2: 'C', b5: 'u' }, [['u', null]]],
    ['attacker', { a2: 'u', b5: 'u' }, [['C', 'a1']]],
    [
      'both',
      { b5: 'u' },
      [
        ['C', 'a1'],
        ['u', null]
      ]
    ]
  ] as const)('is the %s that an attack removes, and it breaks', (removed, next, gone) => {
    const after = follow(before, pieces(next), 'a1a2');
    const found = fallen(before, after, 'a1a2', removed);
    expect(found.map(({ letter, from }) => [letter, from])).toEqual(gone);
    expect(found.every(({ square, breaks }) => square === 'a2' && breaks)).toBe(true);
  });

  it('is the captured piece, which does not break', () => {
    const after = follow(before, pieces({ a2: 'C', b5: 'u' }), 'a1a2');
    expect(fallen(before, after, 'a1a2', null)).toMatchObject([{ letter: 'u', breaks: false }]);
  });

  it('is nobody where pieces only look different', () => {
    const after = follow(before, pieces({ a1: 'C', a2: 'm', b5: 'u' }), null);
    expect(fallen(before, after, null, null)).toEqual([]);
  });
});

it.each([
  ['defender', 'C', 'first', 'won'],
  ['defender', 'C', 'second', 'lost'],
  ['attacker', 'C', 'first', 'lost'],
  ['attacker', 'c', 'first', 'won'],
  ['both', 'C', 'first', 'both'],
  ['attacker', 'C', null, 'attacker']
] as const)('an attack that removes the %s by %s means for %s: %s', (removed, attacker, viewer, said) => {
  expect(verdict(removed, attacker, viewer)).toBe(said);
});
