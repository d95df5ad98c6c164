import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { need } from '$lib/i18n/index.svelte';
import type { Catalog } from '$lib/protocol/protocol';
import { Refusal } from '$lib/protocol/refusal';
import catalog from '$lib/rules/catalog.fixture.json';
import { readChoice } from './choice';
import ComputerGame from './ComputerGame.svelte';

beforeAll(() => need('common', 'game', 'lobby'));

// There are no dialogs in this browser.
beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
});

function opens(fault: unknown = null) {
  const onsubmit = vi.fn();
  render(ComputerGame, {
    catalog: catalog as unknown as Catalog,
    choice: readChoice(null),
    computers: [],
    busy: false,
    fault,
    onsubmit,
    onclose: () => {}
  });
  return onsubmit;
}

it('asks for a game without a clock at the lowest level unless something else is chosen', async () => {
  const onsubmit = opens();
  await fireEvent.click(screen.getByRole('button', { name: 'Start the game' }));
  expect(onsubmit.mock.lastCall?.[0]).toEqual({
    purpose: 'computer',
    data: { ruleset: 'xiangqi/standard', time_control: { clock: { type: 'none' } }, seat: 'random', computer: 1 }
  });
});

it('asks for what is chosen, and remembers it apart from games with people', async () => {
  const onsubmit = opens();
  for (const name of ['Luzhanqi', /^8/, /Blue/, 'Per move']) await fireEvent.click(screen.getByRole('radio', { name }));
  await fireEvent.click(screen.getByRole('button', { name: 'Start the game' }));
  const [terms, choice] = onsubmit.mock.lastCall ?? [];
  expect(terms.data).toEqual({
    ruleset: 'luzhanqi/modern',
    time_control: { clock: { type: 'per_move', move_ms: 86_400_000 }, setup_ms: 3_600_000 },
    seat: 'second',
    computer: 8
  });
  expect(choice).toMatchObject({ computer: { level: 8, time: { kind: 'per_move' } }, time: { kind: 'fischer' } });
});

it('asks for a practice game where that is chosen, and remembers it', async () => {
  const onsubmit = opens();
  const practice = screen.getByRole<HTMLInputElement>('checkbox', { name: /^Practice/ });
  expect(practice.checked).toBe(false);
  await fireEvent.click(practice);
  await fireEvent.click(screen.getByRole('button', { name: 'Start the game' }));
  const [terms, choice] = onsubmit.mock.lastCall ?? [];
  expect(terms.data).toMatchObject({ computer: 1, practice: true });
  expect(choice).toMatchObject({ computer: { practice: true } });
});

it('says why there is no game', () => {
  opens(new Refusal({ code: 'limit_reached', message: 'at most 5 at a time', field: 'computer' }));
  expect(screen.getByRole('alert').textContent).toContain('too many games against the computer');
});
