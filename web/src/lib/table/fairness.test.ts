import { describe, expect, it } from 'vitest';
import type { PlayedMove, Removed, SetupView } from '$lib/protocol/protocol';
import { commitment, judge, verdict } from './fairness';

// The example of docs/fair-referee.md.
const salt = '7d1a0c5be2943f86c1507ea9d8b2463f90e5c7128ab4d36f51e09c2d7b8fa634';
const first = 'DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EFCXX';
const second = 'xfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkd';
const told = {
  first: '9624c24aea433476ef151d728c6b4f5889017bbd55bac271f679f39a2af58580',
  second: await commitment(salt, second)
};
const setup: SetupView = {
  until: null,
  ready: { first: true, second: true },
  yours: null,
  commitments: told,
  revealed: { first: { setup: first, salt }, second: { setup: second, salt } }
};

function moves(...played: [string, Removed?][]): PlayedMove[] {
  return played.map(([move, removed], index) => ({
    ply: index + 1,
    move,

    spent_ms: 0,
    ...(removed ? { removed } : {})
  }));
}

it('computes the commitment of the document', async () => {
  expect(await commitment(salt, first)).toBe(told.first);
});

it('lets each attack end as the table of the rules says', () => {
  // The rows attack the columns MGDBKJCLENXF.
  const table: Record<string, string> = {
    M: '=++++++++==+',
    G: '-=+++++++==+',
    C: '------=++==+',
    E: '--------==++',
    N: '===========+'
  };
  const signs = { '+': 'defender', '-': 'attacker', '=': 'both' } as const;
  for (const [attacker, row] of Object.entries(table)) {
    [...'MGDBKJCLENXF'].forEach((defender, at) => {
      expect(judge(attacker, defender, false), attacker + defender).toBe(signs[row[at] as '+' | '-' | '=']);
    });
  }
  expect(judge('M', 'X', true)).toBe('attacker');
  expect(judge('N', 'X', true)).toBe('both');
  expect(judge('E', 'X', true)).toBe('defender');
});

describe('the verdict', () => {
  it('waits until the setups are revealed', async () => {
    expect(await verdict({ ...setup, revealed: null }, told, [], false)).toBeNull();
  });

  it('is fair when commitments and attacks agree', async () => {
    // A Major General takes a Captain, another one a Captain of the other side, the first an Engineer; then both meet.
    const played = moves(['a6a7', 'defender'], ['e7e6', 'defender'], ['a7a8', 'defender'], ['a9a8', 'both']);
    expect(await verdict(setup, told, played, false)).toEqual({ kind: 'fair' });
  });

  it('is fair of the moves that stand when others were taken back, unless an attack was among them', async () => {
    const played = moves(['a6a7', 'defender'], ['e7e6', 'defender']);
    expect(await verdict(setup, told, played, false, false)).toEqual({ kind: 'fair' });
    expect(await verdict(setup, told, played, false, true)).toEqual({ kind: 'takeback' });
  });

  it('names the setup that was not committed to', async () => {
    const other = { ...told, second: told.first };
    expect(await verdict(setup, other, [], false)).toEqual({ kind: 'setup', seat: 'second' });
  });

  it('names the attack that had to end otherwise', async () => {
    const played = moves(['a6a7', 'attacker']);
    expect(await verdict(setup, told, played, false)).toEqual({ kind: 'move', ply: 1 });
  });

  it('names a Landmine that moved, an attack on nobody, and a move of nobody', async () => {
    expect(await verdict(setup, told, moves(['c2c3']), false)).toEqual({ kind: 'move', ply: 1 });
    expect(await verdict(setup, told, moves(['a5b5', 'both']), false)).toEqual({ kind: 'move', ply: 1 });
    expect(await verdict(setup, told, moves(['b5b4']), false)).toEqual({ kind: 'move', ply: 1 });
  });

  it('names an attack whose pieces were told wrongly', async () => {
    const [attack] = moves(['a6a7', 'defender']);
    const played = attack ? [{ ...attack, met: { attacker: 'G', defender: 'c' } }] : [];
    expect(await verdict(setup, told, played, false)).toEqual({ kind: 'move', ply: 1 });
  });
});
