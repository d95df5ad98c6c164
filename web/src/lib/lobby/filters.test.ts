import { expect, it } from 'vitest';
import { address, countFilters, NO_FILTERS, readFilters, startOfDay, toQuery, type Filters } from './filters';

const PLAYER = '0197d3a0-0000-7000-8000-000000000001';
const all: Filters = {
  status: 'all',
  player: PLAYER,
  ruleset: 'xiangqi/standard',
  result: 'draw',
  clock: 'byoyomi',
  from: '2026-11-01',
  until: '2026-11-30',
  before: PLAYER
};

function read(text: string): Filters {
  return readFilters(new URLSearchParams(text));
}

it('come back from the address as they went', () => {
  for (const filters of [NO_FILTERS, all, { ...NO_FILTERS, status: 'playing' as const }]) {
    expect(read(address(filters).split('?')[1] ?? '')).toEqual(filters);
  }
  expect(address(NO_FILTERS)).toBe('/games');
  expect(address({ ...NO_FILTERS, ruleset: 'xiangqi/standard' })).toBe('/games?ruleset=xiangqi/standard');
});

it('ask for nothing that makes no sense', () => {
  const nonsense = 'status=x&player=me&ruleset=<script>&result=won&clock=sand&from=2026-02-30&until=soon&before=1';
  expect(read(nonsense)).toEqual(NO_FILTERS);
});

it('take both days whole', () => {
  const query = toQuery(all, 30);
  expect(query.from).toBe(new Date(2026, 10, 1).getTime());
  expect(query.until).toBe(new Date(2026, 11, 1).getTime());
  expect(query).toMatchObject({ player: PLAYER, result: 'draw', clock: 'byoyomi', before: PLAYER, limit: 30 });
  expect(query.status).toBeUndefined();
});

it('ask for no result of games that have none', () => {
  expect(toQuery({ ...all, status: 'playing' }, 30).result).toBeUndefined();
  expect(toQuery({ ...all, status: 'ended' }, 30).result).toBe('draw');
});

it('know the days that there are', () => {
  expect(startOfDay('2024-02-29')).not.toBeNull();
  for (const day of ['2026-02-29', '2026-13-01', '1969-01-01', '26-01-01', '', null])
    expect(startOfDay(day)).toBeNull();
});

it('are counted without the page', () => {
  expect(countFilters(NO_FILTERS)).toBe(0);
  expect(countFilters(all)).toBe(7);
  expect(countFilters({ ...NO_FILTERS, before: PLAYER })).toBe(0);
});
