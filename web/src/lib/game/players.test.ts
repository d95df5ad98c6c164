import { beforeAll, expect, it } from 'vitest';
import { need } from '$lib/i18n/index.svelte';
import { isComputer, playerName } from './players';

beforeAll(() => need('common'));

it('calls a computer by its level, and everybody else as they are called', () => {
  expect(playerName({ name: 'Computer-DouShouQi-3', computer: 3 })).toBe('Computer, level 3');
  expect(playerName({ name: 'Anna' })).toBe('Anna');
  expect(playerName(null, '…')).toBe('…');
});

it('takes no other program for a computer of the server', () => {
  expect(isComputer({ computer: 1 })).toBe(true);
  for (const player of [{ bot: true }, null, undefined]) expect(isComputer(player)).toBe(false);
});
