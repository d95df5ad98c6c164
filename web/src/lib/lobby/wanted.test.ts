import { expect, it } from 'vitest';
import { missing, read, type Search } from './wanted';

const pool: Search = { id: 'a', pool: { ruleset: 'xiangqi/standard', time: '5+3' } };
const seek: Search = {
  id: 'b',
  seek: { ruleset: 'doushouqi/booklet', time_control: { clock: { type: 'none' } }, seat: 'random' }
};

it('misses what the lobby does not have', () => {
  const place = { id: 'a', ruleset: 'xiangqi/standard', time: '5+3', since: 1 };
  expect(missing([pool, seek], { own_pools: [place], own_seeks: [] })).toEqual([seek]);
  expect(missing([pool, seek], { own_pools: [], own_seeks: [] })).toEqual([pool, seek]);
});

it('recalls what was wanted a short while ago', () => {
  const text = JSON.stringify({ at: 1_000, wanted: [pool, seek] });
  expect(read(text, 1_000 + 9 * 60_000)).toEqual([pool, seek]);
  expect(read(text, 1_000 + 11 * 60_000)).toEqual([]);
});

it('recalls nothing from other texts', () => {
  for (const text of [null, '', 'rubbish', '[]', '{"at":1}', '{"at":1,"wanted":[{"id":3},{"id":"x"},null]}']) {
    expect(read(text, 1)).toEqual([]);
  }
});
