import { render, screen } from '@testing-library/svelte';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { need } from '$lib/i18n/index.svelte';
import { aView } from '$lib/game/testing';
import Ending from './Ending.svelte';
import type { ReplayState } from './replay_state.svelte';

const asked = vi.hoisted(() => vi.fn());
vi.mock('$lib/protocol/http', () => ({
  rest: () => Promise.resolve(),
  api: {
    catalog: () =>
      Promise.resolve({ games: [{ rulesets: [{ id: 'doushouqi/booklet', options: { quiet_limit: 120 } }] }] }),
    ending: asked
  }
}));

const position = '7/3C3/7/7/7/7/7/7/6r w';
const won = {
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
  asked.mockReset();
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
