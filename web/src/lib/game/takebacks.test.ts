import { expect, it } from 'vitest';
import type { GameEvent, PlayedMove } from '$lib/protocol/protocol';
import { attackTakenBack, canAskBack, knowsTakebacks, stillStanding } from './takebacks';
import { aView } from './testing';

const COMPUTER = { id: 'c', name: 'Computer-1', bot: true, computer: 1 };

function moves(...played: (string | [string, PlayedMove['removed']])[]): PlayedMove[] {
  return played.map((each, at) => {
    const [move, removed] = typeof each === 'string' ? [each, undefined] : each;
    return { ply: at + 1, move, spent_ms: 0, ...(removed && { removed }) };
  });
}

it('knows in which games moves can be taken back', () => {
  const { first } = aView().players;
  const players = { first, second: COMPUTER };
  expect(knowsTakebacks(aView())).toBe(true);
  expect(knowsTakebacks(aView({ rated: true }))).toBe(false);
  expect(knowsTakebacks(aView({ players }))).toBe(false);
  expect(knowsTakebacks(aView({ players, practice: true }))).toBe(true);
  expect(knowsTakebacks(aView({ status: 'ended' }))).toBe(false);
});

it('knows when there is a move of the player that stands', () => {
  const at = (ply: number) => ({
    ...aView().position,
    ply,
    turn: ply % 2 === 0 ? ('first' as const) : ('second' as const)
  });
  const two = aView({ moves: moves('a3a4', 'g7g6'), position: at(2) });
  expect(canAskBack(aView(), 'first')).toBe(false);
  expect(canAskBack(two, 'first')).toBe(true);
  expect(canAskBack(two, 'second')).toBe(true);
  const one = aView({ moves: moves('a3a4'), position: at(1) });
  expect(canAskBack(one, 'first')).toBe(true);
  expect(canAskBack(one, 'second')).toBe(false);
  expect(canAskBack({ ...two, takeback_request: { seat: 'first', seq: 7 } }, 'first')).toBe(false);
  expect(canAskBack({ ...two, takebacks: { count: 20, plies: 30 } }, 'first')).toBe(false);
});

it('never asks for an attack', () => {
  const at = { ...aView().position, ply: 3, turn: 'second' as const };
  const attacked = aView({ moves: moves('a6a7', ['e7e6', 'both'], 'b6b7'), position: at });
  expect(canAskBack(attacked, 'first')).toBe(true);
  expect(canAskBack(attacked, 'second')).toBe(false);
});

it('counts the moves that still stand', () => {
  const before = moves('a3a4', 'g7g6', 'a4a5');
  expect(stillStanding(before, before)).toBe(3);
  expect(stillStanding(before, before.slice(0, 2))).toBe(2);
  expect(stillStanding(before, moves('a3a4', 'a7a6', 'a4a5'))).toBe(1);
});

it('finds the attack that was taken back, and no other', () => {
  const clocks = { at: 0 };
  const moved = (removed?: PlayedMove['removed']): GameEvent => ({
    type: 'moved',
    seat: 'first',
    ply: 1,
    move: 'a6a7',
    spent_ms: 0,
    lag_ms: 0,
    clocks,
    ...(removed && { removed })
  });
  const back = (plies: number): GameEvent => ({ type: 'taken_back', seat: 'first', plies, clocks });
  expect(attackTakenBack([], [moved('both'), moved(), back(1), moved(), back(1)])).toBe(false);
  expect(attackTakenBack([], [moved(), moved('attacker'), back(2)])).toBe(true);
  expect(attackTakenBack(moves('a3a4', ['a6a7', 'defender']), [back(1)])).toBe(true);
  expect(attackTakenBack(moves(['a6a7', 'defender'], 'a3a4'), [back(1)])).toBe(false);
});
