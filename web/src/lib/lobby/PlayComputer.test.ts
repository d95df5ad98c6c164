import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeAll, expect, it, vi } from 'vitest';
import { need } from '$lib/i18n/index.svelte';
import PlayComputer from './PlayComputer.svelte';

beforeAll(() => need('lobby'));

it('leads to a game against the computer', async () => {
  const onopen = vi.fn();
  render(PlayComputer, { available: true, onopen });
  await fireEvent.click(screen.getByRole('button', { name: /Play the computer/ }));
  expect(onopen).toHaveBeenCalledOnce();
});

it('says so where the computer does not play', () => {
  const { container } = render(PlayComputer, { available: false, onopen: () => {} });
  expect(screen.queryByRole('button')).toBeNull();
  expect(container.textContent).toContain('does not play on this server');
});
