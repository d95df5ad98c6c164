import { expect, it } from 'vitest';
import { leftOf, paused, pressed, resumed, wound } from './clock';

const TIME = { initial: 60_000, increment: 5_000 };

it('stands until the first move, which costs nothing', () => {
  const clocks = wound(TIME);
  expect(leftOf(clocks, 'first', 'first', 99_000)).toEqual({ ms: 60_000, running: false });
  expect(pressed(clocks, 'first', TIME, 99_000).left).toEqual({ first: 65_000, second: 60_000 });
});

it('charges the player to move, who gets the increment with the move', () => {
  const running = resumed(wound(TIME), 1_000);
  expect(leftOf(running, 'second', 'second', 21_000)).toEqual({ ms: 40_000, running: true });
  expect(leftOf(running, 'first', 'second', 21_000)).toEqual({ ms: 60_000, running: false });
  expect(pressed(running, 'second', TIME, 21_000)).toEqual({ left: { first: 60_000, second: 45_000 }, since: null });
});

it('keeps what is left while it is paused, and never goes below zero', () => {
  const stopped = paused(resumed(wound(TIME), 0), 'first', 10_000);
  expect(leftOf(stopped, 'first', 'first', 500_000)).toEqual({ ms: 50_000, running: false });
  expect(leftOf(resumed(stopped, 600_000), 'first', 'first', 700_000).ms).toBe(0);
});
