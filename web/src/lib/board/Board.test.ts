import { render, screen } from '@testing-library/svelte';
import { beforeAll, expect, it, vi } from 'vitest';
import { need } from '$lib/i18n/index.svelte';
import { choose } from '$lib/settings.svelte';
import Board from './Board.svelte';
import MiniBoard from './MiniBoard.svelte';

const POSITION = '4k4/9/9/9/9/9/9/9/4r4/R2K5 w';

beforeAll(async () => {
  choose({ locale: 'en', confirmMoves: false });
  await need('common', 'board');
});

function square(name: string): SVGElement {
  const cell = screen.getByRole('gridcell', { name: new RegExp(`^${name}\\b`) });
  if (!(cell instanceof SVGElement)) throw new Error(`${name} is no part of a drawing`);
  return cell;
}

function click(name: string): void {
  square(name).dispatchEvent(new MouseEvent('click', { bubbles: true }));
}

function press(name: string, key: string): void {
  square(name).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
}

it('plays a move by two clicks', () => {
  const onmove = vi.fn();
  render(Board, { game: 'xiangqi', fen: POSITION, movable: 'first', legal: ['a1a2'], onmove });
  click('a1');
  click('a2');
  expect(onmove).toHaveBeenCalledExactlyOnceWith('a1a2');
});

it('plays a move by keys alone, and goes from square to square', () => {
  const onmove = vi.fn();
  render(Board, { game: 'xiangqi', fen: POSITION, movable: 'first', legal: ['a1b1'], onmove });
  square('a1').focus();
  press('a1', 'Enter');
  press('a1', 'ArrowRight');
  expect(document.activeElement).toBe(square('b1'));
  press('b1', ' ');
  expect(onmove).toHaveBeenCalledExactlyOnceWith('a1b1');
});

it('tells a banned move with its reason, and does not play it', async () => {
  const [onmove, onbanned] = [vi.fn(), vi.fn()];
  const banned = [{ move: 'a1a2', reason: 'perpetual_check' as const }];
  render(Board, { game: 'xiangqi', fen: POSITION, movable: 'first', legal: ['d1d2'], banned, onmove, onbanned });
  click('a1');
  await vi.waitFor(() => expect(square('a2').getAttribute('aria-label')).toMatch(/banned: .*perpetual check/));
  click('a2');
  expect(onbanned).toHaveBeenCalledExactlyOnceWith('a1a2', 'perpetual_check');
  expect(onmove).not.toHaveBeenCalled();
});

it('says what stands on a square, and whose it is', () => {
  render(Board, { game: 'xiangqi', fen: POSITION, movable: 'first', legal: ['a1a2'] });
  expect(square('a1').getAttribute('aria-label')).toBe('a1, red chariot, can move');
  expect(square('e2').getAttribute('aria-label')).toBe('e2, black chariot, palace');
  expect(square('b5').getAttribute('aria-label')).toBe('b5, empty');
});

it('is a picture where nothing can be moved', () => {
  render(MiniBoard, { game: 'luzhanqi', fen: '5/5/5/5/5/5/5/5/5/5/5/UUUUU', label: 'a diagram' });
  expect(screen.getByRole('img', { name: 'a diagram' })).toBeTruthy();
  expect(screen.queryByRole('grid')).toBeNull();
});

it('hides from its words what is hidden on the board', () => {
  render(Board, { game: 'luzhanqi', fen: 'uuuuu/5/5/5/5/5/5/5/5/5/5/MGDBK', movable: 'first' });
  expect(square('a12').getAttribute('aria-label')).toBe('a12, blue hidden piece');
});
