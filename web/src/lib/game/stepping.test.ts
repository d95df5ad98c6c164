import { expect, it } from 'vitest';
import { clamp, pause, plyOf, stepKey } from './stepping';

it('stays within the game', () => {
  expect(clamp(-3, 10)).toBe(0);
  expect(clamp(99, 10)).toBe(10);
  expect(clamp(Number.NaN, 10)).toBe(10);
  expect(clamp(4.7, 10)).toBe(4);
});

it('takes the ply of an address, and nothing else', () => {
  expect(plyOf('12', 40, 40)).toBe(12);
  expect(plyOf('400', 40, 40)).toBe(40);
  expect(plyOf('-1', 40, 0)).toBe(0);
  expect(plyOf('<b>', 40, 7)).toBe(7);
  expect(plyOf(null, 40, 40)).toBe(40);
});

it('steps by keys', () => {
  expect(stepKey('ArrowLeft', 5, 9)).toBe(4);
  expect(stepKey('ArrowLeft', 0, 9)).toBe(0);
  expect(stepKey('ArrowRight', 9, 9)).toBe(9);
  expect(stepKey('Home', 5, 9)).toBe(0);
  expect(stepKey('End', 5, 9)).toBe(9);
  expect(stepKey('PageDown', 5, 30)).toBe(15);
  expect(stepKey('a', 5, 9)).toBeNull();
});

it('stands as long as the move took, but not for ever', () => {
  expect(pause('normal', 90_000)).toBe(1200);
  expect(pause('real', 3100)).toBe(3100);
  expect(pause('real', 10)).toBe(250);
  expect(pause('real', 90_000)).toBe(20_000);
  expect(pause('real', undefined)).toBe(1200);
});
