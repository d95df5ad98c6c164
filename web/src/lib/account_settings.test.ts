import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { follow, merged, shared } from './account_settings';
import { api } from '$lib/protocol/http';
import { Refusal } from '$lib/protocol/refusal';
import { allChosen, choose, takeOver } from '$lib/settings.svelte';

vi.mock('$lib/i18n/index.svelte', () => ({ speak: () => Promise.resolve() }));

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  takeOver({});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const kept = (version: number, settings: Record<string, string | boolean>) => ({ version, updated_at: 1, settings });

it('shares what is a matter of taste, also what it does not know, and leaves what suits the device', () => {
  const chosen = { theme: 'dark', sound: false, volume: 30, confirmMoves: true, later: { a: 'b' }, odd: 'two words' };
  expect(shared(chosen)).toEqual({ theme: 'dark', later: { a: 'b' } });
  expect(merged({ theme: 'light', volume: 1 }, chosen, new Set())).toEqual({
    theme: 'light',
    sound: false,
    volume: 30,
    confirmMoves: true
  });
  expect(merged({ theme: 'light' }, { theme: 'dark' }, new Set(['theme']))).toEqual({ theme: 'dark' });
});

it('forgets nothing that was learned here or there', () => {
  const learned = { doushouqi_booklet: '3', xiangqi_standard: '12' };
  const here = { learned: { doushouqi_booklet: '7' } };
  expect(merged({ learned }, here, new Set())).toEqual({ learned: { doushouqi_booklet: '7', xiangqi_standard: '12' } });
  expect(merged({ learned }, {}, new Set())).toEqual({ learned });
});

it('takes the settings of the account, and gives its own to a new one', async () => {
  vi.spyOn(api, 'accountSettings').mockResolvedValue(kept(3, { theme: 'dark' }));
  const save = vi.spyOn(api, 'saveSettings').mockResolvedValue(kept(1, {}));
  choose({ theme: 'light', volume: 10 });
  const end = follow('anna');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(allChosen()).toEqual({ theme: 'dark', volume: 10 });
  expect(save).not.toHaveBeenCalled();
  end();

  vi.spyOn(api, 'accountSettings').mockResolvedValue({ version: 0, updated_at: null, settings: {} });
  follow('ben')();
  const stop = follow('ben');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(save).toHaveBeenCalledExactlyOnceWith({ version: 0, settings: { theme: 'dark' } });
  stop();
});

it('saves what is chosen, and does not undo what another device has chosen meanwhile', async () => {
  const answers = [kept(1, { theme: 'dark', chat: true }), kept(2, { theme: 'light', chat: true })];
  vi.spyOn(api, 'accountSettings').mockImplementation(() => Promise.resolve(answers.shift() ?? kept(2, {})));
  const stale = new Refusal({ code: 'stale', message: 'saved elsewhere' }, 409);
  const save = vi.spyOn(api, 'saveSettings').mockRejectedValueOnce(stale).mockResolvedValue(kept(3, {}));
  const end = follow('anna');
  await vi.advanceTimersByTimeAsync(10);
  choose({ premoves: false });
  choose({ sound: false });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(save).toHaveBeenCalledTimes(2);
  expect(save).toHaveBeenLastCalledWith({ version: 2, settings: { theme: 'light', chat: true, premoves: false } });
  end();
});

it('keeps what could not be saved, for the same player alone', async () => {
  vi.spyOn(api, 'accountSettings').mockResolvedValue(kept(1, { theme: 'dark' }));
  const save = vi.spyOn(api, 'saveSettings').mockRejectedValue(new Error('no network'));
  const end = follow('anna');
  await vi.advanceTimersByTimeAsync(10);
  choose({ theme: 'light' });
  await vi.advanceTimersByTimeAsync(2_000);
  end();
  follow('ben')();
  save.mockResolvedValue(kept(2, {}));
  const again = follow('anna');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(save).toHaveBeenLastCalledWith({ version: 1, settings: { theme: 'light' } });
  again();
});
