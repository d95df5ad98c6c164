import { render, screen } from '@testing-library/svelte';
import { beforeAll, expect, it } from 'vitest';
import { need } from '$lib/i18n/index.svelte';
import PlayerName from './PlayerName.svelte';

beforeAll(() => need('people', 'common'));

const id = '01a1ff2e-a799-7743-9636-de45632bd83f';

it('leads to the player, with the rating, which is marked as long as it is provisional', () => {
  const { container } = render(PlayerName, {
    player: { id, name: 'Anna', rating: { value: 1512, provisional: true } }
  });
  expect(screen.getByRole('link', { name: 'Anna' }).getAttribute('href')).toBe(`/player/${id}`);
  expect(container.textContent).toContain('1512?');
});

it('shows whatever somebody is called as text, isolated from the text around it', () => {
  const name = '<img src=x onerror=alert(1)>\u202etxet'.padEnd(10_000, 'y');
  const { container } = render(PlayerName, { player: { id, name }, href: null });
  expect(container.querySelector('img')).toBeNull();
  expect(container.querySelector('bdi')?.textContent).toBe(name);
  expect(container.querySelector('a')).toBeNull();
});

it('tells a program from people', () => {
  const { container } = render(PlayerName, { player: { id, name: 'Tiger-1', bot: true }, rating: false });
  expect(container.textContent).toContain('bot');
});

it('calls a computer by its level, without a page to lead to', () => {
  const player = { id, name: 'Computer-Xiangqi-3', bot: true, computer: 3 };
  const { container } = render(PlayerName, { player });
  expect(container.textContent?.trim()).toBe('Computer, level 3');
  expect(container.querySelector('a')).toBeNull();
});
