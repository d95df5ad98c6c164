import { describe, expect, it } from 'vitest';
import type { Catalog, GameView } from '$lib/protocol/protocol';
import file from '$lib/rules/catalog.fixture.json';
import { NotOpen, ofGame } from './subject';

const catalog = file as unknown as Catalog;

const RED = 'MKBJC/G1D1E/KL1BD/N1E1J/LCXLN/EXCFX';

/** A game of Luzhanqi in which each side has moved once, as a spectator has it. */
function view(more: Partial<GameView>): GameView {
  const setup = { until: null, ready: { first: true, second: true }, yours: null, revealed: null };
  const commitments = { first: '00', second: '11' };
  const moves = [
    { ply: 1, move: 'a6a7', spent_ms: 0, removed: 'attacker' },
    { ply: 2, move: 'a7a6', spent_ms: 0 }
  ];
  const position = { fen: 'uuuuu/uuuuu/u1u1u/uu1uu/u1u1u/1uuuu/uUUUU/U1U1U/UU1UU/U1U1U/UUUUU/UUUUU w - - 1 2' };
  const game = { ruleset: 'luzhanqi/modern', options: {}, you: null, moves, position, status: 'playing' };
  return { ...game, setup: { ...setup, commitments }, ...more } as unknown as GameView;
}

/** The same with what is learned of a setup. */
function seen(yours: string | null, more: Partial<GameView> = {}): GameView {
  const { setup } = view({});
  return view({
    you: yours === null ? null : 'first',
    setup: { ...setup, yours } as NonNullable<GameView['setup']>,
    ...more
  });
}

describe('a game of Luzhanqi whose pieces are hidden', () => {
  it('is not open while the players set up', () => {
    expect(() =>
      ofGame(view({ setup: { ...view({}).setup, commitments: null } as NonNullable<GameView['setup']> }), catalog, null)
    ).toThrow(NotOpen);
  });

  it('is covered for a spectator, and its attacks end as they did', () => {
    const subject = ofGame(view({}), catalog, null);
    expect(subject.start).toMatch(/^uuuuu\/.*\/UUUUU w/);
    expect(subject.moves).toEqual([{ move: 'a6a7', removed: 'attacker' }, { move: 'a7a6' }]);
  });

  it('shows a player their own pieces and no others', () => {
    const { start } = ofGame(seen(RED), catalog, null);
    expect(start).toBe(`uuuuu/uuuuu/u1u1u/uu1uu/u1u1u/uuuuu/${RED} w - - 0 1`);
  });

  it('shows from the beginning on what was learned of a piece since', () => {
    const [first, second] = view({}).moves;
    if (!first || !second) throw new Error('two moves');
    const met = { attacker: 'M', defender: 'n' };
    const shown = ofGame(seen(RED, { moves: [{ ...first, met }, second] }), catalog, null);
    expect(shown.start).toBe(`uuuuu/uuuuu/u1u1u/uu1uu/u1u1u/nuuuu/${RED} w - - 0 1`);
    // The Flag is seen where it has always been; what has moved is traced back.
    const fen = 'ufuuu/uuuuu/u1u1u/uu1uu/u1u1u/1uuuu/eUUUU/U1U1U/UU1UU/U1U1U/UUUUU/UUUUU w - - 1 2';
    const flag = ofGame(view({ position: { fen } as GameView['position'] }), catalog, null);
    expect(flag.start).toBe('ufuuu/uuuuu/u1u1u/uu1uu/u1u1u/euuuu/UUUUU/U1U1U/UU1UU/U1U1U/UUUUU/UUUUU w - - 0 1');
  });
});
