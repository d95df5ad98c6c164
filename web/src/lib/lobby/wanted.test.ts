import { expect, it } from 'vitest';
import { missing, read, together, type Search } from './wanted';

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

it('puts searches together that differ by their time alone', () => {
  const place = { ruleset: 'xiangqi/standard', rated: false };
  const searches = [
    { ...place, id: 'a', time: '5+3', since: 7 },
    { ...place, id: 'b', time: '10+5', since: 5 },
    { ...place, id: 'c', time: '5+3', since: 9, rated: true }
  ];
  expect(together(searches)).toEqual([
    { ...place, ids: ['a', 'b'], times: ['5+3', '10+5'], since: 5 },
    { ...place, rated: true, ids: ['c'], times: ['5+3'], since: 9 }
  ]);
});
