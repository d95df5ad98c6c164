import { render, screen } from '@testing-library/svelte';
import { beforeAll, beforeEach, expect, it, vi, type MockInstance } from 'vitest';
import { need } from '$lib/i18n/index.svelte';
import { aView } from '$lib/game/testing';
import { api } from '$lib/protocol/http';
import type { Catalog } from '$lib/protocol/protocol';
import Ending from './Ending.svelte';
import type { ReplayState } from './replay_state.svelte';

let asked: MockInstance<typeof api.ending>;

const position = '7/3C3/7/7/7/7/7/7/6r w';
const won: Awaited<ReturnType<typeof api.ending>> = {
  ruleset: 'doushouqi/booklet',
  position,
  turn: 'second',
  value: 'loss',
  plies: 2,
  moves: [{ move: 'g1g2', value: 'loss', plies: 2 }],
  line: ['g1g2', 'd8d9']
};

function replay(fen: string, options = { quiet_limit: 120 }): ReplayState {
  const view = aView({ ruleset: 'doushouqi/booklet', status: 'ended', options });
  return { view, fen, atEnd: false } as unknown as ReplayState;
}

beforeAll(() => need('common', 'game', 'replay'));
beforeEach(() => {
  const games = [{ rulesets: [{ id: 'doushouqi/booklet', options: { quiet_limit: 120 } }] }];
  // Test files share their modules, so that only these functions are replaced, and only while a test runs.
  vi.spyOn(api, 'catalog').mockResolvedValue({ games } as unknown as Catalog);
  asked = vi.spyOn(api, 'ending');
});

it('tells who wins an ending and in how many plies', async () => {
  asked.mockResolvedValue(won);
  render(Ending, { replay: replay(`${position} - - 0 1`) });
  expect((await screen.findByRole('status')).textContent).toMatch(/wins in 2 plies\. *Best: g1g2\./);
  expect(asked).toHaveBeenCalledWith(
    { ruleset: 'doushouqi/booklet', position: `${position} - - 0 1` },
    expect.anything()
  );
});

it('says nothing of other options, of many animals, and where no table is made', async () => {
  asked.mockImplementation(() => Promise.reject(new Error('not made yet')));
  render(Ending, { replay: replay(`${position} - - 0 1`, { quiet_limit: 0 }) });
  render(Ending, { replay: replay('l5t/1d3c1/7/7/7/7/7/7/6r w - - 0 1') });
  await Promise.resolve();
  expect(asked).not.toHaveBeenCalled();
  render(Ending, { replay: replay(`${position} - - 0 1`) });
  await vi.waitFor(() => {
    expect(asked).toHaveBeenCalled();
  });
  expect(screen.queryByRole('status')).toBeNull();
});
