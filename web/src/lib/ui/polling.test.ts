import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { poll } from './polling';

let hidden = false;

beforeEach(() => {
  vi.useFakeTimers();
  hidden = false;
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
});

afterEach(() => vi.useRealTimers());

it('asks at once, again after each answer, and no more when it is ended', async () => {
  const ask = vi.fn(() => Promise.resolve());
  const end = poll(1000, ask);
  expect(ask).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2000);
  expect(ask).toHaveBeenCalledTimes(3);
  end();
  await vi.advanceTimersByTimeAsync(5000);
  expect(ask).toHaveBeenCalledTimes(3);
});

it('never asks twice at a time, and gets over a failure', async () => {
  let fail: (() => void) | undefined;
  const ask = vi.fn(() => new Promise<void>((_, reject) => (fail = () => reject(new Error('away')))));
  const end = poll(1000, ask);
  await vi.advanceTimersByTimeAsync(5000);
  expect(ask).toHaveBeenCalledTimes(1);
  fail?.();
  await vi.advanceTimersByTimeAsync(1000);
  expect(ask).toHaveBeenCalledTimes(2);
  end();
});

it('rests while nobody looks', async () => {
  const ask = vi.fn(() => Promise.resolve());
  const end = poll(1000, ask);
  hidden = true;
  await vi.advanceTimersByTimeAsync(5000);
  expect(ask).toHaveBeenCalledTimes(1);
  hidden = false;
  document.dispatchEvent(new Event('visibilitychange'));
  expect(ask).toHaveBeenCalledTimes(2);
  end();
});
